"""Random play in Quincunx, in OpenSpiel and in C++, measured in one run against the budgets.

On one core speed is moves per second of processor time, so that other programs on the
machine count little; on all cores it goes by the clock. What is compared is measured in
turns, in several short slices; a figure is the median of its slices, a ratio the median of
the slices' ratios.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, cast

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
WIDTH = 100  # of the table in a file or a pipe
BUILD = Path(__file__).with_name("build")

# Plays for some seconds on one core; moves per second.
Runner = Callable[[float], float]


class NotHereError(Exception):
    """A peer that this machine lacks; says what to do about it."""


@dataclass(frozen=True)
class Peer:
    """Another program, and how many times its speed is the budget."""

    name: str
    times: float
    runner: Callable[[], Runner]


@dataclass(frozen=True)
class Floor:
    """A budget in moves per second, and where it comes from."""

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
        """Half of the slices lie this close to the median, as a share of it."""
        return statistics.median(abs(each / self.median - 1) for each in self.slices)

    def __str__(self) -> str:
        return f"{self.median / 1000:,.0f} ±{self.spread:.0%}"


def ours(game: Game) -> Runner:
    """Random play of a game."""

    def run(seconds: float) -> float:
        begin = time.process_time()
        moves = bench.random_play(game, seconds).moves
        return moves / (time.process_time() - begin)

    return run


def openspiel(name: str) -> Runner:
    """Games between OpenSpiel's uniform random bots: rules, bots and loop are its own C++."""
    if pyspiel is None:
        raise NotHereError("OpenSpiel is not installed: pip install 'quincunx[openspiel]'")
    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(game.num_players())]

    def run(seconds: float) -> float:
        moves = games = 0
        begin, end = time.process_time(), time.perf_counter() + seconds
        while not games or time.perf_counter() < end:
            state = game.new_initial_state()
            pyspiel.evaluate_bots(state, bots, games)
            # Chance moves too, in OpenSpiel's favour: in 2048 they are half of all, while
            # in Wzlz the balls that fall after a move are part of that move.
            moves += state.move_number()
            games += 1
        return moves / (time.process_time() - begin)

    return run


def cpp() -> Runner:
    """Quorum in C++: the games that `ours` plays, move for move."""
    if not twin.can_compile():
        raise NotHereError(f"There is no {twin.COMPILER}: install it to compare with C++")
    program = twin.compile_into(BUILD)

    def run(seconds: float) -> float:
        played = twin.play_seconds(program, seconds)
        return played.moves / played.seconds

    return run


# The budgets for random play on one core. gol2em/Wzlz's own simulation of its game
# made 4 moves per second on the machine of the README's figures.
BUDGETS: dict[str, tuple[Peer | Floor, ...]] = {
    "sphero": (Floor("boards under 100 spheres", 100_000),),
    "onoro": (Peer("OpenSpiel havannah", 1, lambda: openspiel("havannah")),),
    "blocky": (Floor("depth 4", 200_000),),
    "wzlz": (
        Peer("OpenSpiel 2048", 2, lambda: openspiel("2048")),
        Floor("100,000x gol2em/Wzlz", 400_000),
    ),
    "quorum": (
        Peer("OpenSpiel breakthrough", 4, lambda: openspiel("breakthrough")),
        Peer("the same in C++", 0.8, cpp),
    ),
}


@dataclass(frozen=True)
class Row:
    """A game, a budget, and whether it holds; nobody knows without the peer."""

    game: str
    one_core: Figure
    all_cores: Figure
    budget: Peer | Floor
    peer: Figure | None

    @property
    def reached(self) -> float | None:
        """How many times the peer's speed, or of moves per second; None without the peer."""
        if isinstance(self.budget, Floor):
            return self.one_core.median
        if self.peer is None:
            return None
        pairs = zip(self.one_core.slices, self.peer.slices, strict=True)
        return statistics.median(mine / theirs for mine, theirs in pairs)

    @property
    def wanted(self) -> float:
        """The budget, in the measure of `reached`."""
        return self.budget.speed if isinstance(self.budget, Floor) else self.budget.times

    @property
    def holds(self) -> bool | None:
        return None if self.reached is None else self.reached >= self.wanted

    def cells(self) -> tuple[str, ...]:
        """The row as the table shows it."""
        form = "{:,.0f}" if isinstance(self.budget, Floor) else "{:.2f}x"
        scale = 1000 if isinstance(self.budget, Floor) else 1
        return (
            self.game,
            str(self.one_core),
            str(self.all_cores),
            self.budget.name,
            "" if self.peer is None else str(self.peer),
            "" if self.reached is None else form.format(self.reached / scale),
            form.format(self.wanted / scale),
            {True: "yes", False: "NO", None: "?"}[self.holds],
        )

    def json(self) -> dict[str, Any]:
        """The row as programs read it; speeds are a value per slice."""
        return {
            "game": self.game,
            "one_core": self.one_core.slices,
            "all_cores": self.all_cores.slices,
            "against": self.budget.name,
            "peer": self.peer and self.peer.slices,
            "reached": self.reached,
            "budget": self.wanted,
            "holds": self.holds,
        }


def measure(name: str, seconds: float, console: Console) -> tuple[list[Row], list[str]]:
    """A game's rows, and remarks on them."""
    game = quincunx.game(name, **bench.BENCH_OPTIONS.get(name, {}))
    runners, remarks = {"": ours(game)}, []
    for budget in BUDGETS[name]:
        if isinstance(budget, Peer):
            try:
                runners[budget.name] = budget.runner()
            except NotHereError as missing:
                remarks.append(f"{budget.name}: {missing}.")
    if name == "sphero":
        remarks.append(f"sphero: {mean_spheres(game):.0f} spheres on the board on average.")
    with console.status(f"compiling {name}"):
        bench.random_play(game, 0.0, 1)
    slices: dict[str, list[float]] = {who: [] for who in runners}
    everywhere = []
    rounds: Iterable[int] = range(SLICES)
    if console.is_terminal:
        rounds = track(rounds, f"{name:8}", console=console, transient=True)
    for _ in rounds:
        for who, run in runners.items():
            slices[who].append(run(seconds / SLICES))
        fast = bench.random_play(game, seconds / SLICES, cores())
        everywhere.append(fast.moves_per_second)
    figures = {who: Figure(tuple(each)) for who, each in slices.items()}
    return [
        Row(name, figures[""], Figure(tuple(everywhere)), budget, figures.get(budget.name))
        for budget in BUDGETS[name]
    ], remarks


def mean_spheres(game: Game, games: int = 20) -> float:
    """How many spheres are on Sphero's board in random play, on average over the moves."""
    kernel, code = game.kernel, search.compiled(cast(ModuleType, game.kernel))
    s, room = game.empty_positions()[0], np.empty(kernel.MAX_LEGAL, np.int32)
    spheres: list[int] = []
    for number in range(games):
        kernel.start(s, game.kernel_options, number)
        while code.playout(s, game.seats, room, 1, len(spheres)):
            spheres.append(int(s.count.sum()))
    return statistics.mean(spheres)


def show(rows: list[Row], remarks: list[str], heading: str, console: Console) -> None:
    """Prints the table."""
    all_of_them = f"{cores()} cores"
    titles = ("game", "one core", all_of_them, "against", "its speed", "reached", "budget", "holds")
    caption = "thousand moves per second; half of the slices lie within ± of their median"
    table = Table(title=heading, caption=caption, box=SIMPLE_HEAD)
    for title in titles:
        side = "left" if title in ("game", "against") else "right"
        table.add_column(title, justify=side, no_wrap=title != "against")
    for before, row in zip([None, *rows], rows, strict=False):
        cells = row.cells()
        same = before is not None and before.game == row.game
        table.add_row(*(("", "", "", *cells[3:]) if same else cells))
    console.print(table)
    for remark in remarks:
        console.print(remark, markup=False, highlight=False, soft_wrap=True)


def main() -> None:
    """Measures what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help="all if left out")
    parser.add_argument("--seconds", type=float, default=4.5, help="per figure (default 4.5)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    words = parser.parse_args()
    for name in words.games:
        if name not in BUDGETS:
            parser.error(f"there is no game '{name}': the games are {', '.join(BUDGETS)}")

    console, rows, remarks = Console(), [], []
    if not console.is_terminal:
        console.width = WIDTH
    for name in words.games or BUDGETS:
        found, said = measure(name, words.seconds, console)
        rows += found
        remarks += said
    heading = machine.heading("Random play")
    show(rows, remarks, heading, console)
    if words.json:
        figures = {"heading": heading, "seconds": words.seconds, "remarks": remarks}
        figures["rows"] = [row.json() for row in rows]
        words.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
