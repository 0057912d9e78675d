"""One client's connection: its requests, the rooms it has joined, its analyses.

The host passes on the texts that it receives to `handle`, is given the texts to send, and calls
`close` when the client is gone.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, TypeAlias, TypeVar

from quincunx.game import Game, State
from quincunx.rooms import explore, messages
from quincunx.rooms.answers import (
    ErrorMessage,
    MistakesMessage,
    OkMessage,
    PictureMessage,
    PongMessage,
    RoomMessage,
    ServerMessage,
)
from quincunx.rooms.assistance import HINT, check_analysis, check_hint, mark_analysis
from quincunx.rooms.broadcast import Acknowledgement
from quincunx.rooms.errors import RequestError, as_request_error
from quincunx.rooms.events import Event
from quincunx.rooms.lobby import Lobby
from quincunx.rooms.room import GameRoom
from quincunx.rooms.session import RoomSession
from quincunx.rooms.views import Subscription
from quincunx.rooms.work_queue import Work, WorkQueue

MAX_ROOMS = 8  # that one connection can join
RATE_DELAY_SECONDS = 0.05  # before the answer to a message over the rate limit
MAX_RATE_LIMITED_CHARS = 1000  # a longer message over the rate limit is answered without ref

log = logging.getLogger("quincunx.rooms")

T = TypeVar("T")

Handler: TypeAlias = Callable[["Connection", Any], Awaitable[None]]
MakeEvent: TypeAlias = Callable[[GameRoom, int, int], Event]  # given room, seat and time


class Connection:
    """The connection of one client; a subscriber of the rooms that it has joined."""

    def __init__(
        self,
        lobby: Lobby,
        send: Callable[[str], None],
        disconnect: Callable[[], None],
        take_token: Callable[[], bool] = lambda: True,
        count_new_room: Callable[[], None] = lambda: None,
        parse: Callable[[str], messages.Request] = messages.parse,
        client: str = "",
        count_error: Callable[[str], None] = lambda code: None,
        rooms_per_day: int | None = None,
    ) -> None:
        """Starts a connection.

        `send` queues a text without waiting, `disconnect` ends the connection, `take_token` is
        False when the client sends too much, and `count_new_room` raises RequestError when it
        creates too many rooms. `client` names it in queues, such as by its network address.
        `count_error` is given the code of every error that is answered. `rooms_per_day` limits the
        rooms of an owner, if its client requests another one by a rematch.
        """
        self.lobby = lobby
        self.send = send
        self.disconnect = disconnect
        self._take_token = take_token
        self._count_new_room = count_new_room
        self._parse = parse
        self._client = client
        self._count_error = count_error
        self._rooms_per_day = rooms_per_day
        self._sessions: dict[str, RoomSession] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}  # the analysis, hint or review in progress
        self._pictures = WorkQueue(self.reject)

    def close(self) -> None:
        """Leaves all rooms and cancels all tasks."""
        for task in self._tasks.values():
            task.cancel()
        self._pictures.close()
        for session in self._sessions.values():
            session.leave(self)
        self._sessions.clear()

    # Messages

    async def handle(self, text: str) -> None:
        """Handles one message; an invalid one is answered by an error and changes nothing."""
        if not self._take_token():
            await self.lobby.clock.sleep(RATE_DELAY_SECONDS)  # also slows down reading
            ref = _ref_in(text) if len(text) < MAX_RATE_LIMITED_CHARS else None
            self.reject(RequestError("rate", "too many messages; try again in a moment"), ref)
            return
        try:
            request = self._parse(text)
        except RequestError as error:
            self.reject(error, _ref_in(text))
            return
        try:
            await self._handlers[request.type](self, request)
        except Exception as error:
            self.reject(error, request.ref)

    def answer(self, message: ServerMessage) -> None:
        """Sends the answer to a request."""
        self.send(self.lobby.encode(message))

    def _acknowledge(self, request: messages.Request, event: Event | None = None) -> None:
        """Answers `ok` to a request with a ref; `event` is what the request made."""
        if request.ref is not None:
            self.answer(OkMessage(ref=request.ref, number=event.number if event else None))

    def reject(self, cause: Exception, ref: Any = None) -> None:
        """Answers with an error; an unexpected one is logged and answered as `busy`."""
        try:
            error = as_request_error(cause)
        except Exception:
            log.error("handling a message failed", exc_info=cause)
            error = RequestError("busy", "internal error; try again")
        self._count_error(error.code)
        self.answer(ErrorMessage(ref=ref, **error.as_dict()))

    # Rooms

    def _session(self, room_id: str) -> RoomSession:
        """Returns the session of a room; raises RequestError if it was not joined."""
        session = self._sessions.get(room_id)
        if session is None:
            raise RequestError("room", "this connection has not joined the room", "room")
        return session

    def _own_session(self, request: messages.SeatRequest) -> RoomSession:
        """Returns the session of a request; raises RequestError if the seat is not the sender's."""
        session = self._session(request.room)
        _check_seat(session.room, request.seat, "seat")
        session.seats_of(self, request.seat)
        return session

    async def _join(self, request: messages.Join) -> None:
        room_id = request.room
        if len(self._sessions) >= MAX_ROOMS and room_id not in self._sessions:
            raise RequestError("busy", f"a connection can join at most {MAX_ROOMS} rooms", "room")
        session = await self.lobby.session(room_id)
        secrets = request.secrets
        for seat in secrets:
            _check_seat(session.room, seat, "secrets")
        seats = tuple(sorted(secrets))
        subscription = Subscription(seats, request.view, request.flip, secrets, request.ack)

        def answer(snapshot: RoomMessage) -> None:
            self._sessions[room_id] = session
            self.answer(replace(snapshot, ref=request.ref))

        try:
            await session.join(self, subscription, answer)
        except BaseException:
            if self not in session.subscriptions:  # a wrong secret changes nothing
                self._sessions.pop(room_id, None)
            raise

    async def _confirm(self, request: messages.Confirm) -> None:
        session = self._session(request.room)
        for seat in request.secrets:
            _check_seat(session.room, seat, "secrets")
        await session.confirm(self, request.secrets)
        self._acknowledge(request)

    async def _leave(self, request: messages.Leave) -> None:
        self._session(request.room).leave(self)
        del self._sessions[request.room]
        self._acknowledge(request)

    async def _look(self, request: messages.Look) -> None:
        session = self._session(request.room)

        def answer(picture: PictureMessage) -> None:
            self.answer(replace(picture, ref=request.ref))

        await session.look(self, request.flip, answer)

    async def _change(self, request: messages.SeatRequest, make_event: MakeEvent) -> None:
        """Makes an event for the sender's seat, and acknowledges the request when it is stored."""
        time, seat = self.lobby.clock.uptime(), request.seat
        session = self._own_session(request)

        def make(room: GameRoom, now: int) -> Event:
            session.seats_of(self, seat)  # which may have been lost while waiting for the room
            return make_event(room, seat, now)

        acknowledgement = Acknowledgement(self, request.ref) if request.ref is not None else None
        event = await session.change(make, time, acknowledgement)
        if acknowledgement is not None and not acknowledgement.sent:
            self._acknowledge(request, event)

    async def _play(self, request: messages.Play) -> None:
        move, number = request.move, request.number
        await self._change(request, lambda room, seat, now: room.play(seat, move, number, now))

    async def _undo(self, request: messages.Undo) -> None:
        session, number = self._own_session(request), request.number

        def undo(room: GameRoom, seat: int, now: int) -> Event:
            return room.undo(seat, number, now, session.seats_of(self, seat))

        await self._change(request, undo)

    async def _answer(self, request: messages.Answer) -> None:
        yes, number = request.yes, request.number
        if yes and self._own_session(request).room.is_asked_for_rematch(request.seat):
            await self._rematch(request)
            return
        await self._change(request, lambda room, seat, now: room.answer(seat, yes, number, now))

    async def _resign(self, request: messages.Resign) -> None:
        await self._change(request, lambda room, seat, now: room.resign(seat, now))

    async def _pause(self, request: messages.Pause) -> None:
        session = self._own_session(request)

        def pause(room: GameRoom, seat: int, now: int) -> Event:
            return room.pause(seat, now, session.seats_of(self, seat))

        await self._change(request, pause)

    async def _resume(self, request: messages.Resume) -> None:
        await self._change(request, lambda room, seat, now: room.resume(seat, now))

    async def _name(self, request: messages.Name) -> None:
        await self._change(request, lambda room, seat, now: room.name(seat, request.name, now))

    async def _rematch(self, request: messages.SeatRequest) -> None:
        session = self._own_session(request)
        event = await session.request_rematch(
            self, request.seat, self._count_new_room, self._rooms_per_day
        )
        self._acknowledge(request, event)

    # Positions and analysis

    async def _at(self, request: messages.At) -> None:
        room = await self._session(request.room).stored_room()
        past, encode = explore.past_position(room, request.plies), self.lobby.encode

        async def work() -> None:
            self.send(await self._run_process(explore.encoded_past_picture, past, request, encode))

        self._pictures.add(request, work)

    async def _run_process(self, function: Callable[..., T], *arguments: Any) -> T:
        """Returns the result of a function that would hold up all rooms."""
        return await self.lobby.pool.run_process(function, *arguments, client=self._client)

    async def _past_position(self, request: messages.BoardRequest) -> explore.PastPosition | None:
        """Returns the position of a room that a request begins with; None without a room."""
        if request.room is None:
            return None
        session = await self.lobby.session(request.room)
        return explore.first_of_variation(await session.stored_room(), request)

    def _game(self, request: messages.BoardRequest) -> Game:
        """Returns the game of a request without a room."""
        if request.game is None:
            raise RequestError("message", "the field game or room is missing", "game")
        game = self.lobby.games.game(request.game, request.options)
        return game if request.rules is None else game.as_played(request.rules)

    async def _answer_position(self, request: messages.BoardRequest) -> None:
        """Queues the answer to `explore`, `explain` or `preview`."""
        if request.room is not None and request.moves:  # more than looking at the game itself
            session = await self.lobby.session(request.room)
            room = await session.stored_room()
            await mark_analysis(session, room, self._seats(session))
        past, encode = await self._past_position(request), self.lobby.encode
        in_room, in_game = explore.POSITION_ANSWERS[request.type]
        call = (in_room, past) if past is not None else (in_game, self._game(request))

        async def work() -> None:
            self.send(await self._run_process(*call, request, encode))

        self._pictures.add(request, work)

    async def _last_position(self, request: messages.BoardRequest) -> State:
        """Returns the position after all moves of a request."""
        past = await self._past_position(request)
        if past is not None:
            return await self._run_process(explore.last_position_of_room, past, request)
        return await self._run_process(explore.last_position_of_game, self._game(request), request)

    def _start_task(self, request: messages.Request, work: Work) -> None:
        """Starts a background task; cancels the previous one of the same kind."""

        async def run() -> None:
            try:
                await work()
            except Exception as error:
                self.reject(error, request.ref)

        self._cancel_task(request.type)
        self._tasks[request.type] = asyncio.create_task(run())

    def _cancel_task(self, kind: str) -> None:
        task = self._tasks.pop(kind, None)
        if task is not None:
            task.cancel()

    def _seats(self, session: RoomSession) -> tuple[int, ...]:
        """Returns the seats in a room with which this connection has joined."""
        subscription = session.subscriptions.get(self)
        return subscription.seats if subscription else ()

    async def _hint(self, request: messages.Hint) -> None:
        session, seat = self._own_session(request), request.seat
        room = await session.stored_room()
        check_hint(room, seat, self._seats(session))
        await session.assist(seat, HINT)
        check_hint(room, seat, self._seats(session))  # the game may have ended meanwhile
        state, number = room.state, room.number

        async def work() -> None:
            find_hint = partial(explore.hint_message, state, number, request)
            self.answer(await self.lobby.pool.run_long(find_hint, self._client))

        self._start_task(request, work)

    async def _analyse(self, request: messages.Analyse) -> None:
        if request.room is not None:
            session = await self.lobby.session(request.room)
            room, seats = await session.stored_room(), self._seats(session)
            check_analysis(room, seats)
            await mark_analysis(session, room, seats)

        async def work() -> None:
            state = await self._last_position(request)
            if state.over:
                raise RequestError("over", "the game is over in this position", "moves")
            seat, spent = explore.seat_to_move(state, request.seat), 0.0
            for limit in explore.analysis_times(request.seconds):
                spent += limit
                analyse = partial(explore.opinions_message, state, seat, limit, spent, request)
                opinions = await self.lobby.pool.run_long(analyse, self._client)
                self.answer(opinions)
                if opinions.done:
                    return

        self._start_task(request, work)

    async def _mistakes(self, request: messages.Mistakes) -> None:
        room = await (await self.lobby.session(request.room)).stored_room()
        if not room.over:
            text = "a review is possible only after the game has ended"
            raise RequestError("refused", text, "room")

        async def work() -> None:
            async for progress, mistakes in self.lobby.mistakes(room, self._client):
                done = progress >= 1
                message = MistakesMessage(
                    ref=request.ref,
                    room=request.room,
                    done=done,
                    progress=None if done else progress,
                    moves=mistakes if done else None,
                )
                self.answer(message)

        self._start_task(request, work)

    async def _stop(self, request: messages.Stop) -> None:
        for kind in list(self._tasks):
            self._cancel_task(kind)
        self._acknowledge(request)

    async def _ping(self, request: messages.Ping) -> None:
        self.answer(PongMessage(ref=request.ref))

    _handlers: ClassVar[dict[str, Handler]] = {
        "join": _join,
        "confirm": _confirm,
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
        "explore": _answer_position,
        "explain": _answer_position,
        "preview": _answer_position,
        "analyse": _analyse,
        "mistakes": _mistakes,
        "stop": _stop,
        "ping": _ping,
    }


def _ref_in(text: str) -> Any:
    """Returns the ref of a message that cannot be handled, if it can be read."""
    try:
        return messages.message_ref(messages.loads(text))
    except RequestError:
        return None


def _check_seat(room: GameRoom, seat: int, where: str) -> None:
    """Raises RequestError unless the room has the seat."""
    if seat >= room.game.seats:
        text = f"invalid seat {seat}: expected 0 to {room.game.seats - 1}"
        raise RequestError("seat", text, where)
