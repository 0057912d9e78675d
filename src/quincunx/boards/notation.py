"""The texts of positions and moves of a game on a board.

A position is the rows from the top, separated by `/`, with a letter for each piece and a number
for each run of empty cells; then the letter of the side to move, if several seats take turns; then
the fields that the game adds: `8/8/8/3WB3/3BW3/8/8/8 b`, or `4/2a1/4/1a2 0`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from quincunx.boards.board import Board
from quincunx.boards.cells import CellStore
from quincunx.boards.looks import LookText, looks_of
from quincunx.boards.moves import SPACE_AROUND_SIGNS, Moves
from quincunx.contract import Position
from quincunx.errors import BadPosition, MoveSyntax, SeveralPieces
from quincunx.game import Game
from quincunx.phrases import Phrase

EMPTY = "."
NOT_PIECES = frozenset("./0123456789")


@dataclass(frozen=True)
class NumberField:
    """A further field of position texts: an integer that the position has in a field of that name.

    On the way in, the integer must be within `low` to `high`.
    """

    name: str
    low: int = 0
    high: int = 10**12

    def read(self, s: Position, text: str) -> None:
        """Writes the field of the position; raises ValueError with the reason."""
        if not re.fullmatch("-?[0-9]{1,18}", text) or not self.low <= int(text) <= self.high:
            raise ValueError(
                f"invalid {self.name} {text[:12]!r}: "
                f"expected an integer from {self.low} to {self.high}"
            )
        s[self.name] = int(text)

    def write(self, s: Position) -> str:
        """Returns the text of the field."""
        return str(int(s[self.name]))


def _normalised(text: str) -> str:
    """Returns a move text in lower case, without spaces around signs."""
    return SPACE_AROUND_SIGNS.sub(r"\1", text.strip().lower())


class BoardNotation:
    """The notation of a game on a board: give it to `Parts`.

    `pieces` has the letter of each piece, in the order in which `cells` numbers them from 1;
    `fields` are what a text has after the side to move; `form` completes the message
    "expected ..." for a text with a wrong number of fields, and `move_form` the same for moves;
    `check` returns why a position that was read is not allowed, or an empty text. `origin_reason`
    returns why nothing can move from a cell, or None: this is named before the reason for which a
    pair of cells is not a move.
    """

    def __init__(
        self,
        board: Board,
        *,
        pieces: str | Mapping[str, LookText],
        cells: CellStore,
        moves: Moves,
        fields: Sequence[NumberField] = (),
        form: str = "",
        move_form: str = "",
        check: Callable[[Position], str] | None = None,
        origin_reason: Callable[[Position, int], Phrase | None] | None = None,
    ) -> None:
        letters = "".join(pieces)
        if len(set(letters)) < len(pieces) or not re.fullmatch(r"[!-~]+", letters):
            raise ValueError(f"invalid pieces {letters!r}: expected different ASCII characters")
        if not NOT_PIECES.isdisjoint(letters):
            raise ValueError(f"invalid pieces {letters!r}: digits, . and / are not allowed")
        self.board, self.cells, self.moves = board, cells, moves
        self.piece_letters, self.looks = letters, looks_of(pieces)
        self.fields, self._form, self._check = tuple(fields), form, check
        self._origin_reason = origin_reason
        self.MOVE_FORM = move_form or moves.form
        self._move_text = lru_cache(maxsize=2**14)(moves.format)
        self._move_action = lru_cache(maxsize=2**14)(self._parse)
        self._letters = bytes.maketrans(bytes(range(1 + len(letters))), (EMPTY + letters).encode())
        # Cells are numbered row by row, so the cells of a row follow each other.
        self._rows = tuple(slice(row[0], row[-1] + 1) for row in board.picture_rows)

    def pieces(self, s: Position) -> bytes:
        """Returns the piece on each cell: 0 for none, or the number of its letter from 1."""
        try:
            return self.cells.read(s, len(self.board))
        except SeveralPieces as error:
            raise SeveralPieces(self.board.names[int(error.cell)]) from None

    def read(self, game: Game, text: str, s: Position) -> None:
        """Writes the position that a text describes into a started position; raises BadPosition."""
        words = text.split()
        turns = _takes_turns(game, s)
        if len(words) != 1 + turns + len(self.fields):
            raise BadPosition(text, f"expected {self._form or self._expected(game, turns)}")
        if turns:
            s.turn = _read_turn(game, text, words[1])
        pieces = self._read_board(text, words[0])
        if reason := self.moves.impossible(pieces):
            raise BadPosition(text, reason)
        self.cells.write(s, pieces)
        for field, word in zip(self.fields, words[1 + turns :], strict=True):
            try:
                field.read(s, word)
            except ValueError as error:
                raise BadPosition(text, str(error)) from error
        if self._check and (reason := self._check(s)):
            raise BadPosition(text, reason)
        game.kernel.restore(s)

    def write(self, game: Game, s: Position) -> str:
        """Returns the text of a position."""
        letters = self.pieces(s).translate(self._letters).decode()
        words = ["/".join([_with_runs(letters[row]) for row in self._rows])]
        if _takes_turns(game, s):
            words.append(game.parts.rules.LETTERS[int(s["turn"])])
        words += [field.write(s) for field in self.fields]
        return " ".join(words)

    def parse_move(self, game: Game, s: Position, text: str) -> int:
        """Returns the action of a move text; raises MoveSyntax or IllegalMove."""
        action = self._move_action(text)
        if action is None:
            raise MoveSyntax(text, self.MOVE_FORM)
        if isinstance(action, Phrase):
            raise game.illegal_move(text, s, self._earlier_reason(s, text) or action)
        return action

    def _earlier_reason(self, s: Position, text: str) -> Phrase | None:
        """Returns why no move at all is possible, or none from the first cell of a text."""
        if s["over"]:
            return Phrase("over")
        names = self.moves.clicks(_normalised(text)) or ()
        if self._origin_reason is None or not names or names[0] not in self.board:
            return None
        return self._origin_reason(s, self.board.index(names[0]))

    def _parse(self, text: str) -> int | Phrase | None:
        """Returns the action of a move text, why there is none, or None if it is not a move."""
        return self.moves.parse(_normalised(text))

    def format_move(self, game: Game, s: Position, action: int) -> str:
        """Returns the move text of an action."""
        return self._move_text(action)

    def _expected(self, game: Game, turns: bool) -> str:
        rows = len(self.board.picture_rows)
        parts = [f"{rows} {self.board.row_word}s separated by /"]
        parts += ["the side to move"] if turns else []
        parts += [f"the {field.name}" for field in self.fields]
        *others, last = parts
        listed = f"{', '.join(others)} and {last}" if others else last
        return f"{listed}, such as {game.start(seed=0).text}"

    def _read_board(self, text: str, board: str) -> bytes:
        """Returns the pieces of a text's first word."""
        row_word, cell_word = self.board.row_word, self.board.cell_word
        rows, cell_rows = board.split("/"), self.board.picture_rows
        if len(rows) != len(cell_rows):
            raise BadPosition(
                text,
                f"a board has {len(cell_rows)} {row_word}s separated by /, not {len(rows)}",
            )
        pieces = bytearray(len(self.board))
        for row, cells in zip(rows, cell_rows, strict=True):
            label = self.board.row_label(self.board.coordinates[cells[0]][1])
            column = 0
            for piece, run in self._runs(text, row, label):
                if piece and column < len(cells):
                    pieces[cells[column]] = piece
                column += run
            if column != len(cells):
                raise BadPosition(
                    text,
                    f"{row_word} {label} has {column} {cell_word}s instead of {len(cells)}",
                )
        return bytes(pieces)

    def _runs(self, text: str, row: str, label: str) -> Iterator[tuple[int, int]]:
        """Yields the pieces of a row and the number of cells that each takes, 0 for empty cells."""
        longest = max(map(len, self.board.picture_rows))
        number, numbers = f"[1-{longest}]", f"the digits 1-{longest}"
        if longest > 9:
            number, numbers = "[1-9][0-9]{0,3}", f"numbers of empty {self.board.cell_word}s"
        for token in re.findall(f"{number}|.", row):
            if token in self.piece_letters:
                yield 1 + self.piece_letters.index(token), 1
            elif re.fullmatch(number, token):
                yield 0, int(token)
            else:
                raise BadPosition(
                    text,
                    f"{self.board.row_word} {label} contains {token!r}; only "
                    f"{', '.join(self.piece_letters)} and {numbers} are allowed",
                )


def _takes_turns(game: Game, s: Position) -> bool:
    """Returns True if there is a side to move, which the text has to name."""
    return game.seats > 1 and bool(s["turn"] >= 0)


def _read_turn(game: Game, text: str, letter: str) -> int:
    letters = game.parts.rules.LETTERS[: game.seats]
    if len(letter) != 1 or letter not in letters:
        *others, last = list(letters)
        raise BadPosition(
            text, f"the side to move must be {', '.join(others)} or {last}, not {letter[:12]!r}"
        )
    return letters.index(letter)


@lru_cache(maxsize=2**14)
def _with_runs(row: str) -> str:
    """Returns a row with its runs of empty cells written as numbers."""
    return re.sub(r"\.+", lambda run: str(len(run[0])), row)
