"""The first screen: which game, who sits where, with which options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, cast

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Button, Footer, Input, OptionList, Select, Static
from textual.widgets.option_list import Option as Line

from quincunx.game import Game
from quincunx.jit import is_warm
from quincunx.match import HUMAN, is_human
from quincunx.options import Option
from quincunx.players import parse_player
from quincunx.players.level import LEVEL_NAMES
from quincunx.registry import GAMES
from quincunx.registry import game as game_named
from quincunx.terminal.autosave import has_autosave
from quincunx.terminal.local_game import sentence
from quincunx.terminal.status_line import StatusLine

if TYPE_CHECKING:
    from quincunx.terminal.app import QuincunxApp

OTHER = ""  # the choice of a player who is then named by a text

WHO = [
    ("you", HUMAN),
    *((f"{name} (level {i})", f"level:{i}") for i, name in enumerate(LEVEL_NAMES, 1)),
    ("another …", OTHER),
]


class Seat(Horizontal):
    """Who sits on one seat: chosen from the usual ones, or named by a text."""

    def __init__(self, name: str, player: str) -> None:
        super().__init__(classes="row")
        self.seat_name = name
        self._begin = player

    def compose(self) -> ComposeResult:
        """The name of the seat, the usual players, and a line for any other."""
        usual = self._begin in [value for _, value in WHO]
        yield Static(self.seat_name, classes="name")
        yield Select(
            WHO,
            value=self._begin if usual else OTHER,
            allow_blank=False,
            compact=True,
            classes="who",
        )
        yield Input(
            "" if usual else self._begin,
            placeholder="mcts:sims=800 or human:ada",
            compact=True,
            classes="other" if usual else "other -open",
        )

    @on(Select.Changed)
    def chosen(self, event: Select.Changed) -> None:
        """Opens the line for any other player."""
        self.query_one(Input).set_class(event.value == OTHER, "-open")

    @property
    def player(self) -> str:
        """The text of the player."""
        chosen = str(self.query_one(Select).value)
        return chosen or self.query_one(Input).value.strip()


class Setting(Horizontal):
    """One option of the game."""

    def __init__(self, option: Option) -> None:
        super().__init__(classes="row setting")
        self.option = option
        self.default = str(option.default).lower()

    def compose(self) -> ComposeResult:
        """The option's name, its value, and what it means."""
        option = self.option
        yield Static(option.name.replace("_", " "), classes="name")
        choices = option.choices or (("true", "false") if isinstance(option.default, bool) else ())
        if choices:
            words = [(choice, choice) for choice in choices]
            yield Select(
                words, value=self.default, allow_blank=False, compact=True, classes="value"
            )
        else:
            yield Input(self.default, compact=True, classes="value")
        yield Static(option.description, classes="about")

    @property
    def value(self) -> str:
        """The value as a text."""
        choice = self.query(Select)
        return str(choice.first().value) if choice else self.query_one(Input).value.strip()


class Form(VerticalScroll):
    """Seats and options of one game."""

    def __init__(self, game: Game, against: str) -> None:
        super().__init__(can_focus=False)
        self.game = game
        self._against = against

    def compose(self) -> ComposeResult:
        """What the game is, its seats, its options, and what to do."""
        yield Static(self.game.title, classes="heading")
        yield Static(GAMES[self.game.name].summary, classes="quiet")
        with Vertical(id="seats"):
            yield from self._seats(self.game)
        for option in self.game.parts.rules.OPTIONS:
            yield Setting(option)
        yield Static(id="problem")
        with Horizontal(id="deeds"):
            yield Button("Play", id="play", variant="primary", compact=True)
            if has_autosave(self.game.name):
                yield Button("Go on with the unfinished game", id="go-on", compact=True)

    def _seats(self, game: Game) -> Iterator[Seat]:
        """A row for each seat, with you on the one that moves first, if that is known."""
        first = (game.start(0).turn or 0) if is_warm(game.name) else 0
        for seat, name in enumerate(game.parts.rules.SEAT_NAMES[: game.seats]):
            yield Seat(name, HUMAN if seat == first else self._against)

    def configured(self) -> Game:
        """The game with the options as they are; BadOption."""
        settings = self.query(Setting)
        given = {one.option.name: one.value for one in settings if one.value != one.default}
        return game_named(self.game.name).configured(**given)

    def players(self) -> list[str]:
        """Who sits where; BadOption."""
        game = self.configured()
        seated = [seat.player for seat in self.query(Seat)]
        for text in seated:
            if not is_human(text):
                parse_player(text, game)
        return seated

    @on(Input.Changed, ".value")
    @on(Select.Changed, ".value")
    async def changed(self) -> None:
        """Says what is wrong with the options; keeps as many seats as they make."""
        try:
            game = self.configured()
        except ValueError as error:
            self.complain(error)
            return
        self.query_one("#problem", Static).update("")
        if game.seats != len(self.query(Seat)):
            seats = self.query_one("#seats")
            await seats.remove_children()
            await seats.mount(*self._seats(game))

    def complain(self, error: Exception) -> None:
        """Says what is wrong."""
        self.query_one("#problem", Static).update(Text(sentence(error)))


class SetupScreen(Screen[None]):
    """Five games, and what can be chosen before one begins."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+p,p", "play", "play", key_display="p"),
        Binding("g", "go_on", "go on"),
        Binding("o", "load", "load"),
        Binding("r", "app.rules", "rules"),
        Binding("question_mark", "app.keys", "keys", key_display="?"),
        Binding("escape", "close", "close", show=False),
    ]

    def __init__(self, name: str = "", against: str = "level:2") -> None:
        super().__init__()
        self._first = name if name in GAMES else next(iter(GAMES))
        self._against = against
        self._telling = False  # what an option means

    @property
    def quincunx(self) -> QuincunxApp:
        """The app, by its own type."""
        return cast("QuincunxApp", self.app)

    @property
    def game_name(self) -> str:
        """The game that is being looked at."""
        index = self.query_one("#games", OptionList).highlighted
        return list(GAMES)[index or 0]

    def compose(self) -> ComposeResult:
        """The games, and beside them what the chosen one needs."""
        with Horizontal(id="choice"):
            with Vertical(id="left"):
                yield Static("Quincunx", id="title")
                yield OptionList(
                    *(Line(name.capitalize(), id=name) for name in GAMES), id="games", compact=True
                )
            yield Vertical(id="form")
        yield StatusLine(id="said")
        footer = Footer(show_command_palette=False)
        footer.compact = True
        yield footer

    def on_mount(self) -> None:
        """Begins with the first game."""
        games = self.query_one("#games", OptionList)
        games.focus()
        games.highlighted = list(GAMES).index(self._first)

    @on(OptionList.OptionHighlighted, "#games")
    async def looked_at(self, event: OptionList.OptionHighlighted) -> None:
        """Shows the form of a game."""
        if event.option.id is None or event.option.id != self.game_name:
            return
        form = self.query_one("#form")
        await form.remove_children()
        await form.mount(Form(game_named(event.option.id), self._against))

    @on(OptionList.OptionSelected, "#games")
    @on(Button.Pressed, "#play")
    def action_play(self) -> None:
        """Begins the game as it is chosen."""
        for form in self.query(Form):
            try:
                game, seats = form.configured(), form.players()
            except ValueError as error:
                form.complain(error)
                return
            self.quincunx.begin(game, seats)

    @on(Button.Pressed, "#go-on")
    def action_go_on(self) -> None:
        """Goes on with the game that was not finished."""
        if has_autosave(self.game_name):
            self.quincunx.go_on(self.game_name)
        else:
            self.say(f"There is no unfinished game of {self.game_name.capitalize()}.")

    def action_load(self) -> None:
        """Opens the line for the name of a file."""
        self.query_one(StatusLine).ask("load")

    def action_close(self) -> None:
        """Closes the line."""
        self.query_one(StatusLine).close()
        self.query_one("#games").focus()

    @on(StatusLine.Answered)
    def named(self, event: StatusLine.Answered) -> None:
        """Loads the game of a file."""
        if event.text:
            self.quincunx.load(event.text)
        else:
            self.action_close()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Says what an option means while it is being set."""
        settings = [one for one in event.widget.ancestors if isinstance(one, Setting)]
        if settings:
            option = settings[0].option
            self.say(f"{option.name}: {option.description} ({option.allowed})")
        elif self._telling:
            self.say("")
        self._telling = bool(settings)

    def say(self, text: str, tone: str = "") -> None:
        """Says one sentence."""
        self.query_one(StatusLine).say(text, tone)
