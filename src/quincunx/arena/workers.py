"""Games in processes of their own, which can be ended: a hang in compiled code has no other end.

Each process is a fresh interpreter that imports nothing of the caller's program, so that a
script needs no `if __name__ == "__main__"`. One that hangs or dies is replaced.
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
from quincunx.arena.referee import CRASHED, forfeited, hung
from quincunx.arena.schedule import Plan

BOOT = "import json, sys; sys.path[:] = json.loads(sys.argv[1])"
BOOT += "; from quincunx.arena.game_process import main; main()"

# The process itself keeps the time; only if it does not answer even then, it is ended.
GRACE = 1.0

# So often a game is begun again when its process dies and no player is to blame.
TRIES = 3


class WorkerFailed(RuntimeError):
    """Games cannot be played here, and no player is to blame."""


class GameProcess:
    """One process that plays one game after the other, seen from outside."""

    def __init__(self, inbox: SimpleQueue[Any], log: Path | None, path: Iterable[str]) -> None:
        errors = open(log, "ab") if log else None  # noqa: SIM115
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-c", BOOT, json.dumps(list(path))],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors or subprocess.DEVNULL,
                # Ctrl-C is for the parent; and what a player starts can be ended with it.
                start_new_session=True,
            )
        finally:
            if errors:
                errors.close()
        self._rest()
        self._listener = Thread(target=self._listen, args=(inbox,), daemon=True)
        self._listener.start()

    def _rest(self) -> None:
        self.number: int | None = None
        self.seat: int | None = None
        self.since = 0.0
        self.moves: list[str] = []

    def _listen(self, inbox: SimpleQueue[Any]) -> None:
        """Passes on what the process says, with the time, and at its end None."""
        assert self.process.stdout
        with self.process.stdout as lines:
            for line in lines:
                if line.endswith(b"\n"):
                    inbox.put((self, json.loads(line), monotonic()))
        inbox.put((self, None, monotonic()))

    def begin(self, plan: Plan, number: int) -> None:
        """Asks for a game."""
        self._rest()
        self.number = number
        job = json.dumps({"plan": plan.as_dict(), "number": number}) + "\n"
        assert self.process.stdin
        with suppress(BrokenPipeError):  # its end is heard of in the inbox
            self.process.stdin.write(job.encode())
            self.process.stdin.flush()

    def hear(self, plan: Plan, news: dict[str, Any] | None, now: float) -> Outcome | None:
        """Takes in what the process said; the outcome if the game is over by it."""
        assert self.number is not None
        if news is None:
            if self.seat is None:
                return None
            code = self.process.wait()
            how = f"signal {-code}" if code < 0 else f"exit code {code}"
            return self._forfeit(plan, f"{CRASHED}: the process ended ({how})")
        if "failed" in news:
            raise WorkerFailed(f"game {self.number} could not be played: {news['failed']}")
        if "done" in news:
            return Outcome.from_dict(news["done"])
        self.seat, self.since = news["turn"], now
        self.moves += news["moves"]
        return None

    def patience(self, plan: Plan, now: float) -> float:
        """For how many seconds more the process may be silent."""
        return self.since + plan.move_seconds + GRACE - now if self.seat is not None else 3600.0

    def hang(self, plan: Plan) -> Outcome:
        """The outcome of a game in which a player does not come back."""
        return self._forfeit(plan, hung(plan))

    def _forfeit(self, plan: Plan, reason: str) -> Outcome:
        assert self.number is not None
        assert self.seat is not None
        return forfeited(plan, self.number, self.moves, self.seat, reason)

    def end(self) -> None:
        """Ends the process, and what its players started."""
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()
        self.process.wait()
        self._listener.join(timeout=GRACE)
        assert self.process.stdin
        with suppress(BrokenPipeError):
            self.process.stdin.close()


class GameProcesses:
    """Some processes that share out games; to be closed."""

    def __init__(
        self, size: int, log: Path | None = None, path: Iterable[str] | None = None
    ) -> None:
        self._size = size
        self._log = log
        self._path = list(sys.path if path is None else path)
        self._inbox: SimpleQueue[Any] = SimpleQueue()
        self._children: list[GameProcess] = []

    def play(self, plan: Plan, numbers: Iterable[int]) -> Generator[Outcome]:
        """Plays the games of these numbers; gives each as soon as it is over."""
        todo = deque(numbers)
        tries: Counter[int] = Counter()
        try:
            while todo or any(child.number is not None for child in self._children):
                self._share_out(plan, todo)
                outcome = self._next(plan, todo, tries)
                if outcome is not None:
                    yield outcome
        finally:
            for child in [c for c in self._children if c.number is not None]:
                self._dismiss(child)

    def close(self) -> None:
        """Ends all processes."""
        for child in list(self._children):
            self._dismiss(child)

    def _share_out(self, plan: Plan, todo: deque[int]) -> None:
        """Gives a game to everyone who has none."""
        busy = sum(child.number is not None for child in self._children)
        while len(self._children) < min(self._size, busy + len(todo)):
            self._children.append(GameProcess(self._inbox, self._log, self._path))
        for child in self._children:
            if child.number is None and todo:
                child.begin(plan, todo.popleft())

    def _next(self, plan: Plan, todo: deque[int], tries: Counter[int]) -> Outcome | None:
        """Waits for one piece of news, or for one player's time to be over."""
        busy = [child for child in self._children if child.number is not None]
        patience = min(child.patience(plan, monotonic()) for child in busy)
        if patience <= 0 and self._inbox.empty():
            return self._overdue(plan, busy)
        try:
            child, news, now = self._inbox.get(timeout=min(1.0, max(0.0, patience)))
        except Empty:
            return None
        if child not in self._children:
            return None
        if child.number is None:
            self._dismiss(child)  # it died while it had nothing to do
            return None
        outcome: Outcome | None = child.hear(plan, news, now)
        if news is None:
            self._dismiss(child)
            if outcome is None:
                tries[child.number] += 1
                if tries[child.number] == TRIES:
                    raise WorkerFailed(
                        f"the process for game {child.number} ended {TRIES} times before a player "
                        f"was asked{f'; see {self._log}' if self._log else ''}"
                    )
                todo.appendleft(child.number)
        elif outcome is not None:
            child.number = None
        return outcome

    def _overdue(self, plan: Plan, busy: list[GameProcess]) -> Outcome | None:
        """The forfeit of someone who let too much time pass, if there is one."""
        now = monotonic()
        for child in busy:
            if child.patience(plan, now) <= 0:
                self._dismiss(child)
                return child.hang(plan)
        return None

    def _dismiss(self, child: GameProcess) -> None:
        self._children.remove(child)
        child.end()
