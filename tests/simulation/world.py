"""One simulated run: a server, its disk, a network and clients, from a script to its verdict."""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from random import Random
from typing import Any

from quincunx import match
from quincunx.rooms import explore, room, upkeep
from quincunx.rooms.errors import RequestError
from quincunx.rooms.room import GameRoom
from quincunx.web import websocket
from tests.rooms.test_room import assert_equal_rooms
from tests.simulation import checks
from tests.simulation.checks import Checks, Violation
from tests.simulation.clients import Client
from tests.simulation.loop import OUTSIDE, SimulatedLoop, result_now
from tests.simulation.script import LENGTH_SECONDS, Script
from tests.simulation.server import CachedGames, Server, quick_analysis
from tests.simulation.steps import run_step
from tests.simulation.storage import Disk, Write

EPOCH_MS = 1_700_000_000_000
QUIET_SECONDS = 4.0  # after the last fault, until everything must have settled
LAG_SECONDS = 2.0  # in which an event reaches all clients when nothing goes wrong
MAX_START_SECONDS = 10  # of a server, or of one that is stopped first
MAX_IDLE_SECONDS = 60  # until the last room is unloaded

# Short times and small queues, so that short runs reach what follows from them.
SMALL_LIMITS = (
    (upkeep, "IDLE_MS", 2000),
    (upkeep, "HEARTBEAT_MS", 1000),
    (match, "SPACING", 4),
    (match, "RECENT", 1),
    (room, "POSITION_SPACING", 5),
    (websocket, "MAX_QUEUED_CHARS", 150_000),
    (explore, "analyse", quick_analysis),
)


@dataclass(frozen=True)
class Outcome:
    """How a run ended."""

    script: Script
    violation: Violation | None
    trace: tuple[str, ...]
    digest: str  # of everything that was sent, stored and received
    counts: dict[str, int]  # what has been checked


class World:
    """Everything in one run."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.loop = SimulatedLoop(self.stream("order"), script.in_order)
        self.loop.on_exception = self._on_loop_exception
        self.checks = Checks()
        self.disk = Disk(self.loop, self.stream("disk"), self.log, self._on_durable)
        self.server = Server(self)
        self.clients = [Client(self, i, self.stream(f"client {i}")) for i in range(script.clients)]
        self.rooms: dict[int, str] = {}  # the id of the room that each step `create` made
        self.invitations: dict[int, dict[int, dict[int, str]]] = {}  # by room, client and seat
        self.waiting: dict[int, list[Callable[[], None]]] = {}  # for a room to be created
        self.leaving = False
        self.lines: list[str] = []
        self._wall_offset = EPOCH_MS  # what the wall clock adds to the true time

    def stream(self, name: str) -> Random:
        """Returns the random numbers of one part, which do not depend on the other parts."""
        return Random(f"{self.script.seed} {name}")

    def log(self, who: str, text: str) -> None:
        self.lines.append(f"{self.loop.time():8.3f} s  {who}: {text}")

    def later(self, seconds: float, function: Callable[[], Any]) -> None:
        """Calls a function after a time, outside of all processes."""
        self.loop.call_later(seconds, function, context=OUTSIDE)

    # Time

    def monotonic_ms(self) -> int:
        """Returns the true time, which the server can measure only while it runs."""
        return round(self.loop.time() * 1000)

    def wall_ms(self) -> int:
        """Returns what the wall clock of the server shows."""
        return self.monotonic_ms() + self._wall_offset

    def set_clock(self, seconds: int) -> None:
        self.log("server", f"its wall clock is set by {seconds} s")
        self._wall_offset += seconds * 1000

    # Checks

    def _on_durable(self, write: Write) -> None:
        live = False
        if write.name == "add":
            settings = write.args[0]
            live = self.game_of(settings).start(settings.seed).turn is None
        elif write.name == "append":
            room_id, event = write.args[:2]
            self.log("store", f"room {room_id} has event {event.number}: {event.kind} of seat "
                     f"{event.seat} {event.text!r} {event.left or ''}")  # fmt: skip
        self.checks.on_durable(write, live)
        if write.name == "add" and write.args[0].parent:
            self._inherit_seats(write.args[0])
        self.stop_on_violation()

    def _inherit_seats(self, settings: Any) -> None:
        """Makes the owners of a room's seats those of its rematch, in which seats rotate."""
        seats, logs = len(settings.players), self.checks.logs
        parent, log = logs[settings.parent], logs[settings.id]
        log.owners = {(seat + 1) % seats: set(them) for seat, them in parent.owners.items()}
        log.taken = {(seat + 1) % seats for seat in parent.taken}

    def stop_on_violation(self) -> None:
        self.loop.stopped = self.checks.violation is not None

    def game_of(self, settings: Any) -> Any:
        return CachedGames().game(settings.game, settings.options)

    def legal_moves(self, room: str, text: str, seat: int) -> list[str]:
        """Returns the legal moves in a position of a room."""
        state = self.game_of(self.checks.logs[room].settings).read(text)
        return [] if state.over or state.turn not in (None, seat) else list(state.moves(seat))

    def _on_loop_exception(self, context: dict[str, Any]) -> None:
        error = context.get("exception")
        self.checks.fail(checks.ERRORS, f"{context.get('message')}: {error!r}")

    def on_log(self, record: logging.LogRecord) -> None:
        """Checks an error that the server has logged: only faults of the store are expected."""
        error = record.exc_info[1] if record.exc_info else None
        self.log("server", f"logs {record.getMessage()} ({error})")
        if not (isinstance(error, RequestError) and error.code == "busy"):
            self.checks.fail(checks.ERRORS, f"{record.getMessage()}: {error!r}")

    def check_rooms_in_memory(self) -> None:
        """Compares all rooms that are not being changed with what is read back from the disk."""
        if self.server.lobby is None:
            return
        for room_id, session in self.server.lobby.sessions.items():
            if session.lock.locked():
                continue
            settings, events = result_now(self.disk.memory.load(room_id))
            copy = GameRoom(settings, self.game_of(settings))
            for event in events:
                copy.apply(event)
            if session.room.clocks and copy.clocks:
                copy.clocks = copy.clocks.restart(
                    copy.clocks.left, copy.clocks.running, session.room.clocks.since
                )
            try:
                assert_equal_rooms(session.room, copy)
            except AssertionError as error:
                text = f"room {room_id}, {len(events)} events: {str(error).splitlines()[0]}"
                self.checks.fail(checks.READ_BACK, text)

    # The run

    def run(self) -> None:
        """Runs the script, then lets everything settle, then lets everyone leave."""
        self.later(0.0, self.server.start)
        for number, step in enumerate(self.script.steps):
            self.loop.call_at(step.time, run_step, self, number, step, context=OUTSIDE)
        for client in self.clients:
            self.later(0.05, client.connect)
        self._advance(LENGTH_SECONDS)
        self._heal()
        self._advance(QUIET_SECONDS)
        numbers = {room: log.number for room, log in self.checks.logs.items()}
        self._advance(LAG_SECONDS)
        self._check_settled(numbers)
        self._leave()

    def _advance(self, seconds: float) -> None:
        self.loop.run_until(self.loop.time() + seconds)
        if self.checks.violation is not None:
            raise self.checks.violation

    def _heal(self) -> None:
        """Ends all faults: the server runs, the disk works, clients are back and read."""
        self.log("script", "ends; no more faults")
        server, process = self.server, self.server.process
        self.disk.heal()
        self.disk.before_next_write = self.disk.after_next_write = None
        if process is not None and process.frozen_until > self.loop.time():
            self._advance(process.frozen_until - self.loop.time())
        server.stopped_until = 0.0
        server.start()
        for _ in range(MAX_START_SECONDS):
            if server.lobby is not None:
                break
            self._advance(1.0)
        for client in self.clients:
            client.moves_left, client.away_until = 0, 0.0
            if client.socket is not None:
                client.socket.resume_reading()
            client.connect()

    def _check_settled(self, numbers: dict[str, int]) -> None:
        """Checks that nothing waits for ever; `numbers` were the last events a moment ago."""
        self.check_rooms_in_memory()
        for client in self.clients:
            client.check_answers()
            client.check_has_seen(numbers)
        lobby = self.server.lobby
        if lobby is None:
            self.checks.fail(checks.PROGRESS, "the server is not running")
        else:
            for room_id, session in lobby.sessions.items():
                room = session.room
                is_waiting = not room.over and not room.paused and room.number == numbers[room_id]
                if is_waiting and room.turn is not None and room.is_bot(room.turn):
                    text = f"room {room_id}: the bot of seat {room.turn} does not move"
                    self.checks.fail(checks.PROGRESS, text)
        self._advance(0.0)

    def _leave(self) -> None:
        """Lets all clients leave, and checks that nothing of them stays in memory."""
        self.leaving = True
        for client in self.clients:
            if client.socket is not None:
                client.socket.close()
                client.forget_connection()
        server = self.server
        assert server.lobby is not None
        assert server.process is not None
        end = self.loop.time() + MAX_IDLE_SECONDS
        while self.loop.time() < end and not self._is_idle():
            self._advance(0.83)  # not a multiple of the time between two heartbeats
        tasks = server.process.pending_tasks()
        if server.lobby.sessions:
            self.checks.fail(checks.MEMORY, f"rooms stay in memory: {list(server.lobby.sessions)}")
        elif len(tasks) > server.idle_tasks:
            names = [getattr(task.get_coro(), "__qualname__", "") for task in tasks]
            self.checks.fail(checks.MEMORY, f"tasks stay in memory: {names}")
        elif not self._is_idle():
            text = f"deadlines {len(server.lobby.upkeep.deadlines)}, writes {self.disk.writes}"
            self.checks.fail(checks.MEMORY, f"what stays in memory: {text}")
        self._advance(0.0)

    def _is_idle(self) -> bool:
        """True when the server has nothing to do but to wait for clients."""
        lobby, process = self.server.lobby, self.server.process
        assert lobby is not None
        assert process is not None
        is_busy = lobby.sessions or lobby.upkeep.deadlines or self.disk.writes
        return not is_busy and len(process.pending_tasks()) <= self.server.idle_tasks

    def digest(self) -> str:
        """Returns a hash of the whole run."""
        text = "\n".join([*self.lines, str(self.loop.callbacks_run)])
        return blake2b(text.encode(), digest_size=8).hexdigest()


class LogHandler(logging.Handler):
    """Passes on the errors that are logged during a run."""

    def __init__(self, world: World) -> None:
        super().__init__(logging.ERROR)
        self._world = world

    def emit(self, record: logging.LogRecord) -> None:
        self._world.on_log(record)


@contextmanager
def small_limits() -> Iterator[None]:
    """Sets the limits of a simulation, and what replaces searches that take real time."""
    before = [(module, name, getattr(module, name)) for module, name, _ in SMALL_LIMITS]
    for module, name, value in SMALL_LIMITS:
        setattr(module, name, value)
    try:
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)


@contextmanager
def captured_logs(world: World) -> Iterator[None]:
    """Gives the world what the server and asyncio log, and shows it to nobody else."""
    handler, loggers = LogHandler(world), [logging.getLogger(n) for n in ("quincunx", "asyncio")]
    before = [logger.propagate for logger in loggers]
    for logger in loggers:
        logger.addHandler(handler)
        logger.propagate = False
    try:
        yield
    finally:
        for logger, propagate in zip(loggers, before, strict=True):
            logger.removeHandler(handler)
            logger.propagate = propagate


def run_script(script: Script) -> Outcome:
    """Runs a script; the same script gives the same outcome."""
    world = World(script)
    violation = None
    had_gc = gc.isenabled()
    gc.disable()  # so that what is collected, and when, depends on the run only
    try:
        with small_limits(), captured_logs(world):
            try:
                world.run()
            except Violation as error:
                violation = error
            outcome = Outcome(
                script, violation, tuple(world.lines), world.digest(), world.checks.counts
            )
            world.loop.dispose(world.server.processes)
    finally:
        if had_gc:
            gc.enable()
    return outcome
