"""The commands `solve` and `probe`."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from quincunx.commands.arguments import (
    Backend,
    BackendOption,
    GameName,
    Json,
    Options,
    configured_game,
)
from quincunx.commands.console import compiling, err, fail, out
from quincunx.errors import BadOption

if TYPE_CHECKING:
    from quincunx.solve.solver import ProgressCallback
    from quincunx.solve.tablebase import Tablebase
    from quincunx.solve.verdict import Verdict

DEFAULT_MEMORY_SHARE = 0.75  # of the machine's memory
PROGRESS_INTERVAL_SECONDS = 30.0  # between progress lines if there is no terminal for a bar
SIZE_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def solve(
    name: GameName,
    pawns: Annotated[
        int,
        typer.Option(
            "--pawns",
            min=3,
            max=8,
            metavar="NUMBER",
            help="Solve the game with this number of pawns a side.",
        ),
    ] = 8,
    memory: Annotated[
        str,
        typer.Option(
            metavar="SIZE",
            help="Use at most this much memory, such as 8G; the rest is stored in files. "
            "Default: three quarters of the machine's memory.",
        ),
    ] = "",
    threads: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="NUMBER", help="Use this number of threads. Default: one per core."
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Store the table and the intermediate files in this directory."
        ),
    ] = None,
    on: BackendOption = Backend.LOCAL,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify",
            help="Check every entry of the table, and some with an independent search.",
        ),
    ] = False,
    sample: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="SHAPES",
            help="Only estimate the run time, from a measurement with this number of shapes.",
        ),
    ] = 0,
    placing: Annotated[
        bool,
        typer.Option("--placing", help="Only search for a forced win before all pawns are placed."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Solve Onoro: compute who wins each position and how soon. A stopped run can be resumed."""
    from quincunx.solve import SOLVED_GAME, table_path

    if name != SOLVED_GAME:
        raise BadOption("game", name, f"only {SOLVED_GAME} can be solved")
    if placing:
        _search_placements(pawns, as_json)
        return
    path = table_path(pawns, data)
    if sample:
        _estimate(pawns, sample, path, threads, as_json)
        return
    table = _open_or_solve(pawns, path, threads, _parse_size(memory), on)
    facts = _facts(table)
    if verify:
        facts |= _verify(table, threads)
    if as_json:
        print(json.dumps(facts))
    else:
        _print_facts(table, facts)


def _open_or_solve(
    pawns: int, path: Path, threads: int | None, memory: int | None, on: Backend
) -> Tablebase:
    """Returns the table in a file; if it does not exist, solves the game first or resumes that."""
    from quincunx.machine import memory as machine_memory
    from quincunx.solve.solver import required_bytes, solve
    from quincunx.solve.tablebase import Tablebase

    if path.exists():
        return Tablebase.open(path)
    memory = memory or int(DEFAULT_MEMORY_SHARE * machine_memory())
    needed = required_bytes(pawns)
    path.parent.mkdir(parents=True, exist_ok=True)
    in_memory = f"{_format_size(needed['memory'])} of memory"
    if needed["memory"] > memory:
        in_memory += f" (only {_format_size(memory)} allowed, so part of it is stored in files)"
    err.print(
        f"Onoro with {pawns} pawns a side requires {in_memory} and, in {path.parent}, "
        f"{_format_size(needed['table'])} for the table and {_format_size(needed['work'])} for "
        "intermediate files.",
        markup=False,
    )
    if shutil.disk_usage(path.parent).free < needed["table"] + needed["work"]:
        err.print("There is not enough free disk space.", style="yellow")
    start = time.perf_counter()
    with _progress("to resume, run the same command again") as progress:
        table = solve(pawns, path, threads, memory, progress, on=on.value)
    err.print(f"Solved in {time.perf_counter() - start:,.1f} s: {path}", markup=False)
    return table


def _verify(table: Tablebase, threads: int | None) -> dict[str, Any]:
    """Verifies a table, saves a game with the longest win beside it, and returns facts for JSON."""
    from quincunx.solve.threads import ThreadTeam
    from quincunx.solve.verify import longest_win, verify

    start = time.perf_counter()
    with ThreadTeam(threads) as team, _progress("no error was found so far") as progress:
        checked = verify(table, team, progress)
    record = longest_win(table)
    file = table.path.with_suffix(".longest.qx")
    record.save(file)
    err.print(f"Verified in {time.perf_counter() - start:,.1f} s.")
    return {"verified": vars(checked), "line": record.text, "file": str(file)}


def _facts(table: Tablebase) -> dict[str, Any]:
    """Returns the value of the start position and the counts of a table, for JSON."""
    from quincunx.solve.verdict import verdict_from_code

    verdict = verdict_from_code(int(table.header["start"]))
    return {
        "pawns": table.pawns,
        "value": verdict.value,
        "distance": verdict.distance,
        "longest": max(counts["longest"] for counts in table.counts.values()),
        "counts": table.counts,
        "table": str(table.path),
    }


def _print_facts(table: Tablebase, facts: dict[str, Any]) -> None:
    """Prints the facts of a solved table."""
    from rich.table import Table

    printed = Table("pawns on the board", "won", "drawn", "lost", "longest win", box=None)
    for column in printed.columns:
        column.justify = "right"
    for n, counts in facts["counts"].items():
        numbers = (counts[kind] for kind in ("won", "draw", "lost", "longest"))
        printed.add_row(str(n), *(f"{number:,}" for number in numbers))
    out.print(printed)
    out.print("Positions up to symmetry, results for the side to move, lengths of wins in plies.\n")
    result = facts["value"]
    if result != "draw":
        result += f" for White in {facts['distance']} plies"
    out.print(f"With {table.pawns} pawns a side, the start position is a [bold]{result}[/].")
    if "verified" in facts:
        checked = facts["verified"]
        out.print(
            f"Verified: {checked['entries']:,} entries against their successors, "
            f"{checked['blocks']:,} blocks by checksum, {checked['searched']:,} positions by an "
            "independent search, which reached the end of the game in "
            f"{checked['ended']:,} of them. "
            f"A game with the longest win is in {facts['file']}:\n",
            markup=False,
        )
        out.print(facts["line"], markup=False)


def _search_placements(pawns: int, as_json: bool) -> None:
    """Prints which side, if any, can force a win before all pawns are placed."""
    from quincunx.registry import game
    from quincunx.solve import SOLVED_GAME
    from quincunx.solve.forced import winner_within

    first = game(SOLVED_GAME, pawns=pawns).start(0)
    plies = 2 * pawns - int(first.position.placed)
    start = time.perf_counter()
    winner = winner_within(first, plies)
    if as_json:
        print(json.dumps({"pawns": pawns, "placements": plies, "winner": winner}))
        return
    who = "Neither side" if winner is None else first.game.parts.rules.SEAT_NAMES[winner]
    out.print(
        f"{who} can force a win within the {plies} placements "
        f"[dim]({time.perf_counter() - start:.1f} s)[/]"
    )


def _estimate(pawns: int, count: int, path: Path, threads: int | None, as_json: bool) -> None:
    """Measures the solver on some shapes and prints the estimated time of the whole run."""
    from quincunx.solve.sample import measure
    from quincunx.solve.threads import ThreadTeam

    with ThreadTeam(threads) as team, _progress("the enumerated shapes are stored") as progress:
        estimate = measure(pawns, count, path, team, progress)
    if as_json:
        print(json.dumps(estimate.as_dict()))
        return
    for line in estimate.lines():
        out.print(line, markup=False)


@contextmanager
def _progress(interrupted: str) -> Iterator[ProgressCallback]:
    """Yields a callback that updates a progress bar, or without a terminal prints lines.

    On Ctrl-C, the command fails with the message `interrupted`.
    """
    from rich.progress import (
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    try:
        with Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            TimeElapsedColumn(),
            console=err,
            transient=True,
            disable=not err.is_terminal,
        ) as progress:
            bar = progress.add_task("", total=None, rate="")
            phase, phase_start, first_done, last_printed = "", 0.0, 0, time.monotonic()

            def update(new_phase: str, done: int, total: int) -> None:
                nonlocal phase, phase_start, first_done, last_printed
                now = time.monotonic()
                if new_phase != phase:
                    phase, phase_start, first_done = new_phase, now, done
                    progress.reset(bar, description=phase, total=total, completed=done, rate="")
                rate = (done - first_done) / max(now - phase_start, 1e-3)
                progress.update(bar, completed=done, rate=f"{rate:,.0f}/s" if rate else "")
                if not err.is_terminal and now - last_printed > PROGRESS_INTERVAL_SECONDS:
                    last_printed = now
                    err.print(f"{phase}: {done:,} of {total:,}", markup=False)

            yield update
    except KeyboardInterrupt:
        fail(f"interrupted; {interrupted}")
    except ConnectionError as error:
        fail(f"cannot connect to the Ray cluster: {error}")


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
    position: Annotated[
        str,
        typer.Argument(
            metavar="POSITION",
            help="The text of the position. If both sides have the same number of pawns, all pawns "
            "count as placed, unless -O pawns=NUMBER is given.",
        ),
    ],
    option: Options = None,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Read the table from this directory, as given to `solve --data`."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Look up an Onoro position in the solved table: who wins, how soon, and by which moves."""
    from quincunx.solve import SOLVED_GAME
    from quincunx.solve import probe as probe_table

    game = configured_game(SOLVED_GAME, option)
    black, white = position.count("B"), position.count("W")
    if "pawns" not in game.changed_options and black == white and 3 <= black < 8:
        game = game.configured(pawns=black)
    with compiling([SOLVED_GAME]):
        state = game.read(position)
        verdict = probe_table(state, data)
    if as_json:
        print(json.dumps({"game": SOLVED_GAME, "position": state.text, **_as_dict(verdict)}))
        return
    from quincunx.draw import picture
    from quincunx.terminal.plain_prompt import colour_mode

    out.file.write(picture(state, "text", colour=colour_mode(out)) + "\n\n")
    side = game.parts.rules.SEAT_NAMES[int(state.position.turn)]
    out.print(f"{game.options['pawns']} pawns a side, {side} to move: [bold]{verdict}[/]")
    for move, after in verdict.moves.items():
        out.print(f"  {move:12} {after}", markup=False)


def _as_dict(verdict: Verdict) -> dict[str, Any]:
    """Returns a verdict as plain values, for JSON."""
    return {
        "value": verdict.value,
        "distance": verdict.distance,
        "moves": {
            move: {"value": after.value, "distance": after.distance}
            for move, after in verdict.moves.items()
        },
    }
