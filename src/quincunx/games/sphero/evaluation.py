"""Sphero's static evaluation, compiled: the lead over the best opponent."""

import numpy as np

from quincunx.games.sphero.cells import MIDDLE, NEIGHBOUR_STEP
from quincunx.jit import jit, lowest_bit
from quincunx.position import ANYONE

# In spheres, for every sphere that touches two of its colour. A row of three has one of them and
# loses about this many spheres within 15 plies; a row of four has two and loses twice as many.
CROWDING_PENALTY = 0.7


@jit
def _count_crowded(s):
    """Returns the numbers of spheres that touch at least two of their colour, ten bits per seat.

    Rotations are likely to turn such groups into chains.
    """
    crowded = np.int64(0)
    for row in range(MIDDLE - s.highest, MIDDLE + s.highest + 1):
        cells = s.taken[row]
        while cells:
            cell = row * 64 + lowest_bit(cells)
            cells &= cells - np.uint64(1)
            colour = np.int64(s.sphere[cell]) & 7
            if colour:
                touching = 0
                for step in NEIGHBOUR_STEP:
                    touching += (np.int64(s.sphere[cell + step]) & 7) == colour
                if touching > 1:
                    crowded += np.int64(1) << 10 * (colour - 1)
    return crowded


@jit
def _expected_count(s, seat, crowded):
    """Returns the number of spheres of a seat; before the end, an estimate for the near future."""
    if s.over:
        return np.float64(s.count[seat])
    due = 1.0 if s.turn != ANYONE and seat >= s.turn else 0.0  # it still places in this round
    return s.count[seat] + due - CROWDING_PENALTY * np.float64(crowded >> 10 * seat & 1023)


@jit
def evaluate(s, seat):
    """Returns the static evaluation for the seat, -1 to 1: its lead over the best opponent."""
    crowded = _count_crowded(s)
    own = _expected_count(s, seat, crowded)
    best = -1000.0
    sharing = 1
    for other in range(s.players):
        if other != seat:
            expected = _expected_count(s, other, crowded)
            best = max(best, expected)
            sharing += expected == own
    lead = own - best
    if s.over:
        return -1.0 if lead < 0 else 2.0 / sharing - 1.0
    return lead / (10.0 + abs(lead))
