"""How well players that think for a time keep to it: the longest move beyond their limit.

    python benchmarks/clock.py [GAME ...] [--seconds 0.1] [--moves 200]

Every player plays random games of every game that it plays, both sides, one move after the
other. A move may take 50 ms longer than its limit. Run it on a quiet machine: a core that is
taken away for a while is missing in these figures, too.
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
MOST = 0.050


def overruns(game: quincunx.Game, kind: str, seconds: float, moves: int) -> list[float]:
    """By how much each move of some games was longer than its limit."""
    player = quincunx.player(f"{kind}:time={seconds}", game, seed=1)
    others = quincunx.player("random", game, seed=2)
    state, over = game.start(seed=1), []
    player.choose(state, state.seat_to_move(0, 0))  # compiles, if nobody has
    while len(over) < moves:
        seat = state.seat_to_move(0, state.ply)
        begin = time.perf_counter()
        action = player.choose(state, seat)
        over.append(time.perf_counter() - begin - seconds)
        # Now and then another move, so that no game is like the one before.
        if len(over) % 3 == 0:
            action = others.choose(state, seat)
        state = state.act(action, seat)
        if state.over or state.ply > 200:
            state = game.start(seed=len(over))
    return over


def main() -> None:
    """Measures the players of the games that were asked for."""
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("games", nargs="*", metavar="GAME", help="all if left out")
    words.add_argument("--seconds", type=float, default=0.1)
    words.add_argument("--moves", type=int, default=200)
    given = words.parse_args()
    table = Table(title=machine.heading(f"Beyond {given.seconds:g} s a move"), box=SIMPLE_HEAD)
    for title in ("game", "player", "moves", "median, ms", "longest, ms", "holds"):
        table.add_column(title, justify="left" if title in ("game", "player") else "right")
    games = {name: quincunx.game(name) for name in given.games or quincunx.games()}
    pairs = [(g, kind) for g in games.values() for kind in KINDS if kind in players_of(g)]
    for game, kind in track(pairs, "thinking", console=Console(stderr=True), transient=True):
        found = overruns(game, kind, given.seconds, given.moves)
        table.add_row(
            game.name,
            kind,
            f"{len(found)}",
            f"{1000 * statistics.median(found):.1f}",
            f"{1000 * max(found):.1f}",
            "yes" if max(found) <= MOST else "no",
        )
    Console().print(table)


if __name__ == "__main__":
    main()
