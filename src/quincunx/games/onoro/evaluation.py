"""Onoro's static evaluation, compiled: lines, mobility and threats, weighted."""

import numpy as np

from quincunx.games.onoro.cell_sets import (
    CELL_MASK,
    LINE_STEPS,
    any_cell,
    count,
    difference,
    group_sets,
    intersection,
    landings,
    load,
    shift_down,
    shift_up,
    union,
)
from quincunx.jit import jit, lowest_bit, popcount
from quincunx.position import two_player_value

# In hundredths of a logit, by the number of cells on which the opponent would win: none, one, more.
THREAT_PENALTY_PLACING = np.array([0.0, 107.0, 320.0])
THREAT_PENALTY_MOVING = np.array([0.0, 46.0, 165.0])


@jit
def _completing_cells(own):
    """Returns the cells where one more pawn would make four in a row."""
    gaps = difference(own, own)  # the empty set
    for step in LINE_STEPS:
        before, after = shift_up(own, step), shift_down(own, step)
        two_before = intersection(before, shift_up(own, step + step))
        two_after = intersection(after, shift_down(own, step + step))
        completing = union(
            intersection(two_before, union(after, shift_up(own, step + step + step))),
            intersection(two_after, union(before, shift_down(own, step + step + step))),
        )
        gaps = union(gaps, completing)
    return gaps


@jit
def _mobility_and_wins(s, seat, sets, has_open_three):
    """Returns a side's mobility and the number of cells on which it would win if it were to move.

    Mobility counts 1 for each landing and 11 more for each pawn that can move, in hundredths of a
    logit; it is 0 while pawns are placed. `has_open_three` says whether the side has a line with
    three own pawns whose last cell is open; without one it cannot win at once.
    """
    own = load(s.pawns[seat])
    gaps = difference(own, own)  # the empty set
    if has_open_three:
        gaps = intersection(_completing_cells(own), sets[1])
    if s.placed < 2 * s.each:
        return 0, count(gaps)
    mobility = 0
    winning = difference(own, own)
    for w in range(4):
        remaining = own[w]
        while remaining:
            c = 64 * w + lowest_bit(remaining)
            remaining &= remaining - np.uint64(1)
            reachable = landings(sets, c)
            n = count(reachable)
            mobility += 11 + n if n else 0
            completing = intersection(gaps, reachable)
            if any_cell(completing):
                # The moving pawn must not be one of the three that it completes.
                winning = union(
                    winning,
                    intersection(
                        completing, _completing_cells(difference(own, load(CELL_MASK[c])))
                    ),
                )
    return mobility, count(winning)


@jit
def _two_or_three(a, b, c, d):
    """Returns the bits that are set in two or three of the four words."""
    return a & b ^ c & d ^ (a ^ b) & (c ^ d)


@jit
def _count_open_lines(s, seat, open_cells):
    """Counts a side's unblocked lines: four cells in a row without a pawn of the opponent.

    Open cells are empty cells that touch two pawns, so that a pawn can go there. Returns four
    counts: lines with three own pawns whose last cell is open, lines with three own pawns whose
    last cell is not open, and lines with two own pawns of whose other cells both or only one
    are open.
    """
    three_open = three_closed = two_both_open = two_one_open = 0
    for w in range(4):
        # A line starts in this word, and ends in it or in the next.
        own = s.pawns[seat, w]
        own_next = s.pawns[seat, w + 1] if w < 3 else np.uint64(0)
        if own | own_next == np.uint64(0):
            continue
        other = s.pawns[1 - seat, w]
        other_next = s.pawns[1 - seat, w + 1] if w < 3 else np.uint64(0)
        opened = open_cells[w]
        opened_next = open_cells[w + 1] if w < 3 else np.uint64(0)
        for step in LINE_STEPS:
            two, three = step + step, step + step + step
            a, b = own, own >> step | own_next << (np.uint64(64) - step)
            c = own >> two | own_next << (np.uint64(64) - two)
            d = own >> three | own_next << (np.uint64(64) - three)
            blocked = (
                other
                | other >> step
                | other >> two
                | other >> three
                | other_next << (np.uint64(64) - step)
                | other_next << (np.uint64(64) - two)
                | other_next << (np.uint64(64) - three)
            )
            # Parity distinguishes three own pawns from two, and one open cell from none or both.
            odd_own = a ^ b ^ c ^ d
            lines = _two_or_three(a, b, c, d) & ~blocked
            if lines:
                a, b = opened, opened >> step | opened_next << (np.uint64(64) - step)
                c = opened >> two | opened_next << (np.uint64(64) - two)
                d = opened >> three | opened_next << (np.uint64(64) - three)
                odd_open = a ^ b ^ c ^ d
                three_open += popcount(lines & odd_own & odd_open)
                three_closed += popcount(lines & odd_own & ~odd_open)
                two_both_open += popcount(lines & ~odd_own & _two_or_three(a, b, c, d))
                two_one_open += popcount(lines & ~odd_own & odd_open)
    return three_open, three_closed, two_both_open, two_one_open


@jit
def evaluate(s, seat):
    """Returns the static evaluation for the seat, from -1 to 1.

    It sums features of the side to move less those of the other side. The weights are in
    hundredths of a logit, fitted by logistic regression to self-play games
    (benchmarks/tune_duel.py).
    """
    if s.over:
        return two_player_value(s, seat)
    sets = group_sets(s)
    placing = s.placed < 2 * s.each
    turn = np.int64(s.turn)
    three_open, three_closed, two_both_open, two_one_open = _count_open_lines(s, turn, sets[1])
    mobility, wins = _mobility_and_wins(s, turn, sets, three_open > 0)
    if wins:
        x = 1000.0
    else:
        other_three_open, other_three_closed, other_two_both_open, other_two_one_open = (
            _count_open_lines(s, 1 - turn, sets[1])
        )
        other_mobility, threats = _mobility_and_wins(s, 1 - turn, sets, other_three_open > 0)
        three_closed -= other_three_closed
        two_both_open -= other_two_both_open
        two_one_open -= other_two_one_open
        if placing:
            x = (
                45.0
                + 95 * three_closed
                + 33 * two_both_open
                + 12 * two_one_open
                - THREAT_PENALTY_PLACING[min(threats, 2)]
            )
        else:
            x = (
                15.0
                + 24 * three_closed
                + 11 * two_both_open
                + mobility
                - other_mobility
                - THREAT_PENALTY_MOVING[min(threats, 2)]
            )
    x /= np.sqrt(40_000.0 + x * x)
    return x if seat == turn else -x
