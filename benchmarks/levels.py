"""The eight levels of a game, each against the one below.

    python benchmarks/levels.py [GAME ...] [--games 100] [--keep DIR]

Of two seats a level must win 60 to 80 % of the points against the one below; alone (Wzlz) its
mean score must be 1.3 times that of the one below or more. With --keep the games are kept, and
a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

import machine
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

import quincunx
from quincunx import arena
from quincunx.arena.results import Results
from quincunx.game import Game
from quincunx.options import Value
from quincunx.players.level import LEVEL_NAMES

LEAST, MOST = 0.60, 0.80  # of the points, against the level below
TIMES = 1.3  # the mean score of the level below
SEED = 2026

# How a game is measured where that is not by its defaults.
OPTIONS: dict[str, dict[str, Value]] = {
    "sphero": {"players": 2, "order": "turns", "limit": 300},
    "blocky": {"players": 2},
}


def main() -> None:
    """Measures the levels of the games that were asked for."""
    words = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    words.add_argument("games_", nargs="*", metavar="GAME", help="all if left out")
    words.add_argument("--games", type=int, default=100, help="of each pair; alone, seeds")
    words.add_argument(
        "--levels",
        type=int,
        nargs="+",
        choices=range(1, len(LEVEL_NAMES) + 1),
        default=range(1, len(LEVEL_NAMES) + 1),
        help="only these",
    )
    words.add_argument("--keep", type=Path, metavar="DIR", help="where the games are kept")
    given = words.parse_args()
    console = Console(width=None if Console().is_terminal else 110)
    for name in given.games_ or quincunx.games():
        game = quincunx.game(name, **OPTIONS.get(name, {}))
        measure = _alone if game.seats == 1 else _pairs
        console.print(measure(game, sorted(given.levels), given.games, given.keep))


def _table(game: Game, games: int, titles: Iterable[str]) -> Table:
    options = ", ".join(f"{name}={value}" for name, value in game.changed_options.items())
    name = f"{game.title}{f' ({options})' if options else ''}"
    table = Table(title=machine.heading(f"Levels of {name}, {games} games each"), box=SIMPLE_HEAD)
    for title in titles:
        table.add_column(title, justify="left" if title in ("level", "plays as") else "right")
    return table


def _pairs(game: Game, levels: list[int], games: int, keep: Path | None) -> Table:
    """Every level against the one below it."""
    titles = ("level", "plays as", "slips", "points", "95 %", "ms a move", "holds")
    table = _table(game, games, titles)
    for level in levels:
        slip, text = game.parts.rules.LEVELS[level - 1]
        row = [f"{level} {LEVEL_NAMES[level - 1]}", text, f"{slip} %"]
        if level > 1:
            players = (f"level:{level}", f"level:{level - 1}")
            upper = _played(game, players, games, keep).rows[0]
            share = upper.share
            row += [
                f"{share.value:.1%}",
                f"{share.low:.0%} to {share.high:.0%}",
                f"{1000 * upper.seconds:.1f}",
                "yes" if LEAST <= share.value <= MOST else "no",
            ]
        table.add_row(*row)
    return table


def _alone(game: Game, levels: list[int], games: int, keep: Path | None) -> Table:
    """Every level on the same seeds."""
    titles = ("level", "plays as", "slips", "score: mean", "median", "P10", "turns: mean", "median")
    table = _table(game, games, (*titles, "P10", "ms a move", "times", "holds"))
    below = 0.0
    for level in levels:
        slip, text = game.parts.rules.LEVELS[level - 1]
        results = _played(game, (f"level:{level}",), games, keep)
        score, turns = results.solo_scores[0]
        mean = score.mean.value
        row = [f"{level} {LEVEL_NAMES[level - 1]}", text, f"{slip} %"]
        row += [f"{one.value:,.0f}" for one in (score.mean, score.median, score.p10)]
        row += [f"{one.value:,.0f}" for one in (turns.mean, turns.median, turns.p10)]
        row += [f"{1000 * results.rows[0].seconds:.1f}"]
        if below:
            row += [f"{mean / below:.2f}", "yes" if mean >= TIMES * below else "no"]
        table.add_row(*row)
        below = mean
    return table


def _played(game: Game, players: tuple[str, ...], games: int, keep: Path | None) -> Results:
    """The results of one match, played as far as it was not."""
    with Progress(console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task(f"{game.title} {' : '.join(players)}", total=games)
        return arena.play(
            game,
            players,
            games,
            SEED,
            out=keep / f"{game.name}-{players[0].replace(':', '-')}" if keep else None,
            on_outcome=lambda outcome: progress.advance(bar),
        )


if __name__ == "__main__":
    main()
