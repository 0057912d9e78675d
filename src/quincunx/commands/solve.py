"""The commands `solve` and `probe`."""

from __future__ import annotations

import json
import re
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quincunx.commands.arguments import (
    Backend,
    BackendOption,
    GameName,
    Json,
    Options,
    configured_game,
)
from quincunx.commands.console import colour_mode, compiling, err, out
from quincunx.commands.progress import phase_progress
from quincunx.errors import BadOption
from quincunx.solve import solved_games, solver_of
from quincunx.solve.protocol import Resources

if TYPE_CHECKING:
    from quincunx.game import Game
    from quincunx.solve.protocol import Report, Solver
    from quincunx.solve.verdict import Verdict

DEFAULT_MEMORY_SHARE = 0.75  # of the machine's memory
SIZE_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}

Pawns = Annotated[
    int | None,
    typer.Option(
        "--pawns", metavar="NUMBER", help="Solve the game with this number of pawns a side."
    ),
]
Memory = Annotated[
    str,
    typer.Option(
        metavar="SIZE",
        help="Use at most this much memory, such as 8G; the rest is stored in files. "
        "Default: three quarters of the machine's memory.",
    ),
]
Threads = Annotated[
    int | None,
    typer.Option(
        min=1, metavar="NUMBER", help="Use this number of threads. Default: one per core."
    ),
]
SolveDirectory = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR", help="Store the table and the intermediate files in this directory."
    ),
]
Verify = Annotated[
    bool,
    typer.Option(
        "--verify", help="Check every entry of the table, and some with an independent search."
    ),
]
Sample = Annotated[
    int,
    typer.Option(
        min=0,
        metavar="SHAPES",
        help="Only estimate the run time, from a measurement with this number of shapes.",
    ),
]
Placing = Annotated[
    bool,
    typer.Option("--placing", help="Only search for a forced win before all pawns are placed."),
]
PositionText = Annotated[
    str,
    typer.Argument(
        metavar="POSITION",
        help="The text of the position. If both sides have the same number of pawns, all pawns "
        "count as placed, unless -O pawns=NUMBER is given.",
    ),
]
SolvedGame = Annotated[
    str,
    typer.Option(
        "--game",
        metavar="GAME",
        help="Look up a position of this game.",
        default_factory=lambda: solved_games()[0],
        show_default="the first solved game",
    ),
]
TableDirectory = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR", help="Read the table from this directory, as given to `solve --data`."
    ),
]


def solve(
    name: GameName,
    pawns: Pawns = None,
    memory: Memory = "",
    threads: Threads = None,
    data: SolveDirectory = None,
    on: BackendOption = Backend.LOCAL,
    verify: Verify = False,
    sample: Sample = 0,
    placing: Placing = False,
    option: Options = None,
    as_json: Json = False,
) -> None:
    """Solve a game: compute who wins each position and how soon. A stopped run can be resumed."""
    game = configured_game(name, option)
    solver = solver_of(game)
    if pawns is not None:
        game = game.configured(pawns=pawns)
    if placing:
        _print_report(solver.search_placing(game), as_json)
        return
    if sample:
        with phase_progress("the enumerated shapes are stored") as progress:
            resources = Resources(threads, progress=progress)
            report = solver.estimate(game, sample, data, resources)
        _print_report(report, as_json)
        return
    if not solver.table_path(game, data).exists():
        _build(solver, game, data, threads, _parse_size(memory), on)
    report = solver.report(game, data)
    if verify:
        start = time.perf_counter()
        with phase_progress("no error was found so far") as progress:
            report += solver.verify(game, data, Resources(threads, progress=progress))
        err.print(f"Verified in {time.perf_counter() - start:,.1f} s.")
    _print_report(report, as_json)


def _build(
    solver: Solver,
    game: Game,
    data: Path | None,
    threads: int | None,
    memory: int | None,
    on: Backend,
) -> None:
    """Solves a game, or resumes that, after a message about the memory and space it needs."""
    from quincunx.machine import memory as machine_memory

    path = solver.table_path(game, data)
    memory = memory or int(DEFAULT_MEMORY_SHARE * machine_memory())
    needed = solver.required_bytes(game)
    path.parent.mkdir(parents=True, exist_ok=True)
    in_memory = f"{_format_size(needed['memory'])} of memory"
    if needed["memory"] > memory:
        in_memory += f" (only {_format_size(memory)} allowed, so part of it is stored in files)"
    err.print(
        f"{game.title} with {solver.describe(game)} requires {in_memory} and, in {path.parent}, "
        f"{_format_size(needed['table'])} for the table and {_format_size(needed['work'])} for "
        "intermediate files.",
        markup=False,
    )
    if shutil.disk_usage(path.parent).free < needed["table"] + needed["work"]:
        err.print("There is not enough free disk space.", style="yellow")
    start = time.perf_counter()
    with phase_progress("to resume, run the same command again") as progress:
        solver.build(game, data, Resources(threads, memory, on.value, progress))
    err.print(f"Solved in {time.perf_counter() - start:,.1f} s: {path}", markup=False)


def _print_report(report: Report, as_json: bool) -> None:
    """Prints what a solver found, as JSON or as lines."""
    if as_json:
        print(json.dumps(report.facts))
        return
    for line in report.lines:
        out.print(line, markup=False)


def _parse_size(text: str) -> int | None:
    """Returns the number of bytes of a text such as 8G, None if it is empty; raises BadOption."""
    if not text:
        return None
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    if match is None:
        raise BadOption("memory", text, "must be a size, such as 8G or 500M")
    return int(float(match[1]) * SIZE_UNITS[match[2].upper()])


def _format_size(size: int) -> str:
    """Returns a number of bytes as text with a unit."""
    if size >= 1e9:
        return f"{size / 1e9:,.1f} GB"
    return f"{size / 1e6:,.0f} MB" if size >= 1e6 else "less than 1 MB"


def probe(
    position: PositionText,
    name: SolvedGame,
    option: Options = None,
    data: TableDirectory = None,
    as_json: Json = False,
) -> None:
    """Look up a position in the solved table: who wins, how soon, and by which moves."""
    game = configured_game(name, option)
    solver = solver_of(game)
    game = solver.infer_options(game, position)
    with compiling([name]):
        state = game.read(position)
        verdict = solver.open_table(game, data).verdict(state)
    if as_json:
        print(json.dumps({"game": name, "position": state.text, **_as_dict(verdict)}))
        return
    from quincunx.draw import picture

    out.file.write(picture(state, "text", colour=colour_mode(out)) + "\n\n")
    side = game.parts.rules.SEAT_NAMES[int(state.position.turn)]
    out.print(f"{solver.describe(game)}, {side} to move: [bold]{verdict}[/]")
    for move, after in verdict.moves.items():
        out.print(f"  {move:12} {after}", markup=False)


def _as_dict(verdict: Verdict) -> dict[str, object]:
    """Returns a verdict as plain values, for JSON."""
    return {
        "value": verdict.value,
        "distance": verdict.distance,
        "moves": {
            move: {"value": after.value, "distance": after.distance}
            for move, after in verdict.moves.items()
        },
    }
