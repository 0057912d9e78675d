"""Tree search with random playouts in Quincunx and in OpenSpiel, measured in one run.

Both search the first position of a game, Quorum here and breakthrough there, with playouts
to the end. What is compared is playout moves per second on one thread, of processor time.
Neither program counts them, so a simulation counts in both as one random game from the first
position: its way through the tree and its playout are together about as long. The search
with two threads goes by the clock, against one thread in the same turn.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from types import ModuleType
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

TIMES = 2.0  # OpenSpiel's playout moves
THREADS = 1.7  # of one thread's simulations, with two
GAMES = 2000  # random games whose mean length is taken

# Runs simulations for some seconds; simulations per second.
Runner = Callable[[float], float]


def ours(threads: int, clock: Callable[[], float]) -> Runner:
    """Quincunx's tree search in Quorum."""
    game = quincunx.game("quorum")
    text = f"mcts:sims={1000 * threads},threads={threads},horizon={bench.MAX_GAME_MOVES}"

    def run(seconds: float) -> float:
        sims, begin = 0, clock()
        while clock() < begin + seconds:
            player = cast(MctsPlayer, quincunx.player(text, game, seed=sims))
            player.choose(game.start())
            sims += player.sims
        return sims / (clock() - begin)

    return run


def openspiel(name: str) -> Runner:
    """OpenSpiel's own tree search, whole in C++: one random rollout for each simulation."""
    game = pyspiel.load_game(name)

    def run(seconds: float) -> float:
        sims, begin = 0, time.process_time()
        while time.process_time() < begin + seconds:
            evaluator = pyspiel.RandomRolloutEvaluator(1, sims)
            bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1000, 1000, False, sims, False)
            bot.step(game.new_initial_state())
            sims += 1000
        return sims / (time.process_time() - begin)

    return run


def our_length() -> float:
    """The mean length of random games of Quorum."""
    game = quincunx.game("quorum")
    code = search.compiled(cast(ModuleType, game.kernel))
    s, room = game.empty_positions()[0], np.empty(game.kernel.MAX_LEGAL, np.int32)
    lengths = []
    for seed in range(GAMES):
        game.kernel.start(s, game.kernel_options, seed)
        lengths.append(code.playout(s, game.seats, room, bench.MAX_GAME_MOVES, seed))
    return statistics.mean(lengths)


def openspiel_length(name: str) -> float:
    """The mean length of random games in OpenSpiel."""
    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(game.num_players())]
    lengths = []
    for seed in range(GAMES):
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, seed)
        lengths.append(state.move_number())
    return statistics.mean(lengths)


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=9.0, help="per figure (default 9)")
    seconds = parser.parse_args().seconds / SLICES

    length = our_length()
    runners = {
        "quorum": ours(1, time.process_time),
        "one thread": ours(1, time.perf_counter),
        "two threads": ours(2, time.perf_counter),
    }
    if pyspiel:
        runners["breakthrough"] = openspiel("breakthrough")
    runners["quorum"](1e-9)  # compiles
    slices: dict[str, list[float]] = {who: [] for who in runners}
    for _ in range(SLICES):
        for who, run in runners.items():
            slices[who].append(run(seconds))

    print(heading("Tree search with random playouts"))
    print("thousands per second, medians of the slices; half of them lie within ±")
    moves = [each * length for each in slices["quorum"]]
    print(f"Quincunx, Quorum: {Figure(tuple(moves))} playout moves ({length:.0f} a simulation)")
    if pyspiel:
        length = openspiel_length("breakthrough")
        theirs = [each * length for each in slices["breakthrough"]]
        print(f"OpenSpiel, breakthrough: {Figure(tuple(theirs))} playout moves ({length:.0f})")
        judge("times OpenSpiel's", moves, theirs, TIMES)
    else:
        print("OpenSpiel is not installed: pip install 'quincunx[openspiel]'")
    for who in ("one thread", "two threads"):
        print(f"{who}: {statistics.median(slices[who]):,.0f} simulations a second")
    judge("times one thread's", slices["two threads"], slices["one thread"], THREADS)


def judge(what: str, one: list[float], other: list[float], budget: float) -> None:
    """Prints a ratio, the median of the slices' ratios, and whether the budget holds."""
    reached = statistics.median(a / b for a, b in zip(one, other, strict=True))
    print(f"  {reached:.2f} {what}; budget {budget}: {'holds' if reached >= budget else 'NOT MET'}")


if __name__ == "__main__":
    main()
