"""The contract of a game: the names that its four modules define, the same in every game.

The modules are `kernel` (Kernel, with the types of its functions in ENTRY_POINTS), `rules`
(Rules), `notation` (Notation) and `layout` (Layout). `testing.check_game` checks all of it. The
names at the end are placeholders for a kernel's functions: templates (search, batches)
import them, and `jit.specialise` binds them to a game's functions when it compiles.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    import numpy as np

    from quincunx.buffers import Buffer
    from quincunx.draw.scene import ClickSequence, Controls, Path, Scene, ViewOptions
    from quincunx.game import Game, State, Step
    from quincunx.options import Option, Presets, Value
    from quincunx.phrases import Phrase


class Position(Protocol):
    """A position as kernels use it: a numpy record, or what stands in for one.

    Every game has the fields of the header:

    - `turn`: the seat to move; `position.ANYONE` where any seat may move. At the end it keeps
      some value: `over` decides.
    - `over`: 1 when the game has ended, or else 0.
    - `stage`: 0 between moves; within a move, what `advance` needs to know about its progress.
    - `ply`: the number of moves since the start, or since the position was read from a text.
    - `rng`: the state of the random generator, which every random event advances.

    Three optional fields have a fixed meaning. `winner` (two-player games) is the seat that has
    won, `position.NOBODY` in a draw and before the end. `score` (solo games) are the points so far,
    from which the default of `scores` takes them. `seen` (games in which positions can repeat) is
    a ring: entry `ply % REPETITION_WINDOW` is the `key` of the position after that ply, zeros are
    plies that have not been played. Alpha-beta search finds repetitions by it, and plays only games
    that have a field `winner`.
    """

    turn: int
    over: int
    stage: int
    ply: int
    rng: int

    def __getitem__(self, field: str) -> Any:
        """Returns a field."""

    def __setitem__(self, field: str, value: Any) -> None:
        """Writes a field."""

    def __getattr__(self, field: str) -> Any:
        """Returns a field of the game's own."""

    def __setattr__(self, field: str, value: Any) -> None:
        """Writes a field of the game's own."""

    def copy(self) -> Position:
        """Returns a copy that can be modified."""

    def tolist(self) -> Any:
        """Returns all fields as Python values."""

    def tobytes(self) -> bytes:
        """Returns all fields as bytes."""


HEADER_FIELDS = ("turn", "over", "stage", "ply", "rng")

# The compiled functions of a kernel with their types. `state` is the kernel's STATE, `state[:]` an
# array of such records; the other types are i8 to i64, u8 to u64, f32, f64, bool and void, and
# C-contiguous arrays of them: i32[:], f32[:,:,:]. Everything is compiled for exactly these types.
ENTRY_POINTS: Mapping[str, str] = MappingProxyType(
    {
        # Writes the initial position; the options are integers in the order of `Rules.OPTIONS`.
        # With `Rules.OLD_VERSIONS`, the version of the rules to be played follows them.
        "start": "(s: state, options: i64[:], seed: i64) -> void",
        # Computes the derived fields, after `Notation.read` has written the others.
        "restore": "(s: state) -> void",
        # Writes the legal actions in ascending order and returns their number n, which is 0
        # between `begin` and the end of `advance`, after the end of the game and for a seat that
        # is not to move. `out` holds MAX_LEGAL entries; those after the n actions are undefined.
        "legal": "(s: state, seat: i64, out: i32[:]) -> i64",
        # Returns True for the actions that `legal` writes. Any integer may be tested.
        "is_legal": "(s: state, seat: i64, action: i64) -> bool",
        # Plays an action without checking that it is legal.
        "apply": "(s: state, seat: i64, action: i64) -> void",
        # Performs the first step of a move; returns its event, an index in EVENTS.
        "begin": "(s: state, seat: i64, action: i64) -> i64",
        # Performs the next step; returns its event, 0 when the move is complete.
        "advance": "(s: state) -> i64",
        # Writes one number per seat: the result when over, the running score before.
        "scores": "(s: state, out: f64[:]) -> void",
        # Draws everything again that the seat cannot know, random events to come included.
        "hide": "(s: state, seat: i64, seed: i64) -> void",
        # Returns the static evaluation for the seat, -1 to 1; it uses nothing hidden.
        "evaluate": "(s: state, seat: i64) -> f64",
        # Returns a hash for tables and repetition.
        "key": "(s: state) -> u64",
        # Writes the input planes for learning.
        "observe": "(s: state, seat: i64, planes: f32[:,:,:]) -> void",
        # Returns action random_bits * n >> 32 of the n legal actions; random_bits < 2**32. `out`
        # is scratch memory for MAX_LEGAL entries.
        "sample": "(s: state, seat: i64, out: i32[:], random_bits: u64) -> i64",
        # Writes every legal action of scratch[0] and the static evaluation for the seat after it;
        # returns their number. Overwrites scratch[1].
        "one_ply_values": "(scratch: state[:], seat: i64, moves: i32[:], values: f64[:]) -> i64",
        # Writes the indices of the weights that the evaluation sums; returns their number, at
        # most FEATURES.
        "features": "(s: state, seat: i64, out: i64[:]) -> i64",
        # As one_ply_values, in points and with the given weights.
        "afterstate_values": "(scratch: state[:], seat: i64, moves: i32[:], values: f64[:],"
        " weights: f32[:]) -> i64",
    }
)

# A kernel needs only these; `defaults.complete` adds the others that it does not define itself:
# `apply` by `begin` and `advance` or these by `apply`, `scores` by the field `winner` or `score`.
REQUIRED_KERNEL_NAMES = ("STATE", "ACTIONS", "PLANES", "start", "legal", "key", "observe")

# A kernel may define these. Search has templates for the first two, which a kernel replaces where
# it has a faster algorithm. A kernel whose evaluation can be trained (TrainableKernel) defines the
# others, together with WEIGHTS (an array of f32) and FEATURES.
OPTIONAL_KERNEL_NAMES = ("sample", "one_ply_values", "features", "afterstate_values")

# The constants of a kernel; Python code reads them, so they are plain Python values.
CONSTANTS = ("ACTIONS", "MAX_LEGAL", "SEATS", "PLANES", "EVENTS")

# The names that every complete kernel has. A kernel lists further functions that Python code calls,
# in the format of ENTRY_POINTS, in HELPERS.
KERNEL_NAMES = (
    "STATE",
    *CONSTANTS,
    *(name for name in ENTRY_POINTS if name not in OPTIONAL_KERNEL_NAMES),
)


class RequiredKernel(Protocol):
    """What a game's kernel.py must have of the names in Kernel, with `apply` or its steps."""

    STATE: np.dtype[Any]
    ACTIONS: int
    PLANES: tuple[int, int, int]
    __name__: str

    start: Callable[..., Any]
    legal: Callable[..., Any]
    key: Callable[..., Any]
    observe: Callable[..., Any]


class Kernel(Protocol):
    """Compiled functions on a position, described in ENTRY_POINTS, and their constants."""

    STATE: np.dtype[Any]
    ACTIONS: int  # size of the largest action space
    MAX_LEGAL: int  # maximum number of legal actions in a position
    SEATS: int  # maximum number of seats
    PLANES: tuple[int, int, int]  # largest observation shape
    __name__: str

    @property
    def EVENTS(self) -> tuple[str, ...]:
        """The names of the events of a move; event 0 is its end."""

    start: Callable[[Position, Buffer, int], None]
    restore: Callable[[Position], None]
    legal: Callable[[Position, int, Buffer], int]
    is_legal: Callable[[Position, int, int], bool]
    apply: Callable[[Position, int, int], None]
    begin: Callable[[Position, int, int], int]
    advance: Callable[[Position], int]
    scores: Callable[[Position, Buffer], None]
    hide: Callable[[Position, int, int], None]
    evaluate: Callable[[Position, int], float]
    key: Callable[[Position], int]
    observe: Callable[[Position, int, Buffer], None]


class TrainableKernel(Kernel, Protocol):
    """A kernel whose evaluation is a sum of weights, which `quincunx tune` trains."""

    WEIGHTS: Buffer
    FEATURES: int  # maximum number of features of a position

    features: Callable[[Position, int, Buffer], int]
    afterstate_values: Callable[[Buffer, int, Buffer, Buffer, Buffer], int]


class SignatureText(NamedTuple):
    """The parts of a signature text: names and types of the arguments, types of the results."""

    names: tuple[str, ...]
    types: tuple[str, ...]
    results: tuple[str, ...]


_TYPE = r"\w+(?:\[:(?:,:)*\])?"
_ARGUMENT = rf"(?:(\w+):)?({_TYPE})"
_ARGUMENTS = rf"(?:{_ARGUMENT}(?:,{_ARGUMENT})*)?"
_RESULTS = rf"{_TYPE}|\({_TYPE}(?:,{_TYPE})+\)"
_SIGNATURE = re.compile(rf"\((?P<arguments>{_ARGUMENTS})\)->(?P<results>{_RESULTS})")
_SPACE_AROUND_SIGNS = re.compile(r"\s*([^\w\s])\s*")


def parse_signature(text: str) -> SignatureText:
    """Returns the parts of `(name: type, ...) -> type`; several results are in parentheses.

    The names may be omitted. Raises ValueError for texts of another form.
    """
    match = _SIGNATURE.fullmatch(_SPACE_AROUND_SIGNS.sub(r"\1", text))
    if not match:
        raise ValueError(
            f"invalid signature {text!r}: expected the form (name: type, ...) -> type,"
            " such as (s: state, out: i32[:]) -> i64"
        )
    pairs = re.findall(_ARGUMENT, match["arguments"])
    return SignatureText(
        tuple(name for name, _ in pairs),
        tuple(kind for _, kind in pairs),
        tuple(re.findall(_TYPE, match["results"])),
    )


# What the result of a game is: 1, 0 or a draw of equal shares; points, of which the most win,
# together where they are equal; or the points alone, in a solo game.
WIN_OR_DRAW, SHARED_WIN, SCORE = "win_or_draw", "shared_win", "score"


@dataclass(frozen=True)
class Traits:
    """What the rest of the package needs to know about a game with certain options."""

    random_start: bool = False  # different seeds give different initial positions
    chance: bool = False  # moves have random consequences
    hidden: bool = False  # a seat cannot see the whole position
    simultaneous: bool = False  # any seat may move at any time
    outcome: str = WIN_OR_DRAW  # or SHARED_WIN, or SCORE
    repetition: bool = False  # a repeated position ends the game
    # The options for play without people (arena, benchmarks).
    unattended: Mapping[str, Value] = field(default_factory=dict)

    @property
    def combinatorial(self) -> bool:
        """True without chance and hidden information, when the seats move in turn."""
        return not (self.chance or self.hidden or self.simultaneous)

    def as_dict(self) -> dict[str, Any]:
        """Returns the traits as plain values, for messages."""
        return asdict(self)


class RequiredRules(Protocol):
    """What a game's rules.py must have of the names in Rules."""

    NAME: str
    SUMMARY: str


class Rules(Protocol):
    """The names in every game's rules.py: options, traits, and phrases for positions and moves.

    A game needs only NAME and SUMMARY; `default_rules.DefaultRules` has the others.
    """

    NAME: str
    SUMMARY: str  # one line for lists of games, such as "Line up five balls."
    TITLE: str
    LETTERS: str  # one letter per seat, as used in position and move texts

    @property
    def VERSION(self) -> int:
        """The version of the rules, from 1: raised when stored moves would play differently."""

    @property
    def OLD_VERSIONS(self) -> tuple[int, ...]:
        """The earlier versions that the kernel still plays, ascending; usually none.

        The kernel gets the version after the options, and keeps it in the position.
        """

    @property
    def PASS(self) -> int | None:
        """The action that ends a turn without changing the board, always legal; None without it."""

    @property
    def SOLVER(self) -> str | None:
        """The name of the module that solves the game (`solve.protocol.Solver`), or None."""

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
    def PRESETS(self) -> Presets | None:
        """A choice that pages offer instead of some options, or None."""

    @property
    def SEAT_NAMES(self) -> tuple[str, ...]:
        """The names of the seats."""

    @property
    def TEXTS(self) -> Mapping[str, str]:
        """The English texts of the codes of `status` and `reason`, as in `quincunx.phrases`.

        The status of an unfinished game has a second text, addressed to a seat that may move. The
        text of the code "event." and the name of an event, if there is one, describes that event.
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

    def points(self, value: float) -> float | None:
        """Returns the points that a value of the evaluation stands for; None if it has none."""

    def progress(self, game: Game, s: Position) -> Phrase | None:
        """Returns how near the end is, such as "turn 3 of 20", or None."""

    def notes(self, game: Game, s: Position) -> Sequence[Phrase]:
        """Returns a note for each seat, shown beside its name, such as its pieces left; or none."""


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
        """The buttons beside the board; every click of a move is on a shape or a button.

        If they depend on options, these are all of them, and a method `controls(game)` returns
        those of a game.
        """

    def scene(self, state: State, view: ViewOptions) -> Scene:
        """Returns the picture of a position."""

    def clicks(self, move: str) -> ClickSequence:
        """Returns the names of the shapes to click, in order, to make a move."""

    def paths(self, before: State, step: Step, flip: bool) -> list[Path]:
        """Returns the paths of the shapes that moved in a step, identified by shape id."""


def _protocol_names(protocol: type) -> tuple[str, ...]:
    names = {**getattr(protocol, "__annotations__", {}), **vars(protocol)}
    return tuple(name for name in names if not name.startswith("_"))


# What a game's rules may define, and what its notation and its layout must define.
RULES_NAMES, NOTATION_NAMES, LAYOUT_NAMES = map(_protocol_names, (Rules, Notation, Layout))


# Placeholders for what templates use.
MAX_LEGAL: Any = None
start: Any = None
legal: Any = None
is_legal: Any = None
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
