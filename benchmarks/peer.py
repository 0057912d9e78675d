"""The server that ours is measured beside: boardgame.io (boardgame/), installed here, run here."""

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

from serving import Load, free_port, processor_time

SOURCES = Path(__file__).with_name("boardgame")
INSTALLED = Path(__file__).with_name("build") / "boardgame"
ENVIRONMENT = {**os.environ, "NODE_ENV": "production"}  # without the checks for developers


class NoPeerError(Exception):
    """boardgame.io cannot be measured here; says why."""


def install() -> None:
    """Installs boardgame.io with npm, outside of what is under version control."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            raise NoPeerError(f"there is no {program} here")
    shutil.copytree(SOURCES, INSTALLED, dirs_exist_ok=True)
    words = ("npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--prefer-offline")
    done = subprocess.run(words, cwd=INSTALLED, capture_output=True, text=True)
    if done.returncode:
        raise NoPeerError(f"npm could not install it:\n{done.stderr.strip()}")


def load(kept: str, matches: int, seconds: float) -> Load:
    """So many matches at a time, for so long, kept in "files" or in "memory"."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        words = ["node", "server.js", str(port), *([folder] if kept == "files" else [])]
        server = subprocess.Popen(words, cwd=INSTALLED, env=ENVIRONMENT)
        try:
            _wait_for(server, port)
            before = processor_time(server.pid)
            found = _clients(port, matches, seconds)
            cpu = processor_time(server.pid) - before
        finally:
            server.terminate()
            server.wait()
    times = [one / 1000 for one in found["times"]]
    if found["wrong"]:
        print(f"boardgame.io, {kept}: {found['wrong']} states did not follow the one before")
    return Load(
        "boardgame.io", kept, found["moves"], found["matches"], found["seconds"], cpu, times
    )


def _wait_for(server: subprocess.Popen[bytes], port: int) -> None:
    while server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.05)
    raise NoPeerError("its server does not start")


def _clients(port: int, matches: int, seconds: float) -> dict[str, Any]:
    words = ("node", "client.js", str(port), str(matches), str(seconds))
    done = subprocess.run(words, cwd=INSTALLED, env=ENVIRONMENT, capture_output=True, text=True)
    if done.returncode:
        raise NoPeerError(f"its clients failed: {done.stderr.strip()}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found
