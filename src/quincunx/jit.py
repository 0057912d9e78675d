"""The package's one door to numba: the decorator, specialisation, the cache, bit counting.

Importing this module imports numba, so only kernels and what runs them import it.
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
from typing import TYPE_CHECKING, Any, cast

import numba
import numpy as np
from numba.extending import intrinsic, overload

from quincunx.contract import NAMES, OPTIONAL

if TYPE_CHECKING:
    from quincunx.game import Game

PACKAGE = Path(__file__).parent

# Every file that compiled code can come from; weights become constants of the code.
COMPILED_SOURCES = (
    "jit.py",
    "position.py",
    "batch.py",
    "search/playout.py",
    "search/expectimax.py",
    "search/mcts.py",
    "search/alphabeta.py",
    "train/temporal_difference.py",
    "games/*/kernel.py",
    "games/*/evaluation.py",
    "games/*/patterns.py",
    "games/*/weights.npy",
    "solve/shapes.py",
    "solve/retrograde.py",
    "solve/probing.py",
    "solve/forced.py",
)

UNCOMPILED = bool(numba.config.DISABLE_JIT)


def ignore_integer_overflow() -> None:
    """Lets the integers of this thread wrap around silently, compiled or not."""
    if UNCOMPILED:
        np.seterr(over="ignore")


ignore_integer_overflow()


def compiled_sources() -> Iterator[Path]:
    """Every file that compiled code comes from."""
    for pattern in COMPILED_SOURCES:
        yield from sorted(PACKAGE.glob(pattern))


def sources_digest() -> str:
    """A hash over the text of every compiled source file."""
    digest = hashlib.sha256()
    for path in compiled_sources():
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_home() -> Path:
    """Where compiled code is kept between runs, for all versions of the sources."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen)
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(home) / "quincunx"


@cache
def cache_directory() -> Path:
    """The writable directory for code compiled from the sources as they are now.

    numba looks for changes in a function's own file only, but a kernel calls
    functions of other files; a directory per state of all sources is always right.
    """
    directory = cache_home() / sources_digest()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        if os.access(directory, os.W_OK):
            return directory
    except OSError:
        pass
    throwaway = Path(tempfile.mkdtemp(prefix="quincunx-cache-"))
    atexit.register(shutil.rmtree, throwaway, ignore_errors=True)
    return throwaway


# numba's setting is one for the whole process, and a server loads games in several threads.
_SETTING = threading.Lock()


def jit(function: Callable[..., Any]) -> Any:
    """Compiles a function on its first call, from the cache if it is there; holds no GIL."""
    with _SETTING:
        before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(cache_directory())
        try:
            return numba.njit(cache=True, nogil=True, error_model="numpy")(function)
        finally:
            numba.config.CACHE_DIR = before  # what others compile goes where they want it


def specialise(kernel: ModuleType, *templates: FunctionType) -> SimpleNamespace:
    """The templates compiled for one game: same code, the contract's names bound to its kernel.

    The templates may call each other. Each gets a qualified name of its own,
    because numba's cache tells functions apart by file, line and qualified name
    only and would hand one game's code to another.
    """
    game = kernel.__name__.split(".")[-2]
    contract = {name: getattr(kernel, name) for name in NAMES}
    compiled: dict[str, Any] = {}
    for template in templates:
        names = {**template.__globals__, **contract}
        bound = FunctionType(
            template.__code__, names, template.__name__, template.__defaults__, None
        )
        bound.__qualname__ = f"{template.__name__}_{game}"
        bound.__module__ = template.__module__
        compiled[template.__name__] = jit(bound)
    own = {name: getattr(kernel, name) for name in OPTIONAL if hasattr(kernel, name)}
    for dispatcher in compiled.values():
        getattr(dispatcher, "py_func", dispatcher).__globals__.update({**compiled, **own})
    return SimpleNamespace(**{**compiled, **own})


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
    """How many of the 64 bits of x are set."""
    return (int(x) & 0xFFFF_FFFF_FFFF_FFFF).bit_count()


def lowest_bit(x: Any) -> int:
    """The index of the lowest set bit of x; not a useful number if there is none."""
    return (int(x) & -int(x)).bit_length() - 1


# numba compares the parameters of an overload with those of its body, annotations too.
@overload(popcount, inline="always")
def _popcount(x):  # type: ignore[no-untyped-def]
    return lambda x: _ctpop(x)


@overload(lowest_bit, inline="always")
def _lowest_bit(x):  # type: ignore[no-untyped-def]
    return lambda x: _cttz(x)


def is_warm(name: str) -> bool:
    """True when a game was compiled whole from the sources as they are now."""
    return UNCOMPILED or _warm_mark(name).exists()


def warm(game: Game) -> Iterator[str]:
    """Compiles everything a game has, by using it once; says before each part which it is."""
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
    game.kernel.key(state._s)
    yield "search"
    room = game.empty_positions(2)
    room[0] = state._s
    moves = np.empty((2, game.kernel.MAX_LEGAL), np.int32)
    code = search.compiled(cast(ModuleType, game.kernel))
    code.perft(room, game.seats, moves, 1)
    code.playout(room[0], game.seats, moves[0], 1, 0)
    code.playouts(room[0], game.kernel_options, game.seats, moves[0], 1, 0, 1)
    yield "players"
    seat = 0 if state.turn is None else state.turn
    later = state
    for i in range(game.seats):  # a round later, players use what they kept
        mover = later.seat_to_move(seat, i)
        later = later.act(later.actions(mover)[0], mover)
    for kind in players_of(game):
        one = player(kind, game, seed=0)
        one.choose(state, seat)
        if later.turn in (seat, None) and not later.over:
            one.choose(later, seat)
        if isinstance(one, AnalysingPlayer):
            one.analyse_moves(state, seat)
    yield "batches"
    batch = Batch(game, 2, 0)
    batch.step(batch.sample())
    batch.masks()
    batch.observe()
    batch.scores  # noqa: B018
    _warm_mark(game.name).touch()


def _warm_mark(name: str) -> Path:
    """The file that says a game is compiled; numba knows sources by their place and time too."""
    places = [(str(path), path.stat().st_mtime_ns) for path in compiled_sources()]
    digest = hashlib.sha256(repr(places).encode()).hexdigest()[:16]
    return cache_directory() / f"{name}-{digest}.warm"
