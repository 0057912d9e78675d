"""The transposition table of alpha-beta search: templates, compiled per game."""

import numpy as np

from quincunx.contract import apply, is_legal
from quincunx.jit import jit
from quincunx.search.alphabeta_records import (
    BOUND_EXACT,
    BOUND_LOWER,
    BOUND_UPPER,
    MATE_THRESHOLD,
    NO_ACTION,
)
from quincunx.search.alphabeta_records import record_types as record_types
from quincunx.search.computed_keys import current_key, has_repeated

# The optional fields of a position that this module reads.
FIELDS = ("winner",)

SIGNATURES = {
    "tt_slot": "(table: entry[:], key: u64) -> i64",
    "tt_store": "(table: entry[:], frame: frame, ply: i64) -> void",
    "tt_probe": "(entry: entry, frame: frame, workspace: workspace, ply: i64) -> bool",
    "principal_variation": "(s: state, action: i64, table: entry[:], line: i64[:]) -> i64",
}


@jit
def tt_slot(table, key):
    """Returns the index of a position's entry, or of its first slot if it has none.

    A position has two slots: its index by key with the lowest bit cleared, and the next one. The
    length of the table is a power of two.
    """
    i = np.int64(key & np.uint64(len(table) - 2))
    return i + 1 if table[i + 1].key == key else i


@jit
def tt_store(table, frame, ply):
    """Stores the result of a frame.

    The first of the two slots prefers the deeper entry, until it has aged; the second is always
    replaced.
    """
    i = np.int64(frame.key & np.uint64(len(table) - 2))
    if table[i].key != frame.key and table[i].depth - table[i].age > frame.depth:
        table[i].age += 1
        i += 1
    entry = table[i]
    entry.age = 0
    entry.key = frame.key
    entry.action = frame.best_action
    entry.depth = frame.depth
    entry.value = frame.value
    if frame.value > MATE_THRESHOLD:
        entry.value += ply
    elif frame.value < -MATE_THRESHOLD:
        entry.value -= ply
    if frame.value >= frame.beta:
        entry.bound = BOUND_LOWER
    elif frame.value > frame.original_alpha:
        entry.bound = BOUND_EXACT
    else:
        entry.bound = BOUND_UPPER


def tt_probe(entry, frame, workspace, ply):
    """Returns True when a table entry, written into the frame, can stand for its search.

    A full-width search takes only entries of the same depth, so that its value is that of plain
    minimax.
    """
    frame.tt_action = NO_ACTION
    if entry.key != frame.key:
        return False
    frame.tt_action = entry.action
    value = np.int64(entry.value)
    if value > MATE_THRESHOLD:
        value -= ply
    elif value < -MATE_THRESHOLD:
        value += ply
    frame.value = value
    deep_enough = entry.depth == frame.depth or (
        entry.depth > frame.depth and workspace.full_width == 0
    )
    is_bound = (
        entry.bound == BOUND_EXACT
        or (entry.bound == BOUND_LOWER and value >= frame.beta)
        or (entry.bound == BOUND_UPPER and value <= frame.alpha)
    )
    return deep_enough and is_bound and ply > workspace.root


def principal_variation(s, action, table, line):
    """Plays an action and then the table's best moves; returns the number of actions played.

    Writes them into `line` and stops at a repetition, at an unknown or illegal move, or when the
    line is full.
    """
    n = 0
    while True:
        line[n] = action
        n += 1
        apply(s, np.int64(s.turn), action)
        key = current_key(s)
        entry = table[tt_slot(table, key)]
        known = entry.key == key and entry.bound != BOUND_UPPER and not has_repeated(s)
        action = np.int64(entry.action)
        if n == len(line) or not known or not is_legal(s, np.int64(s.turn), action):
            return n
