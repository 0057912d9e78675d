"""Workers: processes that play games, since a hang in compiled code only ends with its process.

Each process is a new interpreter that runs `worker_main` and imports nothing from the caller's
program, so that a script needs no `if __name__ == "__main__"`. A worker that hangs or dies is
replaced.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter, deque
from collections.abc import Generator, Iterable
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import TypeAlias

from quincunx.arena.outcome import Outcome
from quincunx.arena.referee import CRASHED, forfeit_outcome, timeout_reason
from quincunx.arena.schedule import Plan
from quincunx.arena.worker_main import Job, WorkerMessage

# The program of a worker; its argument is a list of module directories, as JSON.
BOOT_CODE = "import json, sys; sys.path[:] = json.loads(sys.argv[1])"
BOOT_CODE += "; from quincunx.arena.worker_main import main; main()"

# The worker itself enforces the time limit; it is killed if it is silent this much longer.
GRACE_SECONDS = 1.0

# A game is started at most this often if its worker dies before a player was called.
MAX_STARTS = 3


# Each worker, what it sent (None at its end), and the time by monotonic().
Inbox: TypeAlias = "SimpleQueue[tuple[Worker, WorkerMessage | None, float]]"


class WorkerFailed(RuntimeError):
    """Games cannot be played on this machine, for a reason that is not a player's fault."""


class Worker:
    """The parent's side of one process, which plays one game at a time."""

    def __init__(self, inbox: Inbox, log: Path | None, path: Iterable[str]) -> None:
        errors = open(log, "ab") if log else None  # noqa: SIM115
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-c", BOOT_CODE, json.dumps(list(path))],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors or subprocess.DEVNULL,
                # Ctrl-C then reaches the parent only, and `kill` ends processes of players too.
                start_new_session=True,
            )
        finally:
            if errors:
                errors.close()
        self._reset()
        self._reader = Thread(target=self._read_messages, args=(inbox,), daemon=True)
        self._reader.start()

    def _reset(self) -> None:
        self.game_number: int | None = None  # None when idle
        self.seat: int | None = None  # whose player was called last; None before the first call
        self.turn_started = 0.0  # the time of that call, by monotonic()
        self.moves: list[str] = []  # all moves before that call

    def _read_messages(self, inbox: Inbox) -> None:
        """Queues (worker, message, time) for each message, and a message None at the end."""
        assert self.process.stdout
        with self.process.stdout as lines:
            for line in lines:
                if line.endswith(b"\n"):  # not if the process died while it was writing
                    inbox.put((self, json.loads(line), monotonic()))
        inbox.put((self, None, monotonic()))

    def start_game(self, plan: Plan, number: int) -> None:
        """Sends the process a game to play."""
        self._reset()
        self.game_number = number
        job: Job = {"plan": plan.as_dict(), "number": number}
        assert self.process.stdin
        with suppress(BrokenPipeError):  # the message None reports that the process has ended
            self.process.stdin.write(json.dumps(job).encode() + b"\n")
            self.process.stdin.flush()

    def handle(self, plan: Plan, message: WorkerMessage | None, now: float) -> Outcome | None:
        """Processes a message (None: the process ended); returns the outcome of a finished game."""
        assert self.game_number is not None
        if message is None:
            if self.seat is None:
                return None
            code = self.process.wait()
            cause = f"signal {-code}" if code < 0 else f"exit code {code}"
            return self._forfeit(plan, f"{CRASHED}: the process ended ({cause})")
        if "failed" in message:
            raise WorkerFailed(f"game {self.game_number} could not be played: {message['failed']}")
        if "done" in message:
            return Outcome.from_dict(message["done"])
        self.seat, self.turn_started = message["turn"], now
        self.moves += message["moves"]
        return None

    def seconds_left(self, plan: Plan, now: float) -> float:
        """Returns the seconds until the process must send its next message."""
        if self.seat is None:
            return 3600.0  # loading and compiling have no time limit
        return self.turn_started + plan.move_seconds + GRACE_SECONDS - now

    def timeout_outcome(self, plan: Plan) -> Outcome:
        """Returns the outcome of a game whose last called player did not return in time."""
        return self._forfeit(plan, timeout_reason(plan))

    def _forfeit(self, plan: Plan, reason: str) -> Outcome:
        assert self.game_number is not None
        assert self.seat is not None
        return forfeit_outcome(plan, self.game_number, self.moves, self.seat, reason)

    def kill(self) -> None:
        """Kills the process and all processes that its players started."""
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()
        self.process.wait()
        self._reader.join(timeout=GRACE_SECONDS)
        assert self.process.stdin
        with suppress(BrokenPipeError):
            self.process.stdin.close()


class WorkerPool:
    """A pool of up to `size` workers; must be closed."""

    def __init__(
        self, size: int, log: Path | None = None, path: Iterable[str] | None = None
    ) -> None:
        self._size = size
        self._log = log
        self._path = list(sys.path if path is None else path)
        self._inbox: Inbox = SimpleQueue()
        self._workers: list[Worker] = []

    def play(self, plan: Plan, numbers: Iterable[int]) -> Generator[Outcome]:
        """Plays the games with these numbers; yields each outcome as soon as it is known."""
        waiting = deque(numbers)
        failed_starts: Counter[int] = Counter()
        try:
            while waiting or self._busy():
                self._assign_games(plan, waiting)
                outcome = self._next_outcome(plan, waiting, failed_starts)
                if outcome is not None:
                    yield outcome
        finally:
            for worker in self._busy():
                self._remove(worker)

    def close(self) -> None:
        """Kills all workers."""
        for worker in list(self._workers):
            self._remove(worker)

    def _busy(self) -> list[Worker]:
        return [worker for worker in self._workers if worker.game_number is not None]

    def _assign_games(self, plan: Plan, waiting: deque[int]) -> None:
        """Gives a game to each idle worker, and starts workers up to the size of the pool."""
        needed = min(self._size, len(self._busy()) + len(waiting))
        while len(self._workers) < needed:
            self._workers.append(Worker(self._inbox, self._log, self._path))
        for worker in self._workers:
            if worker.game_number is None and waiting:
                worker.start_game(plan, waiting.popleft())

    def _next_outcome(
        self, plan: Plan, waiting: deque[int], failed_starts: Counter[int]
    ) -> Outcome | None:
        """Waits for one message or one timeout; returns the outcome if it ended a game."""
        busy = self._busy()
        seconds = min(worker.seconds_left(plan, monotonic()) for worker in busy)
        if seconds <= 0 and self._inbox.empty():
            return self._kill_overdue(plan, busy)
        try:
            worker, message, now = self._inbox.get(timeout=min(1.0, max(0.0, seconds)))
        except Empty:
            return None
        if worker not in self._workers:
            return None  # a late message of a worker that was killed
        number = worker.game_number
        if number is None:
            self._remove(worker)  # it died while it was idle
            return None
        outcome = worker.handle(plan, message, now)
        if message is None:
            self._remove(worker)
            if outcome is None:
                failed_starts[number] += 1
                if failed_starts[number] == MAX_STARTS:
                    raise WorkerFailed(
                        f"the process for game {number} ended {MAX_STARTS} times before a "
                        f"player was called{f'; see {self._log}' if self._log else ''}"
                    )
                waiting.appendleft(number)
        elif outcome is not None:
            worker.game_number = None
        return outcome

    def _kill_overdue(self, plan: Plan, busy: list[Worker]) -> Outcome | None:
        """Kills the first worker whose time is over; returns the forfeit of its player."""
        now = monotonic()
        for worker in busy:
            if worker.seconds_left(plan, now) <= 0:
                self._remove(worker)
                return worker.timeout_outcome(plan)
        return None

    def _remove(self, worker: Worker) -> None:
        self._workers.remove(worker)
        worker.kill()
