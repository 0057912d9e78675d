"""The peer of the server benchmarks: boardgame.io (boardgame/), installed and run locally."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from serving import LoadResult, cpu_seconds, free_port

SOURCES = Path(__file__).with_name("boardgame")
INSTALLED = Path(__file__).with_name("build") / "boardgame"
ENVIRONMENT = {**os.environ, "NODE_ENV": "production"}  # without development checks


class PeerUnavailableError(Exception):
    """boardgame.io cannot be measured; the message says why."""


def install() -> None:
    """Installs boardgame.io with npm, in a directory outside version control."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            raise PeerUnavailableError(f"{program} is not installed")
    shutil.copytree(SOURCES, INSTALLED, dirs_exist_ok=True)
    command = ("npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--prefer-offline")
    process = subprocess.run(command, cwd=INSTALLED, capture_output=True, text=True)
    if process.returncode:
        raise PeerUnavailableError(f"npm install failed:\n{process.stderr.strip()}")


def load(storage: str, matches: int, seconds: float) -> LoadResult:
    """Measures a number of concurrent matches; `storage` is "files" or "memory"."""
    port = free_port()
    with tempfile.TemporaryDirectory() as directory:
        command = ["node", "server.js", str(port), *([directory] if storage == "files" else [])]
        server = subprocess.Popen(command, cwd=INSTALLED, env=ENVIRONMENT)
        try:
            _wait_for(server, port)
            before = cpu_seconds(server.pid)
            report = _run_clients(port, matches, seconds)
            cpu = cpu_seconds(server.pid) - before
        finally:
            server.terminate()
            server.wait()
    times = [milliseconds / 1000 for milliseconds in report["times"]]
    if report["wrong"]:
        print(f"boardgame.io, {storage}: {report['wrong']} states did not follow their predecessor")
    return LoadResult(
        "boardgame.io", storage, report["moves"], report["matches"], report["seconds"], cpu, times
    )


def _wait_for(server: subprocess.Popen[bytes], port: int) -> None:
    while server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.05)
    raise PeerUnavailableError("the server of boardgame.io did not start")


def _run_clients(port: int, matches: int, seconds: float) -> dict[str, Any]:
    """Runs the clients; returns their report."""
    command = ("node", "client.js", str(port), str(matches), str(seconds))
    process = subprocess.run(
        command, cwd=INSTALLED, env=ENVIRONMENT, capture_output=True, text=True
    )
    if process.returncode:
        raise PeerUnavailableError(f"clients of boardgame.io failed: {process.stderr.strip()}")
    report: dict[str, Any] = json.loads(process.stdout)
    return report
