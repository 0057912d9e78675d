"""A room: one game as a list of numbered events, without input or output.

Every change is an `Event`. A request is checked and becomes an event, which is applied; a room
that is loaded from disk applies the same events again, so both reach the same state. With some
events the position after them is stored, to check that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from functools import partial

from quincunx.draw.animation import MAX_EVENTS
from quincunx.errors import BadOption
from quincunx.game import Game, State, Step
from quincunx.match import HUMAN, Match, is_human
from quincunx.phrases import Phrase
from quincunx.players.level import level_name, player_title
from quincunx.record import Record
from quincunx.rooms.checksum import position_checksum
from quincunx.rooms.clocks import Clocks
from quincunx.rooms.consent import NAMES, PAUSE, Question, question_after
from quincunx.rooms.ending import Ending, closed, closed_by_operator, forfeit
from quincunx.rooms.errors import RequestError
from quincunx.rooms.events import Event, RoomSettings
from quincunx.rooms.messages import clean_name

SUBSTITUTE_BOT = "level:4"  # takes over a seat that gave up in a game of three or more
POSITION_SPACING = 16  # plies from one stored position to the next

# What a room can have at most, so that nobody fills the disk. Moves that were taken back count.
MAX_PLAY_EVENTS = 20_000
MAX_OTHER_EVENTS = 2_000
# Each of these ends something that is counted, or happens once for each seat.
UNCOUNTED_KINDS = frozenset(("resign", "flag", "resume", "assisted"))


class GameRoom:
    """The current state of a room's game, and the requests that its seats can make."""

    def __init__(self, settings: RoomSettings, game: Game) -> None:
        """Starts a room; `game` has the name and the options of the settings."""
        self.settings = settings
        self.game = game
        self.match = Match(self.game, [HUMAN] * self.game.seats, settings.seed, settings.start)
        self.match.date = (
            datetime.fromtimestamp(settings.created / 1000, timezone.utc).date().isoformat()
        )
        self.names = [display_name(text) for text in settings.players]
        self.number = 0  # of the last event
        self.play_events = 0  # moves, also those that were taken back
        self.other_events = 0
        self.last_event_time = settings.created
        self.live = not self.state.over and self.state.turn is None  # anyone may move
        if self.live and settings.clock:
            raise BadOption("clock", "", "a game in which anyone may move has no clocks")
        self.clocks: Clocks | None = None
        if settings.clock:
            initial, increment = settings.clock
            self.clocks = Clocks((initial,) * self.game.seats, increment)
        # Numbers of events, 0 if there was none:
        self.last_board_change = 0  # the last move or undo
        self.last_undo = 0
        self.last_moves = [0] * self.game.seats  # the last move of each seat
        self.given_up: set[int] = set()  # seats that resigned or ran out of time
        self.assisted: set[int] = set()  # seats that took back, or got a hint or an analysis
        self.ending: Ending | None = None
        self.closed = False  # the game was ended without a result: see `close`
        self.paused = False
        self.question: Question | None = None  # to which all people must agree
        self.rematch_requests: set[int] = set()
        self.rematch_room: str | None = None
        # Whether others still play with the same seed, as in the game of the day; for the host.
        self.seed_is_shared: Callable[[], bool] = lambda: False
        self._update_turn()

    def _update_turn(self) -> None:
        """Stores `over` and `turn`, which are read far more often than they change."""
        self.over = self.ending is not None or self.state.over
        # The seat to move; None when the game is over or anyone may move.
        self.turn = None if self.over else self.state.turn

    # State

    @property
    def state(self) -> State:
        """The position on the board."""
        return self.match.state

    @property
    def plies(self) -> int:
        """The number of moves played and not taken back."""
        return self.match.plies

    @property
    def scores(self) -> tuple[float, ...]:
        """The score of each seat: final when the game is over, current before."""
        return self.ending.scores if self.ending else self.state.scores

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that share the win; none before the end, in a draw and in a solo game."""
        return self.ending.winners if self.ending else self.state.winners

    @property
    def status_phrase(self) -> Phrase:
        """Who is to do what, or how the game ended, as a code with fields."""
        return self.ending.phrase if self.ending else self.state.status_phrase

    @property
    def reveals_seed(self) -> bool:
        """True when the seed cannot predict a game: after its end, or without chance."""
        if not (self.game.traits.chance or self.game.traits.hidden):
            return True
        return self.over and not self.seed_is_shared()

    @property
    def is_fair(self) -> bool:
        """True when the result counts in best scores and ratings, as far as the room knows."""
        settings = self.settings
        return settings.fair and not settings.start and not self.assisted and settings.created > 0

    def is_bot(self, seat: int) -> bool:
        """True when a bot moves for the seat."""
        given_up = seat in self.given_up and self.ending is None
        return given_up or not is_human(self.settings.players[seat])

    def bot_text(self, seat: int) -> str:
        """Returns the player text of the bot that moves for the seat."""
        return SUBSTITUTE_BOT if seat in self.given_up else self.settings.players[seat]

    @property
    def human_seats(self) -> list[int]:
        """The seats of people who have not given up."""
        return [seat for seat in range(self.game.seats) if not self.is_bot(seat)]

    def may_move(self, seat: int) -> bool:
        """True when the seat can move now."""
        stopped = self.over or self.paused or self.is_full
        return not stopped and self.turn in (None, seat)

    @property
    def is_full(self) -> bool:
        """True when the room has as many moves as it can have."""
        return self.play_events >= MAX_PLAY_EVENTS

    @property
    def people_to_move(self) -> tuple[int, ...]:
        """The seats of people who can move now."""
        return tuple(
            seat for seat in range(self.game.seats) if self.may_move(seat) and not self.is_bot(seat)
        )

    def steps_of_last_move(self) -> Callable[[], list[Step]]:
        """Returns a function for the boards of the last move, valid also after later moves."""
        ply = self.match.last
        assert ply is not None
        before = self.match.at(self.plies - 1)
        return partial(before.apply_in_steps, ply.action, ply.seat, MAX_EVENTS)

    @property
    def record(self) -> Record:
        """The game as a record; of a running game with chance, only its current position.

        The seed of such a game would reveal what comes next.
        """
        players = tuple(
            name if name and (is_human(text) or level_name(text)) else text
            for name, text in zip(self.names, self.settings.players, strict=True)
        )
        has_result = self.ending.is_result if self.ending else self.over
        result = self.scores if has_result else None
        if self.reveals_seed:
            record = replace(self.match.record, players=players, result=result)
        else:
            text, date = self.state.text, self.match.date
            record = Record(self.game, (), None, players, result, date, start=text)
        names = self.game.parts.rules.SEAT_NAMES
        tags = {"Assisted": "; ".join(names[seat] for seat in sorted(self.assisted))}
        return replace(record, rules=self.settings.rules, tags=tags if self.assisted else {})

    # Requests of the seats: each returns an event that has been applied, or raises RequestError

    def play(
        self, seat: int, move: str | int, number: int | None, time: int, by_bot: bool = False
    ) -> Event:
        """Plays a move, given as text or as an action; raises also MoveSyntax and IllegalMove.

        `number` is the last event that the sender knew; the move is late if the board has
        changed since. Where anyone may move, only the seat's own moves and undos count. After a
        seat has given up, only its bot may move it.
        """
        self._check_active(None if by_bot else seat)
        if number is not None:
            last_change = self.last_board_change
            if self.live:
                last_change = max(self.last_undo, self.last_moves[seat])
            self._check_not_late(number, last_change)
        if self.turn not in (None, seat):
            name = self.game.parts.rules.SEAT_NAMES[self.turn or 0]
            raise RequestError("turn", f"it is {name}'s turn", "seat")
        if self.is_full:
            text = f"this game has reached the limit of {MAX_PLAY_EVENTS:,} moves in a room"
            raise RequestError("refused", text, "room")
        return self._play(move, seat, time)

    def play_recorded(self, move: str, time: int) -> Event:
        """Plays a move as a record has it: with the seat's letter where anyone may move."""
        return self._play(move, None, time)

    def _play(self, move: str | int, seat: int | None, time: int) -> Event:
        """Plays a move; an illegal one raises and changes nothing."""
        state = self.match.play(move, seat)
        assert state.last is not None
        seat, text = state.last  # the move in its normal form
        left = self.clocks.left_after_move(seat, time) if self.clocks else None
        is_stored = state.over or self.plies % POSITION_SPACING == 0
        position = self._stored_position() if is_stored else ("", None)
        event = Event(self.number + 1, "play", seat, text, time, left, *position)
        self._update(event)
        return event

    def _stored_position(self) -> tuple[str, int | None]:
        """Returns the text and the checksum of the position, which are stored with an event."""
        try:
            return self.state.text, position_checksum(self.state)
        except Exception:  # a game from outside that cannot write this position; its move stands
            return "", None

    def undo(self, seat: int, number: int, time: int, own_seats: Sequence[int] = ()) -> Event:
        """Takes back the seat's last move and all after it, or asks the other people to agree.

        `own_seats` are all seats of the person who asks; they need not agree.
        """
        self._check_active(seat)
        if self.live:
            text = "nothing can be taken back where anyone may move at any time"
            raise RequestError("refused", text, "room")
        self._check_not_late(number, self.last_board_change)
        plies = self.match.last_ply_of(seat)
        if plies is None:
            raise RequestError("refused", "this seat has no move to take back", "seat")
        if self._needs_consent(seat, own_seats):
            return self._add_event("asked", seat, "", time)
        return self._add_event("undo", seat, str(plies), time)

    def _needs_consent(self, seat: int, own_seats: Sequence[int]) -> bool:
        """True when other people play; raises RequestError if they are being asked already."""
        if all(other == seat or other in own_seats for other in self.human_seats):
            return False
        if self.question is not None:
            text = f"a {NAMES[self.question.kind]} has already been requested"
            raise RequestError("refused", text, "seat")
        return True

    def answer(self, seat: int, yes: bool, number: int, time: int) -> Event:
        """Agrees to a requested takeback or pause, or declines it; or declines a rematch."""
        if self.is_asked_for_rematch(seat) and not yes:
            return self._add_event("rematch_answer", seat, "no", time)
        self._check_active(seat)
        question = self.question
        if question is None or question.by == seat or seat in question.agreed:
            raise RequestError("refused", "there is no request to answer", "seat")
        self._check_not_late(number, question.number)
        waiting = set(self.human_seats) - {question.by, seat} - question.agreed
        all_agree, text = yes and not waiting, "yes" if yes else "no"
        if question.kind == PAUSE:
            if all_agree:
                return self._add_event("pause", question.by, "", time)
            return self._add_event("pause_answer", seat, text, time)
        plies = self.match.last_ply_of(question.by)
        if all_agree and plies is not None:
            return self._add_event("undo", question.by, str(plies), time)
        return self._add_event("answer", seat, text, time)

    def assist(self, seat: int, by: str, time: int) -> Event:
        """Marks the seat as assisted before it gets a `hint` or an `analysis`."""
        return self._add_event("assisted", seat, by, time)

    def resign(self, seat: int, time: int) -> Event:
        """Resigns the game for the seat."""
        self._check_not_over(seat)
        return self._add_event("resign", seat, "", time)

    def pause(self, seat: int, time: int, own_seats: Sequence[int] = ()) -> Event:
        """Stops the clocks and all moves until a person resumes, or asks the others to agree.

        `own_seats` are all seats of the person who asks; they need not agree.
        """
        self._check_not_over(seat)
        if self.paused:
            raise RequestError("paused", "the game is already paused", "room")
        kind = "pause_asked" if self._needs_consent(seat, own_seats) else "pause"
        return self._add_event(kind, seat, "", time)

    def resume(self, seat: int, time: int) -> Event:
        """Ends a pause; any person may do so."""
        self._check_not_over(seat)
        if not self.paused:
            raise RequestError("refused", "the game is not paused", "room")
        return self._add_event("resume", seat, "", time)

    def name(self, seat: int, name: str, time: int) -> Event:
        """Sets the name of the person in a seat."""
        return self._add_event("name", seat, clean_name(name), time)

    def request_rematch(
        self,
        seat: int,
        time: int,
        own_seats: Sequence[int] = (),
        before_start: Callable[[], None] = lambda: None,
    ) -> tuple[Event, bool]:
        """Requests a rematch; returns the event, and True when all people have requested one.

        `before_start` is called before the last request is accepted; it may raise RequestError.
        """
        if not self.over:
            text = "a rematch is possible only after the game has ended"
            raise RequestError("refused", text, "room")
        if self.rematch_room:
            raise RequestError("over", "the rematch has already started", "room")
        people = {s for s, text in enumerate(self.settings.players) if is_human(text)}
        agreed = people <= {seat, *self.rematch_requests, *own_seats}
        if agreed:
            before_start()
        return self._add_event("rematch", seat, "", time), agreed

    def is_asked_for_rematch(self, seat: int) -> bool:
        """True when others have requested a rematch, to which the seat has not agreed."""
        requests = self.rematch_requests
        return bool(requests) and seat not in requests and self.rematch_room is None

    def set_rematch_room(self, seat: int, room_id: str, time: int) -> Event:
        """Records the room in which the rematch is played."""
        return self._add_event("rematch", seat, room_id, time)

    def flag(self, time: int) -> Event | None:
        """Makes a seat whose time is up give up; returns None if there is no such seat."""
        if self.over or self.paused or self.clocks is None:
            return None
        seat = self.clocks.expired_seat(time)
        return None if seat is None else self._add_event("flag", seat, "", time)

    def _check_not_late(self, number: int, last_change: int) -> None:
        """Raises RequestError unless the sender knew the last change, and no event to come."""
        if not last_change <= number <= self.number:
            text = "the board has changed since this request was sent"
            raise RequestError("late", text, "number")

    def _check_not_over(self, seat: int | None) -> None:
        """Raises RequestError when the game is over or the seat has given up."""
        if self.over:
            raise RequestError("over", "the game is over", "room")
        if seat in self.given_up:
            raise RequestError("refused", "this seat has resigned or run out of time", "seat")

    def _check_active(self, seat: int | None) -> None:
        """Raises RequestError when the game is over or paused, or the seat has given up."""
        self._check_not_over(seat)
        if self.paused:
            raise RequestError("paused", "the game is paused", "room")

    # Events

    def _add_event(self, kind: str, seat: int, text: str, time: int) -> Event:
        """Applies a new event that is not a move; returns it as it is to be stored."""
        if kind not in UNCOUNTED_KINDS and self.other_events >= MAX_OTHER_EVENTS:
            reason = f"this room has reached the limit of {MAX_OTHER_EVENTS:,} events besides moves"
            raise RequestError("refused", reason, "room")
        left = self.clocks.left_at(time) if self.clocks else None
        position = self._stored_position() if kind in ("resign", "flag") else ("", None)
        event = Event(self.number + 1, kind, seat, text, time, left, *position)
        self._update(event)
        return event

    def apply(self, event: Event) -> None:
        """Applies a stored event."""
        if event.kind == "play":
            self.match.play(event.text, event.seat)
        self._update(event)

    def _update(self, event: Event) -> None:
        """Updates everything that follows from an event; its move has been played."""
        seat = event.seat or 0
        self.question = question_after(self.question, event, self.is_bot(seat))
        if event.kind == "play":
            self.last_board_change = self.last_moves[seat] = event.number
            self.play_events += 1
        elif event.kind == "undo":
            self.match.undo(self.plies - int(event.text))
            self.last_board_change = self.last_undo = event.number
        elif event.kind in ("resign", "flag"):
            self._give_up(seat, event.kind)
        elif event.kind == "close":
            self.ending = closed_by_operator(self.state.scores)
        elif event.kind in ("pause", "resume"):
            self.paused = event.kind == "pause"
        elif event.kind == "name":
            self.names[seat] = event.text
        elif event.kind == "rematch":
            self.rematch_requests.add(seat)
            self.rematch_room = event.text or self.rematch_room
        elif event.kind == "rematch_answer":
            self.rematch_requests.clear()
        if event.kind in ("undo", "assisted"):
            self.assisted.add(seat)
        if event.kind != "play" and event.kind not in UNCOUNTED_KINDS:
            self.other_events += 1
        self.number = event.number
        self.last_event_time = event.time
        self._update_turn()
        if self.clocks and event.left is not None:
            self.clocks = self.clocks.restart(event.left, self._running_clock(), event.time)

    def _running_clock(self) -> int | None:
        """Returns the seat whose clock runs: the seat to move, once every seat has moved.

        No clock runs in a pause, for a seat that has given up, or where nobody can move any more.
        """
        waiting = self.paused or self.plies < self.game.seats
        return None if waiting or self.is_full or self.turn in self.given_up else self.turn

    def close(self) -> None:
        """Ends the game without a result: the present rules cannot replay it."""
        self.closed = True
        self.clocks = None
        self.ending = closed(self.state.scores, self.settings.rules)
        self._update_turn()

    def _give_up(self, seat: int, kind: str) -> None:
        """Makes a seat give up; a bot takes over while people remain in a game of three or more."""
        self.given_up.add(seat)
        if self.game.seats <= 2 or not self.human_seats:
            self.ending = forfeit(self.state.scores, self.given_up, (kind, seat))


def display_name(text: str) -> str:
    """Returns the name for a player text: a person's own name, or the title of a bot."""
    if is_human(text):
        return clean_name(text.partition(":")[2])
    return player_title(text)
