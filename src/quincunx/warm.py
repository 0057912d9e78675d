"""Compiling all code of a game ahead of its first use."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quincunx import jit, search
from quincunx.code_cache import module_cache
from quincunx.contract import ENTRY_POINTS, Kernel
from quincunx.module_sources import compiled_sources
from quincunx.registry import names
from quincunx.sources import kernel_source

if TYPE_CHECKING:
    import numpy as np

    from quincunx.game import Game


def is_warm(name: str) -> bool:
    """Returns True if `warm` has compiled the whole game from the current sources."""
    if jit.UNCOMPILED:
        return True
    marker = _marker(name)
    return marker is not None and marker.exists()


def declared_functions(kernel: Kernel) -> dict[str, tuple[Any, str]]:
    """Returns the kernel's entry points and its further functions, each with its signature text.

    Where the kernel has no `sample` or `one_ply_values` of its own, they are those of search.
    """
    templates = search.compiled(kernel)
    found = {
        name: (getattr(kernel, name, None) or getattr(templates, name, None), text)
        for name, text in ENTRY_POINTS.items()
    }
    helpers = {
        name: (getattr(kernel, name, None), text)
        for name, text in getattr(kernel, "HELPERS", {}).items()
    }
    return {name: entry for name, entry in {**found, **helpers}.items() if entry[0] is not None}


def warm(game: Game) -> Iterator[str]:
    """Compiles all code of a game; yields the name of each part first.

    The functions of the kernel and the searches are compiled for the types that they declare;
    everything above them is run once.
    """
    from quincunx.players import AnalysingPlayer, player, players_of

    yield "rules"
    for function, text in declared_functions(game.kernel).values():
        _compile(function, text, {"state": game.kernel.STATE})
    yield "search"
    for _, function, text, records in search.declared_functions(game.kernel):
        _compile(function, text, records)
    state = game.start(seed=0)
    yield "players"
    seat = 0 if state.turn is None else state.turn
    later = state
    for i in range(game.seats):  # one round later, players reuse their search trees
        next_seat = later.seat_to_move(seat, i)
        later = later.act(later.actions(next_seat)[0], next_seat)
    for kind in players_of(game):
        bot = player(kind, game, seed=0)
        bot.choose(state, seat)
        if later.turn in (seat, None) and not later.over:
            bot.choose(later, seat)
        if isinstance(bot, AnalysingPlayer):
            bot.analyse_moves(state, seat)
    yield "batches"
    run_batch(game)
    marker = _marker(game.name)
    if marker:
        marker.touch()


def _compile(function: Any, text: str, records: Mapping[str, np.dtype[Any]]) -> None:
    """Compiles a function for the types of its arguments, as a call does.

    numba's cache distinguishes signatures with and without the type of the result: a call would not
    find what was compiled for the whole signature, and would compile it once more.
    """
    jit.compile_signature(function, jit.signature(text, records).args)


def run_batch(game: Game) -> None:
    """Calls every compiled function of a batch once."""
    from quincunx.batch import Batch

    batch = Batch(game, 2, 0)
    batch.step(batch.sample())
    batch.masks()
    batch.observe()
    batch.scores  # noqa: B018


def _marker(name: str) -> Path | None:
    """Returns the file that marks a game as compiled; None for a game without files.

    Its name depends on the paths and modification times of the sources, as numba's cache does.
    """
    kernel = kernel_source(name) if name in names() else None
    if kernel is None:
        return None
    sources = [(str(path), path.stat().st_mtime_ns) for path in compiled_sources(kernel)]
    digest = hashlib.sha256(repr(sources).encode()).hexdigest()[:16]
    return module_cache(kernel) / f"{name}-{digest}.warm"
