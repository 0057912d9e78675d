"""The strength of players in Wzlz: scores and turns over the same seeds, and time per move.

    python benchmarks/wzlz.py greedy expectimax --games 100 --processes 2
    python benchmarks/wzlz.py greedy -O variant=wzlz -O show_next_balls=False

Games have no length limit. With --out every finished game is saved at once, and the same command
resumes a run that was stopped.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import machine
from random_play import TABLE_WIDTH
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

import quincunx
from quincunx.options import parse_assignments


@dataclass(frozen=True)
class GameResult:
    """The result of one game; seconds are processor time."""

    player: str
    options: str
    seed: int
    score: float
    turns: int
    seconds: float


def play(task: tuple[str, str, int]) -> GameResult:
    """Plays a whole game."""
    text, options, seed = task
    game = quincunx.game("wzlz", **parse_assignments(options.split()))
    kernel, player = game.kernel, quincunx.player(text, game, seed)
    state = game.start(seed)
    start = time.process_time()
    while not state.over:
        # Like `state.act`, but without checking that the action is legal.
        s = state.position.copy()
        kernel.apply(s, 0, player.choose(state))
        state = quincunx.State(game, s)
    seconds = time.process_time() - start
    return GameResult(text, options, seed, state.scores[0], state.ply, seconds)


def warm_up(players: list[str], options: str) -> None:
    """Compiles the code of the players before anything is measured."""
    game = quincunx.game("wzlz", **parse_assignments(options.split()))
    for text in players:
        quincunx.player(text, game, 0).choose(game.start(0))


def saved_games(file: Path | None) -> Iterator[GameResult]:
    """Yields the games of an earlier run; skips an incomplete last line."""
    for line in file.read_text().splitlines() if file and file.exists() else ():
        try:
            yield GameResult(**json.loads(line))
        except json.JSONDecodeError:
            continue


def cells(games: list[GameResult]) -> tuple[str, ...]:
    """Returns the table cells of a player."""
    scores, turns = sorted(game.score for game in games), sorted(game.turns for game in games)
    mean = statistics.mean(scores)
    half = 1.96 * statistics.stdev(scores) / len(scores) ** 0.5 if len(scores) > 1 else 0.0
    per_move = 1000 * sum(game.seconds for game in games) / sum(turns)
    tenth = len(games) // 10
    return (
        f"{len(games):,}",
        f"{mean:,.0f} ±{half:,.0f}",
        f"{statistics.median(scores):,.0f}",
        f"{scores[tenth]:,.0f}",
        f"{statistics.mean(turns):,.0f}",
        f"{statistics.median(turns):,.0f}",
        f"{turns[tenth]:,}",
        f"{per_move:.3f}",
    )


def main() -> None:
    """Measures the players of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("players", nargs="+", metavar="PLAYER", help="a player, such as greedy")
    parser.add_argument("-O", "--option", action="append", metavar="NAME=VALUE", default=[])
    parser.add_argument("--games", type=int, default=100, help="games per player (default 100)")
    parser.add_argument("--seed", type=int, default=0, help="the first seed (default 0)")
    parser.add_argument("--processes", type=int, default=1, help="games in parallel (default 1)")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="save every game to this file (JSONL)"
    )
    arguments = parser.parse_args()
    options = " ".join(arguments.option or ["variant=lines98"])

    console = Console()
    if not console.is_terminal:
        console.width = TABLE_WIDTH
    tasks = [
        (text, options, seed)
        for seed in range(arguments.seed, arguments.seed + arguments.games)
        for text in arguments.players
    ]
    results = {(game.player, game.options, game.seed): game for game in saved_games(arguments.out)}
    missing = [task for task in tasks if task not in results]
    with console.status("compiling"):
        warm_up(arguments.players, options)
    with (
        get_context("spawn").Pool(arguments.processes) as pool,
        Progress(console=console, transient=True, disable=not console.is_terminal) as progress,
    ):
        bar = progress.add_task("playing", total=len(tasks), completed=len(tasks) - len(missing))
        for game in pool.imap_unordered(play, missing):
            results[game.player, game.options, game.seed] = game
            progress.advance(bar)
            if arguments.out:
                with arguments.out.open("a") as file:
                    file.write(json.dumps(asdict(game)) + "\n")
    print_table(arguments.players, options, [results[task] for task in tasks], console)


def print_table(
    players: list[str], options: str, games: list[GameResult], console: Console
) -> None:
    """Prints the table."""
    heading = machine.heading(f"Wzlz, {options}")
    caption = "± is half of a 95 % interval; ms is processor time per move, Python included"
    table = Table(title=heading, caption=caption, box=SIMPLE_HEAD)
    table.add_column("player")
    titles: tuple[Any, ...] = ("games", "score", "median", "P10", "turns", "median", "P10", "ms")
    for title in titles:
        table.add_column(title, justify="right", no_wrap=True)
    for text in players:
        table.add_row(text, *cells([game for game in games if game.player == text]))
    console.print(table)


if __name__ == "__main__":
    main()
