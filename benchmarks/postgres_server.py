"""A temporary PostgreSQL server on this machine, to be restarted and frozen; also for the tests."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from contextlib import suppress
from glob import glob
from pathlib import Path
from types import TracebackType

USER = "postgres"  # PostgreSQL refuses to run as root


def programs() -> Path | None:
    """Returns the directory of PostgreSQL's programs; None if this user cannot start it."""
    found = sorted(glob("/usr/lib/postgresql/*/bin/initdb"))
    may_start = hasattr(os, "geteuid") and not os.geteuid() and shutil.which("runuser")
    return Path(found[-1]).parent if found and may_start else None


class PostgresServer:
    """A server on loopback, with its files in a temporary directory."""

    def __init__(self) -> None:
        bin_directory = programs()
        assert bin_directory, "PostgreSQL is not installed, or this user may not start it"
        self._bin = bin_directory
        self._directory = Path(tempfile.mkdtemp(prefix="quincunx-postgres-"))
        shutil.chown(self._directory, USER)
        self._data = str(self._directory / "data")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self._databases = 0

    def __enter__(self) -> PostgresServer:
        self._run("initdb", "-D", self._data, "-A", "trust")
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.thaw()
        self._control("stop", "-m", "immediate")
        shutil.rmtree(self._directory)

    def _run(self, program: str, *arguments: str) -> None:
        command = ["runuser", "-u", USER, "--", str(self._bin / program), *arguments]
        output = subprocess.DEVNULL
        subprocess.run(command, check=True, cwd=self._directory, stdout=output)

    def _control(self, *arguments: str) -> None:
        log = str(self._directory / "log")
        self._run("pg_ctl", "-D", self._data, "-w", "-l", log, *arguments)

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        options = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": self._directory,
        }
        settings = " ".join(f"-c {name}={value}" for name, value in options.items())
        self._control("-o", settings, "start")

    def create_database(self) -> str:
        """Creates an empty database; returns its URL."""
        self._databases += 1
        name = f"quincunx{self._databases}"
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), name)
        return f"postgresql+asyncpg://{USER}@127.0.0.1:{self.port}/{name}"

    def stop(self) -> None:
        """Ends it as a crash does: connections break, and it recovers at its next start."""
        self._control("stop", "-m", "immediate")

    def restart(self) -> None:
        """Ends it as a crash does, and starts it again."""
        self.stop()
        self.start()

    def freeze(self) -> None:
        """Stops all its processes: connections stay open, and nothing is answered."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Lets its processes go on."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        """Sends a signal to the server's first process and to all that it has started."""
        first = int((Path(self._data) / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        for process in (first, *map(int, children)):
            with suppress(ProcessLookupError):  # a connection that has ended meanwhile
                os.kill(process, number)
