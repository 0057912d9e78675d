"""The values and the records of alpha-beta search: search stack, transposition table, workspace."""

from typing import Any

import numpy as np

from quincunx.contract import Kernel

# Values are integers for the side to move. A static evaluation is multiplied by EVAL_SCALE; a won
# game is MATE minus the plies from the root, a lost game the negative of that, a draw 0.
EVAL_SCALE = 10_000
MATE = 30_000
MATE_THRESHOLD = 29_000  # greater absolute values are mate values: a result and its distance
MAX_DEPTH = 64

# The number of plies by which a threat extends the search.
THREAT_EXTENSION_PLIES = 4

# The search stack has one frame for each ply, and one more as the child of the last.
STACK_PLIES = MAX_DEPTH + THREAT_EXTENSION_PLIES + 2
FRAME = np.dtype(
    [
        ("key", "u8"),
        ("alpha", "i4"),
        ("beta", "i4"),
        ("original_alpha", "i4"),
        ("depth", "i4"),  # plies left to search
        ("value", "i4"),  # for the side to move, once the frame is searched
        ("best_value", "i4"),
        ("best_action", "i4"),
        ("move_count", "i4"),
        ("next_move", "i4"),  # the index of the next move to try
        ("reduction", "i4"),  # plies by which the current move is searched less deeply
        ("null_window", "i4"),  # 1 while the current move is searched with a null window
        ("killers", "i4", (2,)),  # the last two moves that caused a cutoff at this ply
        ("tt_action", "i4"),  # the best move in the transposition table, or NO_ACTION
    ]
)
NO_ACTION = -1

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


def workspace_type(max_legal: int, actions: int) -> np.dtype[Any]:
    """Returns the workspace of a search in a game: its state between two calls, and buffers."""
    return np.dtype(
        [
            ("nodes", "i8"),  # positions searched; the caller resets it
            ("root", "i8"),  # the ply at which the search starts
            ("ply", "i8"),  # the ply at which it continues
            ("full_width", "i8"),  # 1 = no forward pruning, reductions or extensions
            ("history", "i8", (actions,)),  # of each action: how often and how deep it cut off
            ("ordering_scores", "i8", (STACK_PLIES, max_legal)),  # of the moves of each ply
            ("moves", "i4", (STACK_PLIES, max_legal)),  # the legal moves of each ply
        ]
    )


def record_types(kernel: Kernel) -> dict[str, np.dtype[Any]]:
    """Returns the records that the signatures of alpha-beta search name."""
    workspace = workspace_type(kernel.MAX_LEGAL, kernel.ACTIONS)
    return {"entry": TT_ENTRY, "frame": FRAME, "workspace": workspace}
