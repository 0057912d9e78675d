"""Where the server does the work that would delay its event loop.

| what | where | queue |
|---|---|---|
| drawing the events of rooms for their pages | two threads | in order |
| the moves of a room that is created or loaded | threads | fair by the room's owner |
| moves of bots | threads, compiled code | fair by the room's owner |
| analyses, hints, reviews | threads, compiled code | fair by client, bounded |
| pictures, variations, pasted text, ratings | processes | fair by client, bounded |

Moves never wait for pictures: what holds the interpreter's lock for long is in other processes.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from quincunx.game import Game, State
from quincunx.machine import cores
from quincunx.web import bots
from quincunx.web.fair_queue import FairQueue, QueueLimits
from quincunx.web.threads import Threads
from quincunx.web.workers import TASK_SECONDS, WorkerProcesses

MAX_WAITING, MAX_WAITING_EACH = 64, 8  # analyses, in total and of one client
SHORT_THREADS = 2
REPLAYS, REPLAYS_EACH = 2, 1  # at once, in total and of the rooms of one owner

# A thread that runs Python code holds the interpreter's lock for this long when another one waits
# for it. The event loop waits several times for each move, and by default for 5 ms each time.
SWITCH_SECONDS = 0.0005

T = TypeVar("T")


class ThinkingPool:
    """The threads and processes of a server."""

    def __init__(self) -> None:
        sys.setswitchinterval(SWITCH_SECONDS)
        slots = max(2, cores())
        self.bots = bots.Bots()
        self.long_queue = FairQueue(QueueLimits(slots, slots - 1, MAX_WAITING, MAX_WAITING_EACH))
        self.processes = WorkerProcesses()
        self.replay_queue = FairQueue(QueueLimits(REPLAYS, REPLAYS_EACH))
        self._replay_threads = Threads("replay", bots.NICENESS)
        self._long_threads = Threads("long-task", bots.NICENESS)
        self._short_threads = ThreadPoolExecutor(SHORT_THREADS, "short-task", _prepare_thread)

    def check_bot(self, text: str, game: Game) -> None:
        """Raises BadOption unless `text` names a bot of the game within the server's limits."""
        bots.check_bot(text, game)

    async def choose_move(
        self, room_id: str, seat: int, text: str, seed: int, state: State, client: str = ""
    ) -> int:
        """Returns the action that the bot of a seat chooses; `text` is the bot's player text."""
        return await self.bots.choose_move(room_id, seat, text, seed, state, client or room_id)

    async def run_long(self, work: Callable[[], T], client: str = "") -> T:
        """Returns the result of compiled code; raises RequestError `busy` when too many wait.

        Cancelled, it leaves the queue; a thread that works already ends at its own time limit.
        """
        return await _run_in_turn(self.long_queue, self._long_threads, work, client)

    async def run_process(
        self,
        function: Callable[..., T],
        *arguments: Any,
        client: str = "",
        seconds: float = TASK_SECONDS,
    ) -> T:
        """Returns the result of a function of a module, called in a worker process."""
        return await self.processes.run(function, *arguments, client=client, seconds=seconds)

    async def run_replay(self, work: Callable[[], T], client: str = "") -> T:
        """Returns the result of playing the moves of a room that is created or loaded."""
        return await _run_in_turn(self.replay_queue, self._replay_threads, work, client)

    async def run_short(self, work: Callable[[], T]) -> T:
        """Returns the result of drawing an event of a room."""
        return await asyncio.get_running_loop().run_in_executor(self._short_threads, work)

    def queue_lengths(self) -> dict[str, int]:
        """Returns how many tasks run or wait, by queue."""
        queues = {
            "quick_bots": self.bots.quick_queue,
            "slow_bots": self.bots.slow_queue,
            "analyses": self.long_queue,
            "processes": self.processes.queue,
            "replays": self.replay_queue,
        }
        return {name: queue.running + queue.waiting for name, queue in queues.items()}

    def discard_bots(self, room_id: str) -> None:
        """Discards the bots of a room."""
        self.bots.discard(room_id)

    def close(self) -> None:
        """Accepts no more work, cancels what is queued and ends the worker processes."""
        self._short_threads.shutdown(wait=False, cancel_futures=True)
        self._long_threads.close()
        self._replay_threads.close()
        self.bots.close()
        self.processes.close()


async def _run_in_turn(queue: FairQueue, threads: Threads, work: Callable[[], T], client: str) -> T:
    """Returns the result of work in a thread, when it is the client's turn.

    The slot is in use until the thread is done, even if nobody waits for the result any more.
    """
    release = await queue.acquire(client)
    try:
        thread = threads.submit(work)
    except BaseException:
        release()
        raise
    thread.add_done_callback(lambda _: release())
    return await asyncio.shield(thread)


def _prepare_thread() -> None:
    from quincunx.jit import ignore_integer_overflow

    ignore_integer_overflow()
