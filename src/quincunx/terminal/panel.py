"""What stands beside the board: players, moves, thoughts, buttons for what is not on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from rich.console import Group
from rich.style import Style
from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from quincunx.analysis import analyse
from quincunx.draw import palette
from quincunx.game import State
from quincunx.match import is_human
from quincunx.players.level import LEVEL_NAMES, level_name
from quincunx.terminal.analysis_table import judged_moves, verdict
from quincunx.terminal.background import run_in_thread
from quincunx.terminal.local_game import OVER, LocalGame

DIGITS = "1234567890"
TOP = 6  # moves that an analysis shows


def called(player: str) -> str:
    """A player for people: you, a name, a level by its name, or the text of a bot."""
    if is_human(player):
        return player.partition(":")[2].strip() or "you"
    if name := level_name(player):
        return f"{name} (level {LEVEL_NAMES.index(name) + 1})"
    return player


def players(
    local_game: LocalGame, state: State, theme: str, placer: int, thinking: int | None
) -> Text:
    """A line for each seat: whose turn it is, its colour, who sits there, and its score."""
    scores = state.scores
    alone = local_game.match.game.seats == 1
    text = Text(no_wrap=True, overflow="ellipsis")
    quiet, accent = palette.colour("quiet", theme), palette.colour("accent", theme)
    for seat, player in enumerate(local_game.match.players):
        moves = not state.over and seat == (placer if state.turn is None else state.turn)
        text.append("▸ " if moves else "  ", accent)
        name = local_game.seat_name(seat)
        if name.lower() in palette.PIECES:
            paint = palette.paint(name.lower(), theme)
            seen = palette.contrast(paint.fill, palette.colour("paper", theme)) > 1.5
            text.append("● " if seen else "○ ", paint.fill if seen else paint.rim)
        if not alone:
            text.append(f"{name} ", "bold" if moves else "")
        if any(scores):
            text.append(f"{scores[seat]:g} ", "bold")
        if seat in state.winners:
            text.append("wins ", palette.colour("good", theme))
        text.append("… " if seat == thinking else "", accent)
        text.append(f"{called(player)}\n", quiet)
    text.rstrip()
    return text


class Moves(OptionList):
    """The moves so far, the last one below; the one that is seen is lit."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "cursor_up", "move before", show=False),
        Binding("right", "cursor_down", "move after", show=False),
        Binding("home", "first", "first position", show=False),
        Binding("end", "last", "last position", show=False),
    ]

    @dataclass
    class Viewed(Message):
        """Another position of the game is to be seen."""

        index: int

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id, compact=True, markup=False)
        self._told: tuple[str, ...] | None = None

    def tell(self, local_game: LocalGame, viewed: int) -> None:
        """Shows the moves of a game up to now, and which position is seen."""
        moves = local_game.match.moves
        if moves != self._told:
            same = self._told is not None and moves[: len(self._told)] == self._told
            if not same:
                self.clear_options()
                self.add_option(Option("start"))
            begun = self.option_count - 1
            seats = local_game.match.states[1:]
            self.add_options(
                Option(_told(local_game, number, move, seats[number - 1]))
                for number, move in enumerate(moves[begun:], begun + 1)
            )
            self._told = moves
        with self.prevent(OptionList.OptionHighlighted):
            self.highlighted = viewed

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Going to a move shows the position after it."""
        event.stop()
        self.post_message(self.Viewed(event.option_index))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Choosing a move shows the position after it, too."""
        event.stop()
        self.post_message(self.Viewed(event.option_index))


def _told(local_game: LocalGame, number: int, move: str, after: State) -> str:
    """A move for the list: its number, who played it, the move."""
    letters = local_game.match.game.parts.rules.LETTERS
    seat = after.last[0] if after.last else 0
    shown = move.rpartition(f"{letters[seat]}:")[2] if move[1:2] == ":" else move
    who = f"{letters[seat].upper()} " if local_game.match.game.seats > 1 else ""
    return f"{number:>2} {who}{shown}"


class Thoughts(Static):
    """What the best player thinks of a position."""

    def think(self, state: State, seat: int, limit: float) -> None:
        """Begins to think of a position, for a seat and that many seconds."""
        self.workers.cancel_node(self)
        if state.over:
            self.update(OVER)
            return
        self.update("Thinking …")
        self.run_worker(self._think(state, seat, limit), exclusive=True)

    async def _think(self, state: State, seat: int, limit: float) -> None:
        found = await run_in_thread(partial(analyse, state, limit, seat))
        table = judged_moves(found, TOP, lines=False)
        line = Text(" ".join(found.line[:TOP]), "dim")
        self.update(Group(verdict(found), table, line, Text(f"by {found.by}", "dim")))


class Buttons(Widget):
    """What can be touched now and is not on the board, in as many rows as it needs."""

    @dataclass
    class Pressed(Message):
        """A button was pressed."""

        name: str

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.names: tuple[str, ...] = ()
        self.labels: tuple[str, ...] = ()
        self._titles: dict[str, str] = {}

    def offer(self, names: Sequence[str], labels: Sequence[str], titles: dict[str, str]) -> None:
        """Shows buttons with these names under these labels."""
        offered = tuple(names), tuple(labels), titles
        if (self.names, self.labels, self._titles) != offered:
            self.names, self.labels, self._titles = offered
            self.refresh(layout=True)

    def press(self, key: str) -> None:
        """Presses the button of a digit."""
        number = DIGITS.index(key)
        if number < len(self.names):
            self.post_message(self.Pressed(self.names[number]))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the buttons need."""
        return rows_of(self.labels, width)

    def render(self) -> Text:
        """The buttons, each with its key."""
        theme = self.app.theme.rpartition("-")[2]
        chip = Style(bgcolor=palette.colour("board", theme))
        key = chip + Style(color=palette.colour("accent", theme), bold=True)
        word = chip + Style(color=palette.colour("ink", theme))
        text = Text(no_wrap=True)
        for i, row in enumerate(_laid_out(self.labels, self.size.width)):
            text.append("\n" if i else "")
            for number, label, _ in row:
                text.append(f" {_key(number)} ", key)
                text.append(f"{label} ", word)
                text.append(" ")
        return text

    def on_click(self, event: events.Click) -> None:
        """A click presses the button under it."""
        name = self._under(event)
        if name:
            self.post_message(self.Pressed(name))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """What a button does is told when the mouse is on it."""
        self.tooltip = self._titles.get(self._under(event))

    def _under(self, event: events.MouseEvent) -> str:
        """The name of the button under the mouse."""
        rows = _laid_out(self.labels, self.size.width)
        for number, label, column in rows[event.y] if event.y < len(rows) else ():
            if column <= event.x < column + _width(label):
                return self.names[number]
        return ""


def rows_of(labels: Sequence[str], width: int) -> int:
    """How many rows buttons need."""
    return len(_laid_out(labels, width))


def _laid_out(labels: Sequence[str], width: int) -> list[list[tuple[int, str, int]]]:
    """Rows of buttons: their numbers, labels and first columns."""
    rows: list[list[tuple[int, str, int]]] = []
    column = width
    for number, label in enumerate(labels):
        if not rows or column + _width(label) > width:
            rows.append([])
            column = 0
        rows[-1].append((number, label, column))
        column += _width(label) + 1
    return rows


def _width(label: str) -> int:
    return len(label) + 4


def _key(number: int) -> str:
    return DIGITS[number] if number < len(DIGITS) else "·"
