"""A room: one game on the server as a list of numbered events. No network, no disk, no waiting.

Every change is an `Event`. A request is checked and becomes an event, which is applied;
a room read back from disk applies the same events again, so there is one way to get anywhere.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from hashlib import sha256
from typing import Any

from quincunx.errors import BadOption
from quincunx.game import Game, State
from quincunx.match import HUMAN, Match, is_human
from quincunx.players.level import level_name
from quincunx.record import Record
from quincunx.registry import game as game_named
from quincunx.web.clocks import Clocks
from quincunx.web.wire import Refused, cleaned

SUBSTITUTE = "level:4"  # plays on for a seat that was given up in a game of three or more


@dataclass(frozen=True)
class Card:
    """What is settled when a room is made, and never changes."""

    id: str
    game: str
    options: dict[str, Any]
    seed: int
    start: str
    players: tuple[str, ...]
    hashes: tuple[str, ...]  # of the secret of each seat; nothing where a bot sits
    clock: tuple[int, int] | None  # milliseconds: at first, and more for each move
    pace: float  # seconds between a bot's placements, where anyone may move
    listed: bool
    created: int  # milliseconds since 1970
    parent: str = ""  # the room that this one is the rematch of

    def configured(self) -> Game:
        """The game with its options."""
        return game_named(self.game, **self.options)


@dataclass(frozen=True)
class Event:
    """A thing that happened in a room: its number, what, who, when, and the clocks after it."""

    number: int
    kind: str
    seat: int | None
    text: str  # the move, the name, the plies that are kept, yes or no, the next room
    time: int
    left: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Ending:
    """How a game ended that the rules did not end."""

    scores: tuple[float, ...]
    winners: tuple[int, ...]
    status: str


def hashed(secret: str) -> str:
    """What is kept of a secret."""
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


class Room:
    """The game of a room as it stands, and what its seats may ask for."""

    def __init__(self, card: Card, game: Game | None = None) -> None:
        self.card = card
        self.game = game or card.configured()
        self.match = Match(self.game, [HUMAN] * self.game.seats, card.seed, card.start)
        self.match.date = (
            datetime.fromtimestamp(card.created / 1000, timezone.utc).date().isoformat()
        )
        self.names = [named(text) for text in card.players]
        self.number = 0
        self.touched = card.created  # when something happened last
        self.live = not self.state.over and self.state.turn is None  # anyone may move
        if self.live and card.clock:
            raise BadOption("clock", "", "there are no clocks where anyone may move at any time")
        self.clocks = (
            Clocks((card.clock[0],) * self.game.seats, card.clock[1]) if card.clock else None
        )
        self.changed = 0  # the number of the last event that changed the board
        self.undone = 0  # the number of the last event that took something back
        self.moved = [0] * self.game.seats  # the number of each seat's last move
        self.given_up: set[int] = set()
        self.ending: Ending | None = None
        self.paused = False
        self.asked: int | None = None  # the seat that asks to take back
        self.agreed: set[int] = set()
        self.wishes: set[int] = set()  # seats that want a rematch
        self.rematch: str | None = None
        self._look()

    def _look(self) -> None:
        """Notes what is asked for again and again: whether the game is over, who is to move."""
        self.over = self.ending is not None or self.state.over
        # The seat to move; None when the game is over or anyone may move.
        self.turn = None if self.over else self.state.turn

    # What there is to see

    @property
    def state(self) -> State:
        """The position on the board."""
        return self.match.state

    @property
    def plies(self) -> int:
        """How many moves stand."""
        return len(self.match._states) - 1

    @property
    def scores(self) -> tuple[float, ...]:
        """A number per seat: the result when over, the running score before."""
        return self.ending.scores if self.ending else self.state.scores

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that share the win."""
        return self.ending.winners if self.ending else self.state.winners

    @property
    def status(self) -> str:
        """One line in plain words."""
        return self.ending.status if self.ending else self.state.status

    @property
    def shows_seed(self) -> bool:
        """True when nobody can tell the future from the seed: after the end, or without chance."""
        return self.over or not chance(self.game)

    def is_bot(self, seat: int) -> bool:
        """True when a bot moves for the seat."""
        given_up = seat in self.given_up and self.ending is None
        return given_up or not is_human(self.card.players[seat])

    def bot_text(self, seat: int) -> str:
        """The text of the bot that moves for the seat."""
        return SUBSTITUTE if seat in self.given_up else self.card.players[seat]

    @property
    def people(self) -> list[int]:
        """The seats of people who have not given up."""
        return [seat for seat in range(self.game.seats) if not self.is_bot(seat)]

    def may_move(self, seat: int) -> bool:
        """True when the seat can move now."""
        return not self.over and not self.paused and self.turn in (None, seat)

    def owns(self, seat: int, secret: str) -> bool:
        """True when this is the secret of the seat."""
        known = self.card.hashes[seat] if seat < len(self.card.hashes) else ""
        return hmac.compare_digest(known or "-", hashed(secret))

    @property
    def record(self) -> Record:
        """The game as a record; of a running game with chance, only the position it has reached.

        Its seed would tell what is yet to come.
        """
        players = tuple(
            name or text for name, text in zip(self.names, self.card.players, strict=True)
        )
        result = self.scores if self.over else None
        if self.shows_seed:
            return replace(self.match.record, players=players, result=result)
        return Record(self.game, (), None, players, result, self.match.date, start=self.state.text)

    # What the seats may ask for: each gives the event, applied, or raises Refused

    def play(self, seat: int, move: str, number: int | None, time: int, bot: bool = False) -> Event:
        """A move; with a number, only if nothing that matters happened since.

        A seat that was given up is moved by its bot only.
        """
        self._going(None if bot else seat)
        if number is not None:
            since = max(self.undone, self.moved[seat]) if self.live else self.changed
            if since > number or number > self.number:
                raise Refused("late", "the board has changed since; look at it again", "number")
        if self.turn not in (None, seat):
            name = self.game.parts.rules.SEAT_NAMES[self.turn or 0]
            raise Refused("turn", f"it is {name}'s turn (seat {self.turn})", "seat")
        left = self.clocks.moved(seat, time) if self.clocks else None
        return self._happen("play", seat, move, time, left)

    def undo(self, seat: int, number: int, time: int, holds: Sequence[int] = ()) -> Event:
        """Takes back to before the seat's last move, or asks the other people for it."""
        self._going(seat)
        if self.changed > number:
            raise Refused("late", "the board has changed since; look at it again", "number")
        kept = self._before_last_move(seat)
        if kept is None:
            raise Refused("refused", "there is no move of this seat to take back", "seat")
        if all(other == seat or other in holds for other in self.people):
            return self._happen("undo", seat, str(kept), time)
        if self.asked is not None:
            raise Refused("refused", "somebody asks for that already", "seat")
        return self._happen("asked", seat, "", time)

    def answer(self, seat: int, yes: bool, number: int, time: int) -> Event:
        """Agrees to a takeback that was asked for, or refuses it."""
        self._going(seat)
        if self.asked is None or self.asked == seat or seat in self.agreed:
            raise Refused("refused", "there is nothing to answer", "seat")
        if self.changed > number:
            raise Refused("late", "the board has changed since; look at it again", "number")
        waiting = set(self.people) - {self.asked, seat} - self.agreed
        kept = self._before_last_move(self.asked)
        if yes and not waiting and kept is not None:
            return self._happen("undo", self.asked, str(kept), time)
        return self._happen("answer", seat, "yes" if yes else "no", time)

    def resign(self, seat: int, time: int) -> Event:
        """Gives the game up."""
        self._running(seat)
        return self._happen("resign", seat, "", time)

    def pause(self, seat: int, time: int) -> Event:
        """Stops the clocks and the moves until somebody resumes."""
        self._running(seat)
        if self.paused:
            raise Refused("paused", "the game is paused already", "room")
        return self._happen("pause", seat, "", time)

    def resume(self, seat: int, time: int) -> Event:
        """Lets the game go on."""
        self._running(seat)
        if not self.paused:
            raise Refused("refused", "the game is not paused", "room")
        return self._happen("resume", seat, "", time)

    def name(self, seat: int, name: str, time: int) -> Event:
        """Gives a person a name."""
        return self._happen("name", seat, cleaned(name), time)

    def wish(
        self,
        seat: int,
        time: int,
        holds: Sequence[int] = (),
        new_room: Callable[[], None] = lambda: None,
    ) -> tuple[Event, bool]:
        """Wants a rematch; True when all people do, unless `new_room` refuses."""
        if not self.over:
            raise Refused("refused", "there is a rematch when the game is over", "room")
        if self.rematch:
            raise Refused("over", "the rematch has begun already", "room")
        people = {s for s, text in enumerate(self.card.players) if is_human(text)}
        agreed = people <= {seat, *self.wishes, *holds}
        if agreed:
            new_room()
        return self._happen("rematch", seat, "", time), agreed

    def rematched(self, seat: int, room: str, time: int) -> Event:
        """The rematch has begun in another room."""
        return self._happen("rematch", seat, room, time)

    def flag(self, time: int) -> Event | None:
        """The end of somebody's time, if it has come."""
        if self.over or self.paused or self.clocks is None:
            return None
        seat = self.clocks.due(time)
        return None if seat is None else self._happen("flag", seat, "", time)

    def _running(self, seat: int | None) -> None:
        """Refused when the game is over, or the seat was given up before."""
        if self.over:
            raise Refused("over", "the game is over", "room")
        if seat in self.given_up:
            raise Refused("refused", "this seat was given up", "seat")

    def _going(self, seat: int | None) -> None:
        self._running(seat)
        if self.paused:
            raise Refused("paused", "the game is paused", "room")

    def _before_last_move(self, seat: int) -> int | None:
        """How many plies there were before the seat's last move."""
        states = self.match._states
        for kept in range(len(states) - 2, -1, -1):
            last = states[kept + 1].last
            if last is not None and last[0] == seat:
                return kept
        return None

    # How a room changes

    def _happen(
        self, kind: str, seat: int, text: str, time: int, left: tuple[int, ...] | None = None
    ) -> Event:
        """Applies a new event, and gives it as it is to be kept."""
        if self.clocks and left is None:
            left = self.clocks.now(time)
        event = Event(self.number + 1, kind, seat, text, time, left)
        self.apply(event)
        if kind == "play" and self.state.last is not None:
            return replace(event, text=self.state.last[1])
        return event

    def apply(self, event: Event) -> None:
        """Makes happen what an event says; a move that is not legal raises and changes nothing."""
        seat = event.seat or 0
        if event.kind == "play":
            self.match.play(event.text, seat)
            self.changed = self.moved[seat] = event.number
        elif event.kind == "undo":
            self.match.undo(self.plies - int(event.text))
            self.changed = self.undone = event.number
        elif event.kind in ("resign", "flag"):
            self._give_up(seat, event.kind)
        elif event.kind in ("pause", "resume"):
            self.paused = event.kind == "pause"
        elif event.kind == "name":
            self.names[seat] = event.text
        elif event.kind == "rematch":
            self.wishes.add(seat)
            self.rematch = event.text or self.rematch
        if event.kind == "asked":
            self.asked, self.agreed = seat, set()
        elif event.kind == "answer" and event.text == "yes":
            self.agreed.add(seat)
        elif event.kind in ("play", "undo", "answer", "resign", "flag"):
            self.asked, self.agreed = None, set()
        self.number = event.number
        self.touched = event.time
        self._look()
        if self.clocks and event.left is not None:
            self.clocks = self.clocks.set(event.left, self._clock_running(), event.time)

    def _clock_running(self) -> int | None:
        """Whose clock runs: the one to move, once every seat has moved, unless it gave up."""
        waits = self.paused or self.plies < self.game.seats or self.turn in self.given_up
        return None if waits else self.turn

    def _give_up(self, seat: int, kind: str) -> None:
        """A seat gives up: in a game of two the other wins, in a larger one a bot plays on.

        When no person is left, the game ends, and the best of the others wins.
        """
        self.given_up.add(seat)
        seats = range(self.game.seats)
        if len(seats) > 2 and self.people:
            return
        scores = self.state.scores
        others = [s for s in seats if s not in self.given_up]
        if len(seats) == 2:
            scores = tuple(float(s != seat) for s in seats)
        best = max((scores[s] for s in others), default=0.0)
        winners = tuple(s for s in others if scores[s] == best)
        names = self.game.parts.rules.SEAT_NAMES
        why = f"{names[seat]} {'resigned' if kind == 'resign' else 'ran out of time'}"
        if len(seats) == 1:
            why = "Given up" if kind == "resign" else "Out of time"
        won = " and ".join(names[s] for s in winners)
        verb = "wins" if len(winners) == 1 else "share the win"
        self.ending = Ending(scores, winners, f"{won} {verb}: {why}" if won else why)


def chance(game: Game) -> bool:
    """True when the seed makes a difference."""
    if game not in _CHANCE:
        _CHANCE[game] = game.start(1).text != game.start(2).text
    return _CHANCE[game]


_CHANCE: dict[Game, bool] = {}


def named(text: str) -> str:
    """The name that a player's text gives: of a person their own, of a level its word."""
    if is_human(text):
        return cleaned(text.partition(":")[2])
    return level_name(text) or text
