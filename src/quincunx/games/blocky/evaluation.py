"""Blocky's static evaluation, compiled: the lead over the best opponent."""

import numpy as np

from quincunx.games.blocky.blocks import BLOCK_CELLS
from quincunx.games.blocky.goals import BLOB, goal_score
from quincunx.jit import jit


@jit
def _seat_score(s, seat):
    """Returns the evaluation of one seat: twice its score, plus its cells of the target colour.

    The seat to move gets a bonus of one side of the board, in unit cells.
    """
    cells = 0
    i = 0
    while i < BLOCK_CELLS[s.depth]:
        size = BLOCK_CELLS[s.depth - np.int64(s.units[i] >> 2)]
        if s.units[i] & 3 == s.target[seat]:
            cells += size
        i += size
    score = 2 * (goal_score(s, seat) - s.cost[seat]) + cells
    return score + (1 << s.depth) if seat == s.turn else score


@jit
def evaluate(s, seat):
    """Returns the static evaluation for the seat, from -1 to 1.

    It is the seat's lead over the best opponent or, in a solo game, its score. At the end it is 1
    for a sole winner, -1 for a loser, and 2 / n - 1 for each of n players who share the win.
    """
    side = 1 << s.depth
    if s.players == 1:
        max_score = side * side if s.goal[seat] == BLOB else 4 * side
        return max(-1.0, (goal_score(s, seat) - s.cost[seat]) / max_score)
    own = goal_score(s, seat) - s.cost[seat] if s.over else _seat_score(s, seat)
    lead = np.int64(1 << 40)
    equal_scores = 1
    for other in range(s.players):
        if other != seat:
            margin = own - (
                goal_score(s, other) - s.cost[other] if s.over else _seat_score(s, other)
            )
            lead = min(lead, margin)
            equal_scores += margin == 0
    if s.over:
        return 2.0 / equal_scores - 1.0 if lead >= 0 else -1.0
    return lead / np.float64(abs(lead) + 2 * side)
