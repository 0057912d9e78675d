"""How games that all start alike are opened: by chance, and so that neither side has won."""

from __future__ import annotations

from random import Random
from typing import cast

from quincunx.arena.schedule import Plan, derived
from quincunx.game import State
from quincunx.players import AnalysingPlayer, player

TRIES = 20

# In more than half of the openings of Onoro that are drawn blindly one side wins by force, and
# a match would measure little else. A short search sees nearly all of these.
JUDGE = "mcts:sims=1000"
EVEN = 0.3  # the most that an opening may be worth to a side


def opening(plan: Plan, seed: int) -> list[State]:
    """The positions of the opening of a round, the first one included; none of them is over.

    In games of two it is the first of some tries that is even, or else the most even one.
    """
    first = plan.rules.start(seed)
    if not plan.opening_plies:
        return [first]
    best, least = [first], 2.0
    for attempt in range(TRIES):
        states = _drawn(plan, first, derived(seed, "opening", attempt))
        if states[-1].over:
            continue
        lead = _lead(states[-1])
        if lead < least:
            best, least = states, lead
        if lead <= EVEN:
            break
    return best


def _drawn(plan: Plan, first: State, seed: int) -> list[State]:
    """Random plies from the first position, until there are enough or the game is over."""
    dice, states = Random(seed), [first]
    while len(states) <= plan.opening_plies and not states[-1].over:
        seat = states[-1].seat_to_move(0, len(states) - 1)
        states.append(states[-1].act(dice.choice(states[-1].actions(seat)), seat))
    return states


def _lead(state: State) -> float:
    """How far one side of a game of two is ahead, 0 to 1; 0 in other games."""
    if not state.game.parts.rules.DRAWS:
        return 0.0
    judge = cast(AnalysingPlayer, player(JUDGE, state.game, seed=0))
    return abs(judge.analyse_moves(state)[0].value)
