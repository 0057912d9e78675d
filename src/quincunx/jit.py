"""The only module that uses numba: decorator, specialisation per game, cache, bit operations.

Importing this module imports numba, so only kernels and the code that runs them import it.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from numba.extending import intrinsic, overload

from quincunx.contract import KERNEL_NAMES, OPTIONAL_KERNEL_NAMES
from quincunx.sources import compiled_sources, digest

if TYPE_CHECKING:
    from quincunx.game import Game

UNCOMPILED = bool(numba.config.DISABLE_JIT)


def ignore_integer_overflow() -> None:
    """Disables numpy's overflow warnings in this thread when kernels run uncompiled."""
    if UNCOMPILED:
        np.seterr(over="ignore")


ignore_integer_overflow()


def cache_home() -> Path:
    """Returns the directory that holds the compiled code of all versions of the sources."""
    configured = os.environ.get("NUMBA_CACHE_DIR")
    if configured:
        return Path(configured)
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(home) / "quincunx"


@cache
def cache_directory() -> Path:
    """Returns the writable directory for code compiled from the current sources.

    numba checks only a function's own file for changes, but kernels call functions of other
    files; a directory per digest of all sources is never stale.
    """
    directory = cache_home() / digest(compiled_sources())
    try:
        directory.mkdir(parents=True, exist_ok=True)
        if os.access(directory, os.W_OK):
            return directory
    except OSError:
        pass
    temporary = Path(tempfile.mkdtemp(prefix="quincunx-cache-"))
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    return temporary


# numba's CACHE_DIR is global to the process, and a server loads games in several threads.
_CACHE_DIR_LOCK = threading.Lock()


def jit(function: Callable[..., Any]) -> Any:
    """Compiles a function on its first call, or loads it from the cache; it releases the GIL."""
    with _CACHE_DIR_LOCK:
        before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(cache_directory())
        try:
            return numba.njit(cache=True, nogil=True, error_model="numpy")(function)
        finally:
            numba.config.CACHE_DIR = before  # other packages keep their own cache directory


def specialise(kernel: ModuleType, *templates: FunctionType) -> SimpleNamespace:
    """Compiles the templates for one game, with the contract's names bound to its kernel.

    The templates may call each other. Each gets a unique qualified name, because numba's
    cache identifies functions by file, line and qualified name only and would otherwise
    return the code compiled for another game.
    """
    game = kernel.__name__.split(".")[-2]
    contract = {name: getattr(kernel, name) for name in KERNEL_NAMES}
    compiled: dict[str, Any] = {}
    for template in templates:
        names = {**template.__globals__, **contract}
        bound = FunctionType(
            template.__code__, names, template.__name__, template.__defaults__, None
        )
        bound.__qualname__ = f"{template.__name__}_{game}"
        bound.__module__ = template.__module__
        compiled[template.__name__] = jit(bound)
    overrides = {
        name: getattr(kernel, name) for name in OPTIONAL_KERNEL_NAMES if hasattr(kernel, name)
    }
    for dispatcher in compiled.values():
        getattr(dispatcher, "py_func", dispatcher).__globals__.update({**compiled, **overrides})
    return SimpleNamespace(**{**compiled, **overrides})


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def _ctpop(context: Any, x: Any) -> Any:
    return numba.types.int64(numba.types.uint64), lambda _, builder, __, args: builder.ctpop(
        args[0]
    )


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def _cttz(context: Any, x: Any) -> Any:
    return numba.types.int64(numba.types.uint64), lambda ctx, builder, __, args: builder.cttz(
        args[0], ctx.get_constant(numba.types.boolean, False)
    )


def popcount(x: Any) -> int:
    """Returns the number of set bits of a 64-bit integer."""
    return (int(x) & 0xFFFF_FFFF_FFFF_FFFF).bit_count()


def lowest_bit(x: Any) -> int:
    """Returns the index of the lowest set bit of x; undefined for x = 0."""
    return (int(x) & -int(x)).bit_length() - 1


# numba requires an overload and its implementation to have equal parameters and annotations.
@overload(popcount, inline="always")
def _popcount(x):  # type: ignore[no-untyped-def]
    return lambda x: _ctpop(x)


@overload(lowest_bit, inline="always")
def _lowest_bit(x):  # type: ignore[no-untyped-def]
    return lambda x: _cttz(x)


def is_warm(name: str) -> bool:
    """Returns True if `warm` has compiled the whole game from the current sources."""
    return UNCOMPILED or _warm_marker(name).exists()


def warm(game: Game) -> Iterator[str]:
    """Compiles all code of a game by running it once; yields the name of each part first."""
    from quincunx import search
    from quincunx.batch import Batch
    from quincunx.players import AnalysingPlayer, player, players_of

    yield "rules"
    state = game.start(seed=0)
    move = state.moves()[0]
    state.play(move, 0 if state.turn is None else None)
    yield "steps and texts"
    state.steps(move, 0 if state.turn is None else None)
    game.read(state.text)
    state.hidden(0, seed=0).evaluate(0)
    state.observe(0)
    state.scores  # noqa: B018
    game.kernel.key(state.position)
    yield "search"
    search.count_leaves(state, 1)
    search.RandomGames(game).play(seed=0, min_moves=1, max_game_moves=1)
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
    batch = Batch(game, 2, 0)
    batch.step(batch.sample())
    batch.masks()
    batch.observe()
    batch.scores  # noqa: B018
    _warm_marker(game.name).touch()


def _warm_marker(name: str) -> Path:
    """Returns the file that marks a game as compiled.

    Its name depends on the paths and modification times of the sources, as numba's cache does.
    """
    sources = [(str(path), path.stat().st_mtime_ns) for path in compiled_sources()]
    digest = hashlib.sha256(repr(sources).encode()).hexdigest()[:16]
    return cache_directory() / f"{name}-{digest}.warm"
