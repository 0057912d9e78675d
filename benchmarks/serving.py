"""A server to be measured: started in a process of its own, asked, killed; and what it bore."""

from __future__ import annotations

import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen


class Server:
    """`quincunx serve` on a free port of this machine, over the database in a folder."""

    def __init__(self, data: Path, *words: str) -> None:
        self.data = data
        self.words = words
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def host(self) -> str:
        """Where it listens."""
        return f"127.0.0.1:{self.port}"

    def start(self, games: tuple[str, ...] = ()) -> None:
        """Starts it, and waits until it answers and these games are compiled."""
        words = ["serve", "--port", str(self.port), "--data", str(self.data), *self.words]
        self.process = subprocess.Popen([sys.executable, "-m", "quincunx", *words])
        while not self._answers("/api/daily"):
            time.sleep(0.02)
        for game in games:
            while not self._answers(f"/api/picture.svg?game={game}"):
                time.sleep(0.05)

    def _answers(self, path: str) -> bool:
        try:
            with urlopen(f"http://{self.host}{path}", timeout=10):
                return True
        except (URLError, OSError):
            return False

    def kill(self) -> None:
        """Ends it at once, without any warning (kill -9)."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process = None

    def memory(self) -> int:
        """How many bytes of memory it holds."""
        assert self.process is not None
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def cpu(self) -> float:
        """How many seconds of processor time it has used."""
        assert self.process is not None
        return processor_time(self.process.pid)

    def get(self, path: str) -> Any:
        """What a request gives."""
        with urlopen(f"http://{self.host}{path}") as answer:
            return json.load(answer)

    def post(self, path: str, **fields: Any) -> dict[str, Any]:
        """What a request gives, tried again while a game is being compiled."""
        data, kind = json.dumps(fields).encode(), {"content-type": "application/json"}
        while True:
            try:
                with urlopen(Request(f"http://{self.host}{path}", data, kind)) as answer:
                    found: dict[str, Any] = json.load(answer)
                    return found
            except HTTPError as error:
                if error.code != 503:
                    raise
                time.sleep(0.2)

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process:
            self.process.terminate()
            self.process.wait()


@dataclass(frozen=True)
class Load:
    """What a server bore: moves, games begun, seconds by the clock and of its processor time,
    and how many seconds each move took."""

    server: str
    kept: str
    moves: int
    games: int
    seconds: float
    cpu: float
    times: list[float]

    @property
    def speed(self) -> float:
        """Moves per second."""
        return self.moves / self.seconds

    @property
    def cost(self) -> float:
        """Seconds of the server's processor time for a move."""
        return self.cpu / max(1, self.moves)

    def within(self, part: float) -> float:
        """In how many seconds so large a part of the moves were answered."""
        return percentile(self.times, part)


def processor_time(pid: int) -> float:
    """How many seconds of processor time a process has used."""
    parts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def allow_many_sockets() -> None:
    """Lets this process open as many sockets as the system gives."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def percentile(values: list[float], part: float) -> float:
    """The value that so large a part of the values lies below."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else float("nan")
