"""How far players overrun their time limit: the longest move of each player.

    python benchmarks/clock.py [GAME ...] [--seconds 0.1] [--moves 200]

Every player plays both sides of every game that it supports, and every third move is random. A
move may take 50 ms longer than its limit. Run it on an idle machine: time that other programs
take counts as overrun, too.
"""

from __future__ import annotations

import argparse
import statistics
import time

import machine
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import track
from rich.table import Table

import quincunx
from quincunx.players import players_of

KINDS = ("mcts", "alphabeta", "expectimax")
MAX_OVERRUN_SECONDS = 0.050


def overruns(game: quincunx.Game, kind: str, seconds: float, moves: int) -> list[float]:
    """Returns the seconds by which each move overran its limit."""
    player = quincunx.player(f"{kind}:time={seconds}", game, seed=1)
    random_player = quincunx.player("random", game, seed=2)
    state, overrun_seconds = game.start(seed=1), []
    player.choose(state, state.seat_to_move(0, 0))  # compiles on first use
    while len(overrun_seconds) < moves:
        seat = state.seat_to_move(0, state.ply)
        start = time.perf_counter()
        action = player.choose(state, seat)
        overrun_seconds.append(time.perf_counter() - start - seconds)
        # A random move now and then, so that no two games are the same.
        if len(overrun_seconds) % 3 == 0:
            action = random_player.choose(state, seat)
        state = state.act(action, seat)
        if state.over or state.ply > 200:
            state = game.start(seed=len(overrun_seconds))
    return overrun_seconds


def main() -> None:
    """Measures the players of the given games."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help="default: all games")
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--moves", type=int, default=200)
    arguments = parser.parse_args()
    table = Table(
        title=machine.heading(f"Overrun of {arguments.seconds:g} s per move"), box=SIMPLE_HEAD
    )
    for title in ("game", "player", "moves", "median, ms", "longest, ms", "within 50 ms"):
        table.add_column(title, justify="left" if title in ("game", "player") else "right")
    games = {name: quincunx.game(name) for name in arguments.games or quincunx.games()}
    pairs = [(g, kind) for g in games.values() for kind in KINDS if kind in players_of(g)]
    for game, kind in track(pairs, "measuring", console=Console(stderr=True), transient=True):
        overrun_seconds = overruns(game, kind, arguments.seconds, arguments.moves)
        table.add_row(
            game.name,
            kind,
            f"{len(overrun_seconds)}",
            f"{1000 * statistics.median(overrun_seconds):.1f}",
            f"{1000 * max(overrun_seconds):.1f}",
            "yes" if max(overrun_seconds) <= MAX_OVERRUN_SECONDS else "no",
        )
    Console().print(table)


if __name__ == "__main__":
    main()
