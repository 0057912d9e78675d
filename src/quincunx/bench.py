"""How fast random play is, and what fixed searches do, so that no change goes unseen."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from random import Random
from types import ModuleType
from typing import Any, cast

import numpy as np

from quincunx import search
from quincunx.game import Game
from quincunx.players import player, players_of

# Games that need not end are stopped after this many moves and started anew.
MAX_GAME_MOVES = 1000

# So many moves, and the rest of the last game, are played between two looks at the clock.
AT_ONCE = 2000

# The options under which a game is measured, where they are not the defaults.
BENCH_OPTIONS = {"sphero": {"order": "turns", "limit": 150}}


@dataclass(frozen=True)
class Speed:
    """Moves per second of random play, and what they were measured on."""

    game: str
    moves_per_second: float
    moves: int
    games: int
    cores: int


def random_play(game: Game, seconds: float, cores: int = 1) -> Speed:
    """Plays random games for some seconds on some cores, compiled code only."""
    _play(game, 0.0, 0)  # compiles before the clock starts
    begin = time.perf_counter()
    with ThreadPoolExecutor(cores) as threads:
        done = list(threads.map(lambda seed: _play(game, seconds, seed), range(1, cores + 1)))
    passed = time.perf_counter() - begin
    moves, games = (sum(column) for column in zip(*done, strict=True))
    return Speed(game.name, moves / passed, moves, games, cores)


def _play(game: Game, seconds: float, seed: int) -> tuple[int, int]:
    """Plays whole games until the time is up; how many moves and games they were."""
    code = search.compiled(cast(ModuleType, game.kernel))
    s, room = game.empty_positions()[0], np.empty(game.kernel.MAX_LEGAL, np.int32)
    end, moves, games = time.perf_counter() + seconds, 0, 0
    while not games or time.perf_counter() < end:
        number = seed << 32 | games
        more = code.playouts(
            s, game.kernel_options, game.seats, room, MAX_GAME_MOVES, number, AT_ONCE
        )
        moves, games = moves + more[0], games + more[1]
    return moves, games


# Searches with a fixed limit; each game has those of the players that play it.
SEARCHES = ("mcts:sims=1000", "alphabeta:depth=4", "expectimax:samples=2")
PLIES = (0, 6, 12)  # after so many random moves a search begins


def signature(game: Game) -> Iterator[tuple[str, int]]:
    """The fixed searches of a game, each with how many nodes it visits in all its positions."""
    kinds = players_of(game)
    for text in SEARCHES:
        if text.partition(":")[0] in kinds:
            yield text, sum(_nodes(game, text, plies) for plies in PLIES)


def _nodes(game: Game, text: str, plies: int) -> int:
    """How many nodes a search visits in one position."""
    dice, state = Random(plies), game.start(seed=plies)
    for ply in range(plies):
        seat = state.seat_to_move(0, ply)
        after = state.act(dice.choice(state.actions(seat)), seat)
        if after.over:
            break
        state = after
    searcher: Any = player(text, game, seed=plies)
    searcher.choose(state, 0 if state.turn is None else None)
    return int(searcher.nodes)
