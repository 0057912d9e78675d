"""The kernel contract: what every game's kernel.py gives, by the same names.

`Kernel` says what each name means. The names below it are placeholders that templates
import (search, batches); `jit.specialise` binds them to a game's own when it compiles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np


class Kernel(Protocol):
    """Compiled functions over a position `s`, and the constants that go with them."""

    STATE: np.dtype[Any]
    ACTIONS: int  # the size of the largest action space
    MAX_LEGAL: int  # no position has more legal actions
    SEATS: int  # the most seats
    PLANES: tuple[int, int, int]  # the largest shape of an observation
    __name__: str

    @property
    def EVENTS(self) -> tuple[str, ...]:
        """The names of the events of a play; 0 is its end."""

    start: Any  # (s, options, seed): writes the first position
    restore: Any  # (s): makes a position whole whose board and turn were just written
    # (s, seat, out) -> n: writes the legal actions, ascending. `out` has room for MAX_LEGAL
    # int32; what it holds behind the n actions means nothing.
    legal: Any
    apply: Any  # (s, seat, action): plays, trusting that it is legal
    begin: Any  # (s, seat, action) -> event: the first thing that happens in a play
    advance: Any  # (s) -> event: the next thing; 0 when the play is done
    scores: Any  # (s, out): a float per seat
    hide: Any  # (s, seat, seed): redraws what the seat cannot know
    evaluate: Any  # (s, seat) -> float: how good for the seat, -1..1
    key: Any  # (s) -> uint64: hash for tables and repetition
    observe: Any  # (s, seat, planes): input planes for learning


# A kernel may give its own version of these templates, where it knows a faster way:
# sample(s, seat, out, dice) -> action: out[dice * n >> 32] of the n legal actions.
OPTIONAL = ("sample",)

NAMES = (*(name for name in Kernel.__annotations__ if not name.startswith("_")), "EVENTS")

start: Any = None
legal: Any = None
apply: Any = None
begin: Any = None
advance: Any = None
scores: Any = None
hide: Any = None
evaluate: Any = None
key: Any = None
observe: Any = None
