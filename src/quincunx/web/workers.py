"""Worker processes for what would hold the interpreter's lock: pictures, variations, pasted text.

A worker is a new interpreter that runs `worker_main`. It is started when it is needed and does one
task at a time. A task that takes too long, or that nobody waits for any more, ends with its
process; then another one is started. A worker that dies fails its own task only.
"""

from __future__ import annotations

import asyncio
import io
import json
import logging
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from quincunx.game import Game
from quincunx.phrases import quantity
from quincunx.registry import is_registered
from quincunx.rooms.errors import RequestError
from quincunx.web.fair_queue import FairQueue, QueueLimits
from quincunx.web.futures import ignore_error
from quincunx.web.threads import Threads
from quincunx.web.worker_main import READY, read_message, write_message

PROCESSES = 2
LIMITS = QueueLimits(running=PROCESSES, running_each=1, waiting=64, waiting_each=8)
TASK_SECONDS = 10.0
START_SECONDS = 60.0  # a process is started and has imported what all tasks need
ABANDONED_SECONDS = 1.0  # a task that nobody waits for any more may end within this time
MAX_TASKS = 500  # of one process: then another one takes its place, with fresh memory

# The program of a worker; its argument is a list of module directories, as JSON.
BOOT_CODE = "import json, sys; sys.path[:] = json.loads(sys.argv[1])"
BOOT_CODE += "; from quincunx.web.worker_main import main; main()"

T = TypeVar("T")

log = logging.getLogger("quincunx.web")


class WorkerDied(Exception):
    """The process of a worker has ended before it returned a result."""


class RegisteredGame(Exception):
    """A game is known in this process only, so that no other process can play it."""


class Worker:
    """One process. `start` and `call` block, and are called in a thread."""

    def __init__(self) -> None:
        self.tasks = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._killed = False

    @property
    def is_usable(self) -> bool:
        """True while the process runs and may do more tasks."""
        running = self._process is not None and self._process.poll() is None
        return running and not self._killed and self.tasks < MAX_TASKS

    def start(self) -> None:
        """Starts the process; returns when it is ready."""
        single_threaded = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")
        self._process = subprocess.Popen(
            [sys.executable, "-c", BOOT_CODE, json.dumps(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **single_threaded},
            start_new_session=True,  # Ctrl-C reaches the server only
        )
        if self._killed:
            self._process.kill()
        assert self._process.stdout is not None
        if self._process.stdout.read(1) != READY:
            raise self._died()

    def call(self, request: bytes) -> bytes:
        """Returns the answer to a request."""
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.tasks += 1
        with suppress(BrokenPipeError):
            write_message(self._process.stdin, request)
            answer = read_message(self._process.stdout)
            if answer is not None:
                return answer
        raise self._died()

    def _died(self) -> WorkerDied:
        assert self._process is not None
        code = self._process.wait()
        return WorkerDied(f"signal {-code}" if code < 0 else f"exit code {code}")

    def kill(self) -> None:
        """Ends the process at once; what waits for it in a thread gets WorkerDied."""
        self._killed = True
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        """Ends the process of an idle worker."""
        self.kill()
        if self._process is not None:
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                assert pipe is not None
                with suppress(BrokenPipeError):
                    pipe.close()


class WorkerProcesses:
    """A few worker processes, and the queue of what they have to do."""

    def __init__(self, limits: QueueLimits = LIMITS) -> None:
        self.queue = FairQueue(limits)
        self._threads = Threads("worker")
        self._idle: list[Worker] = []
        self._workers: set[Worker] = set()

    async def run(
        self,
        function: Callable[..., T],
        *arguments: Any,
        client: str,
        seconds: float = TASK_SECONDS,
    ) -> T:
        """Returns the result of a function of a module, called in a worker process.

        Raises what the function raises, and RequestError `busy` when too much waits, when the call
        takes longer than `seconds` or when its process dies. A call with a game that only this
        process knows is made in a thread, without time limit.
        """
        try:
            request = _pickled((seconds, function, arguments))
        except RegisteredGame:
            request = None
        release = await self.queue.acquire(client)
        if request is None:
            thread = self._threads.submit(partial(function, *arguments))
            thread.add_done_callback(lambda _: release())
            return await asyncio.shield(thread)
        task: asyncio.Task[T] = asyncio.create_task(self._call(request, seconds))
        task.add_done_callback(lambda _: release())
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            asyncio.get_running_loop().call_later(ABANDONED_SECONDS, task.cancel)
            task.add_done_callback(ignore_error)
            raise

    async def _call(self, request: bytes, seconds: float) -> Any:
        worker = await self._take_worker()
        answer = await self._within(seconds, worker, partial(worker.call, request))
        if worker.is_usable:
            self._idle.append(worker)
        else:
            self._discard(worker)
        succeeded, result = await self._unpickled(answer)
        if succeeded:
            return result
        if isinstance(result, MemoryError):
            raise RequestError("large", "this needs too much memory")
        raise result

    async def _unpickled(self, answer: bytes) -> tuple[bool, Any]:
        """Returns an answer; a large one is read in a thread."""
        if len(answer) < 100_000:
            return _loads(answer)
        return await self._threads.submit(partial(_loads, answer))

    async def _take_worker(self) -> Worker:
        """Returns an idle worker, or a new one."""
        while self._idle:
            worker = self._idle.pop()
            if worker.is_usable:
                return worker
            self._discard(worker)
        worker = Worker()
        self._workers.add(worker)
        await self._within(START_SECONDS, worker, worker.start)
        return worker

    async def _within(self, seconds: float, worker: Worker, work: Callable[[], T]) -> T:
        """Returns the result of blocking work with a worker, which ends if it takes too long."""
        try:
            return await asyncio.wait_for(asyncio.shield(self._threads.submit(work)), seconds)
        except asyncio.TimeoutError:
            self._discard(worker)
            text = f"this took longer than {quantity(seconds, 'second')}; try something smaller"
            raise RequestError("busy", text) from None
        except WorkerDied as error:
            self._discard(worker)
            log.error("a worker process has ended: %s", error)
            raise RequestError("busy", "a worker process has ended; try again") from error
        except BaseException:
            self._discard(worker)
            raise

    def _discard(self, worker: Worker) -> None:
        """Ends a worker; its thread waits for the end of the process."""
        self._workers.discard(worker)
        worker.kill()
        with suppress(RuntimeError):  # the server is shutting down
            self._threads.submit(worker.close)

    def close(self) -> None:
        """Ends all processes."""
        self._threads.close()
        for worker in self._workers:
            worker.close()
        self._workers.clear()
        self._idle.clear()


class _Pickler(pickle.Pickler):
    """Refuses games that another process does not know."""

    def reducer_override(self, value: object) -> Any:
        """Raises RegisteredGame for a game that was registered in this process."""
        if isinstance(value, Game) and is_registered(value.name):
            raise RegisteredGame(value.name)
        return NotImplemented


def _pickled(value: object) -> bytes:
    out = io.BytesIO()
    _Pickler(out, pickle.HIGHEST_PROTOCOL).dump(value)
    return out.getvalue()


def _loads(answer: bytes) -> tuple[bool, Any]:
    succeeded, result = pickle.loads(answer)
    return succeeded, result
