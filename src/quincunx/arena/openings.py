"""Random openings for games with a fixed start, chosen so that neither side has won already."""

from __future__ import annotations

from random import Random
from typing import cast

from quincunx.arena.schedule import Plan, derive_seed
from quincunx.contract import WIN_OR_DRAW
from quincunx.game import State
from quincunx.players import AnalysingPlayer, player

MAX_TRIES = 20

# After more than half of all random openings of Onoro one side can force a win, and a match would
# measure little else. A short search detects nearly all of these.
JUDGE = "mcts:sims=1000"
MAX_LEAD = 0.3  # the greatest value of an opening for a side


def opening(plan: Plan, seed: int) -> list[State]:
    """Returns the positions of a round's opening, from the start; the game is not over in any.

    In games of two, it is the first even one of several random openings, or the most even one.
    """
    start = plan.configured_game.start(seed)
    if not plan.opening_plies:
        return [start]
    best, least_lead = [start], 2.0
    for attempt in range(MAX_TRIES):
        states = _random_opening(plan, start, derive_seed(seed, "opening", attempt))
        if states[-1].over:
            continue
        lead = _lead(states[-1])
        if lead < least_lead:
            best, least_lead = states, lead
        if lead <= MAX_LEAD:
            break
    return best


def _random_opening(plan: Plan, start: State, seed: int) -> list[State]:
    """Plays random plies until there are enough or the game is over; returns the positions."""
    rng, states = Random(seed), [start]
    while len(states) <= plan.opening_plies and not states[-1].over:
        seat = states[-1].seat_to_move(0, len(states) - 1)
        states.append(states[-1].act(rng.choice(states[-1].actions(seat)), seat))
    return states


def _lead(state: State) -> float:
    """Returns how far one side of a game of two is ahead, from 0 to 1; 0 in other games."""
    if state.game.seats != 2 or state.game.traits.outcome != WIN_OR_DRAW:
        return 0.0
    judge = cast(AnalysingPlayer, player(JUDGE, state.game, seed=0))
    return abs(judge.analyse_moves(state)[0].value)
