"""The widgets around the board: players, move list, analysis and buttons."""

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
from quincunx.match import Ply, is_human
from quincunx.players.level import LEVEL_NAMES, level_name, player_title
from quincunx.terminal.analysis_table import move_table, summary
from quincunx.terminal.background import run_in_thread
from quincunx.terminal.local_game import GAME_OVER_TEXT, LocalGame

DIGIT_KEYS = "1234567890"
MAX_ANALYSIS_MOVES = 6  # in the table, and in the best line
MIN_DISC_CONTRAST = 1.5  # to the background; a seat's colour with less is shown as an outline


def player_label(player: str) -> str:
    """Returns a player's name for display: you, ada, casual (level 3), or the bot's text."""
    if is_human(player):
        return player.partition(":")[2].strip() or "you"
    if name := level_name(player):
        return f"{name} (level {LEVEL_NAMES.index(name) + 1})"
    return player


def players_text(
    local_game: LocalGame, state: State, theme: str, placing_seat: int, thinking_seat: int | None
) -> Text:
    """Returns a line for each seat: turn marker, colour, seat, score and player.

    `placing_seat` is marked as the one to move where anyone may move.
    """
    scores = state.scores
    solo = local_game.match.game.seats == 1
    text = Text(no_wrap=True, overflow="ellipsis")
    quiet, accent = palette.colour("quiet", theme), palette.colour("accent", theme)
    for seat, player in enumerate(local_game.match.players):
        to_move = not state.over and seat == (placing_seat if state.turn is None else state.turn)
        text.append("▸ " if to_move else "  ", accent)
        name = local_game.seat_name(seat)
        if name.lower() in palette.PIECES:
            paint = palette.paint(name.lower(), theme)
            contrast = palette.contrast(paint.fill, palette.colour("paper", theme))
            filled = contrast > MIN_DISC_CONTRAST
            text.append("● " if filled else "○ ", paint.fill if filled else paint.rim)
        if not solo:
            text.append(f"{name} ", "bold" if to_move else "")
        if any(scores):
            text.append(f"{scores[seat]:g} ", "bold")
        if seat in state.winners:
            text.append("wins ", palette.colour("good", theme))
        text.append("… " if seat == thinking_seat else "", accent)
        text.append(f"{player_label(player)}\n", quiet)
    text.rstrip()
    return text


class MoveList(OptionList):
    """The moves so far, with the last move of the viewed position highlighted."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "cursor_up", "previous move", show=False),
        Binding("right", "cursor_down", "next move", show=False),
        Binding("home", "first", "first position", show=False),
        Binding("end", "last", "last position", show=False),
    ]

    @dataclass
    class PositionSelected(Message):
        """The user wants to see the position after `index` moves."""

        index: int

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id, compact=True, markup=False)
        self._listed_moves: tuple[str, ...] | None = None

    def show_moves(self, local_game: LocalGame, viewed_index: int) -> None:
        """Lists the moves of a game and highlights the viewed position."""
        moves = local_game.match.moves
        listed = self._listed_moves
        if moves != listed:
            if listed is None or moves[: len(listed)] != listed:
                self.clear_options()
                self.add_option(Option("start"))
            count = self.option_count - 1
            self.add_options(
                Option(_move_label(local_game, number, ply))
                for number, ply in enumerate(local_game.match.history[count:], count + 1)
            )
            self._listed_moves = moves
        with self.prevent(OptionList.OptionHighlighted):
            self.highlighted = viewed_index

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Posts the position of the highlighted move."""
        event.stop()
        self.post_message(self.PositionSelected(event.option_index))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Posts the position of the selected move."""
        event.stop()
        self.post_message(self.PositionSelected(event.option_index))


def _move_label(local_game: LocalGame, number: int, ply: Ply) -> str:
    """Returns a line of the move list: number, seat letter and move."""
    game = local_game.match.game
    letter = f"{game.parts.rules.LETTERS[ply.seat].upper()} " if game.seats > 1 else ""
    return f"{number:>2} {letter}{ply.text}"


class AnalysisPanel(Static):
    """The analysis of the viewed position by the game's best player."""

    def start_analysis(self, state: State, seat: int, seconds: float) -> None:
        """Analyses a position for a seat in the background and then shows the result."""
        self.workers.cancel_node(self)
        if state.over:
            self.update(GAME_OVER_TEXT)
            return
        self.update("Thinking …")
        self.run_worker(self._run_analysis(state, seat, seconds), exclusive=True)

    async def _run_analysis(self, state: State, seat: int, seconds: float) -> None:
        analysis = await run_in_thread(partial(analyse, state, seconds, seat))
        table = move_table(analysis, MAX_ANALYSIS_MOVES, lines=False)
        line = Text(" ".join(analysis.line[:MAX_ANALYSIS_MOVES]), "dim")
        self.update(
            Group(summary(analysis), table, line, Text(f"by {player_title(analysis.by)}", "dim"))
        )


class ButtonBar(Widget):
    """Buttons for the clicks that are not on the board, in as many rows as they need."""

    @dataclass
    class Pressed(Message):
        """A button was pressed."""

        name: str

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.names: tuple[str, ...] = ()
        self.labels: tuple[str, ...] = ()
        self._tooltips: dict[str, str] = {}

    def show_buttons(
        self, names: Sequence[str], labels: Sequence[str], tooltips: dict[str, str]
    ) -> None:
        """Replaces the buttons; tooltips are by name."""
        buttons = tuple(names), tuple(labels), tooltips
        if (self.names, self.labels, self._tooltips) != buttons:
            self.names, self.labels, self._tooltips = buttons
            self.refresh(layout=True)

    def press_key(self, key: str) -> None:
        """Presses the button of a digit key, if there is one."""
        index = DIGIT_KEYS.index(key)
        if index < len(self.names):
            self.post_message(self.Pressed(self.names[index]))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Returns the number of rows that the buttons need."""
        return row_count(self.labels, width)

    def render(self) -> Text:
        """Returns the buttons, each with its key."""
        theme = self.app.theme.rpartition("-")[2]
        button_style = Style(bgcolor=palette.colour("board", theme))
        key_style = button_style + Style(color=palette.colour("accent", theme), bold=True)
        label_style = button_style + Style(color=palette.colour("ink", theme))
        text = Text(no_wrap=True)
        for i, row in enumerate(_button_rows(self.labels, self.size.width)):
            text.append("\n" if i else "")
            for index, label, _ in row:
                text.append(f" {_key_label(index)} ", key_style)
                text.append(f"{label} ", label_style)
                text.append(" ")
        return text

    def on_click(self, event: events.Click) -> None:
        """Presses the button under the mouse."""
        name = self._name_at(event)
        if name:
            self.post_message(self.Pressed(name))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Shows the tooltip of the button under the mouse."""
        self.tooltip = self._tooltips.get(self._name_at(event))

    def _name_at(self, event: events.MouseEvent) -> str:
        """Returns the name of the button under the mouse, or an empty string."""
        rows = _button_rows(self.labels, self.size.width)
        for index, label, column in rows[event.y] if event.y < len(rows) else ():
            if column <= event.x < column + _button_width(label):
                return self.names[index]
        return ""


def row_count(labels: Sequence[str], width: int) -> int:
    """Returns the number of rows that buttons need at a width."""
    return len(_button_rows(labels, width))


def _button_rows(labels: Sequence[str], width: int) -> list[list[tuple[int, str, int]]]:
    """Returns rows of buttons: their indexes, labels and first columns."""
    rows: list[list[tuple[int, str, int]]] = []
    column = width
    for index, label in enumerate(labels):
        if not rows or column + _button_width(label) > width:
            rows.append([])
            column = 0
        rows[-1].append((index, label, column))
        column += _button_width(label) + 1
    return rows


def _button_width(label: str) -> int:
    return len(label) + 4  # the key with a space on both sides, and a space after the label


def _key_label(index: int) -> str:
    return DIGIT_KEYS[index] if index < len(DIGIT_KEYS) else "·"
