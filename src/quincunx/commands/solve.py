"""The commands `solve` and `probe`: parse words, solve or look up, print."""

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

from quincunx.commands.arguments import GameName, Json, On, Options, Place, configured
from quincunx.commands.console import compiling, err, fail, out
from quincunx.errors import BadOption

if TYPE_CHECKING:
    from quincunx.solve.solver import ProgressCallback
    from quincunx.solve.tablebase import Tablebase
    from quincunx.solve.verdict import Verdict

SHARE = 0.75  # of the machine's memory, where nothing else is said
SPEAKS = 30.0  # seconds between two lines, where there is no terminal for a bar
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def solve(
    name: GameName,
    pawns: Annotated[
        int, typer.Option("--pawns", min=3, max=8, metavar="NUMBER", help="Pawns of each side.")
    ] = 8,
    memory: Annotated[
        str,
        typer.Option(
            metavar="SIZE",
            help="How much memory it may take, such as 8G; what does not fit is put into files. "
            "Three quarters of what the machine has by default.",
        ),
    ] = "",
    threads: Annotated[
        int | None, typer.Option(min=1, metavar="NUMBER", help="All cores by default.")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where the table is kept, and what is needed meanwhile."),
    ] = None,
    on: On = Place.LOCAL,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify", help="Check every entry of the table, and search again by other means."
        ),
    ] = False,
    sample: Annotated[
        int,
        typer.Option(
            min=0, metavar="SHAPES", help="Only measure on so many shapes how long it would take."
        ),
    ] = 0,
    placing: Annotated[
        bool,
        typer.Option("--placing", help="Only see whether a win can be forced by placing alone."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Solve Onoro: who wins every position, and how soon. Stopped, it goes on where it was."""
    from quincunx.solve import GAME, table_path

    if name != GAME:
        raise BadOption("game", name, f"only {GAME} can be solved")
    if placing:
        _placing(pawns, as_json)
        return
    path = table_path(pawns, data)
    if sample:
        _sample(pawns, sample, path, threads, as_json)
        return
    table = _solved(pawns, path, threads, _size(memory), on)
    facts = _facts(table)
    if verify:
        facts |= _verified(table, threads)
    if as_json:
        print(json.dumps(facts))
    else:
        _show(table, facts)


def _solved(
    pawns: int, path: Path, threads: int | None, memory: int | None, on: Place
) -> Tablebase:
    """The table of a file, made or gone on with if it is not whole."""
    from quincunx.machine import memory as machine_memory
    from quincunx.solve.solver import required_bytes, solve
    from quincunx.solve.tablebase import Tablebase

    if path.exists():
        return Tablebase.open(path)
    memory = memory or int(SHARE * machine_memory())
    needed = required_bytes(pawns)
    path.parent.mkdir(parents=True, exist_ok=True)
    most = f"{_words(needed['memory'])} of memory"
    if needed["memory"] > memory:
        most += f" would be best, but with {_words(memory)} its bits lie in files"
    err.print(
        f"Onoro, {pawns} pawns a side. What it takes: {most}; on disk {_words(needed['table'])} "
        f"for the table, and {_words(needed['work'])} meanwhile, in {path.parent}.",
        markup=False,
    )
    if shutil.disk_usage(path.parent).free < needed["table"] + needed["work"]:
        err.print("That is more than is free there.", style="yellow")
    begin = time.perf_counter()
    with _progress(f"what is done is kept in {path.parent}; to go on, the same again") as told:
        table = solve(pawns, path, threads, memory, told, on=on.value)
    err.print(f"Solved in {time.perf_counter() - begin:,.1f} s: {path}", markup=False)
    return table


def _verified(table: Tablebase, threads: int | None) -> dict[str, Any]:
    """Verifies a table; what was seen, and the longest win in a file beside it."""
    from quincunx.solve.threads import ThreadTeam
    from quincunx.solve.verify import longest_win, verify

    begin = time.perf_counter()
    with ThreadTeam(threads) as team, _progress("nothing was found wrong so far") as told:
        seen = verify(table, team, told)
    record = longest_win(table)
    file = table.path.with_suffix(".longest.qx")
    record.save(file)
    err.print(f"Verified in {time.perf_counter() - begin:,.1f} s.")
    return {"verified": vars(seen), "line": record.text, "file": str(file)}


def _facts(table: Tablebase) -> dict[str, Any]:
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


def _show(table: Tablebase, facts: dict[str, Any]) -> None:
    """Prints what is known of a solved game."""
    from rich.table import Table

    rows = Table("pawns on the board", "won", "drawn", "lost", "longest win", box=None)
    for column in rows.columns:
        column.justify = "right"
    for n, counts in facts["counts"].items():
        numbers = (counts[kind] for kind in ("won", "draw", "lost", "longest"))
        rows.add_row(str(n), *(f"{number:,}" for number in numbers))
    out.print(rows)
    out.print("Positions up to symmetry, for the side to move; the wins' lengths in plies.\n")
    start = facts["value"] + (f" in {facts['distance']}" if facts["distance"] else "")
    out.print(f"With {table.pawns} pawns a side, the start is a [bold]{start}[/] for White.")
    if "verified" in facts:
        seen = facts["verified"]
        out.print(
            f"Verified: {seen['entries']:,} entries against their successors, {seen['blocks']:,} "
            f"blocks by checksum, {seen['searched']:,} positions by another search, which saw the "
            f"end of {seen['ended']:,}. A longest win is in {facts['file']}:\n",
            markup=False,
        )
        out.print(facts["line"], markup=False)


def _placing(pawns: int, as_json: bool) -> None:
    """Says whether a side can force a win before all pawns are placed."""
    from quincunx.registry import game
    from quincunx.solve import GAME
    from quincunx.solve.forced import winner_within

    first = game(GAME, pawns=pawns).start(0)
    plies = 2 * pawns - int(first._s.placed)
    begin = time.perf_counter()
    winner = winner_within(first, plies)
    if as_json:
        print(json.dumps({"pawns": pawns, "placements": plies, "winner": winner}))
        return
    who = "Neither side" if winner is None else first.game.parts.rules.SEAT_NAMES[winner]
    out.print(
        f"{who} can force a win within the {plies} placements "
        f"[dim]({time.perf_counter() - begin:.1f} s)[/]"
    )


def _sample(pawns: int, count: int, path: Path, threads: int | None, as_json: bool) -> None:
    """Measures every kernel on some shapes and says what the whole would take."""
    from quincunx.solve.sample import measure
    from quincunx.solve.threads import ThreadTeam

    with ThreadTeam(threads) as team, _progress("the shapes found are kept") as told:
        estimate = measure(pawns, count, path, team, told)
    if as_json:
        print(json.dumps(estimate.as_dict()))
        return
    for line in estimate.lines():
        out.print(line, markup=False)


@contextmanager
def _progress(stopped: str) -> Iterator[ProgressCallback]:
    """A bar with the phase, its rate and the time left; lines now and then without a terminal."""
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
            phase, begun, first, spoken = "", 0.0, 0, time.monotonic()

            def told(now: str, done: int, total: int) -> None:
                nonlocal phase, begun, first, spoken
                clock = time.monotonic()
                if now != phase:
                    phase, begun, first = now, clock, done
                    progress.reset(bar, description=now, total=total, completed=done, rate="")
                rate = (done - first) / max(clock - begun, 1e-3)
                progress.update(bar, completed=done, rate=f"{rate:,.0f}/s" if rate else "")
                if not err.is_terminal and clock - spoken > SPEAKS:
                    spoken = clock
                    err.print(f"{now}: {done:,} of {total:,}", markup=False)

            yield told
    except KeyboardInterrupt:
        fail(f"stopped; {stopped}")
    except ConnectionError as error:
        fail(f"Ray's cluster cannot be reached: {error}")


def _size(text: str) -> int | None:
    """A number of bytes such as 8G; None if nothing is said."""
    if not text:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    if found is None:
        raise BadOption("memory", text, "write a size, such as 8G or 500M")
    return int(float(found[1]) * UNITS[found[2].upper()])


def _words(size: int) -> str:
    """A number of bytes in words."""
    if size >= 1e9:
        return f"{size / 1e9:,.1f} GB"
    return f"{size / 1e6:,.0f} MB" if size >= 1e6 else "less than 1 MB"


def probe(
    position: Annotated[
        str,
        typer.Argument(
            metavar="POSITION",
            help="The position's text. With as many pawns of both sides it is taken as one with "
            "all pawns placed, unless -O pawns= says otherwise.",
        ),
    ],
    option: Options = None,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where `solve --data` has put the table.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Look a position of Onoro up in the solved table: who wins, how soon, and every move."""
    from quincunx.solve import GAME
    from quincunx.solve import probe as look_up

    game = configured(GAME, option)
    black, white = position.count("B"), position.count("W")
    if "pawns" not in game.changed_options and black == white and 3 <= black < 8:
        game = game.configured(pawns=black)
    with compiling([GAME]):
        state = game.read(position)
        verdict = look_up(state, data)
    if as_json:
        print(json.dumps({"game": GAME, "position": state.text, **_told(verdict)}))
        return
    from quincunx.draw import picture
    from quincunx.terminal.plain_prompt import colour_mode

    out.file.write(picture(state, "text", colour=colour_mode(out)) + "\n\n")
    side = game.parts.rules.SEAT_NAMES[int(state._s.turn)]
    out.print(f"{game.options['pawns']} pawns a side, {side} to move: [bold]{verdict}[/]")
    for move, after in verdict.moves.items():
        out.print(f"  {move:12} {after}", markup=False)


def _told(verdict: Verdict) -> dict[str, Any]:
    """A verdict for programs."""
    return {
        "value": verdict.value,
        "distance": verdict.distance,
        "moves": {
            move: {"value": after.value, "distance": after.distance}
            for move, after in verdict.moves.items()
        },
    }
