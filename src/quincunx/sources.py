"""The files that compiled code and the play of bots depend on, and their digests.

Numba notices changes only in a function's own file, and a tournament must not mix games of two
versions, so both compare a digest of everything that their results depend on.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from quincunx.registry import BUILT_IN, directory

PACKAGE = Path(__file__).parent

# The compiled files that games share: patterns relative to the package.
SHARED_COMPILED_FILES = (
    "jit.py",
    "position.py",
    "arithmetic.py",
    "defaults.py",
    "batch.py",
    "search/*.py",
    "train/temporal_difference.py",
    "solve/onoro/shapes.py",
    "solve/onoro/shape_enumeration.py",
    "solve/onoro/shape_moves.py",
    "solve/onoro/retrograde.py",
    "solve/onoro/probing.py",
    "solve/onoro/forced.py",
)

# The further files that decide which moves bots play.
SHARED_PLAY_FILES = (
    "game.py",
    "state.py",
    "match.py",
    "options.py",
    "players/*.py",
    "solve/*.py",
    "solve/onoro/*.py",
    "arena/openings.py",
    "arena/referee.py",
    "arena/schedule.py",
)

IMPORT = re.compile(r"^[ \t]*(?:from|import)\s[^()\n]*(?:\([^)]*\))?", re.MULTILINE)
WORD = re.compile(r"\w+")
NOT_DATA = {".py", ".pyc", ".md"}


def compiled_sources() -> list[Path]:
    """Returns every file that compiled code depends on, of all registered games."""
    games = (file for game in BUILT_IN for file in game_sources(game, ("kernel",)))
    return [*_matching(SHARED_COMPILED_FILES), *games]


def play_sources(game: str) -> list[Path]:
    """Returns every file that the moves of built-in players in a game depend on."""
    shared = _matching((*SHARED_COMPILED_FILES, *SHARED_PLAY_FILES))
    return [*shared, *game_sources(game, ("kernel", "rules", "notation"))]


def game_sources(game: str, modules: Iterable[str]) -> list[Path]:
    """Returns the files of these modules, of the game's modules they import, and its data files."""
    folder = directory(game)
    pending, found = [folder / f"{name}.py" for name in modules], set()
    while pending:
        file = pending.pop()
        if file in found or not file.is_file():
            continue
        found.add(file)
        pending += [folder / f"{name}.py" for name in _imported_names(file)]
    data = {file for file in folder.iterdir() if file.is_file() and file.suffix not in NOT_DATA}
    return sorted(found | data)


def digest(files: Iterable[Path]) -> str:
    """Returns a hash of the names and the content of files."""
    state = hashlib.sha256()
    for file in files:
        content = file.read_bytes()
        state.update(f"{file.name} {len(content)}\n".encode() + content)
    return state.hexdigest()[:16]


def _matching(patterns: Iterable[str]) -> list[Path]:
    """Returns the files of the package that match the patterns, in a fixed order."""
    return [path for pattern in patterns for path in sorted(PACKAGE.glob(pattern))]


def _imported_names(file: Path) -> set[str]:
    """Returns all words of a file's import statements, as candidates for module names.

    A regular expression, because parsing the kernels would add 0.1 s to the start of a process.
    """
    return {
        word for statement in IMPORT.findall(file.read_text()) for word in WORD.findall(statement)
    }
