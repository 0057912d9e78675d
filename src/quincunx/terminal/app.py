"""The terminal app: its colours, what it does between screens, and the pages that explain."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import ClassVar, Protocol, cast

from rich.table import Table
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.theme import Theme
from textual.widgets import Markdown, Static

from quincunx.draw import palette
from quincunx.game import Game
from quincunx.jit import is_warm, warm
from quincunx.match import Match
from quincunx.pages import IMAGE, page
from quincunx.record import Record
from quincunx.registry import game as game_named
from quincunx.terminal.autosave import has_autosave, latest_autosave, load_autosave
from quincunx.terminal.background import run_in_thread
from quincunx.terminal.board import Board, Look
from quincunx.terminal.game_screen import GameScreen
from quincunx.terminal.local_game import LocalGame, resumed, seats_of, sentence
from quincunx.terminal.panel import Moves
from quincunx.terminal.setup_screen import SetupScreen

THEMES = tuple(palette.THEMES)
MARKS = ("faint", "strong", "none")


class Talking(Protocol):
    """A screen that can say a sentence."""

    def say(self, text: str, tone: str = "") -> None:
        """Says one sentence."""


class QuincunxApp(App[None]):
    """Five games in a terminal."""

    CSS_PATH = "app.tcss"
    TITLE = "Quincunx"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "quit", "quit"),
        Binding("ctrl+c", "quit", "quit", show=False, priority=True),
        Binding("c", "colours", "other colours", show=False),
        Binding("m", "marks", "marks: faint, strong, none", show=False),
        Binding("l", "letters", "letters instead of blocks", show=False),
    ]

    def __init__(
        self,
        local_game: LocalGame | None = None,
        theme: str = "dark",
        against: str = "level:2",
        hint_by: str = "level:7",
        limit: float = 0.5,
        pace: float = 0.5,
    ) -> None:
        super().__init__()
        self.limit = limit  # seconds that an analysis takes
        self.pace = pace  # seconds between moves when bots are alone
        self.farewell = ""  # said when the app has ended
        self._local_game = local_game
        if local_game is not None:
            local_game.hint_by = hint_by
        self._against, self._hint_by = against, hint_by
        self._marks, self._letters = MARKS[0], self.no_color
        for name in THEMES:
            self.register_theme(_theme(name))
        self.theme = f"quincunx-{theme}"

    @property
    def look(self) -> Look:
        """How boards are drawn."""
        return Look(self.theme.rpartition("-")[2], self._marks, self._letters, not self.no_color)

    def on_mount(self) -> None:
        """Begins with a game, or with the choice of one."""
        if self._local_game is None:
            self.push_screen(SetupScreen(latest_autosave(), self._against))
        else:
            self.play(self._local_game)

    async def action_quit(self) -> None:
        """Ends the app; an unfinished game is kept."""
        local_games = [one.local_game for one in self.screen_stack if isinstance(one, GameScreen)]
        for local_game in local_games:
            game = local_game.match.game
            record = load_autosave(game.name)  # another one, where this game was only looked at
            if record and record.moves == local_game.record.moves:
                title = game.title
                self.farewell = f"Your game of {title} is kept: quincunx play, then g, goes on."
        self.exit()

    def play(self, local_game: LocalGame, greeting: str = "") -> None:
        """Shows a match."""
        name = local_game.match.game.name
        if not greeting and not local_game.played and has_autosave(name):
            greeting = "An unfinished game is kept; n, then g, goes on with it. A move replaces it."
        self._show(GameScreen(local_game, greeting))

    def action_choose(self) -> None:
        """Goes back to the choice of a game."""
        screen = self.screen
        name = screen.local_game.match.game.name if isinstance(screen, GameScreen) else ""
        self._show(SetupScreen(name, self._against))

    def _show(self, screen: GameScreen | SetupScreen) -> None:
        """Shows a screen instead of the one that is there."""
        if len(self.screen_stack) > 1:
            self.switch_screen(screen)
        else:
            self.push_screen(screen)

    def begin(self, game: Game, seats: list[str]) -> None:
        """Begins a game with these players, compiled first where it is new."""
        self.run_worker(
            self._begin(game.name, lambda: LocalGame(Match(game, seats))), exclusive=True
        )

    def go_on(self, name: str) -> None:
        """Goes on with the unfinished game of that name."""

        def local_game() -> LocalGame:
            record = load_autosave(name)
            if record is None:
                raise ValueError(f"the unfinished game of {name} cannot be read")
            return self._resumed(record, None)

        self.run_worker(self._begin(name, local_game), exclusive=True)

    def load(self, file: str) -> None:
        """Goes on with the game of a file."""
        path = Path(os.path.expanduser(file))

        def local_game() -> LocalGame:
            return self._resumed(Record.load(path), path)

        self._say(f"Reading {path} …")
        self.run_worker(self._begin("", local_game), exclusive=True)

    def _resumed(self, record: Record, file: Path | None) -> LocalGame:
        match = resumed(record, seats_of(record, self._against))
        return LocalGame(match, record, file)

    async def _begin(self, name: str, make: Callable[[], LocalGame]) -> None:
        """Compiles a game if that is needed, makes the match, and shows it."""
        try:
            if name and not is_warm(name):
                await self._compile(name)
            local_game = await run_in_thread(make)
        except (ValueError, OSError) as error:
            self._say(sentence(error), "bad")
            return
        local_game.hint_by = self._hint_by
        self.play(local_game)

    async def _compile(self, name: str) -> None:
        """Compiles a game whole, and says meanwhile which part of it."""
        loop, title = asyncio.get_running_loop(), name.capitalize()
        told = f"Compiling {title}, once (about 15 s)"
        self._say(f"{told} …")

        def work() -> None:
            parts = []
            for part in warm(game_named(name)):
                parts.append(part)
                with suppress(RuntimeError):  # the app has ended
                    loop.call_soon_threadsafe(self._say, f"{told}: {', '.join(parts)} …")

        await run_in_thread(work)

    def _say(self, text: str, tone: str = "") -> None:
        """Lets the screen say a sentence."""
        if isinstance(self.screen, GameScreen | SetupScreen):
            cast(Talking, self.screen).say(text, tone)

    def action_colours(self) -> None:
        """Changes to the next theme."""
        following = THEMES[(THEMES.index(self.look.theme) + 1) % len(THEMES)]
        self.theme = f"quincunx-{following}"
        self._redraw()

    def action_marks(self) -> None:
        """Shows the marks of the colours stronger, or not at all."""
        self._marks = MARKS[(MARKS.index(self._marks) + 1) % len(MARKS)]
        self._redraw()

    def action_letters(self) -> None:
        """Draws boards in letters, or in blocks again."""
        self._letters = not self._letters
        self._redraw()

    def _redraw(self) -> None:
        if isinstance(self.screen, GameScreen):
            self.screen.draw()

    def action_keys(self) -> None:
        """Shows all keys."""
        self.push_screen(Keys(isinstance(self.screen, GameScreen)))

    def action_rules(self) -> None:
        """Shows the rules of the game."""
        if isinstance(self.screen, GameScreen):
            self.push_screen(Rules(self.screen.local_game.match.game.name))
        elif isinstance(self.screen, SetupScreen):
            self.push_screen(Rules(self.screen.game_name))


class Page(ModalScreen[None]):
    """Something to read over the game; any of a few keys closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,enter,q,r", "dismiss", "close", show=False)
    ]

    def sheet(self) -> VerticalScroll:
        """What it is written on; its edge says how one reads on."""
        sheet = VerticalScroll(classes="page")
        sheet.border_subtitle = "↑ ↓ read on · Esc close"
        return sheet


class Rules(Page):
    """The rules of a game."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._text = IMAGE.sub("", page(name))

    def compose(self) -> ComposeResult:
        """The page of the game."""
        with self.sheet():
            yield Markdown(self._text)


class Keys(Page):
    """All keys of a screen."""

    def __init__(self, playing: bool) -> None:
        super().__init__()
        self._playing = playing

    def compose(self) -> ComposeResult:
        """Keys and what they do."""
        table = Table.grid(padding=(0, 2))
        groups = [("On the board", Board.BINDINGS), ("In the list of moves", Moves.BINDINGS)]
        groups = [*groups, ("The game", GameScreen.BINDINGS)] if self._playing else []
        groups = groups or [("The choice", SetupScreen.BINDINGS)]
        for heading, bindings in [*groups, ("Always", self.app.BINDINGS)]:
            table.add_row("", f"[bold]{heading}[/]")
            for keys, what in _grouped(cast("list[Binding]", bindings)):
                table.add_row(f"[bold cyan]{keys}[/]", what)
        with self.sheet():
            yield Static(table)


def _grouped(bindings: list[Binding]) -> list[tuple[str, str]]:
    """Keys that do alike, together."""
    names = {"left_square_bracket": "\\[", "right_square_bracket": "]", "slash": "/"}
    names |= {"question_mark": "?", "plus": "+", "equals_sign": "=", "minus": "-"}
    names |= {"escape": "Esc", "enter": "Enter", "space": "Space", "home": "Home", "end": "End"}
    names |= {"left": "←", "right": "→", "up": "↑", "down": "↓", "ctrl+r": "Ctrl-R"}
    names |= {"ctrl+c": "Ctrl-C", "ctrl+p": "Ctrl-P"}
    found: dict[str, list[str]] = {}
    for binding in bindings:
        keys = [names.get(key, key) for key in binding.key.split(",")]
        found.setdefault(binding.description, []).extend(keys)
    return [(" ".join(keys), what) for what, keys in found.items()]


def _theme(name: str) -> Theme:
    """The palette's theme in the words of Textual."""
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
