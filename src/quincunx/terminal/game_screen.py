"""The screen of a game: board, players, move list, analysis and status line."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, ScrollableContainer, Vertical
from textual.geometry import Size
from textual.widgets import Static

from quincunx.draw.scene import Controls, ViewOptions
from quincunx.game import State
from quincunx.terminal.app_screen import AppScreen
from quincunx.terminal.autosave import update_autosave
from quincunx.terminal.background import run_in_thread
from quincunx.terminal.bindings import GAME_BINDINGS
from quincunx.terminal.board import BoardWidget
from quincunx.terminal.local_game import GAME_OVER_TEXT, LocalGame, error_text
from quincunx.terminal.panel import (
    AnalysisPanel,
    ButtonBar,
    MoveList,
    players_text,
    row_count,
)
from quincunx.terminal.screen_layout import (
    NARROW_COLUMNS,
    ROWS_BELOW_BOARD,
    button_labels,
    control_labels,
    side_panel_columns,
)
from quincunx.terminal.selection import Selection, shape_titles, without_buttons
from quincunx.terminal.status_line import StatusLine, compact_footer


class GameScreen(AppScreen):
    """A game between people and bots."""

    BINDINGS: ClassVar[list[BindingType]] = GAME_BINDINGS

    def __init__(self, local_game: LocalGame, message: str = "") -> None:
        super().__init__()
        self.local_game = local_game
        self.selection = Selection(local_game.match.state, None)
        self.viewed_index: int | None = None  # an earlier position; None is the current one
        self.message, self.message_kind = message, ""
        self.flip = self.show_targets = self.show_analysis = False
        self.thinking_seat: int | None = None  # the bot that is choosing a move
        self._pending_bots: list[int] = []  # bots that have yet to reply, where anyone may move
        # The person whose clicks count, where anyone may move.
        self._placing_seat = local_game.human_seats[0] if local_game.human_seats else 0

    @property
    def viewed_state(self) -> State:
        """The position shown on the board."""
        match = self.local_game.match
        return match.state if self.viewed_index is None else match.at(self.viewed_index)

    @property
    def _controls(self) -> Controls:
        """The buttons of the game, and how moves are clicked."""
        return self.local_game.match.game.controls

    def compose(self) -> ComposeResult:
        """Yields board and side panel, buttons, status line and footer."""
        with Horizontal(id="game-area"):
            with ScrollableContainer(id="board-area", can_focus=False):
                yield BoardWidget(id="board")
            with Vertical(id="side-panel"):
                yield Static(self.local_game.match.game.title, id="title", markup=False)
                yield Static(id="players")
                yield MoveList(id="move-list")
                yield AnalysisPanel(id="analysis")
        yield ButtonBar(id="buttons")
        yield StatusLine(id="status-line")
        yield compact_footer()

    def on_mount(self) -> None:
        """Focuses the board and shows the position."""
        self.query_one("#board").focus()
        self.show_current_position()

    def on_resize(self, event: events.Resize) -> None:
        """Draws the board again, as large as it fits."""
        self.set_class(event.size.width < NARROW_COLUMNS, "-narrow")
        self.call_after_refresh(self.redraw)

    def game_changed(self) -> None:
        """Saves the game after a move or undo and shows the new position."""
        try:
            update_autosave(self.local_game.record)
        except OSError as error:
            self.show_status(f"The game could not be saved: {error_text(error)}", "error")
        self.show_current_position()

    def show_current_position(self) -> None:
        """Shows the current position and lets the bots move."""
        self.viewed_index = None
        match = self.local_game.match
        seat = self._seat_to_move()
        can_move = not match.state.over and seat in self.local_game.human_seats
        self.selection = Selection(match.state, seat if can_move else None)
        self.redraw()
        if self.thinking_seat is None and self._next_bot() is not None:
            self.run_worker(self._play_bots(), group="bots", exclusive=True)
        self._update_analysis()

    def redraw(self) -> None:
        """Draws board, buttons, players, move list and status line."""
        state, selection = self.viewed_state, self.selection
        if self.viewed_index is not None:
            selection = Selection(state, None)
        view = ViewOptions(targets=self.show_targets, flip=self.flip)
        scene = state.scene(selection.view_options(view))
        board_scene = without_buttons(scene)
        # The rows of all buttons are reserved, so that the board does not change its size.
        all_buttons = selection.all_buttons(board_scene)
        labels = button_labels(self._controls, all_buttons, self.size.width)
        rows_below = ROWS_BELOW_BOARD + row_count(
            [labels[name] for name in all_buttons], self.size.width
        )
        board_size = Size(
            self.size.width - side_panel_columns(self.size.width), self.size.height - rows_below
        )
        style = self.quincunx_app.board_style
        self.query_one(BoardWidget).show_scene(
            board_scene, board_size, style, selection.first_names
        )
        buttons = selection.buttons(board_scene)
        self.query_one(ButtonBar).show_buttons(
            buttons, [labels[name] for name in buttons], shape_titles(scene)
        )
        self._draw_players()
        index = self.local_game.move_count if self.viewed_index is None else self.viewed_index
        self.query_one(MoveList).show_moves(self.local_game, index)
        self._draw_status()

    def _draw_players(self) -> None:
        theme = self.quincunx_app.board_style.theme
        text = players_text(
            self.local_game, self.viewed_state, theme, self._placing_seat, self.thinking_seat
        )
        self.query_one("#players", Static).update(text)

    def _draw_status(self) -> None:
        text = self.message or self._placing_text() + self.viewed_state.status
        if self.viewed_index is not None:
            total = self.local_game.move_count
            text = f"After move {self.viewed_index} of {total} (Esc: current position)"
        self.query_one(StatusLine).show(text, self.message_kind)

    def _placing_text(self) -> str:
        """Returns who places next, if several people may move at any time."""
        state = self.local_game.match.state
        if state.turn is not None or state.over or len(self.local_game.human_seats) < 2:
            return ""
        return f"{self.local_game.seat_label(self._placing_seat)} places (p: next player). "

    def show_status(self, text: str, kind: str = "") -> None:
        """Shows a message in the status line until the next action."""
        self.message, self.message_kind = text, kind
        self._draw_status()

    # Bots

    def _next_bot(self) -> int | None:
        if self.local_game.match.state.over:
            self._pending_bots.clear()
        return self._pending_bots[0] if self._pending_bots else self.local_game.bot_to_move()

    async def _play_bots(self) -> None:
        """Lets bots move until it is a person's turn."""
        match = self.local_game.match
        while (seat := self._next_bot()) is not None:
            self.thinking_seat, number = seat, match.number
            self._draw_players()
            try:
                action = await run_in_thread(partial(self.local_game.choose, seat))
            except (ValueError, OSError) as error:
                self.thinking_seat = None
                self._pending_bots.clear()
                self.show_status(error_text(error), "error")
                return
            if match.number != number:
                continue  # a person moved in the meantime: choose again
            if self._pending_bots:
                self._pending_bots.pop(0)
            match.play(action, seat)
            self.message = ""
            self.game_changed()
            if not self.local_game.human_seats:
                await asyncio.sleep(self.quincunx_app.bot_pause_seconds)
        self.thinking_seat = None
        self._draw_players()

    def _cancel_bots(self) -> None:
        """Cancels the bots' moves that are being chosen or are pending."""
        self.workers.cancel_group(self, "bots")
        self.thinking_seat = None
        self._pending_bots.clear()

    # Moves by mouse and keys

    @on(BoardWidget.Dragged)
    def name_dragged(self, event: BoardWidget.Dragged) -> None:
        """Picks the start of a drag, unless it is picked already."""
        selection = self.selection
        if event.name in selection.first_names and event.name not in selection.picked:
            self.name_clicked(event)

    @on(BoardWidget.Clicked)
    @on(ButtonBar.Pressed)
    def name_clicked(
        self, event: BoardWidget.Clicked | BoardWidget.Dragged | ButtonBar.Pressed
    ) -> None:
        """Adds a name to the selection, and plays the move once it is complete."""
        match, name = self.local_game.match, event.name
        if self.viewed_index is not None:
            self.show_status("This is an earlier position; Esc returns to the current one.")
        elif match.state.over:
            self.show_status(GAME_OVER_TEXT)
        elif not self.selection.click_sequences:
            seat = match.state.turn or 0
            is_thinking = self.thinking_seat is not None
            label = self.local_game.seat_label(seat)
            self.show_status(f"{label} is thinking." if is_thinking else "")
        else:
            picked = self.selection.picked
            try:
                move = self.selection.click(name)
            except KeyError:
                if picked:
                    self.show_status(f"No move goes from {picked[0]} to {name}.", "error")
                else:
                    self.show_status(f"No move starts with {name}.", "error")
                return
            self.message = self.message_kind = ""
            if move is None:
                self.redraw()
            else:
                self._play(partial(self.local_game.play, move, self._seat_to_move()))

    def _seat_to_move(self) -> int:
        turn = self.local_game.match.state.turn
        return self._placing_seat if turn is None else turn

    def _play(self, play_move: partial[None]) -> bool:
        """Plays a person's move; if it fails, shows why and returns False."""
        try:
            play_move()
        except (ValueError, OSError) as error:
            self.show_status(error_text(error), "error")
            return False
        self.message = self.message_kind = ""
        self._pending_bots += self.local_game.replying_bots()
        self.game_changed()
        return True

    @on(BoardWidget.Cancelled)
    def action_cancel(self) -> None:
        """Closes the input field, else clears the selection, else shows the current position."""
        self.message = self.message_kind = ""
        if not self.query_one(StatusLine).close_input() and not self.selection.clear():
            self.viewed_index = None
        self.redraw()
        self.query_one("#board").focus()

    def action_press_button(self, key: str) -> None:
        """Presses the button of a digit key."""
        self.query_one(ButtonBar).press_key(key)

    def action_next_placing_seat(self) -> None:
        """Lets the next person place, where anyone may move at any time."""
        seats = self.local_game.human_seats
        if self.local_game.match.state.turn is None and len(seats) > 1:
            self._placing_seat = seats[(seats.index(self._placing_seat) + 1) % len(seats)]
            self.show_current_position()

    # The input field of the status line

    def action_open_input(self, purpose: str) -> None:
        """Opens the input field for a move or a file name."""
        self.show_status("")
        self.query_one(StatusLine).open_input(purpose)

    @on(StatusLine.Submitted)
    def input_submitted(self, event: StatusLine.Submitted) -> None:
        """Plays the move, or saves to or loads from the file."""
        if not event.text:
            self.query_one("#board").focus()
        elif event.purpose == "load":
            self.quincunx_app.load_game(event.text)
        elif event.purpose == "move" and self._play(partial(self.local_game.play_text, event.text)):
            self.action_cancel()
        elif event.purpose == "save":
            self._save(event.text)

    def _save(self, name: str) -> None:
        try:
            path = self.local_game.save(name)
        except (ValueError, OSError) as error:
            self.show_status(error_text(error), "error")
            return
        self.action_cancel()
        self.show_status(f"Saved to {path}.", "success")

    # Other actions

    def action_undo(self) -> None:
        """Undoes a person's last move and the bots' replies."""
        self._cancel_bots()
        self._after_undo_or_redo(self.local_game.undo(), "Nothing to undo.")

    def action_redo(self) -> None:
        """Plays the undone moves again."""
        self._cancel_bots()
        self._after_undo_or_redo(self.local_game.redo(), "Nothing to redo.")

    def _after_undo_or_redo(self, done: bool, failure: str) -> None:
        self.message, self.message_kind = ("" if done else failure), ""
        if done:
            self.game_changed()
        else:
            self.show_current_position()

    def action_hint(self) -> None:
        """Shows the move that the hint player would play."""
        if self.local_game.match.state.over:
            self.show_status(GAME_OVER_TEXT)
        elif self.selection.click_sequences:
            self.show_status("Thinking …")
            self.run_worker(self._show_hint(self._seat_to_move()), group="hint", exclusive=True)

    async def _show_hint(self, seat: int) -> None:
        number = self.local_game.match.number
        move = await run_in_thread(partial(self.local_game.hint, seat))
        if self.local_game.match.number == number:
            names = self.selection.click_sequences[move]
            board, labels = self.query_one(BoardWidget), control_labels(self._controls)
            if on_board := [name for name in names if name in board.picture.boxes]:
                board.focus_name(on_board[-1])
            buttons = "".join(f" ({labels[name]})" for name in names if name in labels)
            self.show_status(f"Hint: {move}{buttons}", "hint")

    def action_toggle_analysis(self) -> None:
        """Shows or hides the analysis."""
        self.show_analysis = not self.show_analysis
        self._update_analysis()

    def _update_analysis(self) -> None:
        panel = self.query_one(AnalysisPanel)
        panel.display = self.show_analysis
        if self.show_analysis:
            state = self.viewed_state
            seat = self._placing_seat if state.turn is None else state.turn
            panel.start_analysis(state, seat, self.quincunx_app.analysis_seconds)
        self.call_after_refresh(self.query_one(MoveList).scroll_to_highlight)

    def action_flip(self) -> None:
        """Turns the board around."""
        self.flip = not self.flip
        self.redraw()

    def action_toggle_targets(self) -> None:
        """Shows or hides the cells that moves can start from or go to."""
        self.show_targets = not self.show_targets
        self.redraw()

    def action_step_view(self, step: int) -> None:
        """Shows the position `step` moves later, or earlier if negative."""
        index = self.local_game.move_count if self.viewed_index is None else self.viewed_index
        self.view_position(index + step)

    @on(MoveList.PositionSelected)
    def position_selected(self, event: MoveList.PositionSelected) -> None:
        """Shows the position that was selected in the move list."""
        self.view_position(event.index)

    def view_position(self, index: int) -> None:
        """Shows the position after `index` moves."""
        index = min(max(index, 0), self.local_game.move_count)
        viewed_index = None if index == self.local_game.move_count else index
        if viewed_index != self.viewed_index:
            self.viewed_index = viewed_index
            self.selection.clear()
            self.message = self.message_kind = ""
            self.redraw()
            self._update_analysis()
