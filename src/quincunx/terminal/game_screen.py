"""The screen of a game being played: board, players, moves, one line to say and to type."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, ScrollableContainer, Vertical
from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import Footer, Static

from quincunx.draw.scene import ViewOptions
from quincunx.game import State
from quincunx.terminal.autosave import update_autosave
from quincunx.terminal.background import run_in_thread
from quincunx.terminal.board import Board
from quincunx.terminal.local_game import OVER, LocalGame, sentence
from quincunx.terminal.panel import DIGITS, Buttons, Moves, Thoughts, players, rows_of
from quincunx.terminal.selection import Selection, titles, without_buttons
from quincunx.terminal.status_line import StatusLine

if TYPE_CHECKING:
    from quincunx.terminal.app import QuincunxApp

NARROW = 64  # columns below which there is no room beside the board
SIDES = ((110, 34), (0, 18))  # columns for what is beside the board, from this width on
ROWS = 2  # of buttons, at most, with their long labels
LINES = 2  # rows below the board: what is said, and the keys


class GameScreen(Screen[None]):
    """A match at which people and bots sit."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "ask('move')", "move", key_display="/"),
        Binding("u", "undo", "take back"),
        Binding("ctrl+r,U", "redo", "play again", show=False),
        Binding("h", "hint", "hint"),
        Binding("a", "analysis", "analysis"),
        Binding("f", "flip", "flip"),
        Binding("s", "ask('save')", "save"),
        Binding("o", "ask('load')", "load a game", show=False),
        Binding("t", "targets", "show what can move", show=False),
        Binding("p", "placer", "who places next, where anyone may", show=False),
        Binding("n", "app.choose", "new"),
        Binding("question_mark", "app.keys", "keys", key_display="?"),
        Binding("r", "app.rules", "rules", show=False),
        Binding("left_square_bracket", "view(-1)", "move before", show=False, key_display="["),
        Binding("right_square_bracket", "view(1)", "move after", show=False, key_display="]"),
        Binding("escape", "put_down", "put down, close, back to now", show=False),
        *(Binding(key, f"press('{key}')", "press the button", show=False) for key in DIGITS),
    ]

    def __init__(self, local_game: LocalGame, greeting: str = "") -> None:
        super().__init__()
        self.local_game = local_game
        self.hand = Selection(local_game.match.state, None)
        self.viewed: int | None = None  # a position before the present one
        self.message, self.tone = greeting, ""
        self.flip = self.targets = self.analysing = False
        self.thinking: int | None = None  # the bot that is thinking
        self._due: list[int] = []  # bots that place one, where anyone may move
        self._placer = local_game.persons[0] if local_game.persons else 0

    @property
    def quincunx(self) -> QuincunxApp:
        """The app, by its own type."""
        return cast("QuincunxApp", self.app)

    @property
    def state(self) -> State:
        """The position that is seen."""
        match = self.local_game.match
        return match.state if self.viewed is None else match.states[self.viewed]

    def compose(self) -> ComposeResult:
        """Board and panel, then what is said, then the keys."""
        with Horizontal(id="table"):
            with ScrollableContainer(id="field", can_focus=False):
                yield Board(id="board")
            with Vertical(id="side"):
                yield Static(self.local_game.match.game.title, id="title")
                yield Static(id="players")
                yield Moves(id="moves")
                yield Thoughts(id="thoughts")
        yield Buttons(id="buttons")
        yield StatusLine(id="said")
        footer = Footer(show_command_palette=False)
        footer.compact = True
        yield footer

    def on_mount(self) -> None:
        """The game begins."""
        self.query_one("#board").focus()
        self.renew()

    def on_resize(self, event: events.Resize) -> None:
        """The board is drawn as large as it can be."""
        self.set_class(event.size.width < NARROW, "-narrow")
        self.call_after_refresh(self.draw)

    def changed(self) -> None:
        """Something was played or taken back: keeps the game, and goes on from there."""
        try:
            update_autosave(self.local_game.record)
        except OSError as error:
            self.say(f"The game cannot be kept: {sentence(error)}", "bad")
        self.renew()

    def renew(self) -> None:
        """Shows the present position, and lets bots think."""
        self.viewed = None
        match = self.local_game.match
        person = self._placer if match.state.turn is None else match.state.turn
        able = not match.state.over and person in self.local_game.persons
        self.hand = Selection(match.state, person if able else None)
        self.draw()
        if self.thinking is None and self._next_bot() is not None:
            self.run_worker(self._bots(), group="bots", exclusive=True)
        self._think()

    def draw(self) -> None:
        """Shows everything as it is now."""
        look = self.quincunx.look
        state, hand = self.state, self.hand
        if self.viewed is not None:
            hand = Selection(state, None)
        scene = state.scene(hand.show(ViewOptions(targets=self.targets, flip=self.flip)))
        bare = without_buttons(scene)
        board = self.query_one(Board)
        side = 0 if self.size.width < NARROW else next(s for w, s in SIDES if self.size.width >= w)
        every = hand.all_buttons(bare)
        labels = self._labels(every)
        below = LINES + rows_of([labels[name] for name in every], self.size.width)
        room = Size(self.size.width - side, self.size.height - below)
        board.show(bare, room, look, hand.starts)
        names = hand.buttons(bare)
        self.query_one(Buttons).offer(names, [labels[name] for name in names], titles(scene))
        self._draw_players()
        index = self.local_game.played if self.viewed is None else self.viewed
        self.query_one(Moves).tell(self.local_game, index)
        self._draw_status()

    def _labels(self, names: list[str]) -> dict[str, str]:
        """The words on buttons: the game's own, or where these take many rows, the moves' names."""
        known = self._game_labels()
        labels = {name: known.get(name, name) for name in names}
        few = rows_of(list(labels.values()), self.size.width) <= ROWS
        return labels if few else {name: name for name in names}

    def _game_labels(self) -> dict[str, str]:
        """What the game calls its buttons."""
        controls = self.local_game.match.game.parts.layout.CONTROLS
        return {button.word: button.label for button in controls.buttons}

    def _draw_players(self) -> None:
        theme, thinking = self.quincunx.look.theme, self.thinking
        shown = players(self.local_game, self.state, theme, self._placer, thinking)
        self.query_one("#players", Static).update(shown)

    def _draw_status(self) -> None:
        shown = self.message or self._placing() + self.state.status
        if self.viewed is not None:
            shown = f"After move {self.viewed} of {self.local_game.played} (Esc: back to now)"
        self.query_one(StatusLine).say(shown, self.tone)

    def _placing(self) -> str:
        """Who places, where several people may at any time."""
        state = self.local_game.match.state
        if state.turn is not None or state.over or len(self.local_game.persons) < 2:
            return ""
        return f"{self.local_game.who(self._placer)} places (p: another). "

    def say(self, text: str, tone: str = "") -> None:
        """Says one sentence, until something else happens."""
        self.message, self.tone = text, tone
        self._draw_status()

    # Bots

    def _next_bot(self) -> int | None:
        if self.local_game.match.state.over:
            self._due.clear()
        return self._due[0] if self._due else self.local_game.bot_to_move()

    async def _bots(self) -> None:
        """Lets bots move until a person is asked."""
        match = self.local_game.match
        while (seat := self._next_bot()) is not None:
            self.thinking, number = seat, match.number
            self._draw_players()
            try:
                action = await run_in_thread(partial(self.local_game.choose, seat))
            except (ValueError, OSError) as error:
                self.thinking = None
                self._due.clear()
                self.say(sentence(error), "bad")
                return
            if match.number != number:
                continue  # somebody placed meanwhile: it thinks again
            if self._due:
                self._due.pop(0)
            match.play(action, seat)
            self.message = ""
            self.changed()
            if not self.local_game.persons:
                await asyncio.sleep(self.quincunx.pace)
        self.thinking = None
        self._draw_players()

    def _interrupt(self) -> None:
        """Forgets what bots are thinking of."""
        self.workers.cancel_group(self, "bots")
        self.thinking = None
        self._due.clear()

    # Hands

    @on(Board.Grabbed)
    def grabbed(self, event: Board.Grabbed) -> None:
        """What a drag carries is picked up, if it is not yet."""
        if event.name in self.hand.starts and event.name not in self.hand.picked:
            self.touched(event)

    @on(Board.Touched)
    @on(Buttons.Pressed)
    def touched(self, event: Board.Touched | Board.Grabbed | Buttons.Pressed) -> None:
        """A name was touched: picks it up, or makes the move."""
        match, name = self.local_game.match, event.name
        if self.viewed is not None:
            self.say("This is the past; Esc goes back to now.")
        elif match.state.over:
            self.say(OVER)
        elif not self.hand.ways:
            seat = match.state.turn or 0
            self.say(
                f"{self.local_game.who(seat)} is thinking." if self.thinking is not None else ""
            )
        else:
            before = self.hand.picked
            try:
                move = self.hand.touch(name)
            except KeyError:
                way = f"from {before[0]} to {name}" if before else f"with {name}"
                self.say(f"No move goes {way}." if before else f"No move begins {way}.", "bad")
                return
            self.message = self.tone = ""
            if move is None:
                self.draw()
            else:
                self._place(partial(self.local_game.place, move, self._placer_now()))

    def _placer_now(self) -> int:
        turn = self.local_game.match.state.turn
        return self._placer if turn is None else turn

    def _place(self, deed: partial[None]) -> bool:
        """Plays a person's move; False, and a sentence, if it cannot be played."""
        try:
            deed()
        except (ValueError, OSError) as error:
            self.say(sentence(error), "bad")
            return False
        self.message = self.tone = ""
        self._due += self.local_game.bots_after()
        self.changed()
        return True

    @on(Board.PutDown)
    def action_put_down(self) -> None:
        """Closes the line, puts down what is picked, goes back to the present position."""
        self.message = self.tone = ""
        if not self.query_one(StatusLine).close() and not self.hand.drop():
            self.viewed = None
        self.draw()
        self.query_one("#board").focus()

    def action_press(self, key: str) -> None:
        """Presses the button of a digit."""
        self.query_one(Buttons).press(key)

    def action_placer(self) -> None:
        """Lets the next person place, where anyone may at any time."""
        persons = self.local_game.persons
        if self.local_game.match.state.turn is None and len(persons) > 1:
            self._placer = persons[(persons.index(self._placer) + 1) % len(persons)]
            self.renew()

    # The line

    def action_ask(self, what: str) -> None:
        """Opens the line, for a move or a file's name."""
        self.say("")
        self.query_one(StatusLine).ask(what)

    @on(StatusLine.Answered)
    def answered(self, event: StatusLine.Answered) -> None:
        """Does what was typed."""
        if not event.text:
            self.query_one("#board").focus()
        elif event.asked == "load":
            self.quincunx.load(event.text)
        elif event.asked == "move" and self._place(partial(self.local_game.play, event.text)):
            self.action_put_down()
        elif event.asked == "save":
            self._save(event.text)

    def _save(self, name: str) -> None:
        try:
            path = self.local_game.save(name)
        except (ValueError, OSError) as error:
            self.say(sentence(error), "bad")
            return
        self.action_put_down()
        self.say(f"Saved to {path}.", "good")

    # What one can ask for

    def action_undo(self) -> None:
        """Takes back a person's last move."""
        self._interrupt()
        self._went(self.local_game.undo(), "There is nothing to take back.")

    def action_redo(self) -> None:
        """Plays again what was taken back."""
        self._interrupt()
        self._went(self.local_game.redo(), "There is nothing to play again.")

    def _went(self, done: bool, otherwise: str) -> None:
        """Goes on after moves were taken back or played again, or says that there were none."""
        self.message, self.tone = ("" if done else otherwise), ""
        if done:
            self.changed()
        else:
            self.renew()

    def action_hint(self) -> None:
        """Shows what a bot would play."""
        if self.local_game.match.state.over:
            self.say(OVER)
        elif self.hand.ways:
            self.say("Thinking …")
            self.run_worker(self._hint(self._placer_now()), group="hint", exclusive=True)

    async def _hint(self, seat: int) -> None:
        number = self.local_game.match.number
        move = await run_in_thread(partial(self.local_game.hint, seat))
        if self.local_game.match.number == number:
            way, board, labels = self.hand.ways[move], self.query_one(Board), self._game_labels()
            if seen := [name for name in way if name in board.picture.boxes]:
                board.point(seen[-1])
            pressed = "".join(f" ({labels[name]})" for name in way if name in labels)
            self.say(f"Hint: {move}{pressed}", "hint")

    def action_analysis(self) -> None:
        """Shows what the best player thinks, or no longer."""
        self.analysing = not self.analysing
        self._think()

    def _think(self) -> None:
        thoughts = self.query_one(Thoughts)
        thoughts.display = self.analysing
        if self.analysing:
            seat = self._placer if self.state.turn is None else self.state.turn
            thoughts.think(self.state, seat, self.quincunx.limit)
        self.call_after_refresh(self.query_one(Moves).scroll_to_highlight)

    def action_flip(self) -> None:
        """Turns the board around."""
        self.flip = not self.flip
        self.draw()

    def action_targets(self) -> None:
        """Shows all that can move, or no longer."""
        self.targets = not self.targets
        self.draw()

    def action_view(self, step: int) -> None:
        """Shows the position a move before or after."""
        seen = self.local_game.played if self.viewed is None else self.viewed
        self.view(seen + step)

    @on(Moves.Viewed)
    def moves_viewed(self, event: Moves.Viewed) -> None:
        """Another move of the list is looked at."""
        self.view(event.index)

    def view(self, index: int) -> None:
        """Shows the position after that many moves."""
        index = min(max(index, 0), self.local_game.played)
        viewed = None if index == self.local_game.played else index
        if viewed != self.viewed:
            self.viewed = viewed
            self.hand.drop()
            self.message = self.tone = ""
            self.draw()
            self._think()
