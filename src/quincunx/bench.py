"""The speed of random play, and the node counts of fixed searches, which must not change."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from random import Random
from threading import Event
from typing import Any

from quincunx import search
from quincunx.game import Game
from quincunx.players import player, players_of

# Some games may never end: they are stopped after this number of moves.
MAX_GAME_MOVES = 1000

# The number of moves between two checks of the clock; the last game is played to its end.
CLOCK_CHECK_MOVES = 4000

# Random play of a game that needs a limit is measured up to this number of moves: on larger boards
# than those of real games a move takes longer.
MEASURED_LIMIT = 150

# Searches with a fixed limit; a game has those of the players that can play it.
SIGNATURE_SEARCHES = ("mcts:sims=1000", "alphabeta:depth=4", "expectimax:samples=2")

# Each search is run after these numbers of random moves.
SIGNATURE_PLIES = (0, 6, 12)


@dataclass(frozen=True)
class Speed:
    """Moves per second of random play, with the totals they come from."""

    game: str
    moves_per_second: float
    moves: int
    games: int
    cores: int


def random_play(game: Game, seconds: float, cores: int = 1) -> Speed:
    """Measures random play for a number of seconds, with one thread per core.

    KeyboardInterrupt ends the threads at once.
    """
    stop = Event()
    _play_random_games(game, 0.0, 0, stop)  # compiles before the clock starts
    start = time.perf_counter()
    with ThreadPoolExecutor(cores) as threads:
        seeds = range(1, cores + 1)
        play = partial(_play_random_games, game, seconds, stop=stop)
        try:
            counts = list(threads.map(play, seeds))
        except KeyboardInterrupt:
            stop.set()
            raise
    elapsed = time.perf_counter() - start
    moves, games = (sum(column) for column in zip(*counts, strict=True))
    return Speed(game.name, moves / elapsed, moves, games, cores)


def measured(game: Game) -> Game:
    """Returns a game with the options with which random play is measured."""
    options = dict(game.traits.unattended)
    if "limit" in options:
        options["limit"] = MEASURED_LIMIT
    return game.configured(**options)


def _play_random_games(game: Game, seconds: float, seed: int, stop: Event) -> tuple[int, int]:
    """Plays whole games until the time is up or `stop` is set; returns the moves and games."""
    random_games = search.RandomGames(game)
    deadline, moves, games = time.perf_counter() + seconds, 0, 0
    while not games or (time.perf_counter() < deadline and not stop.is_set()):
        new_moves, new_games = random_games.play(
            seed << 32 | games, CLOCK_CHECK_MOVES, MAX_GAME_MOVES
        )
        moves, games = moves + new_moves, games + new_games
    return moves, games


def signature(game: Game) -> Iterator[tuple[str, int]]:
    """Yields the fixed searches of a game, each with the nodes it visits in all its positions."""
    kinds = players_of(game)
    for text in SIGNATURE_SEARCHES:
        if text.partition(":")[0] in kinds:
            yield text, sum(_count_nodes(game, text, plies) for plies in SIGNATURE_PLIES)


def _count_nodes(game: Game, text: str, plies: int) -> int:
    """Returns the number of nodes that a search visits after a number of random moves."""
    rng, state = Random(plies), game.start(seed=plies)
    for ply in range(plies):
        seat = state.seat_to_move(0, ply)
        after = state.act(rng.choice(state.actions(seat)), seat)
        if after.over:
            break
        state = after
    searcher: Any = player(text, game, seed=plies)
    searcher.choose(state, 0 if state.turn is None else None)
    return int(searcher.nodes)
