"""Alpha-beta search with a transposition table: templates, compiled per game.

Iterative negamax for two players without chance. The search can stop before any node and be
resumed, so that the caller can check the clock.
"""

import numpy as np

from quincunx.arithmetic import log
from quincunx.contract import apply, evaluate, legal
from quincunx.jit import jit
from quincunx.position import SPLITMIX_INCREMENT, mix
from quincunx.search.alphabeta_records import (
    EVAL_SCALE,
    MATE,
    MATE_THRESHOLD,
    NO_ACTION,
    THREAT_EXTENSION_PLIES,
)
from quincunx.search.alphabeta_records import record_types as record_types
from quincunx.search.computed_keys import current_key
from quincunx.search.transposition_table import tt_probe, tt_slot, tt_store

# Reverse futility pruning: near the leaves, a static evaluation this far above beta, per ply of
# depth, fails high without a search.
REVERSE_FUTILITY_MARGIN = 600
REVERSE_FUTILITY_MAX_DEPTH = 4

# Threat extension: at depth 0, a side to move with a static evaluation this low is searched
# further, up to THREAT_EXTENSION_PLIES, since it may still have an answer to the threat.
THREAT_VALUE = -7000

# The random initial history scores are from 0 to this, 2^n - 1; 64 random bits give several.
MAX_INITIAL_HISTORY = 7
ACTIONS_PER_HASH = 16

# The optional fields of a position that this search reads.
FIELDS = ("winner",)

SIGNATURES = {
    "reset": "(frames: frame[:], workspace: workspace, seed: i64) -> void",
    "leaf_value": "(s: state, ply: i64) -> i64",
    "move_ordering_score": "(frame: frame, action: i64, history: i64[:]) -> i64",
    "is_repetition": "(frames: frame[:], ply: i64) -> bool",
    "is_null_window": "(frame: frame) -> bool",
    "pick_move": "(moves: i32[:], scores: i64[:], i: i64, n: i64) -> i64",
    "late_move_reduction": "(depth: i64, i: i64) -> i64",
    "set_window": "(frame: frame, child: frame) -> void",
    "alphabeta": "(states: state[:], frames: frame[:], table: entry[:], workspace: workspace,"
    " max_nodes: i64) -> bool",
    "is_leaf": "(s: state, frame: frame, repeated: bool, workspace: workspace, ply: i64) -> bool",
    "is_pruned": "(s: state, frame: frame, workspace: workspace, ply: i64) -> bool",
    "order_moves": "(s: state, frame: frame, workspace: workspace, ply: i64) -> void",
    "is_searched_again": "(frame: frame, child: frame) -> bool",
    "record_move_value": "(frame: frame, child: frame, workspace: workspace, ply: i64) -> bool",
    "try_next_move": "(s: state, frame: frame, child: frame, workspace: workspace, ply: i64)"
    " -> void",
}


def reset(frames, workspace, seed):
    """Prepares the stack for a new position.

    The initial history is random, by the seed: it decides between moves of equal value.
    """
    for ply in range(len(frames)):
        frames[ply].key = 0
        frames[ply].killers[0] = NO_ACTION
        frames[ply].killers[1] = NO_ACTION
    state = random_bits = np.uint64(seed)
    for action in range(len(workspace.history)):
        if action % ACTIONS_PER_HASH == 0:
            state += SPLITMIX_INCREMENT
            random_bits = mix(state)
        workspace.history[action] = random_bits & np.uint64(MAX_INITIAL_HISTORY)
        random_bits >>= np.uint64(64 // ACTIONS_PER_HASH)


def leaf_value(s, ply):
    """Returns the value of a position for the side to move: its result, or its evaluation."""
    value = evaluate(s, np.int64(s.turn))
    if not s.over:
        return np.int64(value * EVAL_SCALE)
    if value == 0.0:
        return np.int64(0)
    return np.int64(MATE - ply if value > 0.0 else ply - MATE)


@jit
def move_ordering_score(frame, action, history):
    """Returns the priority of a move: the table's move, then killers, then by history."""
    if action == frame.tt_action:
        return np.int64(1 << 40)
    if action == frame.killers[0]:
        return np.int64(1 << 39)
    if action == frame.killers[1]:
        return np.int64(1 << 38)
    return np.int64(history[action])


@jit
def is_repetition(frames, ply):
    """Returns True when the position at a ply occurred before on the stack; it counts as a draw."""
    repeated = False
    # At the earliest after four plies: both sides move, then move back.
    for earlier in range(ply - 4, -1, -2):
        repeated |= frames[earlier].key == frames[ply].key
    return repeated


@jit
def is_null_window(frame):
    """Returns True when a frame is searched with a null window, and not for a mate value."""
    return frame.beta - frame.alpha == 1 and -MATE_THRESHOLD < frame.beta < MATE_THRESHOLD


@jit
def pick_move(moves, scores, i, n):
    """Swaps the move with the best ordering score of moves[i:n] to index i and returns it."""
    best = i
    for j in range(i + 1, n):
        if scores[j] > scores[best]:
            best = j
    moves[i], moves[best] = moves[best], moves[i]
    scores[i], scores[best] = scores[best], scores[i]
    return np.int64(moves[i])


@jit
def late_move_reduction(depth, i):
    """Returns the plies by which the i-th move, counted from 0, is searched less deeply."""
    if depth < 2 or i < 3:
        return np.int64(0)
    return np.int64(min(log(np.float64(depth)) * log(np.float64(i)) / 2.0 + 0.5, depth - 1.0))


@jit
def set_window(frame, child):
    """Sets the window in which the current move of a frame is searched."""
    child.alpha = -frame.alpha - 1 if frame.null_window else -frame.beta
    child.beta = -frame.alpha


def alphabeta(states, frames, table, workspace, max_nodes):
    """Continues a search for at most `max_nodes` nodes; returns True when it is complete.

    The caller sets workspace.root and workspace.ply to the first ply, and alpha, beta and depth
    of the frame there. In the end that frame's `value` is the value of its position for the side
    to move, and `best_action` its best move. There is no recursion: states[i], frames[i] and row
    i of workspace.moves and workspace.ordering_scores belong to ply i. Mate values are proven, in
    spite of reductions and pruning.
    """
    root = np.int64(workspace.root)
    ply = np.int64(workspace.ply)
    nodes = np.int64(0)
    entering = True
    while True:
        frame, child = frames[ply], frames[ply + 1]
        if entering:
            if nodes == max_nodes:
                workspace.ply = ply
                workspace.nodes += nodes
                return False
            nodes += 1
            frame.key = current_key(states[ply])
            finished = is_leaf(states[ply], frame, is_repetition(frames, ply), workspace, ply)
            if not finished:
                entry = table[tt_slot(table, frame.key)]
                finished = tt_probe(entry, frame, workspace, ply) or is_pruned(
                    states[ply], frame, workspace, ply
                )
            if not finished:
                order_moves(states[ply], frame, workspace, ply)
        elif is_searched_again(frame, child):
            ply += 1
            entering = True
            continue
        else:
            finished = record_move_value(frame, child, workspace, ply)
            if finished:
                tt_store(table, frame, ply)
        if not finished:
            states[ply + 1] = states[ply]
            try_next_move(states[ply + 1], frame, child, workspace, ply)
            ply += 1
        elif ply > root:
            ply -= 1
        else:
            workspace.nodes += nodes
            return True
        entering = not finished


def is_leaf(s, frame, repeated, workspace, ply):
    """Returns True when a position is not searched; its frame then has a value."""
    if s.over:
        frame.value = leaf_value(s, ply)
        return True
    if repeated:
        frame.value = 0
        return True
    if frame.depth > 0:
        return False
    frame.value = leaf_value(s, ply)
    return (
        workspace.full_width == 1
        or frame.depth <= -THREAT_EXTENSION_PLIES
        or frame.value > THREAT_VALUE
    )


def is_pruned(s, frame, workspace, ply):
    """Returns True when reverse futility pruning gives a frame its value."""
    if (
        workspace.full_width == 1
        or not 0 < frame.depth <= REVERSE_FUTILITY_MAX_DEPTH
        or not is_null_window(frame)
    ):
        return False
    frame.value = leaf_value(s, ply)
    return frame.value - REVERSE_FUTILITY_MARGIN * frame.depth >= frame.beta


def order_moves(s, frame, workspace, ply):
    """Lists the legal moves of a position with their ordering scores."""
    moves, scores = workspace.moves[ply], workspace.ordering_scores[ply]
    history = workspace.history[:]  # a slice, because compiled code needs an array of any length
    frame.move_count = legal(s, np.int64(s.turn), moves)
    for i in range(frame.move_count):
        scores[i] = move_ordering_score(frame, np.int64(moves[i]), history)
    frame.next_move = 0
    frame.original_alpha = frame.alpha
    frame.best_value = -MATE - 1


@jit
def is_searched_again(frame, child):
    """Returns True when the current move of a frame is better than expected: prepares its search.

    It is then searched again, first at full depth, then with the full window.
    """
    value = -child.value
    if value <= frame.alpha or not (frame.reduction or (frame.null_window and value < frame.beta)):
        return False
    if not frame.reduction:
        frame.null_window = 0
    frame.reduction = 0
    set_window(frame, child)
    child.depth = frame.depth - 1
    return True


def record_move_value(frame, child, workspace, ply):
    """Takes the value of the current move; returns True when the frame needs no further move."""
    value = -child.value
    action = workspace.moves[ply, frame.next_move - 1]
    if value > frame.best_value:
        frame.best_value = value
        frame.best_action = action
        frame.alpha = max(frame.alpha, value)
    finished = frame.next_move == frame.move_count
    if frame.alpha >= frame.beta:
        depth = np.int64(max(frame.depth, 1))
        workspace.history[action] += depth * depth
        if frame.killers[0] != action:
            frame.killers[1] = frame.killers[0]
            frame.killers[0] = action
        finished = True
    if finished:
        frame.value = frame.best_value
    return finished


def try_next_move(s, frame, child, workspace, ply):
    """Plays the next move of a ply in `s`, a copy of its position, and prepares the next frame."""
    i = np.int64(frame.next_move)
    moves, scores = workspace.moves[ply], workspace.ordering_scores[ply]
    action = pick_move(moves, scores, i, np.int64(frame.move_count))
    frame.next_move = i + 1
    frame.null_window = i > 0
    reduction = np.int64(0)
    if workspace.full_width == 0:
        reduction = late_move_reduction(np.int64(frame.depth), i)
    frame.reduction = reduction
    apply(s, np.int64(s.turn), action)
    set_window(frame, child)
    child.depth = frame.depth - 1 - reduction
