"""Move texts: a cell (`d3`), from cell to cell (`e2e4`), a column (`d`), a word (`pass`).

`CellMoves(board) + WordMoves({64: "pass"})` combines two kinds. Each kind also knows what is
clicked to make its moves and which cells they are about, so that a layout can mark these.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from string import ascii_lowercase, digits

from quincunx.boards.board import LETTER_AND_NUMBER, Board, Cells
from quincunx.draw.scene import Button, ClickSequence
from quincunx.phrases import Phrase

# A cell by letter and number, or by two numbers.
NAME_PATTERNS = {True: "[a-z][0-9]+", False: "-?[0-9]+,-?[0-9]+"}
SPACE_AROUND_SIGNS = re.compile(r"\s*([,>-])\s*")
# The keys of the page's and the terminal's own commands are not used for buttons.
RESERVED_KEYS = frozenset("afhnostu")


class Moves:
    """One kind of move text, or several kinds together.

    `form` completes the message "invalid move 'x': expected ...".
    """

    form: str
    buttons: tuple[Button, ...] = ()

    def has(self, action: int) -> bool:
        """Returns True if the action is one of this kind."""
        raise NotImplementedError

    def parse(self, text: str) -> int | Phrase | None:
        """Returns the action of a text in lower case, or None if it is not of this kind.

        If the text is of this kind but has no action, it returns the reason.
        """
        raise NotImplementedError

    def format(self, action: int) -> str:
        """Returns the text of an action of this kind."""
        raise NotImplementedError

    def clicks(self, text: str) -> ClickSequence | None:
        """Returns the names to click, in order, or None if the text is not of this kind."""
        raise NotImplementedError

    def cells(self, text: str, pieces: bytes) -> Cells:
        """Returns the cells to mark after a move, in order, given the pieces after it."""
        return ()

    def click_name(self, cell: int) -> str | None:
        """Returns the name that a click on a cell stands for, or None for that of the cell."""
        return None

    def marked_cell(self, name: str, pieces: bytes) -> int | None:
        """Returns the cell to mark for a click that can be made, given the pieces."""
        return None

    def impossible(self, pieces: bytes) -> str:
        """Returns why pieces cannot stand like this in any game, or an empty text."""
        return ""

    def __add__(self, other: Moves) -> Moves:
        return _SeveralKinds((*self.kinds, *other.kinds))

    @property
    def kinds(self) -> tuple[Moves, ...]:
        """The kinds that are combined."""
        return (self,)


class _OnBoard(Moves):
    """Moves that name cells."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def cells(self, text: str, pieces: bytes) -> Cells:
        """Returns the cells that the move names."""
        return tuple(self.board.index(name) for name in self.clicks(text) or ())

    def marked_cell(self, name: str, pieces: bytes) -> int | None:
        """Returns the cell with this name."""
        return self.board.index(name) if name in self.board else None


class CellMoves(_OnBoard):
    """Moves that are a cell: action `first + cell`."""

    def __init__(self, board: Board, first: int = 0) -> None:
        super().__init__(board)
        self.first = first
        names = board.names
        self.form = (
            f"a {board.cell_word} from {names[0]} to {names[-1]}, such as {names[len(names) // 3]}"
        )

    def has(self, action: int) -> bool:
        """Returns True if the action is the number of a cell."""
        return 0 <= action - self.first < len(self.board)

    def parse(self, text: str) -> int | None:
        """Returns the action of a cell's name."""
        return self.first + self.board.index(text) if text in self.board else None

    def format(self, action: int) -> str:
        """Returns the name of the cell."""
        return self.board.names[action - self.first]

    def clicks(self, text: str) -> ClickSequence | None:
        """Returns the name of the cell."""
        return (text,) if text in self.board else None


class FromToMoves(_OnBoard):
    """Moves from cell to cell: action `first + origin * cells + target`, or as in `pairs`.

    `pairs[action - first]` is the origin and the target of an action, or None if it has none.
    `no_action` is the code of the reason for which two cells that are not a pair are refused.
    """

    def __init__(
        self,
        board: Board,
        pairs: Sequence[tuple[int, int] | None] | None = None,
        *,
        separator: str | None = None,
        first: int = 0,
        no_action: str = "not_legal",
    ) -> None:
        super().__init__(board)
        letters = board.naming == LETTER_AND_NUMBER
        self.separator = ("" if letters else ">") if separator is None else separator
        if not self.separator and not letters:
            raise ValueError("cells named by numbers need a separator, such as >")
        self.pairs, self.first, self.no_action = pairs, first, no_action
        name = NAME_PATTERNS[letters]
        self._pattern = re.compile(f"({name}){re.escape(self.separator)}({name})")
        self.form = f"the two {board.cell_word}s of a move, such as {self._example}"

    @cached_property
    def _example(self) -> str:
        if self.pairs is not None:
            return self.format(next(iter(self._actions.values())))
        origin = len(self.board) // 3
        column, row = self.board.coordinates[origin]
        target = self.board.cell_at(column, row + 1) or 0
        return self.format(self.first + origin * len(self.board) + target)

    @cached_property
    def _actions(self) -> dict[tuple[int, int], int]:
        """The actions by origin and target, if there is a table of pairs."""
        return {pair: self.first + i for i, pair in enumerate(self.pairs or ()) if pair}

    def has(self, action: int) -> bool:
        """Returns True if the action is the number of a pair of cells."""
        count = len(self.board) ** 2 if self.pairs is None else len(self.pairs)
        return 0 <= action - self.first < count

    def parse(self, text: str) -> int | Phrase | None:
        """Returns the action of two names."""
        names = self.clicks(text)
        if names is None or not all(name in self.board for name in names):
            return None
        origin, target = map(self.board.index, names)
        if self.pairs is None:
            return self.first + origin * len(self.board) + target
        action = self._actions.get((origin, target))
        return Phrase(self.no_action) if action is None else action

    def format(self, action: int) -> str:
        """Returns the names of both cells."""
        number = action - self.first
        pair = divmod(number, len(self.board)) if self.pairs is None else self.pairs[number]
        if pair is None:
            raise ValueError(f"action {action} has no cells")
        return self.board.names[pair[0]] + self.separator + self.board.names[pair[1]]

    def clicks(self, text: str) -> ClickSequence | None:
        """Returns the names of both cells."""
        match = self._pattern.fullmatch(text)
        return (match[1], match[2]) if match else None


class DropMoves(_OnBoard):
    """Moves that are a column, in which a piece falls to the lowest empty cell.

    Action `first + i` is column i from the left, and a click on any of its cells.
    """

    def __init__(self, board: Board, first: int = 0) -> None:
        super().__init__(board)
        self.first = first
        columns = sorted({column for column, _ in board.coordinates})
        self.labels = [board.column_label(column) for column in columns]
        self.form = f"a column from {self.labels[0]} to {self.labels[-1]}"
        # The cells of each column by its label, lowest first.
        self._columns = {
            label: tuple(sorted(board.column(column), key=lambda cell: -board.centre(cell)[1]))
            for label, column in zip(self.labels, columns, strict=True)
        }

    def has(self, action: int) -> bool:
        """Returns True if the action is the number of a column."""
        return 0 <= action - self.first < len(self.labels)

    def parse(self, text: str) -> int | None:
        """Returns the action of a column."""
        return self.first + self.labels.index(text) if text in self._columns else None

    def format(self, action: int) -> str:
        """Returns the column."""
        return self.labels[action - self.first]

    def clicks(self, text: str) -> ClickSequence | None:
        """Returns the column."""
        return (text,) if text in self._columns else None

    def cells(self, text: str, pieces: bytes) -> Cells:
        """Returns the highest cell of the column that is not empty."""
        return tuple(cell for cell in self._columns[text] if pieces[cell])[-1:]

    def click_name(self, cell: int) -> str:
        """Returns the column of the cell."""
        return self.board.column_label(self.board.coordinates[cell][0])

    def marked_cell(self, name: str, pieces: bytes) -> int | None:
        """Returns the cell to which a piece would fall."""
        column = self._columns.get(name, ())
        return next((cell for cell in column if not pieces[cell]), None)

    def impossible(self, pieces: bytes) -> str:
        """Returns which column has a piece above an empty cell."""
        for label, cells in self._columns.items():
            occupied = [pieces[cell] > 0 for cell in cells]
            if occupied != sorted(occupied, reverse=True):
                return f"column {label} has an empty {self.board.cell_word} below a piece"
        return ""


class WordMoves(Moves):
    """Moves that are a word, each with a button beside the board: the words by their actions.

    A Button instead of a word says what the button shows and which key presses it.
    """

    def __init__(self, words: Mapping[int, str | Button]) -> None:
        if not words:
            raise ValueError("expected at least one word, such as {64: 'pass'}")
        keys = {button.key for button in words.values() if isinstance(button, Button)}
        buttons: list[Button] = []
        for word in words.values():
            button = word if isinstance(word, Button) else _button(word, keys)
            keys.add(button.key)
            buttons.append(button)
        self.buttons = tuple(buttons)
        self._words = {action: button.word for action, button in zip(words, buttons, strict=True)}
        self._actions = {word: action for action, word in self._words.items()}
        if len(self._actions) < len(self._words):
            raise ValueError(f"invalid words {', '.join(self._words.values())}: two are equal")
        *others, last = self._actions
        self.form = f"the word {', '.join(others) + ' or ' if others else ''}{last}"

    def has(self, action: int) -> bool:
        """Returns True if the action has a word."""
        return action in self._words

    def parse(self, text: str) -> int | None:
        """Returns the action of a word."""
        return self._actions.get(text)

    def format(self, action: int) -> str:
        """Returns the word."""
        return self._words[action]

    def clicks(self, text: str) -> ClickSequence | None:
        """Returns the word, which is the name of its button."""
        return (text,) if text in self._actions else None


def _button(word: str, used_keys: set[str]) -> Button:
    """Returns the button of a word; its key is a letter of the word, a digit or a letter."""
    if word != word.lower() or not word or " " in word:
        raise ValueError(f"invalid word {word!r}: expected lower case and no spaces")
    for key in word + digits[1:] + ascii_lowercase:
        if key not in RESERVED_KEYS | used_keys:
            return Button(word, word.capitalize(), key, f"play the move {word}")
    raise ValueError(f"no key is left for the word {word!r}: give it a Button with a key")


class _SeveralKinds(Moves):
    """Moves of several kinds; the first kind that fits a text reads it."""

    def __init__(self, kinds: tuple[Moves, ...]) -> None:
        self._kinds = kinds
        self.form = ", or ".join(kind.form for kind in kinds)
        self.buttons = tuple(button for kind in kinds for button in kind.buttons)
        for button in self.buttons:
            if sum(kind.parse(button.word) is not None for kind in kinds) > 1:
                raise ValueError(f"the word {button.word!r} is also another move")

    @property
    def kinds(self) -> tuple[Moves, ...]:
        """The kinds that are combined."""
        return self._kinds

    def has(self, action: int) -> bool:
        """Returns True if one of the kinds has the action."""
        return any(kind.has(action) for kind in self.kinds)

    def parse(self, text: str) -> int | Phrase | None:
        """Returns the action of a text."""
        results = (kind.parse(text) for kind in self.kinds)
        return next((result for result in results if result is not None), None)

    def format(self, action: int) -> str:
        """Returns the text of an action."""
        return next(kind.format(action) for kind in self.kinds if kind.has(action))

    def clicks(self, text: str) -> ClickSequence | None:
        """Returns the names to click."""
        sequences = (kind.clicks(text) for kind in self.kinds)
        return next((names for names in sequences if names is not None), None)

    def cells(self, text: str, pieces: bytes) -> Cells:
        """Returns the cells to mark after a move."""
        kinds = (kind for kind in self.kinds if kind.clicks(text) is not None)
        return next((kind.cells(text, pieces) for kind in kinds), ())

    def click_name(self, cell: int) -> str | None:
        """Returns the name that a click on a cell stands for."""
        names = (kind.click_name(cell) for kind in self.kinds)
        return next((name for name in names if name is not None), None)

    def impossible(self, pieces: bytes) -> str:
        """Returns why pieces cannot stand like this, by one of the kinds."""
        return next(filter(None, (kind.impossible(pieces) for kind in self.kinds)), "")

    def marked_cell(self, name: str, pieces: bytes) -> int | None:
        """Returns the cell to mark for a click that can be made."""
        cells = (kind.marked_cell(name, pieces) for kind in self.kinds)
        return next((cell for cell in cells if cell is not None), None)
