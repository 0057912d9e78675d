"""The games of a server: compiled in other processes, then loaded."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any

from quincunx.errors import BadOption
from quincunx.game import Game
from quincunx.machine import cores
from quincunx.registry import game as game_named
from quincunx.registry import games, title
from quincunx.rooms.errors import RequestError
from quincunx.rooms.host import Pool

YOUNG_OBJECTS = 10_000  # created and not deleted since the garbage collector last ran

log = logging.getLogger("quincunx.web")


class CompiledGames:
    """The games that have been compiled and loaded, and those that still have to wait.

    Without `compile_first`, a game is compiled on its first use, which blocks the server.
    """

    def __init__(self, pool: Pool, compile_first: bool = True) -> None:
        self._pool = pool
        self._compiled: set[str] = set() if compile_first else set(games())
        self._broken: set[str] = set()
        self._cold: tuple[str, ...] = ()  # not compiled when the server was started
        self._waiting: list[str] = []  # compiled ones that are still to be loaded, in order
        self._task: asyncio.Task[None] | None = None

    def game(self, name: str, options: Mapping[str, Any] | None = None) -> Game:
        """Returns a game with its options; raises RequestError while it is being compiled.

        Raises BadOption if the game is unknown or cannot be compiled.
        """
        if name in self._broken:
            raise BadOption("game", name, "cannot be compiled; the log of the server says why")
        if name in games() and not self.is_compiled(name):
            raise self._not_ready(name)
        return game_named(name, **(options or {}))

    def _not_ready(self, name: str) -> RequestError:
        """Returns the error for a game that is not loaded yet, which is loaded next."""
        if name in self._cold:
            text = f"{title(name)} is compiling (first run only); please wait"
        else:
            text = f"{title(name)} is being loaded; please wait"
        if name in self._waiting:
            self._waiting.remove(name)
            self._waiting.insert(0, name)
        return RequestError("busy", text, "game")

    def is_compiled(self, name: str) -> bool:
        """True when a game is compiled and loaded."""
        return name in self._compiled

    def playable(self) -> tuple[str, ...]:
        """Returns the names of all games but those that could not be compiled."""
        return tuple(name for name in games() if name not in self._broken)

    def start(self, first: Sequence[str] = ()) -> None:
        """Starts to compile and load the games that are not loaded yet, `first` before others."""
        if len(self._compiled) < len(games()):
            self._task = asyncio.create_task(self._compile(first))

    async def stop(self) -> None:
        """Stops compiling."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _compile(self, first: Sequence[str] = ()) -> None:
        """Compiles every game that needs it in another process, then loads it in this one."""
        from quincunx.warm import is_warm

        names = [*dict.fromkeys(name for name in (*first, *games()) if name in games())]
        self._cold = tuple(name for name in names if not is_warm(name))
        self._waiting = [name for name in names if name not in self._cold]
        if self._cold:
            titles = ", ".join(map(title, self._cold))
            log.warning("Compiling %s (first run only, about 15 s each) ...", titles)
        # Games that are already compiled come first, so that they can be played meanwhile; one by
        # one, because two at once would both be loaded later.
        while self._waiting:
            await self._prepare(self._waiting.pop(0))
        limit = asyncio.Semaphore(cores())
        await asyncio.gather(*(self._prepare(name, limit) for name in self._cold))
        if self._cold:
            log.warning("Compiled.")
        relieve_garbage_collector()

    async def _prepare(self, name: str, cold: asyncio.Semaphore | None = None) -> None:
        """Loads a game, compiled before if it is cold; a game that fails is not offered.

        `cold` limits how many are compiled at once.
        """
        try:
            async with cold or nullcontext():
                if cold:
                    await _compile_in_process(name)
                await self._pool.run_long(partial(_load_game, name))
        except Exception as error:
            self._broken.add(name)
            reason = str(error).strip().partition("\n")[0]
            log.error(
                "%s cannot be compiled and is not offered: %s: %s; quincunx check %s says more",
                *(title(name), type(error).__name__, reason, name),
            )
        else:
            self._compiled.add(name)


def relieve_garbage_collector() -> None:
    """Makes the garbage collector scan less, when all games are loaded.

    Loaded code stays, and need not be scanned again. With many requests waiting for the disk, the
    usual threshold makes it scan their objects again and again, a tenth of the time of a move.
    """
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS)


async def _compile_in_process(name: str) -> None:
    """Compiles a game in another process, because compilation holds the interpreter's lock."""
    command = (sys.executable, "-m", "quincunx", "warm", name)
    quiet = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(*command, stdout=quiet, stderr=quiet)
    try:
        await process.wait()
    finally:
        if process.returncode is None:  # the server is shutting down
            process.terminate()


def _load_game(name: str) -> None:
    """Calls the functions of a game once, so that their compiled code is loaded."""
    state = game_named(name).start(seed=0)
    seat = 0 if state.turn is None else state.turn
    move = state.moves(seat)[0]
    state.steps(move, seat)
    after = state.play(move, seat)
    game_named(name).read(after.text)
    after.hidden(0, 0).scores  # noqa: B018
