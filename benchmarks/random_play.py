"""Random play in Quincunx, in OpenSpiel and in C++, measured in one run against the budgets.

On one core, speed is moves per second of processor time, so that other programs on the machine
have little influence; on all cores it is measured by wall-clock time. A game and its peers are
measured in alternating short slices: a figure is the median of its slices, a ratio the median of
the slices' ratios.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import machine
import numpy as np
import twin
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import track
from rich.table import Table

import quincunx
from quincunx import bench, search
from quincunx.game import Game
from quincunx.machine import cores

try:
    import pyspiel
except ImportError:
    pyspiel = None

SLICES = 9
TABLE_WIDTH = 100  # columns, in a file or a pipe
BUILD = Path(__file__).with_name("build")
EXAMPLES = Path(__file__).parents[1] / "examples"

# Plays for a number of seconds on one core; returns moves per second.
Runner = Callable[[float], float]


class ProgramMissingError(Exception):
    """A program to compare with is not installed; the message says what to do about it."""


@dataclass(frozen=True)
class RelativeBudget:
    """A budget as a multiple of another program's speed."""

    name: str
    ratio: float
    runner: Callable[[], Runner]


@dataclass(frozen=True)
class AbsoluteBudget:
    """A budget in moves per second, and its condition or source."""

    name: str
    speed: float


@dataclass(frozen=True)
class Figure:
    """Moves per second: a value for each slice."""

    slices: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.slices)

    @property
    def spread(self) -> float:
        """The median deviation of the slices from their median, relative to it."""
        return statistics.median(abs(speed / self.median - 1) for speed in self.slices)

    def __str__(self) -> str:
        return f"{self.median / 1000:,.0f} ±{self.spread:.0%}"


def quincunx_runner(game: Game) -> Runner:
    """Returns a runner of random play in Quincunx."""

    def run(seconds: float) -> float:
        start = time.process_time()
        moves = bench.random_play(game, seconds).moves
        return moves / (time.process_time() - start)

    return run


def openspiel_runner(name: str) -> Runner:
    """Returns a runner of OpenSpiel's uniform random bots: rules, bots and loop are C++."""
    if pyspiel is None:
        raise ProgramMissingError("OpenSpiel is not installed: pip install 'quincunx[openspiel]'")
    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(game.num_players())]

    def run(seconds: float) -> float:
        moves = games = 0
        start, deadline = time.process_time(), time.perf_counter() + seconds
        while not games or time.perf_counter() < deadline:
            state = game.new_initial_state()
            pyspiel.evaluate_bots(state, bots, games)
            # Chance moves are counted, in OpenSpiel's favour: in 2048 they are half of all
            # moves, while here the tiles or balls that come after a move are part of that move.
            moves += state.move_number()
            games += 1
        return moves / (time.process_time() - start)

    return run


def cpp_runner() -> Runner:
    """Returns a runner of Quorum in C++, which plays the same games, move for move."""
    if not twin.can_compile():
        raise ProgramMissingError(
            f"{twin.COMPILER} is not installed: install it to compare with C++"
        )
    program = twin.compile_into(BUILD)

    def run(seconds: float) -> float:
        result = twin.play_seconds(program, seconds)
        return result.moves / result.seconds

    return run


# The budgets for random play on one core. The simulation in gol2em/Wzlz made 4 moves per second
# on the machine of the README's figures.
BUDGETS: dict[str, tuple[RelativeBudget | AbsoluteBudget, ...]] = {
    "sphero": (AbsoluteBudget("boards under 100 spheres", 100_000),),
    "onoro": (RelativeBudget("OpenSpiel havannah", 1, lambda: openspiel_runner("havannah")),),
    "blocky": (AbsoluteBudget("depth 4", 200_000),),
    "wzlz": (
        RelativeBudget("OpenSpiel 2048", 2, lambda: openspiel_runner("2048")),
        AbsoluteBudget("100,000x gol2em/Wzlz", 400_000),
    ),
    "quorum": (
        RelativeBudget("OpenSpiel breakthrough", 4, lambda: openspiel_runner("breakthrough")),
        RelativeBudget("the same in C++", 0.8, cpp_runner),
    ),
    # The packages in examples/, against the same games.
    "reversi": (RelativeBudget("OpenSpiel othello", 4, lambda: openspiel_runner("othello")),),
    "connect_four": (
        RelativeBudget("OpenSpiel connect_four", 4, lambda: openspiel_runner("connect_four")),
    ),
    "twenty48": (RelativeBudget("OpenSpiel 2048", 4, lambda: openspiel_runner("2048")),),
}


def game_named(name: str) -> Game:
    """Returns a game; an example that is not installed is loaded from its source folder."""
    if name not in quincunx.games() and (EXAMPLES / name).is_dir():
        sys.path.append(str(EXAMPLES / name / "src"))
        quincunx.register(import_module(f"quincunx_{name}").GAME)
    return quincunx.game(name)


@dataclass(frozen=True)
class BudgetRow:
    """A game, a budget, and whether it is met; unknown without the peer."""

    game: str
    one_core: Figure
    all_cores: Figure
    budget: RelativeBudget | AbsoluteBudget
    peer: Figure | None

    @property
    def reached(self) -> float | None:
        """The ratio to the peer's speed, or moves per second; None without the peer."""
        if isinstance(self.budget, AbsoluteBudget):
            return self.one_core.median
        if self.peer is None:
            return None
        pairs = zip(self.one_core.slices, self.peer.slices, strict=True)
        return statistics.median(own / peer for own, peer in pairs)

    @property
    def required(self) -> float:
        """The budget, in the unit of `reached`."""
        return self.budget.speed if isinstance(self.budget, AbsoluteBudget) else self.budget.ratio

    @property
    def holds(self) -> bool | None:
        return None if self.reached is None else self.reached >= self.required

    def cells(self) -> tuple[str, ...]:
        """Returns the cells of the row in the table."""
        form = "{:,.0f}" if isinstance(self.budget, AbsoluteBudget) else "{:.2f}x"
        scale = 1000 if isinstance(self.budget, AbsoluteBudget) else 1
        return (
            self.game,
            str(self.one_core),
            str(self.all_cores),
            self.budget.name,
            "" if self.peer is None else str(self.peer),
            "" if self.reached is None else form.format(self.reached / scale),
            form.format(self.required / scale),
            {True: "yes", False: "NO", None: "?"}[self.holds],
        )

    def json(self) -> dict[str, Any]:
        """Returns the row for JSON; speeds are lists with a value per slice."""
        return {
            "game": self.game,
            "one_core": self.one_core.slices,
            "all_cores": self.all_cores.slices,
            "against": self.budget.name,
            "peer": self.peer and self.peer.slices,
            "reached": self.reached,
            "budget": self.required,
            "holds": self.holds,
        }


def measure(name: str, seconds: float, console: Console) -> tuple[list[BudgetRow], list[str]]:
    """Measures a game; returns its rows and remarks on them."""
    game = bench.measured(game_named(name))
    runners, remarks = {"": quincunx_runner(game)}, []
    for budget in BUDGETS[name]:
        if isinstance(budget, RelativeBudget):
            try:
                runners[budget.name] = budget.runner()
            except ProgramMissingError as error:
                remarks.append(f"{budget.name}: {error}.")
    if name == "sphero":
        remarks.append(f"sphero: {mean_spheres(game):.0f} spheres on the board on average.")
    with console.status(f"compiling {name}"):
        bench.random_play(game, 0.0, 1)
    slices: dict[str, list[float]] = {runner: [] for runner in runners}
    all_cores = []
    rounds: Iterable[int] = range(SLICES)
    if console.is_terminal:
        rounds = track(rounds, f"{name:12}", console=console, transient=True)
    for _ in rounds:
        for runner, run in runners.items():
            slices[runner].append(run(seconds / SLICES))
        speed = bench.random_play(game, seconds / SLICES, cores())
        all_cores.append(speed.moves_per_second)
    figures = {runner: Figure(tuple(speeds)) for runner, speeds in slices.items()}
    return [
        BudgetRow(name, figures[""], Figure(tuple(all_cores)), budget, figures.get(budget.name))
        for budget in BUDGETS[name]
    ], remarks


def mean_spheres(game: Game, games: int = 20) -> float:
    """Returns the mean number of spheres on Sphero's board in random play, over all moves."""
    kernel, code = game.kernel, search.compiled(game.kernel)
    s, buffer = game.empty_positions()[0], np.empty(kernel.MAX_LEGAL, np.int32)
    spheres: list[int] = []
    for number in range(games):
        kernel.start(s, game.kernel_options, number)
        while code.playout(s, game.seats, buffer, 1, len(spheres)):
            spheres.append(int(s.count.sum()))
    return statistics.mean(spheres)


def print_table(rows: list[BudgetRow], remarks: list[str], heading: str, console: Console) -> None:
    """Prints the table and the remarks."""
    all_cores = f"{cores()} cores"
    titles = ("game", "one core", all_cores, "against", "its speed", "reached", "budget", "holds")
    caption = "thousand moves per second; half of the slices lie within ± of their median"
    table = Table(title=heading, caption=caption, box=SIMPLE_HEAD)
    for title in titles:
        side = "left" if title in ("game", "against") else "right"
        table.add_column(title, justify=side, no_wrap=title != "against")
    for before, row in zip([None, *rows], rows, strict=False):
        cells = row.cells()
        same_game = before is not None and before.game == row.game
        table.add_row(*(("", "", "", *cells[3:]) if same_game else cells))
    console.print(table)
    for remark in remarks:
        console.print(remark, markup=False, highlight=False, soft_wrap=True)


def main() -> None:
    """Measures the games of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help="default: all games")
    parser.add_argument(
        "--seconds", type=float, default=4.5, help="seconds per figure (default 4.5)"
    )
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="also write the figures to this file"
    )
    arguments = parser.parse_args()
    for name in arguments.games:
        if name not in BUDGETS:
            parser.error(f"unknown game '{name}': the games are {', '.join(BUDGETS)}")

    console, rows, remarks = Console(), [], []
    if not console.is_terminal:
        console.width = TABLE_WIDTH
    for name in arguments.games or BUDGETS:
        game_rows, game_remarks = measure(name, arguments.seconds, console)
        rows += game_rows
        remarks += game_remarks
    heading = machine.heading("Random play")
    print_table(rows, remarks, heading, console)
    if arguments.json:
        figures = {"heading": heading, "seconds": arguments.seconds, "remarks": remarks}
        figures["rows"] = [row.json() for row in rows]
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
