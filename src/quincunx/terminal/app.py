"""The terminal app: its themes, changing screens, and the screens for rules and keys."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from rich.table import Table
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.theme import Theme
from textual.widgets import Markdown, Static

from quincunx.draw import palette
from quincunx.game import Game
from quincunx.guide import rules_text
from quincunx.match import Match
from quincunx.record import Record
from quincunx.registry import game as game_named
from quincunx.registry import title
from quincunx.terminal.autosave import has_autosave, latest_autosave, load_autosave
from quincunx.terminal.background import run_in_thread
from quincunx.terminal.board import BoardStyle, BoardWidget
from quincunx.terminal.game_screen import GameScreen
from quincunx.terminal.local_game import (
    LocalGame,
    error_text,
    match_from_record,
    players_from_record,
)
from quincunx.terminal.panel import MoveList
from quincunx.terminal.setup_screen import SetupScreen
from quincunx.warm import is_warm, warm

THEMES = tuple(palette.THEMES)
MARK_STRENGTHS = ("faint", "strong", "none")

KEY_LABELS = {
    "left_square_bracket": "\\[",
    "right_square_bracket": "]",
    "slash": "/",
    "question_mark": "?",
    "plus": "+",
    "equals_sign": "=",
    "minus": "-",
    "escape": "Esc",
    "enter": "Enter",
    "space": "Space",
    "home": "Home",
    "end": "End",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "ctrl+r": "Ctrl-R",
    "ctrl+c": "Ctrl-C",
    "ctrl+p": "Ctrl-P",
}


class QuincunxApp(App[None]):
    """The games in a terminal."""

    CSS_PATH = "app.tcss"
    TITLE = "Quincunx"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "quit", "quit"),
        Binding("ctrl+c", "quit", "quit", show=False, priority=True),
        Binding("c", "next_theme", "next colour theme", show=False),
        Binding("m", "next_marks", "marks on pieces: faint, strong, none", show=False),
        Binding("l", "toggle_text", "text instead of blocks", show=False),
    ]

    def __init__(
        self,
        local_game: LocalGame | None = None,
        theme: str = "dark",
        opponent: str = "level:2",
        hint_player: str = "level:7",
        analysis_seconds: float = 0.5,
        bot_pause_seconds: float = 0.5,
    ) -> None:
        super().__init__()
        self.analysis_seconds = analysis_seconds
        self.bot_pause_seconds = bot_pause_seconds  # after each move when only bots play
        self.exit_message = ""  # to print after the app has exited
        self._initial_game = local_game
        if local_game is not None:
            local_game.hint_player = hint_player
        self._opponent, self._hint_player = opponent, hint_player
        self._marks, self._text_only = MARK_STRENGTHS[0], self.no_color
        for name in THEMES:
            self.register_theme(_textual_theme(name))
        self.theme = f"quincunx-{theme}"

    @property
    def board_style(self) -> BoardStyle:
        """How boards are drawn."""
        theme = self.theme.rpartition("-")[2]
        return BoardStyle(theme, self._marks, self._text_only, not self.no_color)

    def on_mount(self) -> None:
        """Shows the given game, or the setup screen."""
        if self._initial_game is None:
            self.push_screen(SetupScreen(latest_autosave(), self._opponent))
        else:
            self.show_game(self._initial_game)

    async def action_quit(self) -> None:
        """Exits the app; an unfinished game has been saved after its last move."""
        screens = [screen for screen in self.screen_stack if isinstance(screen, GameScreen)]
        for local_game in (screen.local_game for screen in screens):
            game = local_game.match.game
            # The autosave can be of another game if no move was played in this one.
            record = load_autosave(game.name)
            if record and record.moves == local_game.record.moves:
                self.exit_message = (
                    f"Your game of {game.title} is saved; "
                    "to resume it, run quincunx play and press g."
                )
        self.exit()

    def show_game(self, local_game: LocalGame) -> None:
        """Shows the screen of a game."""
        message = ""
        if not local_game.move_count and has_autosave(local_game.match.game.name):
            message = "Unfinished game saved: n, then g to resume it. A move here replaces it."
        self._show_screen(GameScreen(local_game, message))

    def action_new_game(self) -> None:
        """Shows the setup screen."""
        screen = self.screen
        name = screen.local_game.match.game.name if isinstance(screen, GameScreen) else ""
        self._show_screen(SetupScreen(name, self._opponent))

    def _show_screen(self, screen: GameScreen | SetupScreen) -> None:
        """Shows a screen in place of the current one."""
        if len(self.screen_stack) > 1:
            self.switch_screen(screen)
        else:
            self.push_screen(screen)

    def start_game(self, game: Game, players: list[str]) -> None:
        """Starts a game between the players, after compiling it if needed."""
        self.run_worker(
            self._open_game(game.name, lambda: LocalGame(Match(game, players))), exclusive=True
        )

    def resume_game(self, name: str) -> None:
        """Resumes the autosave of a game."""

        def load() -> LocalGame:
            record = load_autosave(name)
            if record is None:
                raise ValueError(f"the unfinished game of {name} cannot be read")
            return self._continue_record(record, None)

        self.run_worker(self._open_game(name, load), exclusive=True)

    def load_game(self, file: str) -> None:
        """Loads a game from a file and continues it."""
        path = Path(os.path.expanduser(file))

        def load() -> LocalGame:
            return self._continue_record(Record.load(path), path)

        self._show_status(f"Loading {path} …")
        self.run_worker(self._open_game("", load), exclusive=True)

    def _continue_record(self, record: Record, file: Path | None) -> LocalGame:
        match = match_from_record(record, players_from_record(record, self._opponent))
        return LocalGame(match, record, file)

    async def _open_game(self, name: str, make: Callable[[], LocalGame]) -> None:
        """Compiles a game if needed, calls `make` in a thread, and shows the result."""
        try:
            if name and not is_warm(name):
                await self._compile(name)
            local_game = await run_in_thread(make)
        except (ValueError, OSError) as error:
            self._show_status(error_text(error), "error")
            return
        local_game.hint_player = self._hint_player
        self.show_game(local_game)

    async def _compile(self, name: str) -> None:
        """Compiles all of a game and shows the progress in the status line."""
        loop = asyncio.get_running_loop()
        message = f"Compiling {title(name)} (first run only, about 15 s)"
        self._show_status(f"{message} …")

        def compile_parts() -> None:
            parts = []
            for part in warm(game_named(name)):
                parts.append(part)
                with suppress(RuntimeError):  # the event loop is closed: the app has exited
                    loop.call_soon_threadsafe(self._show_status, f"{message}: {', '.join(parts)} …")

        await run_in_thread(compile_parts)

    def _show_status(self, text: str, kind: str = "") -> None:
        screen: object = self.screen
        if isinstance(screen, GameScreen | SetupScreen):
            screen.show_status(text, kind)

    def action_next_theme(self) -> None:
        """Switches to the next colour theme."""
        next_theme = THEMES[(THEMES.index(self.board_style.theme) + 1) % len(THEMES)]
        self.theme = f"quincunx-{next_theme}"
        self._redraw_board()

    def action_next_marks(self) -> None:
        """Switches the marks on pieces between faint, strong and none."""
        index = MARK_STRENGTHS.index(self._marks)
        self._marks = MARK_STRENGTHS[(index + 1) % len(MARK_STRENGTHS)]
        self._redraw_board()

    def action_toggle_text(self) -> None:
        """Switches between boards drawn as text and as blocks."""
        self._text_only = not self._text_only
        self._redraw_board()

    def _redraw_board(self) -> None:
        if isinstance(self.screen, GameScreen):
            self.screen.redraw()

    def action_show_keys(self) -> None:
        """Shows all keys of the current screen."""
        self.push_screen(KeysScreen(isinstance(self.screen, GameScreen)))

    def action_show_rules(self) -> None:
        """Shows the rules of the current game."""
        if isinstance(self.screen, GameScreen):
            self.push_screen(RulesScreen(self.screen.local_game.match.game.name))
        elif isinstance(self.screen, SetupScreen):
            self.push_screen(RulesScreen(self.screen.game_name))


class InfoScreen(ModalScreen[None]):
    """A scrollable text over the current screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,enter,q,r", "dismiss", "close", show=False)
    ]

    def scroll_container(self) -> VerticalScroll:
        """Returns an empty container with a border that names the keys."""
        container = VerticalScroll(classes="info")
        container.border_subtitle = "↑ ↓ scroll · Esc close"
        return container


class RulesScreen(InfoScreen):
    """The rules of a game."""

    def __init__(self, game_name: str) -> None:
        super().__init__()
        self._markdown = rules_text(game_name, drawing=is_warm(game_name))

    def compose(self) -> ComposeResult:
        """Yields the rules."""
        with self.scroll_container():
            yield Markdown(self._markdown)


class KeysScreen(InfoScreen):
    """All keys of a screen."""

    def __init__(self, in_game: bool) -> None:
        super().__init__()
        self._in_game = in_game

    def compose(self) -> ComposeResult:
        """Yields a table of keys and what they do."""
        if self._in_game:
            groups = [
                ("On the board", BoardWidget.BINDINGS),
                ("In the move list", MoveList.BINDINGS),
                ("Game", GameScreen.BINDINGS),
            ]
        else:
            groups = [("Setup", SetupScreen.BINDINGS)]
        table = Table.grid(padding=(0, 2))
        for heading, bindings in [*groups, ("Everywhere", self.app.BINDINGS)]:
            table.add_row("", f"[bold]{heading}[/]")
            for keys, description in _keys_by_description(bindings):
                table.add_row(f"[bold cyan]{keys}[/]", description)
        with self.scroll_container():
            yield Static(table)


def _keys_by_description(bindings: Iterable[BindingType]) -> list[tuple[str, str]]:
    """Returns keys and description of the bindings, those with the same description as one."""
    groups: dict[str, list[str]] = {}
    for binding in bindings:
        if not isinstance(binding, Binding):
            continue
        keys = [KEY_LABELS.get(key, key) for key in binding.key.split(",")]
        groups.setdefault(binding.description, []).extend(keys)
    return [(" ".join(keys), description) for description, keys in groups.items()]


def _textual_theme(name: str) -> Theme:
    """Returns a theme of the palette as a Textual theme."""
    colours = palette.THEMES[name]
    return Theme(
        name=f"quincunx-{name}",
        primary=colours["accent"],
        secondary=colours["accent"],
        accent=colours["accent"],
        foreground=colours["ink"],
        background=colours["paper"],
        surface=colours["board"],
        panel=colours["shade"],
        success=colours["good"],
        warning=colours["accent"],
        error=colours["bad"],
        dark=name == "dark",
        variables={
            "quiet": colours["quiet"],
            "line": colours["line"],
            "ink": colours["ink"],
            "footer-background": colours["paper"],
            "footer-item-background": colours["paper"],
            "footer-key-background": colours["paper"],
            "footer-description-background": colours["paper"],
            "footer-key-foreground": colours["accent"],
            "footer-description-foreground": colours["quiet"],
        },
    )
