"""State: one immutable position of a game. Step: a board in the middle of a move."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from operator import index
from typing import TYPE_CHECKING, Any, SupportsIndex, cast

from quincunx.contract import SCORE, WIN_OR_DRAW, Position
from quincunx.errors import BadOption, IllegalMove, MoveSyntax
from quincunx.options import checked_seed
from quincunx.phrases import Phrase, addressed, render, seat_name

if TYPE_CHECKING:
    from quincunx.buffers import Buffer
    from quincunx.draw.scene import Scene, ViewOptions
    from quincunx.game import Game


class State:
    """One immutable position of a game: playing a move returns a new State.

    `last` is the seat and the text of the previous move, or None if unknown. `position` is the
    record that kernels read; nothing may modify it.
    """

    __slots__ = ("_over", "_turn", "game", "last", "position")

    def __init__(self, game: Game, s: Position, last: tuple[int, str] | None = None) -> None:
        self.game = game
        self.position = s
        self.last = last
        # Read once, because the field of a record takes long to read, an attribute even longer.
        self._over = bool(s["over"])
        turn = int(s["turn"])
        self._turn = None if turn < 0 or self._over else turn

    @property
    def turn(self) -> int | None:
        """The seat to move; None if the game is over or anyone may move."""
        return self._turn

    @property
    def ply(self) -> int:
        """The number of moves since the start, or since the position was read."""
        return int(self.position.ply)

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self._over

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
        outcome = self.game.traits.outcome
        if not self.over or outcome == SCORE or (outcome == WIN_OR_DRAW and len(best) > 1):
            return ()
        return best

    @property
    def status(self) -> str:
        """One line for people: who is to do what, or how the game ended."""
        return render(self.status_phrase, self.game.texts)

    @property
    def status_phrase(self) -> Phrase:
        """The status as a code with fields, for other languages than English."""
        return self.game.parts.rules.status(self.game, self.position)

    @property
    def notes(self) -> tuple[str, ...]:
        """A note for each seat, such as its pieces left; empty in games without notes."""
        notes = self.game.parts.rules.notes(self.game, self.position)
        return tuple(render(note, self.game.texts) for note in notes)

    def status_for(self, seat: int) -> str:
        """Returns the status as addressed to a seat: "Your turn: ..." if the seat may move."""
        seat, phrase, texts = self._checked_seat(seat), self.status_phrase, self.game.texts
        if not self.over and self.turn in (None, seat):
            phrase = addressed(phrase, texts)
        return render(phrase, texts)

    @property
    def progress(self) -> str:
        """How near the end is, for people, such as "turn 3 of 20"; empty if that is not known."""
        phrase = self.game.parts.rules.progress(self.game, self.position)
        return render(phrase, self.game.texts) if phrase else ""

    @property
    def text(self) -> str:
        """The position as text; `game.read` reads it back."""
        return self.game.parts.notation.write(self.game, self.position)

    def moves(self, seat: int | None = None) -> list[str]:
        """Returns the sorted legal moves of a seat, by default as in `actions`."""
        game, s, format_move = self.game, self.position, self.game.parts.notation.format_move
        return sorted([format_move(game, s, action) for action in self.actions(seat)])

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
        s = self.game.buffers.copy_record(self.position)
        self.game.kernel.apply(s, seat, action)
        return State(self.game, s, (seat, move))

    def apply_in_steps(self, action: int, seat: int, max_events: int | None = None) -> list[Step]:
        """Returns the boards of an action, as `steps` does, trusting that it is legal.

        After `max_events` events the final board follows at once.
        """
        last = (seat, self.game.parts.notation.format_move(self.game, self.position, action))
        kernel, cells = self.game.kernel, self.game.parts.rules.cells
        copy = self.game.buffers.copy_record
        before, after = self.position, copy(self.position)
        event = kernel.begin(after, seat, action)
        steps: list[Step] = []
        while event:
            if len(steps) == max_events:
                after = self.apply(action, seat).position
                break
            name = kernel.EVENTS[event]
            board = copy(after)
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
            raise self._illegal(move, Phrase("over"))
        if turn is None and seat is None:
            raise self._illegal(move, Phrase("name_seat"))
        if turn is not None and seat is not None and seat != turn:
            raise self._illegal(move, Phrase("other_turn", {"name": seat_name(turn), "seat": turn}))
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

    def is_legal(self, action: int, seat: int) -> bool:
        """Returns True if an action is one of the legal actions of a seat; raises BadOption."""
        # isinstance with a protocol takes longer than the kernel's own test.
        is_index = type(action) is int or (
            isinstance(action, SupportsIndex) and not isinstance(action, bool)
        )
        if not is_index or not 0 <= index(action) < self.game.actions:
            return False
        seat = self._checked_seat(seat)
        return bool(self.game.kernel.is_legal(self.position, seat, index(action)))

    def act(self, action: int, seat: int | None = None) -> State:
        """Returns the position after an action, given as an integer; raises IllegalMove."""
        return self.apply(*self._legal_action(action, seat))

    def action(self, text: str, seat: int | None = None) -> int:
        """Returns the action of a legal move; raises MoveSyntax or IllegalMove."""
        return self._parse_legal(text, seat)[0]

    def move(self, action: int) -> str:
        """Returns the text of a legal action; raises IllegalMove."""
        if not self.is_legal(action, self.turn or 0):
            raise self._illegal(str(action), Phrase("not_legal"))
        return self.game.parts.notation.format_move(self.game, self.position, index(action))

    def steps(self, text: str, seat: int | None = None) -> list[Step]:
        """Returns the boards of a move: one for each of its events, then the final board.

        The final board is the position that `play` returns. It has no event, and may be the same
        as the board before it.
        """
        return self.apply_in_steps(*self._parse_legal(text, seat))

    def pack(self) -> bytes:
        """Returns the complete position as bytes, with random generator and repetition history."""
        body: bytes = self.position.tobytes()
        return self.game.fingerprint() + body + zlib.crc32(body).to_bytes(4, "big")

    def hidden(self, seat: int, seed: int) -> State:
        """Returns a determinization: what the seat cannot know is drawn again from the seed."""
        s = self.game.buffers.copy_record(self.position)
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
        from quincunx.game import _state

        return _state, (self.game, self.pack(), self.last)

    def _illegal(self, move: str, reason: Phrase) -> IllegalMove:
        """Returns the error for an illegal move."""
        return self.game.illegal_move(move, self.position, reason)

    def _legal_action(self, action: int, seat: int | None) -> tuple[int, int]:
        """Returns a legal action as an int, and the acting seat."""
        acting = self.acting_seat(seat, str(action))
        if not self.is_legal(action, acting):
            raise self._illegal(str(action), Phrase("not_legal_for", {"seat": acting}))
        return index(action), acting

    def _parse_legal(self, text: str, seat: int | None) -> tuple[int, int]:
        """Returns the legal action of a move text and the acting seat."""
        move, seat = self.split_seat(text, seat)
        action = self.game.parts.notation.parse_move(self.game, self.position, move)
        seat = self.acting_seat(seat, text)
        if not self.is_legal(action, seat):
            raise self._illegal(text, self.game.parts.rules.reason(self.position, seat, action))
        return action, seat

    def split_seat(self, text: str, seat: int | None = None) -> tuple[str, int | None]:
        """Returns the move without its seat prefix (`R:` or `r:`), and the seat.

        Only where anyone may move do moves have a prefix. Raises MoveSyntax if the text is not a
        string, and IllegalMove if it names another seat than the given one.
        """
        if not isinstance(text, str):
            raise MoveSyntax(str(text), self.game.parts.notation.MOVE_FORM)
        if ":" not in text:
            return text, seat
        letter, _, rest = text.strip().partition(":")
        letters = self.game.parts.rules.LETTERS[: self.game.seats].lower()
        named = letters.find(letter.lower()) if len(letter) == 1 else -1
        if self.position["turn"] >= 0 or named < 0:
            return text, seat
        if seat is not None and seat != named:
            raise self._illegal(text, Phrase("other_seat", {"named": named, "given": str(seat)}))
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

    def actions(self, seat: int | None = None) -> list[int]:
        """Returns no actions before the final board of a move."""
        return [] if self.event else super().actions(seat)

    def is_legal(self, action: int, seat: int) -> bool:
        """Returns False before the final board of a move."""
        return not self.event and super().is_legal(action, seat)

    def __reduce__(self) -> tuple[Any, ...]:
        from quincunx.game import _step

        return _step, (self.game, self.pack(), self.last, self.event, self.cells)
