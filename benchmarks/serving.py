"""A server to be measured: started in another process, queried, killed; and its load results."""

from __future__ import annotations

import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from load_client import Load


class Server:
    """`quincunx serve` on a free port of this machine, with its database in a directory."""

    def __init__(self, data: Path, *arguments: str) -> None:
        self.data = data
        self.arguments = arguments
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def host(self) -> str:
        """The host and port on which it listens."""
        return f"127.0.0.1:{self.port}"

    def start(self, games: tuple[str, ...] = ()) -> None:
        """Starts it, and waits until it answers and these games are compiled."""
        command = [sys.executable, "-m", "quincunx", "serve", "--port", str(self.port)]
        self.process = subprocess.Popen([*command, "--data", str(self.data), *self.arguments])
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
        """Kills it without warning (kill -9)."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process = None

    def memory_bytes(self) -> int:
        """Returns the size of its resident memory."""
        assert self.process is not None
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def cpu_seconds(self) -> float:
        """Returns the processor time that it has used."""
        assert self.process is not None
        return cpu_seconds(self.process.pid)

    def get(self, path: str) -> Any:
        """Returns the JSON response to a GET request."""
        with urlopen(f"http://{self.host}{path}") as answer:
            return json.load(answer)

    def post(self, path: str, **fields: Any) -> dict[str, Any]:
        """Returns the JSON response to a POST request; retries while a game is compiling."""
        data, headers = json.dumps(fields).encode(), {"content-type": "application/json"}
        while True:
            try:
                with urlopen(Request(f"http://{self.host}{path}", data, headers)) as answer:
                    content: dict[str, Any] = json.load(answer)
                    return content
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
class LoadResult:
    """What a server did under load: all times are seconds, `latencies` has one per move."""

    server: str
    storage: str
    moves: int
    games: int
    seconds: float
    cpu_seconds: float
    latencies: list[float]
    client_cpu_seconds: float = 0.0

    @property
    def client_share(self) -> float:
        """The client's share of the processor time of both."""
        return self.client_cpu_seconds / (self.client_cpu_seconds + self.cpu_seconds)

    @property
    def moves_per_second(self) -> float:
        """The throughput."""
        return self.moves / self.seconds

    @property
    def cpu_seconds_per_move(self) -> float:
        """The server's processor time for a move."""
        return self.cpu_seconds / max(1, self.moves)

    def latency(self, fraction: float) -> float:
        """Returns the latency below which this fraction of the moves lies."""
        return percentile(self.latencies, fraction)


def measure_cpu(load: Load, cpu_seconds: Callable[[], float]) -> float:
    """Runs a load; returns the processor time that its server used, without connecting."""
    before = 0.0

    def on_start() -> None:
        nonlocal before
        before = cpu_seconds()

    try:
        load.run(on_start)
        return cpu_seconds() - before
    finally:
        load.close()


def cpu_seconds(pid: int) -> float:
    """Returns the processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def free_port() -> int:
    """Returns a free port of this machine."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def raise_open_file_limit() -> None:
    """Raises the limit of open files to its maximum, because every socket counts as one."""
    _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard_limit, hard_limit))


def percentile(values: list[float], fraction: float) -> float:
    """Returns the value below which this fraction of the values lies; NaN without values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(fraction * len(ordered)))] if ordered else float("nan")
