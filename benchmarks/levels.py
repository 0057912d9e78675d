"""The eight levels of a game, each against the one below.

    python benchmarks/levels.py [GAME ...] [--games 100] [--keep DIR]

In games for two or more, a level must win 60 to 80 % of the points against the one below; in
games for one (Wzlz) its mean score must be at least 1.3 times that of the one below. With --keep
the games are saved, and a run that was stopped can be resumed.
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

MIN_SHARE, MAX_SHARE = 0.60, 0.80  # of the points, against the level below
MIN_SCORE_RATIO = 1.3  # to the mean score of the level below
SEED = 2026

# The options with which a game is measured, where they differ from those of the arena. 300
# placements in Sphero are enough for the stronger level to be ahead, and take a third of the time.
OPTIONS: dict[str, dict[str, Value]] = {
    "sphero": {"players": 2, "limit": 300},
    "blocky": {"players": 2},
}


def main() -> None:
    """Measures the levels of the given games."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("game_names", nargs="*", metavar="GAME", help="default: all games")
    parser.add_argument("--games", type=int, default=100, help="games per pair of levels, or seeds")
    parser.add_argument(
        "--levels",
        type=int,
        nargs="+",
        choices=range(1, len(LEVEL_NAMES) + 1),
        default=range(1, len(LEVEL_NAMES) + 1),
        help="default: all levels",
    )
    parser.add_argument("--keep", type=Path, metavar="DIR", help="directory to save the games in")
    arguments = parser.parse_args()
    console = Console(width=None if Console().is_terminal else 110)
    for name in arguments.game_names or quincunx.games():
        game = quincunx.game(name, **OPTIONS.get(name, {}))
        measure = _measure_scores if game.seats == 1 else _measure_pairs
        console.print(measure(game, sorted(arguments.levels), arguments.games, arguments.keep))


def _table(game: Game, games: int, titles: Iterable[str]) -> Table:
    options = ", ".join(f"{name}={value}" for name, value in game.changed_options.items())
    name = f"{game.title}{f' ({options})' if options else ''}"
    table = Table(title=machine.heading(f"Levels of {name}, {games} games each"), box=SIMPLE_HEAD)
    for title in titles:
        table.add_column(title, justify="left" if title in ("level", "plays as") else "right")
    return table


def _measure_pairs(game: Game, levels: list[int], games: int, keep: Path | None) -> Table:
    """Returns a table of every level against the one below it."""
    titles = ("level", "plays as", "slips", "points", "95 %", "ms a move", "holds")
    table = _table(game, games, titles)
    for level in levels:
        slip_percent, text = game.parts.rules.LEVELS[level - 1]
        row = [f"{level} {LEVEL_NAMES[level - 1]}", text, f"{slip_percent} %"]
        if level > 1:
            players = (f"level:{level}", f"level:{level - 1}")
            upper = _play_match(game, players, games, keep).rows[0]
            share = upper.share
            row += [
                f"{share.value:.1%}",
                f"{share.low:.0%} to {share.high:.0%}",
                f"{1000 * upper.seconds:.1f}",
                "yes" if MIN_SHARE <= share.value <= MAX_SHARE else "no",
            ]
        table.add_row(*row)
    return table


def _measure_scores(game: Game, levels: list[int], games: int, keep: Path | None) -> Table:
    """Returns a table of every level's scores on the same seeds."""
    titles = ("level", "plays as", "slips", "score: mean", "median", "P10", "turns: mean", "median")
    table = _table(game, games, (*titles, "P10", "ms a move", "ratio", "holds"))
    below = 0.0
    for level in levels:
        slip_percent, text = game.parts.rules.LEVELS[level - 1]
        results = _play_match(game, (f"level:{level}",), games, keep)
        score, turns = results.solo_distributions[0]
        mean = score.mean.value
        row = [f"{level} {LEVEL_NAMES[level - 1]}", text, f"{slip_percent} %"]
        row += [f"{estimate.value:,.0f}" for estimate in (score.mean, score.median, score.p10)]
        row += [f"{estimate.value:,.0f}" for estimate in (turns.mean, turns.median, turns.p10)]
        row += [f"{1000 * results.rows[0].seconds:.1f}"]
        if below:
            row += [f"{mean / below:.2f}", "yes" if mean >= MIN_SCORE_RATIO * below else "no"]
        table.add_row(*row)
        below = mean
    return table


def _play_match(game: Game, players: tuple[str, ...], games: int, keep: Path | None) -> Results:
    """Returns the results of a match; saved games are not played again."""
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
