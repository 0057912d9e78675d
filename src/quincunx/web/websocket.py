"""One WebSocket connection: messages from a page or a bot, answers and events to it."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from starlette.types import Receive, Send

from quincunx.draw.animation import Animation
from quincunx.rooms import explore
from quincunx.rooms.messages import (
    Message,
    RequestError,
    as_request_error,
    dumps,
    loads,
    message_ref,
    validate,
)
from quincunx.rooms.room import Event, GameRoom
from quincunx.rooms.session import RoomSession, Subscription
from quincunx.web.middleware import TRY_AGAIN_LATER

if TYPE_CHECKING:
    from quincunx.rooms.lobby import Lobby
    from quincunx.web.limits import RateLimiter

MAX_ROOMS = 8  # that one connection can join
MAX_QUEUED_CHARS = 8 << 20  # a client that does not read this much is disconnected
RATE_DELAY_SECONDS = 0.05  # before the answer to a message over the rate limit
MAX_RATE_LIMITED_CHARS = 1000  # a longer message over the rate limit is answered without ref
MAX_SHORT_MOVES = 200  # more moves than this are replayed as a long task

log = logging.getLogger("quincunx.web")

Handler: TypeAlias = Callable[["WebSocketConnection", Message, Any], Awaitable[None]]


class WebSocketConnection:
    """The connection of one client; a subscriber of the rooms that it has joined."""

    def __init__(
        self, receive: Receive, send: Send, lobby: Lobby, limiter: RateLimiter, address: str
    ) -> None:
        self.lobby = lobby
        self._receive = receive
        self._send = send
        self._bucket = limiter.bucket("messages", address)
        self._count_new_room = partial(limiter.count_new_room, address)
        self._sessions: dict[str, RoomSession] = {}
        self._secrets: dict[tuple[str, int], str] = {}
        self._queue: deque[str] = deque()
        self._queued_chars = 0
        self._wake_writer = asyncio.Event()
        self._closed = False
        self._tasks: dict[str, asyncio.Task[None]] = {}  # the analysis, hint or review in progress

    # Sending

    def send(self, text: str) -> None:
        """Queues a message without waiting; disconnects a client that does not read."""
        if self._closed:
            return
        self._queue.append(text)
        self._queued_chars += len(text)
        self._wake_writer.set()
        if self._queued_chars > MAX_QUEUED_CHARS:
            self.close()

    def close(self) -> None:
        """Drops the queue and closes the connection."""
        self._closed = True
        self._wake_writer.set()

    async def _write(self) -> None:
        """Sends queued messages until the connection is closed."""
        with suppress(OSError, RuntimeError):  # the client is gone; the reader notices it too
            while not self._closed:
                await self._wake_writer.wait()
                self._wake_writer.clear()
                while self._queue and not self._closed:
                    text = self._queue.popleft()
                    self._queued_chars -= len(text)
                    await self._send({"type": "websocket.send", "text": text})
            await self._send({"type": "websocket.close", "code": TRY_AGAIN_LATER})

    def answer(self, kind: str, ref: Any, **fields: Any) -> None:
        """Answers a message, with its ref if it has one."""
        message = {"type": kind, **fields}
        self.send(dumps(message if ref is None else {**message, "ref": ref}))

    def _acknowledge(self, ref: Any) -> None:
        """Answers `ok` to a message with a ref."""
        if ref is not None:
            self.answer("ok", ref)

    # Receiving

    async def run(self) -> None:
        """Serves the connection until either side closes it."""
        await self._receive()  # websocket.connect
        await self._send({"type": "websocket.accept"})
        writer = asyncio.create_task(self._write())
        try:
            while (received := await self._receive())["type"] != "websocket.disconnect":
                await self._handle(received.get("text"))
        finally:
            self._closed = True
            writer.cancel()
            for task in self._tasks.values():
                task.cancel()
            for session in self._sessions.values():
                session.leave(self)

    async def _handle(self, text: str | None) -> None:
        """Handles one message; an invalid one is answered by an error and changes nothing."""
        ref = None
        try:
            if text is None:
                raise RequestError("json", "binary messages are not supported: send text")
            if not self._bucket.take():
                await asyncio.sleep(RATE_DELAY_SECONDS)  # also slows down reading
                ref = message_ref(loads(text)) if len(text) < MAX_RATE_LIMITED_CHARS else None
                raise RequestError("rate", "too many messages; try again in a moment")
            value = loads(text)
            ref = message_ref(value)
            message = validate(value)
            await self._handlers[message["type"]](self, message, ref)
        except Exception as error:
            self._answer_error(error, ref)

    def _answer_error(self, cause: Exception, ref: Any) -> None:
        """Answers with an error; an unexpected one is logged and answered as `busy`."""
        try:
            error = as_request_error(cause)
        except Exception:
            log.exception("handling a message failed")
            error = RequestError("busy", "internal error; try again")
        self.answer("error", ref, **error.as_dict())

    # Rooms

    def _session(self, message: Message) -> RoomSession:
        """Returns the session of a message's room; raises RequestError if it was not joined."""
        session = self._sessions.get(message["room"])
        if session is None:
            raise RequestError("room", "this connection has not joined the room", "room")
        return session

    def _own_seat(self, message: Message) -> tuple[RoomSession, int]:
        """Returns the session and the seat of a message; the seat must be the sender's own."""
        session, seat = self._session(message), message["seat"]
        _check_seat(session.room, seat, "seat")
        if seat not in session.subscriptions[self].seats:
            raise RequestError("secret", "this seat is not yours: join with its secret", "seat")
        return session, seat

    async def _join(self, message: Message, ref: Any) -> None:
        room_id = message["room"]
        if len(self._sessions) >= MAX_ROOMS and room_id not in self._sessions:
            raise RequestError("busy", f"a connection can join at most {MAX_ROOMS} rooms", "room")
        session = await self.lobby.session(room_id)
        secrets = message.get("secrets", {})
        for seat, secret in secrets.items():
            _check_seat(session.room, seat, "secrets")
            if not session.room.is_secret_of(seat, secret):
                raise RequestError("secret", f"wrong secret for seat {seat}", "secrets")
        subscription = Subscription(
            tuple(sorted(secrets)), message.get("view", "moves"), message.get("flip", False)
        )
        self._secrets |= {(room_id, seat): secret for seat, secret in secrets.items()}
        snapshot = await session.join(self, subscription)
        self._sessions[room_id] = session
        self.answer(snapshot.pop("type"), ref, **snapshot)

    async def _leave(self, message: Message, ref: Any) -> None:
        self._session(message).leave(self)
        del self._sessions[message["room"]]
        self._acknowledge(ref)

    async def _look(self, message: Message, ref: Any) -> None:
        session = self._session(message)
        picture = await session.look(self, message.get("flip", False))
        room = session.room
        self.answer("picture", ref, room=message["room"], number=room.number, picture=picture)

    async def _change(
        self, message: Message, ref: Any, make_event: Callable[[GameRoom, int, int], Event]
    ) -> None:
        """Makes an event for the sender's seat; `make_event` gets room, seat and time."""
        time = self.lobby.time()
        session, seat = self._own_seat(message)
        await session.change(lambda room, now: make_event(room, seat, now), time)
        self._acknowledge(ref)

    async def _play(self, message: Message, ref: Any) -> None:
        move, number = message["move"], message["number"]
        await self._change(message, ref, lambda room, seat, now: room.play(seat, move, number, now))

    async def _undo(self, message: Message, ref: Any) -> None:
        own_seats, number = self._own_seat(message)[0].subscriptions[self].seats, message["number"]
        await self._change(
            message, ref, lambda room, seat, now: room.undo(seat, number, now, own_seats)
        )

    async def _answer(self, message: Message, ref: Any) -> None:
        yes, number = message["yes"], message["number"]
        await self._change(
            message, ref, lambda room, seat, now: room.answer(seat, yes, number, now)
        )

    async def _resign(self, message: Message, ref: Any) -> None:
        await self._change(message, ref, lambda room, seat, now: room.resign(seat, now))

    async def _pause(self, message: Message, ref: Any) -> None:
        await self._change(message, ref, lambda room, seat, now: room.pause(seat, now))

    async def _resume(self, message: Message, ref: Any) -> None:
        await self._change(message, ref, lambda room, seat, now: room.resume(seat, now))

    async def _name(self, message: Message, ref: Any) -> None:
        name = message["name"]
        await self._change(message, ref, lambda room, seat, now: room.name(seat, name, now))

    async def _rematch(self, message: Message, ref: Any) -> None:
        session, seat = self._own_seat(message)
        own_seats = session.subscriptions[self].seats
        await session.request_rematch(seat, own_seats, self._count_new_room)
        self._acknowledge(ref)

    def secret(self, room_id: str, seat: int) -> str:
        """Returns the secret with which a seat was joined."""
        return self._secrets[room_id, seat]

    # Positions and analysis

    async def _at(self, message: Message, ref: Any) -> None:
        room, flip = self._session(message).room, message.get("flip", False)
        state = explore.position_after(room, message["plies"])
        animation = await self.lobby.pool.run_short(lambda: Animation(state, flip))
        self.answer(
            "picture",
            ref,
            room=message["room"],
            plies=message["plies"],
            picture=animation.picture,
            status=state.status,
            text=state.text,
            turn=state.turn,
            scores=state.scores,
        )

    async def _variation(self, message: Message) -> explore.Variation:
        """Returns the variation of a message, from a room or from a game."""
        if "room" in message:
            room_id = message["room"]
            session = self._sessions.get(room_id) or await self.lobby.session(room_id)
            return explore.variation_of_room(session.room, message)
        if "game" not in message:
            raise RequestError("message", "the field game or room is missing", "game")
        game = self.lobby.game(message["game"], message.get("options"))
        return await self.lobby.pool.run_short(lambda: explore.variation_of_game(game, message))

    async def _explore(self, message: Message, ref: Any) -> None:
        variation = await self._variation(message)
        is_long = len(variation.moves) > MAX_SHORT_MOVES
        run = self.lobby.pool.run_long if is_long else self.lobby.pool.run_short
        fields = await run(lambda: explore.position_fields(variation, message))
        self.answer("position", ref, **fields)

    def _start_task(self, kind: str, ref: Any, work: Callable[[], Awaitable[None]]) -> None:
        """Starts a background task; cancels the previous one of the same kind."""

        async def run() -> None:
            try:
                await work()
            except Exception as error:
                self._answer_error(error, ref)

        self._cancel_task(kind)
        self._tasks[kind] = asyncio.create_task(run())

    def _cancel_task(self, kind: str) -> None:
        task = self._tasks.pop(kind, None)
        if task is not None:
            task.cancel()

    async def _hint(self, message: Message, ref: Any) -> None:
        session, seat = self._own_seat(message)
        room = session.room
        if not room.may_move(seat) or room.is_bot(seat):
            raise RequestError("turn", "a hint is possible only on your turn", "seat")
        if len(room.human_seats) > 1:
            text = "hints are not allowed in a game with other people"
            raise RequestError("refused", text, "room")
        state, number = room.state, room.number

        async def work() -> None:
            fields = await self.lobby.pool.run_long(lambda: explore.hint_fields(state, seat))
            self.answer("hint", ref, room=message["room"], seat=seat, number=number, **fields)

        self._start_task("hint", ref, work)

    async def _analyse(self, message: Message, ref: Any) -> None:
        if "room" in message:
            room = (await self.lobby.session(message["room"])).room
            if not room.over and len(room.human_seats) > 1:
                text = "analysis of a running game with other people is not allowed"
                raise RequestError("refused", text, "room")
        variation = await self._variation(message)
        state = await self.lobby.pool.run_short(variation.last_position)
        if state.over:
            raise RequestError("over", "the game is over in this position", "moves")
        seat = explore.seat_to_move(state, message.get("seat"))
        seconds = message.get("seconds", 5.0)

        async def work() -> None:
            spent = 0.0
            for limit in explore.analysis_times(seconds):
                analyse = partial(explore.analysis_fields, state, seat, limit)
                fields = await self.lobby.pool.run_long(analyse)
                spent += limit
                done = fields["exact"] or spent >= seconds - 1e-6
                self.answer("opinions", ref, **fields, seconds=round(spent, 2), done=done)
                if done:
                    return

        self._start_task("analyse", ref, work)

    async def _mistakes(self, message: Message, ref: Any) -> None:
        session = await self.lobby.session(message["room"])
        if not session.room.over:
            text = "a review is possible only after the game has ended"
            raise RequestError("refused", text, "room")

        async def work() -> None:
            async for progress, mistakes in self.lobby.mistakes(session):
                done = progress >= 1
                fields = {"moves": mistakes} if done else {"progress": progress}
                self.answer("mistakes", ref, room=message["room"], done=done, **fields)

        self._start_task("mistakes", ref, work)

    async def _stop(self, message: Message, ref: Any) -> None:
        for kind in list(self._tasks):
            self._cancel_task(kind)
        self._acknowledge(ref)

    async def _ping(self, message: Message, ref: Any) -> None:
        self.answer("pong", ref)

    _handlers: ClassVar[dict[str, Handler]] = {
        "join": _join,
        "leave": _leave,
        "look": _look,
        "play": _play,
        "undo": _undo,
        "answer": _answer,
        "resign": _resign,
        "pause": _pause,
        "resume": _resume,
        "rematch": _rematch,
        "name": _name,
        "at": _at,
        "hint": _hint,
        "explore": _explore,
        "analyse": _analyse,
        "mistakes": _mistakes,
        "stop": _stop,
        "ping": _ping,
    }


def _check_seat(room: GameRoom, seat: int, where: str) -> None:
    """Raises RequestError unless the room has the seat."""
    if seat >= room.game.seats:
        text = f"invalid seat {seat}: expected 0 to {room.game.seats - 1}"
        raise RequestError("seat", text, where)
