"""The first screen: choose a game, its players and its options, or load or resume a game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Button, Input, OptionList, Select, Static
from textual.widgets.option_list import Option as ListItem

from quincunx.game import Game
from quincunx.match import HUMAN, is_human
from quincunx.options import Option
from quincunx.players import parse_player
from quincunx.players.level import LEVEL_NAMES
from quincunx.registry import game as game_named
from quincunx.registry import games, summary, title
from quincunx.terminal.app_screen import AppScreen
from quincunx.terminal.autosave import has_autosave
from quincunx.terminal.local_game import error_text
from quincunx.terminal.status_line import StatusLine, compact_footer
from quincunx.warm import is_warm

OTHER_PLAYER = ""  # the value of the choice that opens a text field for the player

PLAYER_CHOICES = [
    ("you", HUMAN),
    *((f"{name} (level {i})", f"level:{i}") for i, name in enumerate(LEVEL_NAMES, 1)),
    ("other …", OTHER_PLAYER),
]


class PlayerRow(Horizontal):
    """The player of one seat: a list of common players, and a text field for any other."""

    def __init__(self, seat_name: str, player: str) -> None:
        super().__init__(classes="form-row")
        self.seat_name = seat_name
        self._initial_player = player

    def compose(self) -> ComposeResult:
        """Yields the seat's name, the list and the text field."""
        is_listed = self._initial_player in [value for _, value in PLAYER_CHOICES]
        yield Static(self.seat_name, classes="row-label", markup=False)
        yield Select(
            PLAYER_CHOICES,
            value=self._initial_player if is_listed else OTHER_PLAYER,
            allow_blank=False,
            compact=True,
            classes="player-select",
        )
        yield Input(
            "" if is_listed else self._initial_player,
            placeholder="mcts:sims=800 or human:ada",
            compact=True,
            classes="player-input" if is_listed else "player-input -open",
        )

    @on(Select.Changed)
    def player_selected(self, event: Select.Changed) -> None:
        """Shows the text field for other players, or hides it."""
        self.query_one(Input).set_class(event.value == OTHER_PLAYER, "-open")

    @property
    def player(self) -> str:
        """The player's text, such as human or level:2."""
        selected = str(self.query_one(Select).value)
        return selected or self.query_one(Input).value.strip()


class OptionRow(Horizontal):
    """One option of the game: a list of its choices, or a text field."""

    def __init__(self, option: Option) -> None:
        super().__init__(classes="form-row")
        self.option = option
        self.default = str(option.default).lower()

    def compose(self) -> ComposeResult:
        """Yields the option's name, its value and its description."""
        option = self.option
        yield Static(option.title, classes="row-label")
        choices = option.choices or (("true", "false") if isinstance(option.default, bool) else ())
        if choices:
            titles = option.choice_titles or choices
            items = list(zip(titles, choices, strict=True))
            yield Select(
                items, value=self.default, allow_blank=False, compact=True, classes="option-value"
            )
        else:
            yield Input(self.default, compact=True, classes="option-value")
        yield Static(option.description, classes="description", markup=False)

    @property
    def value(self) -> str:
        """The value as text."""
        select = self.query(Select)
        return str(select.first().value) if select else self.query_one(Input).value.strip()


class GameForm(VerticalScroll):
    """The players and options of one game."""

    def __init__(self, game: Game, opponent: str) -> None:
        super().__init__(can_focus=False)
        self.game = game
        self._opponent = opponent

    def compose(self) -> ComposeResult:
        """Yields title and summary, players, options, an error text and the buttons."""
        yield Static(self.game.title, classes="heading", markup=False)
        yield Static(summary(self.game.name), classes="quiet", markup=False)
        with Vertical(id="player-rows"):
            yield from self._player_rows(self.game)
        for option in self.game.parts.rules.OPTIONS:
            yield OptionRow(option)
        yield Static(id="form-error")
        with Horizontal(id="form-buttons"):
            yield Button("Play", id="play", variant="primary", compact=True)
            if has_autosave(self.game.name):
                yield Button("Resume unfinished game", id="resume", compact=True)

    def _player_rows(self, game: Game) -> Iterator[PlayerRow]:
        """Yields a row per seat; the user gets the seat that moves first, if that is known."""
        # Finding out who moves first needs the compiled rules.
        first_seat = (game.start(0).turn or 0) if is_warm(game.name) else 0
        for seat, name in enumerate(game.parts.rules.SEAT_NAMES[: game.seats]):
            yield PlayerRow(name, HUMAN if seat == first_seat else self._opponent)

    def configured_game(self) -> Game:
        """Returns the game with the options of the form; raises BadOption."""
        changed = {
            row.option.name: row.value for row in self.query(OptionRow) if row.value != row.default
        }
        return game_named(self.game.name).configured(**changed)

    def players(self) -> list[str]:
        """Returns the player of each seat; raises BadOption."""
        game = self.configured_game()
        players = [row.player for row in self.query(PlayerRow)]
        for text in players:
            if not is_human(text):
                parse_player(text, game)
        return players

    @on(Input.Changed, ".option-value")
    @on(Select.Changed, ".option-value")
    async def option_changed(self) -> None:
        """Shows whether the options are valid, and adjusts the number of player rows to them."""
        try:
            game = self.configured_game()
        except ValueError as error:
            self.show_error(error)
            return
        self.query_one("#form-error", Static).update("")
        if game.seats != len(self.query(PlayerRow)):
            container = self.query_one("#player-rows")
            await container.remove_children()
            await container.mount(*self._player_rows(game))

    def show_error(self, error: Exception) -> None:
        """Shows why an option or a player is invalid."""
        self.query_one("#form-error", Static).update(Text(error_text(error)))


class SetupScreen(AppScreen):
    """A list of the games, and the form of the highlighted one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+p,p", "play", "play", key_display="p"),
        Binding("g", "resume", "resume"),
        Binding("o", "open_file_input", "load"),
        Binding("r", "app.show_rules", "rules"),
        Binding("question_mark", "app.show_keys", "keys", key_display="?"),
        Binding("escape", "close_input", "close", show=False),
    ]

    def __init__(self, game_name: str = "", opponent: str = "level:2") -> None:
        super().__init__()
        self._initial_name = game_name if game_name in games() else games()[0]
        self._opponent = opponent
        self._shows_description = False  # of the focused option, in the status line

    @property
    def game_name(self) -> str:
        """The name of the highlighted game."""
        index = self.query_one("#games", OptionList).highlighted
        return games()[index or 0]

    def compose(self) -> ComposeResult:
        """Yields the list of games, the area for the form, status line and footer."""
        with Horizontal(id="setup-area"):
            with Vertical(id="games-area"):
                yield Static("Quincunx", id="title")
                items = (ListItem(title(name), id=name) for name in games())
                yield OptionList(*items, id="games", compact=True, markup=False)
            yield Vertical(id="form-area")
        yield StatusLine(id="status-line")
        yield compact_footer()

    def on_mount(self) -> None:
        """Highlights the initial game."""
        items = self.query_one("#games", OptionList)
        items.focus()
        items.highlighted = games().index(self._initial_name)

    @on(OptionList.OptionHighlighted, "#games")
    async def game_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Shows the form of the highlighted game."""
        if event.option.id is None or event.option.id != self.game_name:
            return
        form_area = self.query_one("#form-area")
        await form_area.remove_children()
        await form_area.mount(GameForm(game_named(event.option.id), self._opponent))

    @on(OptionList.OptionSelected, "#games")
    @on(Button.Pressed, "#play")
    def action_play(self) -> None:
        """Starts the game with the players and options of the form."""
        for form in self.query(GameForm):
            try:
                game, players = form.configured_game(), form.players()
            except ValueError as error:
                form.show_error(error)
                return
            self.quincunx_app.start_game(game, players)

    @on(Button.Pressed, "#resume")
    def action_resume(self) -> None:
        """Resumes the unfinished game."""
        if has_autosave(self.game_name):
            self.quincunx_app.resume_game(self.game_name)
        else:
            self.show_status(f"There is no unfinished game of {title(self.game_name)}.")

    def action_open_file_input(self) -> None:
        """Opens the input field for a file name."""
        self.query_one(StatusLine).open_input("load")

    def action_close_input(self) -> None:
        """Closes the input field."""
        self.query_one(StatusLine).close_input()
        self.query_one("#games").focus()

    @on(StatusLine.Submitted)
    def file_submitted(self, event: StatusLine.Submitted) -> None:
        """Loads the game from the file."""
        if event.text:
            self.quincunx_app.load_game(event.text)
        else:
            self.action_close_input()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Shows the description of an option while it has the focus."""
        rows = [widget for widget in event.widget.ancestors if isinstance(widget, OptionRow)]
        if rows:
            option = rows[0].option
            self.show_status(f"{option.name}: {option.description} ({option.allowed})")
        elif self._shows_description:
            self.show_status("")
        self._shows_description = bool(rows)

    def show_status(self, text: str, kind: str = "") -> None:
        """Shows a message in the status line."""
        self.query_one(StatusLine).show(text, kind)
