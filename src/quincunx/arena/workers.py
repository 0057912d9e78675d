"""Games in separate processes, since a hang in compiled code can only be ended with its process.

Each process is a new interpreter that imports nothing from the caller's program, so that a script
needs no `if __name__ == "__main__"`. A process that hangs or dies is replaced.
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
from typing import Any

from quincunx.arena.outcome import Outcome
from quincunx.arena.referee import CRASHED, forfeit_outcome, timeout_reason
from quincunx.arena.schedule import Plan

BOOT_CODE = "import json, sys; sys.path[:] = json.loads(sys.argv[1])"
BOOT_CODE += "; from quincunx.arena.game_process import main; main()"

# The process itself enforces the time limit; it is killed if it is silent this much longer.
GRACE_SECONDS = 1.0

# The number of times a game is started if its process dies before any player was called.
MAX_STARTS = 3


class WorkerFailed(RuntimeError):
    """Games cannot be played on this machine, for a reason that is not a player's fault."""


class GameProcess:
    """The parent's side of one process, which plays one game at a time."""

    def __init__(self, inbox: SimpleQueue[Any], log: Path | None, path: Iterable[str]) -> None:
        errors = open(log, "ab") if log else None  # noqa: SIM115
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-c", BOOT_CODE, json.dumps(list(path))],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors or subprocess.DEVNULL,
                # Ctrl-C goes to the parent only, and processes of a player are killed with it.
                start_new_session=True,
            )
        finally:
            if errors:
                errors.close()
        self._reset()
        self._reader = Thread(target=self._read_messages, args=(inbox,), daemon=True)
        self._reader.start()

    def _reset(self) -> None:
        self.number: int | None = None  # of its game; None when idle
        self.seat: int | None = None  # whose player was called last
        self.turn_started = 0.0
        self.moves: list[str] = []

    def _read_messages(self, inbox: SimpleQueue[Any]) -> None:
        """Queues (process, message, time) for each message, and a message None at the end."""
        assert self.process.stdout
        with self.process.stdout as lines:
            for line in lines:
                if line.endswith(b"\n"):
                    inbox.put((self, json.loads(line), monotonic()))
        inbox.put((self, None, monotonic()))

    def start_game(self, plan: Plan, number: int) -> None:
        """Requests a game."""
        self._reset()
        self.number = number
        job = json.dumps({"plan": plan.as_dict(), "number": number}) + "\n"
        assert self.process.stdin
        with suppress(BrokenPipeError):  # the inbox reports that the process has ended
            self.process.stdin.write(job.encode())
            self.process.stdin.flush()

    def handle(self, plan: Plan, message: dict[str, Any] | None, now: float) -> Outcome | None:
        """Processes a message (None: the process ended); returns the outcome of a finished game."""
        assert self.number is not None
        if message is None:
            if self.seat is None:
                return None
            code = self.process.wait()
            how = f"signal {-code}" if code < 0 else f"exit code {code}"
            return self._forfeit(plan, f"{CRASHED}: the process ended ({how})")
        if "failed" in message:
            raise WorkerFailed(f"game {self.number} could not be played: {message['failed']}")
        if "done" in message:
            return Outcome.from_dict(message["done"])
        self.seat, self.turn_started = message["turn"], now
        self.moves += message["moves"]
        return None

    def seconds_left(self, plan: Plan, now: float) -> float:
        """Returns the seconds until the process must send its next message."""
        if self.seat is None:
            return 3600.0
        return self.turn_started + plan.move_seconds + GRACE_SECONDS - now

    def timeout_outcome(self, plan: Plan) -> Outcome:
        """Returns the outcome of a game in which a player does not return."""
        return self._forfeit(plan, timeout_reason(plan))

    def _forfeit(self, plan: Plan, reason: str) -> Outcome:
        assert self.number is not None
        assert self.seat is not None
        return forfeit_outcome(plan, self.number, self.moves, self.seat, reason)

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


class GameProcesses:
    """A pool of processes that play games; must be closed."""

    def __init__(
        self, size: int, log: Path | None = None, path: Iterable[str] | None = None
    ) -> None:
        self._size = size
        self._log = log
        self._path = list(sys.path if path is None else path)
        self._inbox: SimpleQueue[Any] = SimpleQueue()
        self._processes: list[GameProcess] = []

    def play(self, plan: Plan, numbers: Iterable[int]) -> Generator[Outcome]:
        """Plays the games with these numbers; yields each outcome as soon as it is known."""
        waiting = deque(numbers)
        starts: Counter[int] = Counter()
        try:
            while waiting or self._busy():
                self._assign_games(plan, waiting)
                outcome = self._next_outcome(plan, waiting, starts)
                if outcome is not None:
                    yield outcome
        finally:
            for process in self._busy():
                self._remove(process)

    def close(self) -> None:
        """Kills all processes."""
        for process in list(self._processes):
            self._remove(process)

    def _busy(self) -> list[GameProcess]:
        return [process for process in self._processes if process.number is not None]

    def _assign_games(self, plan: Plan, waiting: deque[int]) -> None:
        """Gives a game to each idle process, and starts processes up to the size of the pool."""
        needed = min(self._size, len(self._busy()) + len(waiting))
        while len(self._processes) < needed:
            self._processes.append(GameProcess(self._inbox, self._log, self._path))
        for process in self._processes:
            if process.number is None and waiting:
                process.start_game(plan, waiting.popleft())

    def _next_outcome(
        self, plan: Plan, waiting: deque[int], starts: Counter[int]
    ) -> Outcome | None:
        """Waits for one message or one timeout; returns the outcome if a game is over by it."""
        busy = self._busy()
        seconds = min(process.seconds_left(plan, monotonic()) for process in busy)
        if seconds <= 0 and self._inbox.empty():
            return self._timed_out(plan, busy)
        try:
            process, message, now = self._inbox.get(timeout=min(1.0, max(0.0, seconds)))
        except Empty:
            return None
        if process not in self._processes:
            return None
        if process.number is None:
            self._remove(process)  # it died while it was idle
            return None
        outcome: Outcome | None = process.handle(plan, message, now)
        if message is None:
            self._remove(process)
            if outcome is None:
                starts[process.number] += 1
                if starts[process.number] == MAX_STARTS:
                    raise WorkerFailed(
                        f"the process for game {process.number} ended {MAX_STARTS} times before a "
                        f"player was called{f'; see {self._log}' if self._log else ''}"
                    )
                waiting.appendleft(process.number)
        elif outcome is not None:
            process.number = None
        return outcome

    def _timed_out(self, plan: Plan, busy: list[GameProcess]) -> Outcome | None:
        """Kills the first process whose time is over; returns the forfeit of its player."""
        now = monotonic()
        for process in busy:
            if process.seconds_left(plan, now) <= 0:
                self._remove(process)
                return process.timeout_outcome(plan)
        return None

    def _remove(self, process: GameProcess) -> None:
        self._processes.remove(process)
        process.kill()
