"""The WebSocket door: one socket per page, messages in, answers and events out."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from starlette.types import Receive, Send

from quincunx.draw.animation import Animation
from quincunx.web import study
from quincunx.web.rooms import Event, Room
from quincunx.web.table import Table, Viewer
from quincunx.web.wire import Message, Refused, checked, dumps, loads, ref_of, refusal

if TYPE_CHECKING:
    from quincunx.web.gate import Gate
    from quincunx.web.hall import Hall

MOST_ROOMS = 8  # rooms that one socket looks at
MOST_WAITING = 8 << 20  # letters that wait for somebody who does not read
BREATH = 0.05  # seconds
SHORT = 1000  # letters
MANY = 200  # moves that take a while to play
TOO_SLOW = 1013  # the close code for "try again later"

log = logging.getLogger("quincunx.web")


class Socket:
    """One page or bot at the other end."""

    def __init__(self, receive: Receive, send: Send, hall: Hall, gate: Gate, address: str) -> None:
        self.hall = hall
        self._receive = receive
        self._send = send
        self._bucket = gate.bucket("messages", address)
        self._new_room = partial(gate.new_room, address)
        self._tables: dict[str, Table] = {}
        self._secrets: dict[tuple[str, int], str] = {}
        self._out: deque[str] = deque()
        self._waiting = 0
        self._more = asyncio.Event()
        self._closed = False
        self._thoughts: dict[str, asyncio.Task[None]] = {}  # one of each kind at a time

    # Out

    def send(self, text: str) -> None:
        """Puts a message on its way, without waiting; who never reads is sent away."""
        if self._closed:
            return
        self._out.append(text)
        self._waiting += len(text)
        self._more.set()
        if self._waiting > MOST_WAITING:
            self.close()

    def close(self) -> None:
        """Sends nothing more, and hangs up."""
        self._closed = True
        self._more.set()

    async def _write(self) -> None:
        """Sends what is waiting, again and again."""
        with suppress(OSError, RuntimeError):  # nobody there: the reader hears of that, too
            while not self._closed:
                await self._more.wait()
                self._more.clear()
                while self._out and not self._closed:
                    text = self._out.popleft()
                    self._waiting -= len(text)
                    await self._send({"type": "websocket.send", "text": text})
            await self._send({"type": "websocket.close", "code": TOO_SLOW})

    def answer(self, kind: str, ref: Any, **fields: Any) -> None:
        """Answers a message, with its ref if it has one."""
        message = {"type": kind, **fields}
        self.send(dumps(message if ref is None else {**message, "ref": ref}))

    def _fine(self, ref: Any) -> None:
        """Answers that something was done, to whoever marked the message with a ref."""
        if ref is not None:
            self.answer("ok", ref)

    # In

    async def run(self) -> None:
        """Serves the socket until one of the two ends hangs up."""
        await self._receive()  # the wish to connect
        await self._send({"type": "websocket.accept"})
        writer = asyncio.create_task(self._write())
        try:
            while (received := await self._receive())["type"] != "websocket.disconnect":
                await self._hear(received.get("text"))
        finally:
            self._closed = True
            writer.cancel()
            for thought in self._thoughts.values():
                thought.cancel()
            for table in self._tables.values():
                table.leave(self)

    async def _hear(self, text: str | None) -> None:
        """Answers one message; whatever is wrong with it, it gets an error and changes nothing."""
        ref = None
        try:
            if text is None:
                raise Refused("json", "messages are texts")
            if not self._bucket.take():
                await asyncio.sleep(BREATH)  # whoever sends too much is read more slowly
                ref = ref_of(loads(text)) if len(text) < SHORT else None
                raise Refused("rate", "too many messages: wait a little")
            value = loads(text)
            ref = ref_of(value)
            message = checked(value)
            await self._handlers[message["type"]](self, message, ref)
        except Exception as error:
            self._refuse(error, ref)

    def _refuse(self, error: Exception, ref: Any) -> None:
        """Answers with an error; what nobody expected is logged and told as `busy`."""
        try:
            refused = refusal(error)
        except Exception:
            log.exception("a message failed")
            refused = Refused("busy", "something failed here; try again")
        self.answer("error", ref, **refused.as_dict())

    def _table(self, message: Message) -> Table:
        """The room of a message, which must have been joined."""
        table = self._tables.get(message["room"])
        if table is None:
            raise Refused("room", "join the room first", "room")
        return table

    def _own(self, message: Message) -> tuple[Table, int]:
        """The room and the seat of a message; the seat must be the sender's own."""
        table, seat = self._table(message), message["seat"]
        if seat >= table.room.game.seats:
            raise Refused("seat", "there is no such seat", "seat")
        if seat not in table.viewers[self].seats:
            raise Refused("secret", "this seat is not yours: join with its secret", "seat")
        return table, seat

    async def _join(self, message: Message, ref: Any) -> None:
        room = message["room"]
        if len(self._tables) >= MOST_ROOMS and room not in self._tables:
            raise Refused("busy", f"a socket looks at up to {MOST_ROOMS} rooms", "room")
        table = await self.hall.table(room)
        given = message.get("secrets", {})
        for seat, secret in given.items():
            if seat >= table.room.game.seats:
                raise Refused("seat", "there is no such seat", "secrets")
            if not table.room.owns(seat, secret):
                raise Refused("secret", f"this is not the secret of seat {seat}", "secrets")
        viewer = Viewer(
            tuple(sorted(given)), message.get("view", "moves"), message.get("flip", False)
        )
        self._secrets |= {(room, seat): secret for seat, secret in given.items()}
        seen = await table.join(self, viewer)
        self._tables[room] = table
        self.answer(seen.pop("type"), ref, **seen)

    async def _leave(self, message: Message, ref: Any) -> None:
        self._table(message).leave(self)
        del self._tables[message["room"]]
        self._fine(ref)

    async def _look(self, message: Message, ref: Any) -> None:
        table = self._table(message)
        picture = await table.look(self, message.get("flip", False))
        room = table.room
        self.answer("picture", ref, room=message["room"], number=room.number, picture=picture)

    async def _change(
        self, message: Message, ref: Any, make: Callable[[Room, int, int], Event]
    ) -> None:
        """Lets the sender's seat do something."""
        time = self.hall.time()
        table, seat = self._own(message)
        await table.change(lambda room, now: make(room, seat, now), time)
        self._fine(ref)

    async def _play(self, message: Message, ref: Any) -> None:
        move, number = message["move"], message["number"]
        await self._change(message, ref, lambda room, seat, now: room.play(seat, move, number, now))

    async def _undo(self, message: Message, ref: Any) -> None:
        holds, number = self._own(message)[0].viewers[self].seats, message["number"]
        await self._change(
            message, ref, lambda room, seat, now: room.undo(seat, number, now, holds)
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
        table, seat = self._own(message)
        await table.wish(seat, table.viewers[self].seats, self._new_room)
        self._fine(ref)

    def secret(self, room: str, seat: int) -> str:
        """The secret with which a seat was joined."""
        return self._secrets[room, seat]

    # Looking and thinking

    async def _at(self, message: Message, ref: Any) -> None:
        room, flip = self._table(message).room, message.get("flip", False)
        state = study.position_of(room, message["plies"])
        animation = await self.hall.crew.do(lambda: Animation(state, flip))
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

    async def _studied(self, message: Message) -> study.Study:
        """The position that a message asks about."""
        if "room" in message:
            table = self._tables.get(message["room"]) or await self.hall.table(message["room"])
            return study.of_room(table.room, message)
        if "game" not in message:
            raise Refused("message", "the field game, or room, is missing", "game")
        game = self.hall.game(message["game"], message.get("options"))
        return await self.hall.crew.do(lambda: study.of_game(game, message))

    async def _explore(self, message: Message, ref: Any) -> None:
        asked = await self._studied(message)
        run = self.hall.crew.think if len(asked.moves) > MANY else self.hall.crew.do
        told = await run(lambda: study.explored(asked, message))
        self.answer("position", ref, **told)

    def _think(self, kind: str, ref: Any, work: Callable[[], Awaitable[None]]) -> None:
        """Begins a thought beside the other messages; one of the same kind ends."""

        async def thought() -> None:
            try:
                await work()
            except Exception as error:
                self._refuse(error, ref)

        self._end(kind)
        self._thoughts[kind] = asyncio.create_task(thought())

    def _end(self, kind: str) -> None:
        old = self._thoughts.pop(kind, None)
        if old is not None:
            old.cancel()

    async def _hint(self, message: Message, ref: Any) -> None:
        table, seat = self._own(message)
        room = table.room
        if not room.may_move(seat) or room.is_bot(seat):
            raise Refused("turn", "there is a hint for the one who is to move", "seat")
        if len(room.people) > 1:
            raise Refused("refused", "there are no hints in a game with other people", "room")
        state, number = room.state, room.number

        async def work() -> None:
            found = await self.hall.crew.think(lambda: study.hint(state, seat))
            self.answer("hint", ref, room=message["room"], seat=seat, number=number, **found)

        self._think("hint", ref, work)

    async def _analyse(self, message: Message, ref: Any) -> None:
        if "room" in message:
            room = (await self.hall.table(message["room"])).room
            if not room.over and len(room.people) > 1:
                text = "there is no analysis of a running game with other people"
                raise Refused("refused", text, "room")
        asked = await self._studied(message)
        state = await self.hall.crew.do(asked.last)
        if state.over:
            raise Refused("over", "the game is over in this position", "moves")
        seat = study.seat_to_move(state, message.get("seat"))
        seconds = message.get("seconds", 5.0)

        async def work() -> None:
            spent = 0.0
            for limit in study.limits(seconds):
                told = await self.hall.crew.think(partial(study.opinion, state, seat, limit))
                spent += limit
                done = told["exact"] or spent >= seconds - 1e-6
                self.answer("opinions", ref, **told, seconds=round(spent, 2), done=done)
                if done:
                    return

        self._think("analyse", ref, work)

    async def _mistakes(self, message: Message, ref: Any) -> None:
        table = await self.hall.table(message["room"])
        if not table.room.over:
            raise Refused("refused", "mistakes are looked for when the game is over", "room")

        async def work() -> None:
            async for progress, found in self.hall.mistakes(table):
                done = progress >= 1
                fields = {"moves": found} if done else {"progress": progress}
                self.answer("mistakes", ref, room=message["room"], done=done, **fields)

        self._think("mistakes", ref, work)

    async def _stop(self, message: Message, ref: Any) -> None:
        for kind in list(self._thoughts):
            self._end(kind)
        self._fine(ref)

    async def _ping(self, message: Message, ref: Any) -> None:
        self.answer("pong", ref)

    _handlers: ClassVar[dict[str, Callable[[Socket, Message, Any], Awaitable[None]]]] = {
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
