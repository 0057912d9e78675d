"""Tree search with random playouts in Quincunx and in OpenSpiel, measured in one run.

Quincunx searches the first position of Quorum, OpenSpiel that of breakthrough, both with playouts
to the end of the game. The figure is playout moves per second of processor time on one thread.
Neither program counts playout moves, so a simulation counts as the mean length of a random game
from the first position: the path through the tree and the playout are together about as long.
Two threads are compared with one by wall-clock time, in alternating slices.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import cast

import numpy as np
from machine import heading
from random_play import SLICES, Figure

import quincunx
from quincunx import bench, search
from quincunx.players.mcts import MctsPlayer

try:
    import pyspiel
except ImportError:
    pyspiel = None

MIN_SPEED_RATIO = 2.0  # to OpenSpiel's playout moves per second
MIN_THREAD_RATIO = 1.7  # of the simulations of two threads to those of one
LENGTH_GAMES = 2000  # random games for the mean length

# Runs simulations for a number of seconds; returns simulations per second.
Runner = Callable[[float], float]


def quincunx_runner(threads: int, clock: Callable[[], float]) -> Runner:
    """Returns a runner of Quincunx's tree search in Quorum."""
    game = quincunx.game("quorum")
    text = f"mcts:sims={1000 * threads},threads={threads},horizon={bench.MAX_GAME_MOVES}"

    def run(seconds: float) -> float:
        sims, start = 0, clock()
        while clock() < start + seconds:
            player = cast(MctsPlayer, quincunx.player(text, game, seed=sims))
            player.choose(game.start())
            sims += player.sims
        return sims / (clock() - start)

    return run


def openspiel_runner(name: str) -> Runner:
    """Returns a runner of OpenSpiel's tree search, all in C++, with one rollout per simulation."""
    game = pyspiel.load_game(name)

    def run(seconds: float) -> float:
        sims, start = 0, time.process_time()
        while time.process_time() < start + seconds:
            evaluator = pyspiel.RandomRolloutEvaluator(1, sims)
            bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1000, 1000, False, sims, False)
            bot.step(game.new_initial_state())
            sims += 1000
        return sims / (time.process_time() - start)

    return run


def quincunx_game_length() -> float:
    """Returns the mean length of random games of Quorum."""
    game = quincunx.game("quorum")
    code = search.compiled(game.kernel)
    s, buffer = game.empty_positions()[0], np.empty(game.kernel.MAX_LEGAL, np.int32)
    lengths = []
    for seed in range(LENGTH_GAMES):
        game.kernel.start(s, game.kernel_options, seed)
        lengths.append(code.playout(s, game.seats, buffer, bench.MAX_GAME_MOVES, seed))
    return statistics.mean(lengths)


def openspiel_game_length(name: str) -> float:
    """Returns the mean length of random games in OpenSpiel."""
    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(game.num_players())]
    lengths = []
    for seed in range(LENGTH_GAMES):
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, seed)
        lengths.append(state.move_number())
    return statistics.mean(lengths)


def main() -> None:
    """Measures and prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=9.0, help="seconds per figure (default 9)")
    seconds = parser.parse_args().seconds / SLICES

    length = quincunx_game_length()
    runners = {
        "quorum": quincunx_runner(1, time.process_time),
        "one thread": quincunx_runner(1, time.perf_counter),
        "two threads": quincunx_runner(2, time.perf_counter),
    }
    if pyspiel:
        runners["breakthrough"] = openspiel_runner("breakthrough")
    runners["quorum"](1e-9)  # compiles
    slices: dict[str, list[float]] = {name: [] for name in runners}
    for _ in range(SLICES):
        for name, run in runners.items():
            slices[name].append(run(seconds))

    print(heading("Tree search with random playouts"))
    print("thousands per second: the median of the slices; half of them are within ± of it")
    moves = [sims * length for sims in slices["quorum"]]
    print(f"Quincunx, Quorum: {Figure(tuple(moves))} playout moves ({length:.0f} per simulation)")
    if pyspiel:
        length = openspiel_game_length("breakthrough")
        openspiel_moves = [sims * length for sims in slices["breakthrough"]]
        figure = Figure(tuple(openspiel_moves))
        print(f"OpenSpiel, breakthrough: {figure} playout moves ({length:.0f} per simulation)")
        print_ratio("times OpenSpiel's", moves, openspiel_moves, MIN_SPEED_RATIO)
    else:
        print("OpenSpiel is not installed: pip install 'quincunx[openspiel]'")
    for name in ("one thread", "two threads"):
        print(f"{name}: {statistics.median(slices[name]):,.0f} simulations per second")
    print_ratio("times one thread's", slices["two threads"], slices["one thread"], MIN_THREAD_RATIO)


def print_ratio(unit: str, speeds: list[float], reference: list[float], budget: float) -> None:
    """Prints the median of the slices' ratios, and whether it meets the budget."""
    ratio = statistics.median(a / b for a, b in zip(speeds, reference, strict=True))
    print(f"  {ratio:.2f} {unit}; budget {budget}: {'met' if ratio >= budget else 'NOT MET'}")


if __name__ == "__main__":
    main()
