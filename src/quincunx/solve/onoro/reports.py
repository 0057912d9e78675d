"""Reports of the solver: facts for programs and lines for people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from quincunx.game import Game
from quincunx.phrases import quantity
from quincunx.record import Record
from quincunx.solve.onoro.reader import verdict_from_code
from quincunx.solve.onoro.tablebase import Tablebase
from quincunx.solve.onoro.verification import Verification
from quincunx.solve.protocol import Report
from quincunx.solve.verdict import Verdict

# The columns of the table of counts: the heading, and the key in the table's header.
COUNT_COLUMNS = (("won", "won"), ("drawn", "draw"), ("lost", "lost"), ("longest win", "longest"))
PAWNS_HEADING = "pawns on the board"


def table_report(table: Tablebase) -> Report:
    """Returns the result of the start position and the numbers of positions by result."""
    start = verdict_from_code(int(table.header["start"]))
    facts = {
        "pawns": table.pawns,
        "value": start.value,
        "distance": start.distance,
        "longest": max(counts["longest"] for counts in table.counts.values()),
        "counts": table.counts,
        "table": str(table.path),
    }
    return Report(facts, tuple(_table_lines(table, start)))


def _table_lines(table: Tablebase, start: Verdict) -> Iterator[str]:
    rows = [
        [str(n), *(f"{counts[key]:,}" for _, key in COUNT_COLUMNS)]
        for n, counts in table.counts.items()
    ]
    rows.insert(0, [PAWNS_HEADING, *(heading for heading, _ in COUNT_COLUMNS)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
    yield "Positions up to symmetry, results for the side to move, lengths of wins in plies."
    yield ""
    result = start.value if start.value == "draw" else f"{start.value} for White"
    plies = "" if start.distance is None else f" in {quantity(start.distance, 'ply', 'plies')}"
    yield f"With {table.pawns} pawns a side, the start position is a {result}{plies}."


def verification_report(checked: Verification, record: Record, file: Path) -> Report:
    """Returns what was verified, and a game with the longest win."""
    lines = (
        f"Verified: {checked.entries:,} entries against their successors, "
        f"{checked.blocks:,} blocks by checksum, {checked.searched:,} positions by an independent "
        f"search, which reached the end of the game in {checked.ended:,} of them. "
        f"A game with the longest win is in {file}:",
        "",
        record.text,
    )
    return Report({"verified": asdict(checked), "line": record.text, "file": str(file)}, lines)


def placing_report(game: Game, plies: int, winner: int | None) -> Report:
    """Returns which side, if any, can force a win before all pawns are placed."""
    who = "Neither side" if winner is None else game.parts.rules.SEAT_NAMES[winner]
    facts = {"pawns": game.options["pawns"], "placements": plies, "winner": winner}
    return Report(facts, (f"{who} can force a win within the {plies} placements.",))
