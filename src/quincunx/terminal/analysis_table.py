"""An analysis of a position as a table and as a sentence."""

from __future__ import annotations

from rich.table import Table

from quincunx.analysis import Analysis, ScoredMove

BAR_CHARS = 11  # width of a value bar; its middle character means an even game
MAX_LINE_MOVES = 8  # moves shown of a principal variation


def summary(analysis: Analysis) -> str:
    """Returns one line with the seat to move, the best move and its value."""
    game = analysis.state.game
    seat = game.parts.rules.SEAT_NAMES[analysis.seat]
    return f"{'' if game.seats == 1 else f'{seat} to move: '}{describe(analysis.moves[0])}"


def move_table(analysis: Analysis, max_moves: int, lines: bool = True) -> Table:
    """Returns a table of the best moves and their values, with the expected replies if `lines`."""
    moves = analysis.moves[:max_moves]
    lines = lines and any(len(scored.line) > 1 for scored in moves)
    table = Table("move", "value", "", "line" if lines else "", box=None, pad_edge=False)
    table.columns[1].justify = "right"
    for scored in moves:
        line = " ".join(scored.line[1:MAX_LINE_MOVES])
        line += " …" if len(scored.line) > MAX_LINE_MOVES else ""
        table.add_row(scored.move, _value(scored), _bar(scored.value), line if lines else "")
    return table


def describe(best: ScoredMove) -> str:
    """Returns what the best move leads to: `a1e3 wins in 5 plies` or `a1e3 is best, +0.25`."""
    if best.plies is not None and best.value:
        result = "wins" if best.value > 0 else "loses"
        return f"{best.move} {result} in {best.plies} {'ply' if best.plies == 1 else 'plies'}"
    return f"{best.move} is best, {best.value:+.2f}"


def _value(scored: ScoredMove) -> str:
    if scored.plies is not None and scored.value:
        return f"{'win' if scored.value > 0 else 'loss'} in {scored.plies}"
    return f"{scored.value:+.2f}"


def _bar(value: float) -> str:
    """Returns a value from -1 to 1 as a dot on a line, with Rich markup."""
    column = round((value + 1) / 2 * (BAR_CHARS - 1))
    return f"[dim]{'─' * column}[/][bold cyan]●[/][dim]{'─' * (BAR_CHARS - 1 - column)}[/]"
