"""A room in memory with its subscribers and bots: one change at a time, stored, then broadcast."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Set
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from quincunx.errors import IllegalMove
from quincunx.rooms.answers import (
    HereMessage,
    PictureMessage,
    PlayerFields,
    RematchedMessage,
    RoomMessage,
    UnseatedMessage,
)
from quincunx.rooms.broadcast import (
    Acknowledgement,
    Arrival,
    Broadcaster,
    Subscriber,
    Update,
    members,
    unloaded_error,
)
from quincunx.rooms.clocks import Clocks
from quincunx.rooms.errors import RequestError
from quincunx.rooms.events import Event, RoomResult
from quincunx.rooms.room import GameRoom
from quincunx.rooms.seat_secrets import USED_TEXT, Admission, Standing, admit, standing
from quincunx.rooms.views import (
    LegalMoves,
    Subscription,
    event_fields,
    player_fields,
    room_message,
)

if TYPE_CHECKING:
    from quincunx.rooms.lobby import Lobby

SESSION_BYTES = 16_384  # of a room without its moves and positions, roughly

log = logging.getLogger("quincunx.rooms")


class SessionLock(asyncio.Lock):
    """The lock of a session; holding it raises RequestError if the room has been unloaded.

    The room may have been loaded again, into another session.
    """

    def __init__(self, session: RoomSession) -> None:
        super().__init__()
        self._session = session

    async def __aenter__(self) -> None:
        """Acquires the lock."""
        await self.acquire()
        if self._session.is_unloaded:
            self.release()
            raise unloaded_error()


class RoomSession:
    """A room, its subscribers and its bots."""

    def __init__(self, room: GameRoom, lobby: Lobby) -> None:
        self.room = room
        game, seed = room.settings.game, room.settings.seed
        room.seed_is_shared = lambda: lobby.daily.is_secret(game, seed)
        self.lobby = lobby
        self.lock = SessionLock(self)
        self.last_used = lobby.clock.uptime()
        # The number of the last event that is on disk, and the clocks after it.
        self.stored_clocks: tuple[int, Clocks | None] = room.number, room.clocks
        self.summarised = -1  # the number of the last event in the stored summary
        self._broadcaster = Broadcaster(room.settings.id, lobby.pool, lobby.encode)
        self._legal = LegalMoves(room.state)
        self._bot_tasks: dict[int, asyncio.Task[None]] = {}

    # Changes

    def locked(self) -> SessionLock:
        """Returns the lock of the room, to be held during a change."""
        return self.lock

    @property
    def is_unloaded(self) -> bool:
        """True when the room has been removed from memory."""
        return self.lobby.sessions.get(self.room.settings.id) is not self

    async def stored_room(self) -> GameRoom:
        """Returns the room when all its events are on disk; read it before the next await."""
        async with self.locked():
            return self.room

    async def change(
        self,
        make_event: Callable[[GameRoom, int], Event],
        time: int,
        acknowledgement: Acknowledgement | None = None,
    ) -> Event:
        """Makes an event and stores it; a RequestError leaves the room unchanged.

        `time` is the host's uptime when the request came. Returns when the event is on disk. Its
        pictures are drawn afterwards.
        """
        async with self.locked():
            await self._flag(time)
            event = make_event(self.room, time)
            await self._persist(event, acknowledgement)
        return event

    async def assist(self, seat: int, by: str) -> None:
        """Marks a seat of a running game as assisted, once: its result no longer counts."""
        async with self.locked():
            time = self.lobby.clock.uptime()
            await self._flag(time)
            if not self.room.over and seat not in self.room.assisted:
                await self._persist(self.room.assist(seat, by, time))

    async def _persist(self, event: Event, acknowledgement: Acknowledgement | None = None) -> None:
        """Stores an event that has been applied, then passes it on to subscribers and bots.

        It was made by the uptime, by which clocks run, and is stored with the system's time. If it
        cannot be stored, the room is unloaded: memory must not be ahead of the disk.
        """
        room = self.room
        room.last_event_time = event.time = self.lobby.upkeep.event_time()
        try:
            await self.lobby.store.append(room.settings.id, event, self._result(event))
        except BaseException:
            self.lobby.unload(self)
            raise
        self.last_used = self.lobby.clock.uptime()
        self.stored_clocks = event.number, room.clocks
        if room.clocks:
            self.lobby.upkeep.watch_clock(room)
        if room.over:
            self.lobby.store_summary(self)
        if self._broadcaster.is_idle:
            self._broadcaster.forget_pictures()
        else:
            self._broadcaster.publish(self._update(event), acknowledgement)
        self.start_bots()

    def _update(self, event: Event) -> Update:
        """Returns what subscribers get to know of the last event."""
        room, played = self.room, event.kind == "play"
        return Update(
            members(self.lobby.encode(event_fields(room, event, self.lobby.clock.uptime()))),
            self._legal_moves(),
            room.people_to_move,
            played or event.kind == "undo",
            room.steps_of_last_move() if played and self._broadcaster.has_pages else None,
        )

    def _legal_moves(self) -> LegalMoves:
        """Returns the legal moves of the current position."""
        if self._legal.state is not self.room.state:
            self._legal = LegalMoves(self.room.state)
        return self._legal

    async def request_rematch(
        self,
        subscriber: Subscriber,
        seat: int,
        before_start: Callable[[], None],
        rooms_per_day: int | None = None,
    ) -> Event:
        """Requests a rematch for a seat; starts it in a new room when all people have requested it.

        `before_start` is called before the last request is accepted; it may raise RequestError.
        The rematch is one of the `rooms_per_day` that the owner of this room may have.
        """
        async with self.locked():
            room, seats, clock = self.room, self.room.game.seats, self.lobby.clock
            own_seats = self.seats_of(subscriber, seat)
            await self.lobby.check_quota(room.settings.owner, rooms_per_day)
            event, agreed = room.request_rematch(seat, clock.uptime(), own_seats, before_start)
            await self._persist(event)
            if not agreed:
                return event
            new_id = (await self.lobby.create_rematch(self)).room.settings.id
            event = room.set_rematch_room(seat, new_id, clock.uptime())
            await self._persist(event)
            old_id = room.settings.id
            for other, subscription in self.subscriptions.items():
                secrets = {
                    (own + 1) % seats: secret for own, secret in subscription.secrets.items()
                }
                message = RematchedMessage(room=old_id, to=new_id, secrets=secrets)
                self._broadcaster.send([other], message)
            return event

    async def flag(self) -> None:
        """Makes a seat whose time is up give up."""
        async with self.locked():
            await self._flag(self.lobby.clock.uptime())

    async def _flag(self, time: int) -> None:
        event = self.room.flag(time)
        if event:
            await self._persist(event)

    def _result(self, event: Event) -> RoomResult | None:
        """Returns the result to store with an event that ended the game; None for other events."""
        room, settings = self.room, self.room.settings
        if not room.over or event.kind not in ("play", "resign", "flag"):
            return None
        names = tuple(name or "" for name in room.names)
        fair = room.is_fair and self.lobby.daily.ends_in_time(settings, event.time)
        options = room.game.changed_options
        return RoomResult(
            settings.id, settings.game, options, settings.seed, settings.players, names,
            room.scores, room.winners, fair, settings.listed, event.time,
        )  # fmt: skip

    # Subscribers

    @property
    def subscriptions(self) -> dict[Subscriber, Subscription]:
        """The subscribers of the room, and what each has subscribed to."""
        return self._broadcaster.subscriptions

    @property
    def connected_seats(self) -> set[int]:
        """The seats of all subscribers."""
        return {seat for subscription in self.subscriptions.values() for seat in subscription.seats}

    def players(self) -> list[PlayerFields]:
        """Returns the player of each seat, for messages."""
        return player_fields(self.room, self.connected_seats)

    def snapshot(self, seats: tuple[int, ...] = ()) -> RoomMessage:
        """Returns the whole room as one with these seats may see it, without moves and picture."""
        now, daily = self.lobby.clock.uptime(), self.lobby.daily.day_of_room(self.room.settings)
        return replace(room_message(self.room, seats, self.connected_seats, now), daily=daily)

    async def join(
        self,
        subscriber: Subscriber,
        subscription: Subscription,
        answer: Callable[[RoomMessage], None],
    ) -> None:
        """Adds a subscriber, or changes its subscription; raises RequestError for a wrong secret.

        `answer` is given the first message, before any event that the message does not include is
        sent to the subscriber. Returns after that.
        """
        async with self.locked():
            before, to_move = self.connected_seats, self.room.people_to_move
            new_secret = self.lobby.randomness.secret
            admission = admit(self.room.settings.hashes, subscription.secrets, new_secret)
            await self._store_secrets(admission)
            self._unseat_others(admission.taken, subscriber)
            snapshot = replace(self.snapshot(subscription.seats), secrets=admission.issued or None)
            if subscription.view == "page":
                snapshot = replace(snapshot, controls=self.room.game.controls)

            def complete(fields: dict[str, Any]) -> None:
                # Who is connected may have changed while the picture was drawn.
                here, players = sorted(self.connected_seats), self.players()
                answer(replace(snapshot, seats_here=here, players=players, **fields))

            arrival = Arrival(subscriber, subscription, self._legal_moves(), to_move, complete)
            self._broadcaster.add(arrival)
            self._broadcast_presence(before, subscriber, admission.taken)
        self.last_used = self.lobby.clock.uptime()
        self.start_bots()
        try:
            await arrival.wait()
        except BaseException:
            self.leave(subscriber)
            raise

    async def confirm(self, subscriber: Subscriber, secrets: Mapping[int, str]) -> None:
        """Makes the invitations dead for which a subscriber was issued secrets, now its own."""
        async with self.locked():
            before = self.connected_seats
            admission = admit(self.room.settings.hashes, secrets, None)
            for seat in secrets:
                self.seats_of(subscriber, seat)
            await self._store_secrets(admission)
            if subscriber in self.subscriptions:  # it may have left meanwhile
                own = {**self.subscriptions[subscriber].secrets, **secrets}
                self._broadcaster.change_seats(subscriber, own)
            self._unseat_others(admission.taken, subscriber)
            self._broadcast_presence(before, None, admission.taken)

    async def _store_secrets(self, admission: Admission) -> None:
        """Stores the secrets of the seats if they have changed; unloads the room if that fails."""
        settings = self.room.settings
        if admission.hashes == settings.hashes:
            return
        try:
            await self.lobby.store.set_hashes(settings.id, admission.hashes)
        except BaseException:
            self.lobby.unload(self)
            raise
        self.room.settings = replace(settings, hashes=admission.hashes)

    def _unseat_others(self, taken: Set[int], owner: Subscriber) -> None:
        """Takes seats from all subscribers but their owner that have joined with a dead secret."""
        hashes = self.room.settings.hashes
        for other, subscription in list(self.subscriptions.items()):
            if other is owner:
                continue
            secrets = dict(subscription.secrets)
            for seat in sorted(taken & secrets.keys()):
                if standing(hashes[seat], secrets[seat]) is not Standing.VALID:
                    del secrets[seat]
                    room_id = self.room.settings.id
                    message = UnseatedMessage(room=room_id, seat=seat, text=USED_TEXT)
                    self._broadcaster.send([other], message)
            if len(secrets) < len(subscription.secrets):
                self._broadcaster.change_seats(other, secrets)

    def seats_of(self, subscriber: Subscriber, seat: int) -> tuple[int, ...]:
        """Returns the seats of a subscriber; raises RequestError unless `seat` is one of them."""
        subscription = self.subscriptions.get(subscriber)
        if subscription is None or seat not in subscription.seats:
            raise RequestError("secret", "this seat is not yours: join with its secret", "seat")
        return subscription.seats

    async def look(
        self, subscriber: Subscriber, flip: bool, answer: Callable[[PictureMessage], None]
    ) -> None:
        """Sets the side from which a subscriber sees the board.

        `answer` is given the picture and the number of the last event that it includes.
        """
        async with self.locked():
            room_id, number = self.room.settings.id, self.room.number
            subscription = replace(self.subscriptions[subscriber], flip=flip)
            arrival = Arrival(
                subscriber,
                subscription,
                self._legal_moves(),
                (),
                lambda fields: answer(
                    PictureMessage(room=room_id, number=number, picture=fields["picture"])
                ),
            )
            self._broadcaster.turn_board(arrival)
        await arrival.wait()

    def leave(self, subscriber: Subscriber) -> None:
        """Removes a subscriber."""
        before = self.connected_seats
        if self._broadcaster.remove(subscriber):
            self._broadcast_presence(before, subscriber)
            self.last_used = self.lobby.clock.uptime()

    def _broadcast_presence(
        self, before: set[int], sender: Subscriber | None, taken: Set[int] = frozenset()
    ) -> None:
        """Sends to all but the sender which seats are connected now, or no longer.

        `taken` are the seats whose invitation has just been used.
        """
        now, room_id = self.connected_seats, self.room.settings.id
        others = [subscriber for subscriber in self.subscriptions if subscriber is not sender]
        for seat in sorted((before ^ now).union(taken)):
            message = HereMessage(
                room=room_id, seat=seat, here=seat in now, taken=True if seat in taken else None
            )
            self._broadcaster.send(others, message)

    # Bots

    @property
    def in_use(self) -> bool:
        """True when the room must stay in memory: for a client, a bot or a change."""
        return bool(self.subscriptions or self._bot_tasks or self.lock.locked())

    @property
    def memory_bytes(self) -> int:
        """An estimate of the memory that the room takes."""
        return SESSION_BYTES + self.room.match.memory_bytes

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
                    await lobby.clock.sleep(room.settings.pace)
                    if not self._bot_may_move(seat):
                        return
                state, number = room.state, room.number
                settings, text = room.settings, room.bot_text(seat)
                action = await lobby.pool.choose_move(
                    settings.id, seat, text, settings.seed, state, settings.owner or settings.id
                )
                wait = await self._play_for_bot(seat, action, number) and self._is_paced()
        except Exception:
            log.exception("the bot of seat %d in room %s failed", seat, room.settings.id)
        finally:
            self._bot_tasks.pop(seat, None)

    async def _play_for_bot(self, seat: int, action: int, number: int) -> bool:
        """Plays the move of a bot; returns False if the board has changed: it must choose again."""
        async with self.locked():
            time = self.lobby.clock.uptime()
            await self._flag(time)
            if not self._bot_may_move(seat):
                return True
            try:
                event = self.room.play(seat, action, number, time, by_bot=True)
            except (RequestError, IllegalMove):
                return False
            await self._persist(event)
        return True

    def stop(self) -> None:
        """Cancels the bots' tasks and drops the queue of pictures."""
        self._broadcaster.stop()
        for task in self._bot_tasks.values():
            task.cancel()
