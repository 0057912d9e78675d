"""The simulated server: the real rooms and connections, in a process that can crash."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextvars import Context, copy_context
from typing import TYPE_CHECKING, Any

from quincunx.analysis import Analysis, ScoredMove
from quincunx.game import Game, State
from quincunx.registry import game as game_named
from quincunx.registry import games as game_names
from quincunx.rooms.errors import RequestError
from quincunx.rooms.lobby import Lobby
from quincunx.web import codec
from quincunx.web.limits import Limits, RateLimiter
from quincunx.web.system import SystemClock
from quincunx.web.websocket import WebSocketConnection
from tests.simulation.loop import OUTSIDE, PROCESS, Process
from tests.simulation.network import Socket
from tests.simulation.storage import ServerStore

if TYPE_CHECKING:
    from tests.simulation.world import World

WORK_SECONDS = (0.0, 0.0, 0.001, 0.02, 0.3)  # of a bot, an analysis or a picture


class CountingRandomness:
    """Ids and secrets that are short and never repeat; they need not be hard to guess here."""

    def __init__(self) -> None:
        self._rooms = self._secrets = self._seeds = 0

    def room_id(self) -> str:
        self._rooms += 1
        return f"R{self._rooms}"

    def secret(self) -> str:
        self._secrets += 1
        return f"secret-{self._secrets}"

    def seed(self) -> int:
        self._seeds += 1
        return self._seeds


class CachedGames:
    """All games with their options, each made once for all runs."""

    _made: dict[tuple[str, tuple[Any, ...]], Game] = {}  # noqa: RUF012

    def game(self, name: str, options: Mapping[str, Any] | None = None) -> Game:
        key = name, tuple(sorted((options or {}).items()))
        if key not in self._made:
            self._made[key] = game_named(name, **(options or {}))
        return self._made[key]

    def is_compiled(self, name: str) -> bool:
        return True

    def playable(self) -> tuple[str, ...]:
        return tuple(game_names())


class SimulatedPool:
    """Work that takes simulated time; bots move at random, and too much work is `busy`."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._random = world.stream("pool")
        self.busy_until = 0.0

    def check_bot(self, text: str, game: Game) -> None:
        pass

    async def choose_move(
        self, room_id: str, seat: int, text: str, seed: int, state: State, *_: Any, **__: Any
    ) -> int:
        await self._work()
        actions = state.actions(seat)
        return int(actions[self._random.randrange(len(actions))])

    async def run_long(self, work: Callable[[], Any], *_: Any, **__: Any) -> Any:
        if self._world.loop.time() < self.busy_until:
            raise RequestError("busy", "too many analyses are running; try again in a moment")
        await self._work()
        return work()

    async def run_replay(self, work: Callable[[], Any], *_: Any, **__: Any) -> Any:
        return await self.run_short(work)

    async def run_process(self, function: Callable[..., Any], *args: Any, client: str = "") -> Any:
        return await self.run_long(lambda: function(*args))

    async def run_short(self, work: Callable[[], Any], *_: Any, **__: Any) -> Any:
        await self._work()
        return work()

    async def _work(self) -> None:
        seconds = self._random.choice(WORK_SECONDS)
        if seconds:
            await asyncio.sleep(seconds)

    def discard_bots(self, room_id: str) -> None:
        pass


def quick_analysis(
    state: State, limit: Any = 0, seat: int | None = None, seed: int = 0
) -> Analysis:
    """Returns an analysis without any search, in place of one that takes real time."""
    seat = state.acting_seat(seat)
    moves = tuple(ScoredMove(move, 0.0, (move,), 1, None) for move in state.moves(seat))
    return Analysis(state, seat, "simulated", moves)


class Server:
    """Server processes, one after the other, on the same disk."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.process: Process | None = None
        self.processes: list[Process] = []
        self.lobby: Lobby | None = None  # open and accepting connections
        self.stopped_until = 0.0
        self.idle_tasks = 0  # of a process without rooms
        self.sockets: list[Socket] = []
        self._context: Context = OUTSIDE
        self._randomness = CountingRandomness()
        self._games = CachedGames()

    def start(self) -> None:
        """Starts a process, which opens a lobby."""
        if self.process is not None or self.world.loop.time() < self.stopped_until:
            return
        world = self.world
        world.log("server", "starts")
        self.process = Process(f"server {len(self.processes) + 1}")
        self.processes.append(self.process)
        self._context = copy_context()
        self._context.run(PROCESS.set, self.process)
        self._context.run(self._open)

    def run(self, coroutine: Any) -> asyncio.Task[Any]:
        """Starts a task in the running process."""
        return self._context.copy().run(self.world.loop.create_task, coroutine)

    def _open(self) -> None:
        world = self.world
        lobby = Lobby(
            ServerStore(world.disk),
            self._games,
            SimulatedPool(world),
            SystemClock(world.wall_ms, world.monotonic_ms),
            self._randomness,
            codec.dumps,
        )
        self._limiter = RateLimiter(Limits(loopback_factor=1000), world.loop.time)
        world.loop.create_task(self._run(lobby))

    async def _run(self, lobby: Lobby) -> None:
        process, world = PROCESS.get(), self.world
        assert process is not None
        world.checks.up.append([world.loop.time(), float("inf")])
        try:
            await lobby.open()
        except RequestError as error:
            world.log("server", f"cannot start: {error}")
            world.loop.call_later(0.5, self._fail_to_start, process, context=OUTSIDE)
            return
        self.idle_tasks = len(process.pending_tasks()) - 1  # without this one
        self.lobby = lobby

    def _fail_to_start(self, process: Process) -> None:
        if self.process is process:
            self.crash(0.5, 0)

    def accept(self, socket: Socket, client: int) -> bool:
        """Serves a new connection; returns False while no server is running."""
        if self.lobby is None:
            return False
        connection = self._context.copy().run(
            WebSocketConnection,
            *(socket.receive, socket.send, self.lobby, self._limiter, "127.0.0.1"),
        )
        self.run(connection.run())
        self.sockets = [each for each in self.sockets if not each.server_done]
        self.sockets.append(socket)
        return True

    def crash(self, seconds: float, keep_writes: int) -> None:
        """Ends the process at once, and starts another one after a time."""
        world, process = self.world, self.process
        if process is None:
            return
        world.check_rooms_in_memory()
        world.log("server", f"crashes for {seconds:.3f} s")
        process.alive = False
        world.checks.up[-1][1] = world.loop.time()
        world.disk.crash(keep_writes)
        self._gone(seconds)

    def _gone(self, seconds: float) -> None:
        self.process = self.lobby = None
        for socket in self.sockets:
            socket.break_off()
        self.sockets = []
        world = self.world
        self.stopped_until = world.loop.time() + seconds
        world.later(seconds, self.start)

    def restart(self, seconds: float) -> None:
        """Stops the process in an orderly way, and starts another one after a time."""
        lobby, world = self.lobby, self.world
        if lobby is None:
            return
        world.log("server", "stops")
        self.lobby = None  # accepts no connection any more
        for socket in self.sockets:
            socket.break_off()
        process = self.process

        async def stop() -> None:
            await asyncio.sleep(1.5)  # the connections end
            await lobby.close()
            world.loop.call_soon(self._exit, process, seconds, context=OUTSIDE)

        self.run(stop())

    def _exit(self, process: Process, seconds: float) -> None:
        if self.process is process:
            process.alive = False
            self.world.checks.up[-1][1] = self.world.loop.time()
            self.world.disk.crash(0)
            self._gone(seconds)

    def freeze(self, seconds: float) -> None:
        """Stops the process for a time in which it does not know that time passes."""
        if self.process is None or self.process.frozen_until > self.world.loop.time():
            return
        now, up = self.world.loop.time(), self.world.checks.up
        self.world.log("server", f"is frozen for {seconds:.3f} s")
        self.process.frozen_until = now + seconds
        up[-1][1] = now
        up.append([now + seconds, float("inf")])
