"""The contract of a game: what its four files give, by the same names in every game.

The names at the end are placeholders for a kernel's functions: templates import them
(search, batches), and `jit.specialise` binds them to a game's own when it compiles.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np

    from quincunx.draw.scene import ClickSequence, Controls, Path, Scene, ViewOptions
    from quincunx.game import Game, State, Step
    from quincunx.options import Option, Value

# A position as the kernels know it: a numpy record.
Position = Any


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
    # (s, seat, out) -> n: writes the legal actions, ascending; none while a play unfolds,
    # after the end, and for a seat whose turn it is not. `out` has room for MAX_LEGAL
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


class Rules(Protocol):
    """What every game's rules.py gives: options, and meaning in words."""

    NAME: str
    TITLE: str
    LETTERS: str  # a letter per seat, as in the texts
    DRAWS: bool  # equal scores at the end are a draw, not a shared win

    @property
    def SEARCH(self) -> Mapping[str, float]:
        """What suits the game in tree search: explore, horizon; trust, if a glance tells much."""

    @property
    def LEVELS(self) -> tuple[tuple[int, str], ...]:
        """Eight opponents, weakest first: how many of 100 moves are slips, and the player."""

    @property
    def OPTIONS(self) -> tuple[Option, ...]:
        """The options, in the order in which the kernel takes them."""

    @property
    def SEAT_NAMES(self) -> tuple[str, ...]:
        """What the players are called."""

    def check(self, options: Mapping[str, Value]) -> None:
        """Raises BadOption where options contradict each other."""

    def seats(self, options: Mapping[str, Value]) -> int:
        """How many players there are."""

    def actions(self, options: Mapping[str, Value]) -> int:
        """How large the action space is with these options."""

    def planes(self, options: Mapping[str, Value]) -> tuple[int, int, int]:
        """The shape of what `observe` writes with these options."""

    def reason(self, s: Position, seat: int, action: int) -> str:
        """Why this action is not legal for the seat to move, in words for people."""

    def cells(self, before: Position, after: Position, action: int, event: str) -> tuple[str, ...]:
        """The cells that an event of a play touched, in their order (a path, a chain, a slide)."""

    def status(self, game: Game, s: Position) -> str:
        """One line in plain words: who is to do what, or how it ended."""


class Notation(Protocol):
    """What every game's notation.py gives: positions and actions as text, both ways."""

    MOVE_FORM: str  # what a move looks like, for error messages

    def read(self, game: Game, text: str, s: Position) -> None:
        """Writes the position of a text over a started one; BadPosition."""

    def write(self, game: Game, s: Position) -> str:
        """The position as text."""

    def parse_move(self, game: Game, s: Position, text: str) -> int:
        """The action that a move text names; MoveSyntax, or IllegalMove if it names none here."""

    def format_move(self, game: Game, s: Position, action: int) -> str:
        """The move text of an action."""


class Layout(Protocol):
    """What every game's layout.py gives: the position as a picture."""

    @property
    def CONTROLS(self) -> Controls:
        """What a hand needs besides the board: every click of a move is a shape or a button."""

    def scene(self, state: State, view: ViewOptions) -> Scene:
        """The picture of a position."""

    def clicks(self, move: str) -> ClickSequence:
        """The names of the shapes that are clicked, in order, to make a move."""

    def paths(self, before: State, step: Step, flip: bool) -> list[Path]:
        """How shapes with an id moved in a step; what stays, comes or goes is not among them."""


# A kernel may define its own version of these templates, where it has a faster algorithm:
# sample(s, seat, out, random_bits) -> action: out[random_bits * n >> 32] of the n legal actions.
# one_ply_values(scratch, seat, moves, values) -> n: writes every legal action of scratch[0] and
#     the static evaluation of the position after it.
# A kernel whose evaluation can be trained has WEIGHTS, FEATURES (the maximum number of features
# of a position), and
# features(s, seat, out) -> n: writes the indices of the weights that the evaluation sums.
# afterstate_values(scratch, seat, moves, values, weights) -> n: as one_ply_values, in points and
#     with the given weights.
OPTIONAL = ("sample", "one_ply_values", "features", "afterstate_values")

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
features: Any = None
afterstate_values: Any = None
