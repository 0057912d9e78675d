"""Alpha-beta search with a transposition table: templates, compiled per game.

Iterative negamax for two players without chance. The search can stop before any node and be
resumed, so that the caller can check the clock.
"""

import math

import numpy as np

from quincunx.contract import apply, evaluate, legal
from quincunx.position import REPETITION_WINDOW

# Values are integers for the side to move. A static evaluation is multiplied by EVAL_SCALE; a won
# game is MATE minus the plies from the root, a lost game the negative of that, a draw 0.
EVAL_SCALE = 10_000
MATE = 30_000
MATE_THRESHOLD = 29_000  # greater absolute values are mate values: a result and its distance
MAX_DEPTH = 64

# An entry of the transposition table. Mate values count the plies from the entry's own position,
# not from the root.
TT_ENTRY = np.dtype(
    [
        ("key", "u8"),
        ("action", "i4"),
        ("value", "i4"),
        ("depth", "i2"),
        ("bound", "i1"),
        ("age", "i1"),  # the number of shallower entries rejected in its favour
    ]
)
BOUND_LOWER, BOUND_EXACT, BOUND_UPPER = 1, 2, 3

# The search stack has one frame for each ply.
FRAME = np.dtype(
    [
        ("key", "u8"),
        ("alpha", "i4"),
        ("beta", "i4"),
        ("original_alpha", "i4"),
        ("depth", "i4"),  # plies left to search
        ("best_value", "i4"),
        ("best_action", "i4"),
        ("move_count", "i4"),
        ("next_move", "i4"),  # the index of the next move to try
        ("reduction", "i4"),  # plies by which the current move is searched less deeply
        ("null_window", "i4"),  # 1 while the current move is searched with a null window
        ("killers", "i4", (2,)),  # the last two moves that caused a cutoff at this ply
    ]
)

# The state of a search between two calls.
SEARCH_STATE = np.dtype(
    [
        ("root", "i4"),  # the ply at which the search starts
        ("ply", "i4"),
        ("value", "i4"),  # of the root, once the search is complete
        ("full_width", "i4"),  # 1 = no forward pruning, reductions or extensions
        ("nodes", "i8"),
    ]
)

# Reverse futility pruning: near the leaves, a static evaluation this far above beta, per ply of
# depth, fails high without a search.
REVERSE_FUTILITY_MARGIN = 600
REVERSE_FUTILITY_MAX_DEPTH = 4

# Threat extension: at depth 0, a side to move with a static evaluation this low is searched
# further, since it may still have an answer to the threat.
THREAT_VALUE = -7000
THREAT_EXTENSION_PLIES = 4


def leaf_value(s, ply):
    """Returns the value of a position for the side to move: its result, or its evaluation."""
    value = evaluate(s, np.int64(s.turn))
    if not s.over:
        return np.int64(value * EVAL_SCALE)
    if value == 0.0:
        return np.int64(0)
    return np.int64(MATE - ply if value > 0.0 else ply - MATE)


def move_ordering_score(frame, tt_action, action, history):
    """Returns the priority of a move: the table's move, then killers, then by history."""
    if action == tt_action:
        return np.int64(1 << 40)
    if action == frame.killers[0]:
        return np.int64(1 << 39)
    if action == frame.killers[1]:
        return np.int64(1 << 38)
    return np.int64(history[action])


def is_repetition(frames, ply):
    """Returns True when the position at a ply occurred before on the stack; it counts as a draw."""
    repeated = False
    # At the earliest after four plies: both sides move, then move back.
    for earlier in range(ply - 4, -1, -2):
        repeated |= frames[earlier].key == frames[ply].key
    return repeated


def tt_slot(table, key):
    """Returns the index of a position's entry, or of its first slot if it has none.

    A position has two slots: its index by key with the lowest bit cleared, and the next one.
    """
    i = np.int64(key & np.uint64(len(table) - 2))
    return i + 1 if table[i + 1].key == key else i


def tt_store(table, frame, value, ply):
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
    entry.value = value
    if value > MATE_THRESHOLD:
        entry.value += ply
    elif value < -MATE_THRESHOLD:
        entry.value -= ply
    if value >= frame.beta:
        entry.bound = BOUND_LOWER
    elif value > frame.original_alpha:
        entry.bound = BOUND_EXACT
    else:
        entry.bound = BOUND_UPPER


def tt_probe(table, frame, full_width, ply):
    """Looks a frame's position up: returns (its best action or -1, is it a cutoff, its value).

    A full-width search takes only entries of the same depth, so that its value is that of plain
    minimax.
    """
    entry = table[tt_slot(table, frame.key)]
    if entry.key != frame.key:
        return np.int64(-1), False, np.int64(0)
    value = np.int64(entry.value)
    if value > MATE_THRESHOLD:
        value -= ply
    elif value < -MATE_THRESHOLD:
        value += ply
    deep_enough = entry.depth == frame.depth or (entry.depth > frame.depth and not full_width)
    cutoff = deep_enough and (
        entry.bound == BOUND_EXACT
        or (entry.bound == BOUND_LOWER and value >= frame.beta)
        or (entry.bound == BOUND_UPPER and value <= frame.alpha)
    )
    return np.int64(entry.action), cutoff, value


def is_null_window(frame):
    """Returns True when a frame is searched with a null window, and not for a mate value."""
    return frame.beta - frame.alpha == 1 and -MATE_THRESHOLD < frame.beta < MATE_THRESHOLD


def principal_variation(s, action, table, moves, line):
    """Plays an action and then the table's best moves; returns the number of actions played.

    Writes them into `line` and stops at a repetition, at an unknown or illegal move, or when the
    line is full. `moves` is a buffer for MAX_LEGAL actions.
    """
    n = 0
    while True:
        line[n] = action
        n += 1
        apply(s, np.int64(s.turn), action)
        key = s.seen[s.ply % REPETITION_WINDOW]
        entry = table[tt_slot(table, key)]
        occurrences = 0
        for i in range(REPETITION_WINDOW):
            occurrences += s.seen[i] == key
        action = np.int64(entry.action)
        known = False
        if entry.key == key and entry.bound != BOUND_UPPER and occurrences == 1 and n < len(line):
            for i in range(legal(s, np.int64(s.turn), moves)):
                known |= moves[i] == action
        if not known:
            return n


def pick_move(moves, scores, i, n):
    """Swaps the move with the best ordering score of moves[i:n] to index i and returns it."""
    best = i
    for j in range(i + 1, n):
        if scores[j] > scores[best]:
            best = j
    moves[i], moves[best] = moves[best], moves[i]
    scores[i], scores[best] = scores[best], scores[i]
    return np.int64(moves[i])


def late_move_reduction(depth, i):
    """Returns the plies by which the i-th move, counted from 0, is searched less deeply."""
    if depth < 2 or i < 3:
        return np.int64(0)
    return np.int64(min(math.log(depth) * math.log(i) / 2.0 + 0.5, depth - 1.0))


def alphabeta(states, frames, moves, ordering_scores, table, history, search, max_nodes):
    """Continues a search for at most `max_nodes` nodes; returns True when it is complete.

    The caller sets search.root and search.ply to the first ply, and alpha, beta and depth of the
    frame there. In the end search.value is the value of that position for the side to move, and
    the frame's best_action its best move. There is no recursion: states[i], frames[i] and row i
    of `moves` and `ordering_scores` belong to ply i. Mate values are proven, in
    spite of reductions and pruning.
    """
    root = np.int64(search.root)
    ply = np.int64(search.ply)
    full_width = search.full_width == 1
    value = np.int64(0)
    nodes = 0
    entering = True
    while True:
        frame = frames[ply]
        s = states[ply]
        finished = False
        if entering:
            if nodes == max_nodes:
                search.ply = ply
                search.nodes += nodes
                return False
            nodes += 1
            frame.key = s.seen[s.ply % REPETITION_WINDOW]
            depth = np.int64(frame.depth)
            tt_action = np.int64(-1)
            if s.over:
                value = leaf_value(s, ply)
                finished = True
            elif is_repetition(frames, ply):
                value = np.int64(0)
                finished = True
            elif depth <= 0:
                value = leaf_value(s, ply)
                finished = full_width or depth <= -THREAT_EXTENSION_PLIES or value > THREAT_VALUE
            if not finished:
                tt_action, finished, value = tt_probe(table, frame, full_width, ply)
                finished = finished and ply > root
            if (
                not finished
                and not full_width
                and 0 < depth <= REVERSE_FUTILITY_MAX_DEPTH
                and is_null_window(frame)
            ):
                value = leaf_value(s, ply)
                finished = value - REVERSE_FUTILITY_MARGIN * depth >= frame.beta
            if not finished:
                frame.move_count = legal(s, np.int64(s.turn), moves[ply])
                for i in range(frame.move_count):
                    ordering_scores[ply, i] = move_ordering_score(
                        frame, tt_action, moves[ply, i], history
                    )
                frame.next_move = 0
                frame.original_alpha = frame.alpha
                frame.best_value = -MATE - 1
        else:
            # A move of this ply was searched; `value` is for the other side.
            value = -value
            if value > frame.alpha and (
                frame.reduction or (frame.null_window and value < frame.beta)
            ):
                # Better than expected: search again, first at full depth, then with full window.
                if not frame.reduction:
                    frame.null_window = 0
                frame.reduction = 0
                frames[ply + 1].alpha = -frame.alpha - 1 if frame.null_window else -frame.beta
                frames[ply + 1].beta = -frame.alpha
                frames[ply + 1].depth = frame.depth - 1
                ply += 1
                entering = True
                continue
            action = moves[ply, frame.next_move - 1]
            if value > frame.best_value:
                frame.best_value = value
                frame.best_action = action
                frame.alpha = max(frame.alpha, value)
            finished = frame.next_move == frame.move_count
            if frame.alpha >= frame.beta:
                history[action] += max(frame.depth, 1) ** 2
                if frame.killers[0] != action:
                    frame.killers[1] = frame.killers[0]
                    frame.killers[0] = action
                finished = True
            if finished:
                value = np.int64(frame.best_value)
                tt_store(table, frame, value, ply)
        if finished:
            if ply == root:
                search.value = value
                search.nodes += nodes
                return True
            ply -= 1
            entering = False
            continue
        i = np.int64(frame.next_move)
        action = pick_move(moves[ply], ordering_scores[ply], i, np.int64(frame.move_count))
        frame.next_move = i + 1
        frame.null_window = i > 0
        frame.reduction = 0 if full_width else late_move_reduction(np.int64(frame.depth), i)
        states[ply + 1] = s
        apply(states[ply + 1], np.int64(s.turn), action)
        frames[ply + 1].alpha = -frame.alpha - 1 if frame.null_window else -frame.beta
        frames[ply + 1].beta = -frame.alpha
        frames[ply + 1].depth = frame.depth - 1 - frame.reduction
        ply += 1
        entering = True
