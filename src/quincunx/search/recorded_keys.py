"""The keys of positions that record them, because they can repeat: templates, compiled per game."""

from quincunx.position import REPETITION_WINDOW

# The optional fields of a position that this module reads.
FIELDS = ("seen",)

SIGNATURES = {
    "current_key": "(s: state) -> u64",
    "has_repeated": "(s: state) -> bool",
}


def current_key(s):
    """Returns the key of a position, as recorded when it occurred."""
    return s.seen[s.ply % REPETITION_WINDOW]


def has_repeated(s):
    """Returns True if a position has occurred before."""
    key = s.seen[s.ply % REPETITION_WINDOW]
    occurrences = 0
    for i in range(REPETITION_WINDOW):
        occurrences += s.seen[i] == key
    return occurrences > 1
