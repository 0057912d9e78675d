"""A room in memory with the people around it: one change at a time, kept first, told then."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from quincunx.draw.animation import Animation, Frame, Picture
from quincunx.errors import IllegalMove
from quincunx.game import State
from quincunx.web.rooms import Event, Room
from quincunx.web.store import Result
from quincunx.web.wire import Refused, dumps

if TYPE_CHECKING:
    from quincunx.web.hall import Hall

log = logging.getLogger("quincunx.web")


class Ear(Protocol):
    """Whoever can be told something."""

    def send(self, text: str) -> None:
        """Puts a message on its way, without waiting."""

    def close(self) -> None:
        """Sends it away, to come again."""

    def secret(self, room: str, seat: int) -> str:
        """The secret with which it joined a seat."""


@dataclass(frozen=True)
class Viewer:
    """How somebody looks at a room: the seats that are theirs, and what they want to see."""

    seats: tuple[int, ...] = ()
    view: str = "moves"
    flip: bool = False


class Table:
    """A room, those who look at it, and its bots."""

    def __init__(self, room: Room, hall: Hall) -> None:
        self.room = room
        self.hall = hall
        self.lock = asyncio.Lock()
        self.viewers: dict[Ear, Viewer] = {}
        self.used = hall.time()
        self._animations: dict[bool, Animation] = {}
        self._legal_moves: dict[int, list[str]] = {}  # by seat, in the position `_legal_at`
        self._legal_at: State | None = None
        self._bots: dict[int, asyncio.Task[None]] = {}

    # Changes

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """One at a time; Refused once the room has left memory, where another may stand for it."""
        async with self.lock:
            if self.hall.tables.get(self.room.card.id) is not self:
                raise Refused("busy", "the room has left memory; join it again", "room")
            yield

    async def change(self, make: Callable[[Room, int], Event], time: int) -> Event:
        """Lets something happen: checked, kept on disk, then told. Refused changes nothing."""
        async with self.alone():
            await self._flag(time)
            event = make(self.room, time)
            await self.keep(event)
        self.wake_bots()
        return event

    async def keep(self, event: Event) -> None:
        """Puts an event that has been applied on disk, and tells of it then.

        If it cannot be kept, the room leaves memory, and with it what was never on disk.
        """
        try:
            await self.hall.store.append(self.room.card.id, event, self._result(event))
        except BaseException:
            self.hall.drop(self)
            raise
        await self.tell(event)

    async def wish(self, seat: int, holds: tuple[int, ...], new_room: Callable[[], None]) -> None:
        """Notes that a seat wants a rematch; when all people do, it begins in a new room.

        `new_room` is asked before that, and refuses where too many are made.
        """
        async with self.alone():
            room, seats = self.room, self.room.game.seats
            event, agreed = room.wish(seat, self.hall.time(), holds, new_room)
            await self.keep(event)
            if not agreed:
                return
            new = (await self.hall.rematch(self)).room.card.id
            await self.keep(room.rematched(seat, new, self.hall.time()))
            old = room.card.id
            for ear, viewer in self.viewers.items():
                own = {(s + 1) % seats: ear.secret(old, s) for s in viewer.seats}
                self._send([ear], {"type": "rematched", "room": old, "to": new, "secrets": own})

    async def flag(self) -> None:
        """Ends a game whose time is up."""
        async with self.alone():
            await self._flag(self.hall.time())
        self.wake_bots()

    async def _flag(self, time: int) -> None:
        event = self.room.flag(time)
        if event:
            await self.keep(event)

    def _result(self, event: Event) -> Result | None:
        """What is to be kept beside an event that ended the game."""
        room, card = self.room, self.room.card
        if not room.over or event.kind not in ("play", "resign", "flag"):
            return None
        names = tuple(name or "" for name in room.names)
        fair = not card.start and not room.undone and card.created > 0
        options = room.game.changed_options
        return Result(
            card.id, card.game, options, card.seed, card.players, names,
            room.scores, room.winners, fair, card.listed, event.time,
        )  # fmt: skip

    # What people are told

    async def tell(self, event: Event) -> None:
        """Tells everybody of an event: at once, and with pictures when they are drawn."""
        self.used = self.hall.time()
        plain = self._told(event)
        groups: dict[Viewer, list[Ear]] = {}
        for ear, viewer in self.viewers.items():
            groups.setdefault(viewer, []).append(ear)
        for viewer, ears in groups.items():
            if viewer.view != "page":
                self._send(ears, {**plain, **self._moves(viewer)})
        flips = {viewer.flip for viewer in groups if viewer.view == "page"}
        try:
            drawn = await self._drawn(event, flips)
        except Exception:  # the event is on disk: it is told, with a picture or without
            log.exception("a picture of room %s failed", self.room.card.id)
            self._animations.clear()
            drawn = {flip: {} for flip in flips}
        for viewer, ears in groups.items():
            if viewer.view == "page":
                self._send(ears, {**plain, **self._moves(viewer), **drawn[viewer.flip]})

    def _send(self, ears: Iterable[Ear], message: dict[str, Any]) -> None:
        text = dumps(message)
        for ear in ears:
            ear.send(text)

    def _told(self, event: Event) -> dict[str, Any]:
        """An event for the wire, as everybody sees it."""
        room = self.room
        told: dict[str, Any] = {
            "type": "event",
            "room": room.card.id,
            "number": event.number,
            "kind": event.kind,
            "seat": event.seat,
            **self._standing(),
        }
        if event.kind == "play":
            told["move"] = event.text
        elif event.kind == "name":
            told["name"] = event.text
        elif event.kind == "answer":
            told["yes"] = event.text == "yes"
        elif event.kind == "rematch":
            told["to"] = event.text or None
        return told

    def _standing(self) -> dict[str, Any]:
        """How the game stands, in events and in snapshots alike."""
        room = self.room
        standing: dict[str, Any] = {
            "plies": room.plies,
            "turn": room.turn,
            "over": room.over,
            "scores": room.scores,
            "status": room.status,
            "text": room.state.text,
            "paused": room.paused,
            "asked": None if room.asked is None else {"by": room.asked},
            "clocks": room.clocks.as_dict(self.hall.time()) if room.clocks else None,
        }
        if room.over:
            standing["winners"] = room.winners
        return standing

    def snapshot(self, viewer: Viewer) -> dict[str, Any]:
        """The whole room as one viewer may see it, without a picture."""
        room, card = self.room, self.room.card
        return {
            "type": "room",
            "room": card.id,
            "number": room.number,
            "game": card.game,
            "title": room.game.title,
            "options": dict(room.game.options),
            "seed": card.seed if room.shows_seed else None,
            "start": card.start,
            "created": card.created,
            "pace": card.pace,
            "live": room.live,
            "players": self.players(),
            "seats_here": sorted(self.held),
            **self._standing(),
            "winners": room.winners,
            "moves": [list(state.last or ()) for state in room.match.states[1:]],
            "rematch": room.rematch,
            "wishes": sorted(room.wishes),
            "you": viewer.seats,
            **self._moves(viewer),
        }

    @property
    def held(self) -> set[int]:
        """The seats of all who look on."""
        return {seat for viewer in self.viewers.values() for seat in viewer.seats}

    def players(self) -> list[dict[str, Any]]:
        """Who sits where."""
        room, held = self.room, self.held
        return [
            {
                "name": room.names[seat],
                "kind": "bot" if room.is_bot(seat) else "human",
                "text": room.bot_text(seat) if room.is_bot(seat) else "human",
                "here": seat in held or room.is_bot(seat),
            }
            for seat in range(room.game.seats)
        ]

    def _moves(self, viewer: Viewer) -> dict[str, Any]:
        """The legal moves of a viewer's seats, as their view writes them."""
        if viewer.view == "none":
            return {}
        room = self.room
        seats = [seat for seat in viewer.seats if room.may_move(seat) and not room.is_bot(seat)]
        if viewer.view == "moves":
            return {"legal": {seat: self._legal(seat) for seat in seats}}
        clicks = room.game.parts.layout.clicks
        ways = {seat: [(move, *clicks(move)) for move in self._legal(seat)] for seat in seats}
        return {"legal": ways}

    def _legal(self, seat: int) -> list[str]:
        """The legal moves of a seat, found once for each position."""
        state = self.room.state
        if state is not self._legal_at:
            self._legal_moves, self._legal_at = {}, state
        if seat not in self._legal_moves:
            self._legal_moves[seat] = state.moves(seat)
        return self._legal_moves[seat]

    # Pictures

    async def picture(self, flip: bool) -> Picture:
        """The picture of the board as the animation for this side has it."""
        if flip not in self._animations:
            state = self.room.state
            self._animations[flip] = await self.hall.crew.do(lambda: Animation(state, flip))
        return self._animations[flip].picture

    async def _drawn(self, event: Event, flips: set[bool]) -> dict[bool, dict[str, Any]]:
        """What the viewers of each side see of an event: frames, a new picture, or nothing new."""
        for unused in set(self._animations) - flips:
            del self._animations[unused]
        drawn: dict[bool, dict[str, Any]] = {flip: {} for flip in flips}
        if not flips or event.kind not in ("play", "undo"):
            return drawn
        before = self.room.match._states[-2] if event.kind == "play" else None
        animations = {flip: self._animations.get(flip) for flip in flips}
        state, seat = self.room.state, event.seat

        def draw() -> None:
            steps = before.steps(event.text, seat) if before and any(animations.values()) else []
            for flip in flips:
                animation = animations[flip]
                if animation is not None and steps:
                    frames: list[Frame] = animation.play(steps)
                    drawn[flip] = {"frames": frames}
                else:
                    self._animations[flip] = Animation(state, flip)
                    drawn[flip] = {"picture": self._animations[flip].picture}

        await self.hall.crew.do(draw)
        return drawn

    # People

    async def join(self, ear: Ear, viewer: Viewer) -> dict[str, Any]:
        """Seats somebody around the table; what they see first."""
        async with self.alone():
            message = self.snapshot(viewer)
            if viewer.view == "page":
                message["picture"] = await self.picture(viewer.flip)
                message["controls"] = self.room.game.parts.layout.CONTROLS.as_dict()
            before = self.held
            self.viewers[ear] = viewer
            self._tell_here(before, ear)
            message["seats_here"] = sorted(self.held)
            message["players"] = self.players()
        self.used = self.hall.time()
        self.wake_bots()
        return message

    async def look(self, ear: Ear, flip: bool) -> Picture:
        """The picture from a side, which this viewer sees from now on."""
        async with self.alone():
            viewer = self.viewers[ear]
            self.viewers[ear] = Viewer(viewer.seats, viewer.view, flip)
            return await self.picture(flip)

    def leave(self, ear: Ear) -> None:
        """Somebody goes."""
        before = self.held
        if self.viewers.pop(ear, None) is not None:
            self._tell_here(before, ear)
            self.used = self.hall.time()

    def _tell_here(self, before: set[int], but: Ear) -> None:
        """Tells the others which seats have become empty or taken."""
        now = self.held
        for seat in sorted(before ^ now):
            here = {"type": "here", "room": self.room.card.id, "seat": seat, "here": seat in now}
            self._send([ear for ear in self.viewers if ear is not but], here)

    # Bots

    @property
    def busy(self) -> bool:
        """True when the room must stay in memory."""
        clocks = self.room.clocks
        ticking = clocks is not None and clocks.running is not None and not self.room.over
        return bool(self.viewers or self._bots or self.lock.locked() or ticking)

    def _paced(self) -> bool:
        """True where bots move at a pace and only for somebody who watches."""
        return self.room.live or not self.room.people

    def _bot_wanted(self, seat: int) -> bool:
        room = self.room
        watched = bool(self.viewers) or not self._paced()
        return watched and room.is_bot(seat) and room.may_move(seat)

    def wake_bots(self) -> None:
        """Lets every bot that is to move begin to think."""
        for seat in range(self.room.game.seats):
            if seat not in self._bots and self._bot_wanted(seat):
                self._bots[seat] = asyncio.create_task(self._bot(seat))

    async def _bot(self, seat: int) -> None:
        """A bot chooses and moves for as long as it is to move."""
        room, hall = self.room, self.hall
        try:
            wait = self._paced()
            while self._bot_wanted(seat):
                if wait:
                    await asyncio.sleep(room.card.pace)
                    if not self._bot_wanted(seat):
                        return
                state, number = room.state, room.number
                card, text = room.card, room.bot_text(seat)
                move = await hall.crew.choose(card.id, seat, text, card.seed, state)
                wait = await self._bot_plays(seat, move, number) and self._paced()
        except Exception:
            log.exception("the bot of seat %d in room %s failed", seat, room.card.id)
        finally:
            self._bots.pop(seat, None)

    async def _bot_plays(self, seat: int, move: str, number: int) -> bool:
        """Plays what a bot chose; False if the board has changed, so that it must think again."""
        async with self.alone():
            time = self.hall.time()
            await self._flag(time)
            if not self._bot_wanted(seat):
                return True
            try:
                event = self.room.play(seat, move, number, time, bot=True)
            except (Refused, IllegalMove):
                return False
            await self.keep(event)
        self.wake_bots()
        return True

    def stop(self) -> None:
        """Ends the bots' thinking, where the room leaves memory."""
        for task in self._bots.values():
            task.cancel()
