"""The files that the play of bots and the compiled code of a game depend on.

A tournament must not mix games of two versions, so it compares a digest of these files.
"""

from __future__ import annotations

from pathlib import Path

from quincunx import registry
from quincunx.module_sources import (
    PACKAGE_NAME,
    Source,
    data_files,
    imports,
    in_order,
    is_package,
    locate,
    matching,
    may_be_compiled,
    shared_compiled_sources,
    top_level,
)

# The files of the package that decide which moves bots play, besides the shared compiled ones.
SHARED_PLAY_FILES = (
    "game.py",
    "default_rules.py",
    "state.py",
    "match.py",
    "options.py",
    "boards/*.py",
    "players/*.py",
    "solve/*.py",
    "arena/openings.py",
    "arena/referee.py",
    "arena/schedule.py",
)

# The modules next to a kernel that decide which moves bots play.
PLAY_MODULES = ("rules", "notation")


def kernel_source(game: str) -> Source | None:
    """Returns the module of a game's kernel; None if it was not read from a file.

    A game is imported only if its package has no module `kernel`.
    """
    in_package = locate(f"{registry.module(game)}.kernel")
    return in_package or locate(registry.game(game).kernel.__name__)


def play_sources(game: str) -> list[Path]:
    """Returns every file that the moves of built-in players in a game depend on."""
    shared = [*shared_compiled_sources(), *matching(SHARED_PLAY_FILES)]
    kernel = kernel_source(game)
    found = imports(kernel, may_be_compiled) if kernel else set()
    for source in _play_modules(game, kernel):
        found |= imports(source, _is_of_the_game)
    return [*shared, *in_order(found), *data_files(found), *_solver_files(game)]


def _play_modules(game: str, kernel: Source | None) -> list[Source]:
    """Returns the modules of a game that decide which moves bots play, besides its kernel.

    They are next to the kernel; a game that has none is one module with all of them.
    """
    package = kernel.module.rpartition(".")[0] if kernel else registry.module(game)
    found = [locate(f"{package}.{name}") for name in PLAY_MODULES]
    whole = [] if any(found) else [locate(registry.module(game))]
    return [source for source in (*found, *whole) if source]


def _is_of_the_game(importing: Source, imported: Source) -> bool:
    """Returns whether a module imports another of the same game, not of the rest of Quincunx."""
    home = top_level(importing.module)
    if home == PACKAGE_NAME:
        home = importing.module.rpartition(".")[0]
    return f"{imported.module}.".startswith(f"{home}.")


def _solver_files(game: str) -> list[Path]:
    """Returns the Python files of the module or package that solves a game."""
    solver = registry.solver(game)
    source = locate(solver) if solver else None
    if source is None:
        return []
    return sorted(source.file.parent.glob("*.py")) if is_package(source.file) else [source.file]
