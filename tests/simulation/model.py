"""A plain model of a room with two seats, which knows what each request must be answered."""

from dataclasses import dataclass, field

from quincunx.errors import IllegalMove, MoveSyntax


@dataclass
class RoomModel:
    """The state of a room that follows from its events, kept as simply as possible."""

    game: object
    seed: int
    humans: set
    clock: tuple | None  # milliseconds: initial time, increment
    names: list
    number: int = 0
    moves: list = field(default_factory=list)  # (seat, text) of all moves on the board
    change_numbers: list = field(default_factory=list)  # of the events that changed the board
    undo_numbers: list = field(default_factory=list)
    move_numbers: dict = field(default_factory=dict)  # the last by seat
    given_up: int | None = None
    paused: bool = False
    asked_by: int | None = None  # a takeback or, if `asked_pause`, a pause
    asked_pause: bool = False
    rematch_room: str = ""
    wishes: set = field(default_factory=set)  # the seats that have requested a rematch
    left: list = field(default_factory=list)
    running: int | None = None
    since: int = 0

    def __post_init__(self):
        self.states = [self.game.start(self.seed)]
        self.live = self.state.turn is None
        if self.clock:
            self.left = [self.clock[0]] * 2

    @property
    def state(self):
        return self.states[-1]

    @property
    def over(self):
        return self.given_up is not None or self.state.over

    @property
    def is_asked(self):
        return self.asked_by is not None

    def needs_consent(self, seat, own_seats):
        """True when people play who do not belong to the client that asks."""
        return bool(self.humans - {seat} - set(own_seats))

    def expired(self, now):
        """True when the seat whose clock is running has no time left."""
        return self.running is not None and now - self.since >= self.left[self.running]

    def answer_to(self, kind, seat, own_seats, now, **fields):
        """Returns `ok` or the code of the error with which a request must be answered."""
        over = self.over or self.expired(now)
        if kind == "name":
            return "ok"
        if kind == "rematch":
            if not self.over:  # a rematch does not look at the clocks
                return "refused"
            return "over" if self.rematch_room else "ok"
        if kind == "answer" and self.wishes - {seat} and not self.wishes & {seat}:
            return "over" if self.rematch_room else "ok"
        if over:
            return "over"
        if kind == "pause":
            if self.paused:
                return "paused"
            return "refused" if self.needs_consent(seat, own_seats) and self.is_asked else "ok"
        if kind == "resume":
            return "ok" if self.paused else "refused"
        if kind == "resign":
            return "ok"
        if self.paused:
            return "paused"
        return getattr(self, f"_answer_to_{kind}")(seat, own_seats, **fields)

    def _answer_to_play(self, seat, own_seats, move, number):
        changes = [0, *self.change_numbers]
        if self.live:
            changes = [0, *self.undo_numbers, self.move_numbers.get(seat, 0)]
        if max(changes) > number or number > self.number:
            return "late"
        if self.state.turn not in (None, seat):
            return "turn"
        try:
            self.state.action(move, seat)
        except MoveSyntax:
            return "syntax"
        except IllegalMove:
            return "illegal"
        return "ok"

    def _answer_to_undo(self, seat, own_seats, number):
        if self.live:
            return "refused"
        if not max([0, *self.change_numbers]) <= number <= self.number:
            return "late"
        if seat not in [mover for mover, _ in self.moves]:
            return "refused"
        return "refused" if self.needs_consent(seat, own_seats) and self.is_asked else "ok"

    def _answer_to_answer(self, seat, own_seats, yes, number):
        if self.asked_by is None or self.asked_by == seat:
            return "refused"
        is_current = max([0, *self.change_numbers]) <= number <= self.number
        return "ok" if is_current else "late"

    def apply(self, event):
        """Checks that an event may follow, and applies it."""
        assert event.number == self.number + 1
        getattr(self, f"_apply_{event.kind}")(event)
        self.number = event.number
        if event.kind in ("play", "undo"):
            self.change_numbers.append(event.number)
        closing = ("play", "undo", "answer", "pause_answer", "resign", "flag")
        if event.kind in closing or (event.kind == "pause" and self.asked_pause):
            self.asked_by, self.asked_pause = None, False
        if self.clock:
            self._restart_clocks(event)

    def _apply_play(self, event):
        assert not self.over
        assert not self.paused
        assert self.state.turn in (None, event.seat)
        assert event.text in self.state.moves(event.seat)
        self.states.append(self.state.play(event.text, event.seat))
        self.moves.append((event.seat, event.text))
        self.move_numbers[event.seat] = event.number

    def _apply_undo(self, event):
        assert not self.over
        assert not self.paused
        plies = int(event.text)
        assert self.moves[plies][0] == event.seat
        assert event.seat not in [seat for seat, _ in self.moves[plies + 1 :]]
        del self.moves[plies:], self.states[plies + 1 :]
        self.undo_numbers.append(event.number)

    def _apply_asked(self, event):
        assert self.asked_by is None
        self.asked_by = event.seat

    def _apply_pause_asked(self, event):
        assert self.asked_by is None
        self.asked_by, self.asked_pause = event.seat, True

    def _apply_answer(self, event):
        assert event.text == "no"
        assert self.asked_by == 1 - event.seat
        assert not self.asked_pause

    def _apply_pause_answer(self, event):
        assert event.text == "no"
        assert self.asked_by == 1 - event.seat
        assert self.asked_pause

    def _apply_resign(self, event):
        assert not self.over
        self.given_up = event.seat

    def _apply_flag(self, event):
        assert not self.over
        assert not self.paused
        assert self.running == event.seat
        assert self.expired(event.time)
        self.given_up = event.seat

    def _apply_pause(self, event):
        assert not self.paused
        self.paused = True

    def _apply_resume(self, event):
        assert self.paused
        self.paused = False

    def _apply_name(self, event):
        self.names[event.seat] = event.text

    def _apply_rematch(self, event):
        assert self.over
        assert not self.rematch_room
        self.rematch_room = event.text
        self.wishes.add(event.seat)

    def _apply_rematch_answer(self, event):
        assert self.over
        assert event.text == "no"
        assert event.seat not in self.wishes
        self.wishes.clear()

    def _restart_clocks(self, event):
        """Takes the time from the clock that was running, and starts the next one."""
        if self.running is not None:
            self.left[self.running] = max(0, self.left[self.running] - (event.time - self.since))
            if event.kind == "play":
                self.left[event.seat] += self.clock[1]
        assert list(event.left) == self.left
        stopped = self.over or self.paused or len(self.moves) < 2
        self.running = None if stopped else self.state.turn
        self.since = event.time
