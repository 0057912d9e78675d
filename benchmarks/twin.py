"""Compiles and runs Quorum in C++ (quorum.cpp)."""

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
class ProgramResult:
    """The result of a run of the program; seconds are processor time."""

    moves: int
    games: int
    seconds: float
    checksum: str


def can_compile() -> bool:
    """Returns True when a C++ compiler is installed."""
    return shutil.which(COMPILER) is not None


def compile_into(directory: Path) -> Path:
    """Compiles the program into a directory; returns the path of the executable."""
    directory.mkdir(parents=True, exist_ok=True)
    program = directory / "quorum"
    subprocess.run([COMPILER, *FLAGS, str(SOURCE), "-o", str(program)], check=True)
    return program


def play_seconds(program: Path, seconds: float) -> ProgramResult:
    """Plays games for a number of seconds."""
    return _run(program, str(seconds))


def play_games(program: Path, games: int) -> ProgramResult:
    """Plays a number of games."""
    return _run(program, "--games", str(games))


def _run(program: Path, *arguments: str) -> ProgramResult:
    process = subprocess.run([str(program), *arguments], check=True, capture_output=True, text=True)
    return ProgramResult(**json.loads(process.stdout))
