"""Threads for bots, analyses and pictures.

Compiled code releases the interpreter's lock, so the event loop runs on meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from quincunx.errors import BadOption
from quincunx.game import Game, State
from quincunx.machine import cores
from quincunx.match import bot_seed
from quincunx.players import Player, parse_player, player
from quincunx.rooms.errors import RequestError

MAX_LONG_TASKS = 64  # running and queued

T = TypeVar("T")

# The highest values of a bot's options on a server; other options are not limited. They keep
# every move below a few seconds, so that no bot occupies a thread for long.
MAX_BOT_OPTIONS = {
    "time": 5.0,
    "sims": 20_000,
    "nodes": 200_000,
    "depth": 6,
    "threads": 1,
    "difficulty": 2000,
    "samples": 64,
    "width": 64,
    "horizon": 200,
    "tree_nodes": 1 << 20,
    "table_entries": 1 << 20,
}


class ThinkingPool:
    """Three thread pools: for the moves of bots, for long tasks and for short ones."""

    def __init__(self) -> None:
        workers = max(2, cores())
        self._bot_threads = ThreadPoolExecutor(workers, "bot", _prepare_thread)
        self._long_threads = ThreadPoolExecutor(workers, "long-task", _prepare_thread)
        self._short_threads = ThreadPoolExecutor(2, "short-task", _prepare_thread)
        self._long_tasks = 0
        self._bots: dict[tuple[str, int, str], Player] = {}

    def check_bot(self, text: str, game: Game) -> None:
        """Raises BadOption unless `text` names a bot of the game within the server's limits."""
        _, options = parse_player(text, game)
        for name, maximum in MAX_BOT_OPTIONS.items():
            value = options.get(name, 0)
            if isinstance(value, int | float) and value > maximum:
                raise BadOption(name, value, f"at most {maximum} on a server")

    async def choose_move(self, room_id: str, seat: int, text: str, seed: int, state: State) -> int:
        """Returns the action that the bot of a seat chooses; `text` is the bot's player text."""

        def work() -> int:
            key = room_id, seat, text
            bot = self._bots.get(key)
            if bot is None:
                bot = self._bots[key] = player(text, state.game, bot_seed(seed, seat))
            return bot.choose(state, seat)

        return await asyncio.get_running_loop().run_in_executor(self._bot_threads, work)

    async def run_long(self, work: Callable[[], T]) -> T:
        """Returns the result of a long task; raises RequestError when too many are queued."""
        if self._long_tasks >= MAX_LONG_TASKS:
            raise RequestError("busy", "too many analyses are running; try again in a moment")
        self._long_tasks += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._long_threads, work)
        finally:
            self._long_tasks -= 1

    async def run_short(self, work: Callable[[], T]) -> T:
        """Returns the result of a short task that would still delay the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._short_threads, work)

    def queue_lengths(self) -> dict[str, int]:
        """Returns how many tasks run or wait, by queue."""
        return {"long": self._long_tasks}

    def discard_bots(self, room_id: str) -> None:
        """Discards the bots of a room."""
        for key in [key for key in self._bots if key[0] == room_id]:
            del self._bots[key]

    def close(self) -> None:
        """Accepts no more work, and cancels what is queued."""
        for threads in (self._bot_threads, self._long_threads, self._short_threads):
            threads.shutdown(wait=False, cancel_futures=True)


def _prepare_thread() -> None:
    from quincunx.jit import ignore_integer_overflow

    ignore_integer_overflow()
