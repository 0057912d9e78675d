"""Game: rules with options. State: one immutable position of a game.

`import quincunx` imports this module, which therefore must not import numpy.
"""

from __future__ import annotations

import json
import secrets
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import index
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, SupportsIndex, cast

from quincunx.contract import Kernel, Layout, Notation, Position, Rules
from quincunx.errors import BadOption, BadPosition, IllegalMove, MoveSyntax
from quincunx.options import Value, resolve_options

if TYPE_CHECKING:
    from quincunx.batch import Batch
    from quincunx.buffers import Buffer
    from quincunx.draw.scene import Scene, ViewOptions

MAGIC = b"qx1\n"  # the first bytes of a packed position: name and version of the format


@dataclass(frozen=True)
class Parts:
    """The four modules of a game."""

    kernel: Kernel
    rules: Rules
    notation: Notation
    layout: Layout


class Game:
    """The rules of one game with a value for every option."""

    def __init__(self, parts: Parts, options: Mapping[str, object] | None = None) -> None:
        # Imported here and not above: the parts have imported numpy already.
        from quincunx import buffers

        rules = parts.rules
        self.buffers = buffers
        self.parts = parts
        self.kernel = parts.kernel
        self.name = rules.NAME
        self.title = rules.TITLE
        self._given = dict(options or {})
        self.options: Mapping[str, Value] = MappingProxyType(
            resolve_options(rules.NAME, rules.OPTIONS, self._given)
        )
        rules.check(self.options)
        self.seats = rules.seats(self.options)

    def configured(self, /, **options: object) -> Game:
        """Returns the same game with some options changed."""
        return Game(self.parts, {**self._given, **options})

    @property
    def changed_options(self) -> dict[str, Value]:
        """The given options whose values differ from their defaults."""
        rules, changed = self.parts.rules, {}
        for name in self._given:
            # The default of an option may depend on the others.
            others = {other: v for other, v in self._given.items() if other != name}
            if resolve_options(rules.NAME, rules.OPTIONS, others)[name] != self.options[name]:
                changed[name] = self.options[name]
        return changed

    @property
    def actions(self) -> int:
        """The size of the action space: every action is below it."""
        return self.parts.rules.actions(self.options)

    @property
    def planes(self) -> tuple[int, int, int]:
        """The shape of an observation."""
        return self.parts.rules.planes(self.options)

    @cached_property
    def kernel_options(self) -> Buffer:
        """The options as the integers passed to the kernel."""
        rules = self.parts.rules
        return self.buffers.integers([o.code(self.options[o.name]) for o in rules.OPTIONS])

    def empty_positions(self, count: int = 1) -> Any:
        """Returns an array of `count` positions with all fields zero."""
        return self.buffers.records(self.kernel.STATE, count)

    def start(self, seed: int | None = None) -> State:
        """Returns the initial position; the seed is random if None is given."""
        s = self.empty_positions()[0]
        self.kernel.start(s, self.kernel_options, checked_seed(seed))
        return State(self, s)

    def read(self, text: str, seed: int = 0) -> State:
        """Returns the position of a text; the seed decides what the text leaves to chance."""
        if not isinstance(text, str):
            raise BadPosition(str(text), "expected a string")
        s = self.empty_positions()[0]
        self.kernel.start(s, self.kernel_options, checked_seed(seed))
        self.parts.notation.read(self, text, s)
        return State(self, s)

    def unpack(self, packed: bytes) -> State:
        """Returns the position that `State.pack` packed, for the same game and options.

        The checksum detects accidental damage only: do not unpack data from untrusted sources.
        """
        if not isinstance(packed, bytes | bytearray | memoryview):
            raise BadPosition(str(packed), "expected bytes")
        header = self._fingerprint()
        body = bytes(packed)[len(header) :]
        size = self.kernel.STATE.itemsize
        if not bytes(packed).startswith(header) or len(body) != size + 4:
            raise BadPosition(
                repr(bytes(packed)[:24]), f"not a position of {self!r} packed by this version"
            )
        if zlib.crc32(body[:size]).to_bytes(4, "big") != body[size:]:
            raise BadPosition(repr(bytes(packed)[:24]), "the data is damaged (wrong checksum)")
        return State(self, self.buffers.records_from_bytes(self.kernel.STATE, body[:size])[0])

    def _fingerprint(self) -> bytes:
        """Returns the header of packed positions: a hash of game, options and record layout."""
        identity = json.dumps([self.name, dict(self.options), str(self.kernel.STATE.descr)])
        return MAGIC + zlib.crc32(identity.encode()).to_bytes(4, "big")

    def batch(self, count: int, seed: int | None = None) -> Batch:
        """Returns a batch of `count` new games; game i starts from seed + i."""
        from quincunx.batch import Batch

        return Batch(self, count, checked_seed(seed))

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.changed_options.items())
        return f"quincunx.game({self.name!r}{options})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.name == other.name and self.options == other.options

    def __hash__(self) -> int:
        return hash((self.name, *self.options.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return _game, (self.name, {name: self.options[name] for name in self._given})


class State:
    """One immutable position of a game: playing a move returns a new State.

    `last` is the seat and the text of the previous move, or None if unknown. `position` is the
    record that kernels read; nothing may modify it.
    """

    __slots__ = ("game", "last", "position")

    def __init__(self, game: Game, s: Position, last: tuple[int, str] | None = None) -> None:
        self.game = game
        self.position = s
        self.last = last

    @property
    def turn(self) -> int | None:
        """The seat to move; None if the game is over or anyone may move."""
        turn = int(self.position["turn"])  # attribute access is several times slower
        return None if turn < 0 or self.position["over"] else turn

    @property
    def ply(self) -> int:
        """The number of moves since the start, or since the position was read."""
        return int(self.position.ply)

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return bool(self.position["over"])

    @property
    def scores(self) -> tuple[float, ...]:
        """One number per seat: the result when over, the running score before."""
        out = self.game.buffers.float_buffer(self.game.seats)
        self.game.kernel.scores(self.position, out)
        return tuple(out.tolist())

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that share the win; empty before the end, for a draw and in solo games."""
        scores = self.scores
        best = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
        if not self.over or len(scores) == 1 or (self.game.parts.rules.DRAWS and len(best) > 1):
            return ()
        return best

    @property
    def status(self) -> str:
        """One line for people: who is to do what, or how the game ended."""
        return self.game.parts.rules.status(self.game, self.position)

    @property
    def text(self) -> str:
        """The position as text; `game.read` reads it back."""
        return self.game.parts.notation.write(self.game, self.position)

    def moves(self, seat: int | None = None) -> list[str]:
        """Returns the sorted legal moves of a seat, by default as in `actions`."""
        format_move = self.game.parts.notation.format_move
        return sorted(
            format_move(self.game, self.position, action) for action in self.actions(seat)
        )

    def play(self, move: str | int, seat: int | None = None) -> State:
        """Returns the position after a move; raises MoveSyntax or IllegalMove.

        The move is a text or an integer action. Where anyone may move, the seat is given as
        an argument or written before the move: `R:2,-1`.
        """
        return self.apply(*self.resolve(move, seat))

    def resolve(self, move: str | int, seat: int | None = None) -> tuple[int, int]:
        """Returns the legal action of a move and the acting seat; errors and seat as in `play`."""
        # The check for str comes first because it is faster and strings are the common case.
        if not isinstance(move, str) and isinstance(move, SupportsIndex):
            return self._legal_action(move, seat)
        return self._parse_legal(move, seat)

    def apply(self, action: int, seat: int) -> State:
        """Returns the position after an action, trusting that it is legal for the seat."""
        move = self.game.parts.notation.format_move(self.game, self.position, action)
        s = self._copy()
        self.game.kernel.apply(s, seat, action)
        return State(self.game, s, (seat, move))

    def apply_in_steps(self, action: int, seat: int) -> list[Step]:
        """Returns the boards of an action, as `steps` does, trusting that it is legal."""
        last = (seat, self.game.parts.notation.format_move(self.game, self.position, action))
        kernel, cells = self.game.kernel, self.game.parts.rules.cells
        before, after = self.position, self._copy()
        event = kernel.begin(after, seat, action)
        steps = []
        while event:
            name = kernel.EVENTS[event]
            board = after.copy()
            steps.append(Step(self.game, board, last, name, cells(before, board, action, name)))
            before = board
            event = kernel.advance(after)
        steps.append(Step(self.game, after, last, "", ()))
        return steps

    def acting_seat(self, seat: int | None = None, move: str = "") -> int:
        """Returns the given seat, or the seat to move; raises IllegalMove if it may not act."""
        turn = self.turn
        if seat is not None:
            seat = self._checked_seat(seat)
        if self.over:
            raise IllegalMove(move, self.text, "the game is over")
        if turn is None and seat is None:
            raise IllegalMove(move, self.text, "anyone may move: name the seat, such as seat=0")
        if turn is not None and seat is not None and seat != turn:
            name = self.game.parts.rules.SEAT_NAMES[turn]
            raise IllegalMove(move, self.text, f"it is {name}'s turn (seat {turn})")
        return cast(int, turn if seat is None else seat)

    def seat_to_move(self, first: int, plies: int) -> int:
        """Returns the seat to move; where anyone may move, seats alternate.

        `first` is the seat that moved `plies` plies ago.
        """
        turn = self.turn
        return (first + plies) % self.game.seats if turn is None else turn

    def actions(self, seat: int | None = None) -> list[int]:
        """Returns the legal actions of the given seat as integers, ascending.

        The default is the seat to move, or seat 0 where anyone may move.
        """
        seat = self._checked_seat((self.turn or 0) if seat is None else seat)
        out = self.game.buffers.action_buffer(self.game.kernel.MAX_LEGAL)
        return cast("list[int]", out[: self.game.kernel.legal(self.position, seat, out)].tolist())

    def act(self, action: int, seat: int | None = None) -> State:
        """Returns the position after an action, given as an integer; raises IllegalMove."""
        return self.apply(*self._legal_action(action, seat))

    def action(self, text: str, seat: int | None = None) -> int:
        """Returns the action of a legal move; raises MoveSyntax or IllegalMove."""
        return self._parse_legal(text, seat)[0]

    def move(self, action: int) -> str:
        """Returns the text of a legal action; raises IllegalMove."""
        if action not in self.actions():
            raise IllegalMove(str(action), self.text, "not a legal action")
        return self.game.parts.notation.format_move(self.game, self.position, action)

    def steps(self, text: str, seat: int | None = None) -> list[Step]:
        """Returns the boards of a move: one for each of its events, then the final board.

        The final board is the position that `play` returns. It has no event, and may be the same
        as the board before it.
        """
        return self.apply_in_steps(*self._parse_legal(text, seat))

    def pack(self) -> bytes:
        """Returns the complete position as bytes, with random generator and repetition history."""
        body: bytes = self.position.tobytes()
        return self.game._fingerprint() + body + zlib.crc32(body).to_bytes(4, "big")

    def hidden(self, seat: int, seed: int) -> State:
        """Returns a determinization: what the seat cannot know is drawn again from the seed."""
        s = self._copy()
        self.game.kernel.hide(s, self._checked_seat(seat), checked_seed(seed))
        return State(self.game, s, self.last)

    def evaluate(self, seat: int) -> float:
        """Returns the static evaluation of the position for a seat, from -1 to 1."""
        return float(self.game.kernel.evaluate(self.position, self._checked_seat(seat)))

    def observe(self, seat: int) -> Buffer:
        """Returns the observation of a seat as planes of floats, for learning."""
        planes = self.game.buffers.plane_buffer(*self.game.planes)
        self.game.kernel.observe(self.position, self._checked_seat(seat), planes)
        return planes

    def scene(self, view: ViewOptions | None = None) -> Scene:
        """Returns the picture of the position as shapes."""
        from quincunx.draw.scene import ViewOptions

        return self.game.parts.layout.scene(self, view or ViewOptions())

    def svg(self, **options: Any) -> str:
        """Returns the picture as SVG; options as in `draw.svg.svg` and `draw.scene.ViewOptions`."""
        from quincunx.draw import picture

        return picture(self, "svg", **options)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        from quincunx.draw import picture

        return picture(self, "text")

    def __repr__(self) -> str:
        return f"{self.game!r}.read({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.game == other.game and self.text == other.text

    def __hash__(self) -> int:
        return hash((self.game, self.text))

    def __copy__(self) -> State:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _state, (self.game, self.pack(), self.last)

    def _copy(self) -> Position:
        """Returns a copy of the position record that may be modified."""
        s = self.game.empty_positions()
        s[0] = self.position
        return s[0]

    def _legal_action(self, action: SupportsIndex, seat: int | None) -> tuple[int, int]:
        """Returns a legal action as an int, and the acting seat."""
        acting = self.acting_seat(seat, str(action))
        if not isinstance(action, SupportsIndex) or action not in self.actions(acting):
            raise IllegalMove(str(action), self.text, f"not a legal action of seat {acting}")
        return index(action), acting

    def _parse_legal(self, text: str, seat: int | None) -> tuple[int, int]:
        """Returns the legal action of a move text and the acting seat."""
        move, seat = self.split_seat(text, seat)
        action = self.game.parts.notation.parse_move(self.game, self.position, move)
        seat = self.acting_seat(seat, text)
        if action not in self.actions(seat):
            raise IllegalMove(
                text, self.text, self.game.parts.rules.reason(self.position, seat, action)
            )
        return action, seat

    def split_seat(self, text: str, seat: int | None = None) -> tuple[str, int | None]:
        """Returns the move without its seat prefix (`R:` or `r:`), and the seat.

        Only where anyone may move do moves have a prefix. Raises MoveSyntax if the text is not a
        string, and IllegalMove if it names another seat than the given one.
        """
        if not isinstance(text, str):
            raise MoveSyntax(str(text), self.game.parts.notation.MOVE_FORM)
        letter, colon, rest = text.strip().partition(":")
        letters = self.game.parts.rules.LETTERS[: self.game.seats].lower()
        named = letters.find(letter.lower()) if len(letter) == 1 else -1
        if not colon or self.position["turn"] >= 0 or named < 0:
            return text, seat
        if seat is not None and seat != named:
            raise IllegalMove(
                text, self.text, f"the move names seat {named}, but was played for seat {seat}"
            )
        return rest, named

    def _checked_seat(self, seat: int) -> int:
        """Returns the seat as an int; raises BadOption if the game has no such seat."""
        if type(seat) is int and 0 <= seat < self.game.seats:
            return seat
        if not isinstance(seat, SupportsIndex) or isinstance(seat, bool):
            seat = -1
        if seat not in range(self.game.seats):
            raise BadOption("seat", seat, f"must be an integer from 0 to {self.game.seats - 1}")
        return index(seat)


class Step(State):
    """A board in the middle of a move, the event that led to it and the cells it changed.

    A Step is for display: no seat can move in it. It may be a board that the rules do not
    allow between moves (a lifted pawn, a floating sphere), so `read` may reject its text.
    """

    __slots__ = ("cells", "event")

    def __init__(
        self,
        game: Game,
        s: Position,
        last: tuple[int, str] | None,
        event: str,
        cells: Iterable[str],
    ) -> None:
        super().__init__(game, s, last)
        self.event = event
        self.cells = tuple(cells)

    def __reduce__(self) -> tuple[Any, ...]:
        return _step, (self.game, self.pack(), self.last, self.event, self.cells)


def checked_seed(seed: int | None) -> int:
    """Returns the low 63 bits of a seed, random ones for None; raises BadOption if not an int."""
    if seed is None:
        return secrets.randbits(63)
    if isinstance(seed, bool) or not hasattr(seed, "__index__"):
        raise BadOption("seed", seed, "must be an integer")
    return int(seed) & (2**63 - 1)


# Pickles refer to _game, _state and _step by name: these names must not change.
def _game(name: str, options: dict[str, Value]) -> Game:
    from quincunx.registry import game

    return game(name, **options)


def _state(game: Game, packed: bytes, last: tuple[int, str] | None) -> State:
    return State(game, game.unpack(packed).position, last)


def _step(
    game: Game, packed: bytes, last: tuple[int, str], event: str, cells: tuple[str, ...]
) -> Step:
    return Step(game, game.unpack(packed).position, last, event, cells)
