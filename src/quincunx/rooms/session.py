"""A room in memory with its subscribers and bots: one change at a time, stored, then broadcast."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from quincunx.draw.animation import Animation, Frame, Picture
from quincunx.errors import IllegalMove
from quincunx.game import State
from quincunx.rooms.messages import RequestError, dumps
from quincunx.rooms.room import Event, GameRoom
from quincunx.web.database import RoomResult

if TYPE_CHECKING:
    from quincunx.rooms.lobby import Lobby

log = logging.getLogger("quincunx.web")


class Subscriber(Protocol):
    """A client that receives the messages of a room."""

    def send(self, text: str) -> None:
        """Queues a message, without waiting."""

    def close(self) -> None:
        """Disconnects the client, which may connect again."""

    def secret(self, room_id: str, seat: int) -> str:
        """Returns the secret with which the client joined a seat."""


@dataclass(frozen=True)
class Subscription:
    """The seats of a subscriber in a room, and the form in which it receives messages."""

    seats: tuple[int, ...] = ()
    view: str = "moves"
    flip: bool = False


class RoomSession:
    """A room, its subscribers and its bots."""

    def __init__(self, room: GameRoom, lobby: Lobby) -> None:
        self.room = room
        self.lobby = lobby
        self.lock = asyncio.Lock()
        self.subscriptions: dict[Subscriber, Subscription] = {}
        self.last_used = lobby.time()
        self._animations: dict[bool, Animation] = {}
        self._legal_moves: dict[int, list[str]] = {}  # by seat, in the position `_legal_state`
        self._legal_state: State | None = None
        self._bot_tasks: dict[int, asyncio.Task[None]] = {}

    # Changes

    @asynccontextmanager
    async def locked(self) -> AsyncIterator[None]:
        """Holds the lock of the room; raises RequestError if the room has been unloaded.

        It may have been loaded again, into another session.
        """
        async with self.lock:
            if self.lobby.sessions.get(self.room.settings.id) is not self:
                raise RequestError("busy", "the room was unloaded; join it again", "room")
            yield

    async def change(self, make_event: Callable[[GameRoom, int], Event], time: int) -> Event:
        """Makes an event, stores and broadcasts it; a RequestError leaves the room unchanged."""
        async with self.locked():
            await self._flag(time)
            event = make_event(self.room, time)
            await self.persist(event)
        self.start_bots()
        return event

    async def persist(self, event: Event) -> None:
        """Stores an event that has been applied, then broadcasts it.

        If it cannot be stored, the room is unloaded: memory must not be ahead of the disk.
        """
        try:
            await self.lobby.database.append(self.room.settings.id, event, self._result(event))
        except BaseException:
            self.lobby.unload(self)
            raise
        await self.broadcast(event)

    async def request_rematch(
        self, seat: int, own_seats: tuple[int, ...], before_start: Callable[[], None]
    ) -> None:
        """Requests a rematch for a seat; starts it in a new room when all people have requested it.

        `before_start` is called before the last request is accepted; it may raise RequestError.
        """
        async with self.locked():
            room, seats = self.room, self.room.game.seats
            event, agreed = room.request_rematch(seat, self.lobby.time(), own_seats, before_start)
            await self.persist(event)
            if not agreed:
                return
            new_id = (await self.lobby.create_rematch(self)).room.settings.id
            await self.persist(room.set_rematch_room(seat, new_id, self.lobby.time()))
            old_id = room.settings.id
            message = {"type": "rematched", "room": old_id, "to": new_id}
            for subscriber, subscription in self.subscriptions.items():
                secrets = {
                    (own + 1) % seats: subscriber.secret(old_id, own) for own in subscription.seats
                }
                self._send([subscriber], {**message, "secrets": secrets})

    async def flag(self) -> None:
        """Makes a seat whose time is up give up."""
        async with self.locked():
            await self._flag(self.lobby.time())
        self.start_bots()

    async def _flag(self, time: int) -> None:
        event = self.room.flag(time)
        if event:
            await self.persist(event)

    def _result(self, event: Event) -> RoomResult | None:
        """Returns the result to store with an event that ended the game; None for other events."""
        room, settings = self.room, self.room.settings
        if not room.over or event.kind not in ("play", "resign", "flag"):
            return None
        names = tuple(name or "" for name in room.names)
        fair = not settings.start and not room.last_undo and settings.created > 0
        options = room.game.changed_options
        return RoomResult(
            settings.id, settings.game, options, settings.seed, settings.players, names,
            room.scores, room.winners, fair, settings.listed, event.time,
        )  # fmt: skip

    # Messages

    async def broadcast(self, event: Event) -> None:
        """Sends an event to all subscribers; pages get it as soon as its pictures are drawn."""
        self.last_used = self.lobby.time()
        message = self.event_message(event)
        groups: dict[Subscription, list[Subscriber]] = {}
        for subscriber, subscription in self.subscriptions.items():
            groups.setdefault(subscription, []).append(subscriber)
        for subscription, subscribers in groups.items():
            if subscription.view != "page":
                self._send(subscribers, {**message, **self._legal_fields(subscription)})
        flips = {subscription.flip for subscription in groups if subscription.view == "page"}
        try:
            pictures = await self._picture_fields(event, flips)
        except Exception:  # the event is stored, so it is sent even without a picture
            log.exception("drawing room %s failed", self.room.settings.id)
            self._animations.clear()
            pictures = {flip: {} for flip in flips}
        for subscription, subscribers in groups.items():
            if subscription.view == "page":
                legal = self._legal_fields(subscription)
                self._send(subscribers, {**message, **legal, **pictures[subscription.flip]})

    def _send(self, subscribers: Iterable[Subscriber], message: dict[str, Any]) -> None:
        text = dumps(message)
        for subscriber in subscribers:
            subscriber.send(text)

    def event_message(self, event: Event) -> dict[str, Any]:
        """Returns the message of an event, without the fields that depend on the subscriber."""
        room = self.room
        message: dict[str, Any] = {
            "type": "event",
            "room": room.settings.id,
            "number": event.number,
            "kind": event.kind,
            "seat": event.seat,
            **self.status_fields(),
        }
        if event.kind == "play":
            message["move"] = event.text
        elif event.kind == "name":
            message["name"] = event.text
        elif event.kind == "answer":
            message["yes"] = event.text == "yes"
        elif event.kind == "rematch":
            message["to"] = event.text or None
        return message

    def status_fields(self) -> dict[str, Any]:
        """Returns the fields about the state of the game, which events and snapshots share."""
        room = self.room
        asked_by = room.undo_requested_by
        fields: dict[str, Any] = {
            "plies": room.plies,
            "turn": room.turn,
            "over": room.over,
            "scores": room.scores,
            "status": room.status,
            "text": room.state.text,
            "paused": room.paused,
            "asked": None if asked_by is None else {"by": asked_by},
            "clocks": room.clocks.as_dict(self.lobby.time()) if room.clocks else None,
        }
        if room.over:
            fields["winners"] = room.winners
        return fields

    def snapshot(self, subscription: Subscription) -> dict[str, Any]:
        """Returns the whole room as one subscriber may see it, without a picture."""
        room, settings = self.room, self.room.settings
        return {
            "type": "room",
            "room": settings.id,
            "number": room.number,
            "game": settings.game,
            "title": room.game.title,
            "options": dict(room.game.options),
            "seed": settings.seed if room.reveals_seed else None,
            "start": settings.start,
            "created": settings.created,
            "pace": settings.pace,
            "live": room.live,
            "players": self.players(),
            "seats_here": sorted(self.connected_seats),
            **self.status_fields(),
            "winners": room.winners,
            "moves": [list(state.last or ()) for state in room.match.states[1:]],
            "rematch": room.rematch_room,
            "wishes": sorted(room.rematch_requests),
            "you": subscription.seats,
            **self._legal_fields(subscription),
        }

    @property
    def connected_seats(self) -> set[int]:
        """The seats of all subscribers."""
        return {seat for subscription in self.subscriptions.values() for seat in subscription.seats}

    def players(self) -> list[dict[str, Any]]:
        """Returns the player of each seat, for messages."""
        room, connected = self.room, self.connected_seats
        return [
            {
                "name": room.names[seat],
                "kind": "bot" if room.is_bot(seat) else "human",
                "text": room.bot_text(seat) if room.is_bot(seat) else "human",
                "here": seat in connected or room.is_bot(seat),
            }
            for seat in range(room.game.seats)
        ]

    def _legal_fields(self, subscription: Subscription) -> dict[str, Any]:
        """Returns the legal moves of a subscriber's seats, in the form of its view."""
        if subscription.view == "none":
            return {}
        room = self.room
        seats = [s for s in subscription.seats if room.may_move(s) and not room.is_bot(s)]
        if subscription.view == "moves":
            return {"legal": {seat: self._legal(seat) for seat in seats}}
        clicks = room.game.parts.layout.clicks
        with_clicks = {
            seat: [(move, *clicks(move)) for move in self._legal(seat)] for seat in seats
        }
        return {"legal": with_clicks}

    def _legal(self, seat: int) -> list[str]:
        """Returns the legal moves of a seat, generated once for each position."""
        state = self.room.state
        if state is not self._legal_state:
            self._legal_moves, self._legal_state = {}, state
        if seat not in self._legal_moves:
            self._legal_moves[seat] = state.moves(seat)
        return self._legal_moves[seat]

    # Pictures

    async def picture(self, flip: bool) -> Picture:
        """Returns the current picture of the board, flipped or not."""
        if flip not in self._animations:
            state = self.room.state
            self._animations[flip] = await self.lobby.pool.run_short(lambda: Animation(state, flip))
        return self._animations[flip].picture

    async def _picture_fields(self, event: Event, flips: set[bool]) -> dict[bool, dict[str, Any]]:
        """Returns the fields `frames` or `picture` of an event by flip; none if nothing moved."""
        for unused in set(self._animations) - flips:
            del self._animations[unused]
        fields: dict[bool, dict[str, Any]] = {flip: {} for flip in flips}
        if not flips or event.kind not in ("play", "undo"):
            return fields
        match, played = self.room.match, event.kind == "play"
        animations = {flip: self._animations.get(flip) for flip in flips}
        state = self.room.state

        def draw() -> None:
            steps = match.steps() if played and any(animations.values()) else []
            for flip in flips:
                animation = animations[flip]
                if animation is not None and steps:
                    frames: list[Frame] = animation.play(steps)
                    fields[flip] = {"frames": frames}
                else:
                    self._animations[flip] = Animation(state, flip)
                    fields[flip] = {"picture": self._animations[flip].picture}

        await self.lobby.pool.run_short(draw)
        return fields

    # Subscribers

    async def join(self, subscriber: Subscriber, subscription: Subscription) -> dict[str, Any]:
        """Adds a subscriber, or changes its subscription; returns its first message."""
        async with self.locked():
            message = self.snapshot(subscription)
            if subscription.view == "page":
                message["picture"] = await self.picture(subscription.flip)
                message["controls"] = self.room.game.parts.layout.CONTROLS.as_dict()
            before = self.connected_seats
            self.subscriptions[subscriber] = subscription
            self._broadcast_presence(before, subscriber)
            message["seats_here"] = sorted(self.connected_seats)
            message["players"] = self.players()
        self.last_used = self.lobby.time()
        self.start_bots()
        return message

    async def look(self, subscriber: Subscriber, flip: bool) -> Picture:
        """Sets the side from which a subscriber sees the board; returns the picture."""
        async with self.locked():
            self.subscriptions[subscriber] = replace(self.subscriptions[subscriber], flip=flip)
            return await self.picture(flip)

    def leave(self, subscriber: Subscriber) -> None:
        """Removes a subscriber."""
        before = self.connected_seats
        if self.subscriptions.pop(subscriber, None) is not None:
            self._broadcast_presence(before, subscriber)
            self.last_used = self.lobby.time()

    def _broadcast_presence(self, before: set[int], sender: Subscriber) -> None:
        """Sends to all but the sender which seats are connected now, or no longer."""
        now = self.connected_seats
        others = [subscriber for subscriber in self.subscriptions if subscriber is not sender]
        for seat in sorted(before ^ now):
            message = {"type": "here", "room": self.room.settings.id, "seat": seat}
            self._send(others, {**message, "here": seat in now})

    # Bots

    @property
    def in_use(self) -> bool:
        """True when the room must stay in memory: for a client, a bot, a change or a clock."""
        clocks = self.room.clocks
        ticking = clocks is not None and clocks.running is not None and not self.room.over
        return bool(self.subscriptions or self._bot_tasks or self.lock.locked() or ticking)

    def _is_paced(self) -> bool:
        """True where bots wait before each move, and move only while someone is watching."""
        return self.room.live or not self.room.human_seats

    def _bot_may_move(self, seat: int) -> bool:
        room = self.room
        watched = bool(self.subscriptions) or not self._is_paced()
        return watched and room.is_bot(seat) and room.may_move(seat)

    def start_bots(self) -> None:
        """Starts every bot that may move and is not thinking yet."""
        for seat in range(self.room.game.seats):
            if seat not in self._bot_tasks and self._bot_may_move(seat):
                self._bot_tasks[seat] = asyncio.create_task(self._run_bot(seat))

    async def _run_bot(self, seat: int) -> None:
        """Chooses and plays moves for as long as the bot may move."""
        room, lobby = self.room, self.lobby
        try:
            wait = self._is_paced()
            while self._bot_may_move(seat):
                if wait:
                    await asyncio.sleep(room.settings.pace)
                    if not self._bot_may_move(seat):
                        return
                state, number = room.state, room.number
                settings, text = room.settings, room.bot_text(seat)
                move = await lobby.pool.choose_move(settings.id, seat, text, settings.seed, state)
                wait = await self._play_for_bot(seat, move, number) and self._is_paced()
        except Exception:
            log.exception("the bot of seat %d in room %s failed", seat, room.settings.id)
        finally:
            self._bot_tasks.pop(seat, None)

    async def _play_for_bot(self, seat: int, move: str, number: int) -> bool:
        """Plays the move of a bot; returns False if the board has changed: it must choose again."""
        async with self.locked():
            time = self.lobby.time()
            await self._flag(time)
            if not self._bot_may_move(seat):
                return True
            try:
                event = self.room.play(seat, move, number, time, by_bot=True)
            except (RequestError, IllegalMove):
                return False
            await self.persist(event)
        self.start_bots()
        return True

    def stop(self) -> None:
        """Cancels the bots' tasks."""
        for task in self._bot_tasks.values():
            task.cancel()
