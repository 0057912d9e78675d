"""The contract of a game: the names that its four modules define, the same in every game.

The names at the end are placeholders for a kernel's functions: templates (search, batches)
import them, and `jit.specialise` binds them to a game's functions when it compiles.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np

    from quincunx.draw.scene import ClickSequence, Controls, Path, Scene, ViewOptions
    from quincunx.game import Game, State, Step
    from quincunx.options import Option, Value
    from quincunx.phrases import Phrase

# A position as kernels use it: a numpy record.
Position = Any


class Kernel(Protocol):
    """Compiled functions on a position `s`, and their constants."""

    STATE: np.dtype[Any]
    ACTIONS: int  # size of the largest action space
    MAX_LEGAL: int  # maximum number of legal actions in a position
    SEATS: int  # maximum number of seats
    PLANES: tuple[int, int, int]  # largest observation shape
    __name__: str

    @property
    def EVENTS(self) -> tuple[str, ...]:
        """The names of the events of a move; event 0 is its end."""

    start: Any  # (s, options, seed): writes the initial position
    restore: Any  # (s): computes the derived fields, after `Notation.read` has written the others
    # (s, seat, out) -> n: writes the legal actions in ascending order; n is 0 between `begin`
    # and the end of `advance`, after the end of the game and for a seat that is not to move.
    # `out` holds MAX_LEGAL int32; its content after the n actions is undefined.
    legal: Any
    apply: Any  # (s, seat, action): plays an action without checking that it is legal
    begin: Any  # (s, seat, action) -> event: performs the first step of a move
    advance: Any  # (s) -> event: performs the next step; 0 when the move is complete
    scores: Any  # (s, out): writes one float per seat: the result when over, or the running score
    hide: Any  # (s, seat, seed): draws everything again that the seat cannot know
    evaluate: Any  # (s, seat) -> float: static evaluation for the seat, -1..1
    key: Any  # (s) -> uint64: hash for tables and repetition
    observe: Any  # (s, seat, planes): writes the input planes for learning


# What the result of a game is: 1, 0 or a draw of equal shares; points, of which the most win,
# together where they are equal; or the points alone, in a solo game.
WIN_OR_DRAW, SHARED_WIN, SCORE = "win_or_draw", "shared_win", "score"


@dataclass(frozen=True)
class Traits:
    """What the rest of the package needs to know about a game with certain options."""

    random_start: bool  # different seeds give different initial positions
    chance: bool  # moves have random consequences
    hidden: bool  # a seat cannot see the whole position
    simultaneous: bool  # any seat may move at any time
    outcome: str  # WIN_OR_DRAW, SHARED_WIN or SCORE
    repetition: bool  # a repeated position ends the game
    unattended: Mapping[str, Value]  # the options for play without people (arena, benchmarks)

    @property
    def combinatorial(self) -> bool:
        """True without chance and hidden information, when the seats move in turn."""
        return not (self.chance or self.hidden or self.simultaneous)

    def as_dict(self) -> dict[str, Any]:
        """Returns the traits as plain values, for messages."""
        return asdict(self)


class Rules(Protocol):
    """The names in every game's rules.py: options, traits, and phrases for positions and moves."""

    NAME: str
    TITLE: str
    LETTERS: str  # one letter per seat, as used in position and move texts

    @property
    def PASS(self) -> int | None:
        """The action that ends a turn without changing the board, always legal; None without it."""

    @property
    def SEARCH(self) -> Mapping[str, float]:
        """The defaults of tree search.

        `explore` is the exploration constant, `horizon` the number of rollout plies. Where
        one-ply values are good priors, `trust` is their weight in visits.
        """

    @property
    def LEVELS(self) -> tuple[tuple[int, str], ...]:
        """Eight levels, weakest first: the percentage of random moves, and the player text."""

    @property
    def OPTIONS(self) -> tuple[Option, ...]:
        """The options, in the order in which they are passed to the kernel."""

    @property
    def SEAT_NAMES(self) -> tuple[str, ...]:
        """The names of the seats."""

    @property
    def TEXTS(self) -> Mapping[str, str]:
        """The English texts of the codes of `status` and `reason`, as in `quincunx.phrases`.

        The status of an unfinished game has a second text, addressed to a seat that may move.
        """

    def check(self, options: Mapping[str, Value]) -> None:
        """Raises BadOption if options contradict each other."""

    def traits(self, options: Mapping[str, Value]) -> Traits:
        """Returns the traits of the game with these options."""

    def seats(self, options: Mapping[str, Value]) -> int:
        """Returns the number of seats."""

    def actions(self, options: Mapping[str, Value]) -> int:
        """Returns the size of the action space with these options."""

    def planes(self, options: Mapping[str, Value]) -> tuple[int, int, int]:
        """Returns the shape of an observation with these options."""

    def reason(self, s: Position, seat: int, action: int) -> Phrase:
        """Returns the reason why an action is illegal for a seat that may move."""

    def cells(self, before: Position, after: Position, action: int, event: str) -> tuple[str, ...]:
        """Returns the cells that an event changed, in order (a path, a chain, a slide)."""

    def status(self, game: Game, s: Position) -> Phrase:
        """Returns who is to do what, or how the game ended."""


class Notation(Protocol):
    """The names in every game's notation.py: positions and actions to and from text."""

    MOVE_FORM: str  # completes "invalid move 'x': expected ..."

    def read(self, game: Game, text: str, s: Position) -> None:
        """Writes the position of a text into `s`, an initial position; raises BadPosition."""

    def write(self, game: Game, s: Position) -> str:
        """Returns the position as text."""

    def parse_move(self, game: Game, s: Position, text: str) -> int:
        """Returns the action of a move text; raises MoveSyntax or IllegalMove."""

    def format_move(self, game: Game, s: Position, action: int) -> str:
        """Returns the move text of an action."""


class Layout(Protocol):
    """The names in every game's layout.py: the position as a picture."""

    @property
    def CONTROLS(self) -> Controls:
        """The buttons beside the board; every click of a move is on a shape or a button."""

    def scene(self, state: State, view: ViewOptions) -> Scene:
        """Returns the picture of a position."""

    def clicks(self, move: str) -> ClickSequence:
        """Returns the names of the shapes to click, in order, to make a move."""

    def paths(self, before: State, step: Step, flip: bool) -> list[Path]:
        """Returns the paths of the shapes that moved in a step, identified by shape id."""


# A kernel may define its own version of these templates, where it has a faster algorithm:
# sample(s, seat, out, random_bits) -> action: out[random_bits * n >> 32] of the n legal actions.
# one_ply_values(scratch, seat, moves, values) -> n: writes every legal action of scratch[0] and
#     the static evaluation of the position after it.
# A kernel whose evaluation can be trained has WEIGHTS, FEATURES (the maximum number of features
# of a position), and
# features(s, seat, out) -> n: writes the indices of the weights that the evaluation sums.
# afterstate_values(scratch, seat, moves, values, weights) -> n: as one_ply_values, in points and
#     with the given weights.
OPTIONAL_KERNEL_NAMES = ("sample", "one_ply_values", "features", "afterstate_values")

# The names that every kernel must define.
KERNEL_NAMES = (*(name for name in Kernel.__annotations__ if not name.startswith("_")), "EVENTS")

# Placeholders for the functions that templates call.
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
