"""Random openings for games with a fixed start, chosen so that neither side has won already."""

from __future__ import annotations

from random import Random

from quincunx.arena.schedule import Plan, derive_seed
from quincunx.contract import WIN_OR_DRAW
from quincunx.game import State
from quincunx.match import Match
from quincunx.players import analysing_player

MAX_TRIES = 20

# In some games one side can force a win after more than half of all random openings, and a match
# would measure little else. A short search detects nearly all of these.
JUDGE = "mcts:sims=1000"
MAX_LEAD = 0.3  # the greatest value of an opening for a side


def opening(plan: Plan, seed: int) -> Match:
    """Returns a match after a round's opening; the game is not over.

    In games of two, it is the first even one of several random openings, or the most even one.
    """
    best, least_lead = Match(plan.configured_game, seed=seed), 2.0
    if not plan.opening_plies:
        return best
    for attempt in range(MAX_TRIES):
        match = _random_opening(plan, seed, derive_seed(seed, "opening", attempt))
        if match.state.over:
            continue
        lead = _lead(match.state)
        if lead < least_lead:
            best, least_lead = match, lead
        if lead <= MAX_LEAD:
            break
    return best


def _random_opening(plan: Plan, seed: int, opening_seed: int) -> Match:
    """Plays random plies until there are enough or the game is over."""
    rng, match = Random(opening_seed), Match(plan.configured_game, seed=seed)
    while match.plies < plan.opening_plies and not match.state.over:
        seat = match.state.seat_to_move(0, match.plies)
        match.play(rng.choice(match.state.actions(seat)), seat)
    return match


def _lead(state: State) -> float:
    """Returns how far one side of a game of two is ahead, from 0 to 1; 0 in other games."""
    if state.game.seats != 2 or state.game.traits.outcome != WIN_OR_DRAW:
        return 0.0
    judge = analysing_player(JUDGE, state.game, seed=0)
    return abs(judge.analyse_moves(state)[0].value)
