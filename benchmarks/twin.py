"""Quorum in C++ (quorum.cpp): compiled here, run here."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).with_name("quorum.cpp")
COMPILER = "g++"
FLAGS = ("-O3", "-march=native", "-std=c++17")


@dataclass(frozen=True)
class Played:
    """What a run of the program played; seconds of processor time."""

    moves: int
    games: int
    seconds: float
    checksum: str


def can_compile() -> bool:
    """True when there is a C++ compiler."""
    return shutil.which(COMPILER) is not None


def compile_into(folder: Path) -> Path:
    """Compiles the program and returns where it is."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "quorum"
    subprocess.run([COMPILER, *FLAGS, str(SOURCE), "-o", str(program)], check=True)
    return program


def play_seconds(program: Path, seconds: float) -> Played:
    """Plays for some seconds."""
    return _run(program, str(seconds))


def play_games(program: Path, games: int) -> Played:
    """Plays so many games."""
    return _run(program, "--games", str(games))


def _run(program: Path, *words: str) -> Played:
    done = subprocess.run([str(program), *words], check=True, capture_output=True, text=True)
    return Played(**json.loads(done.stdout))
