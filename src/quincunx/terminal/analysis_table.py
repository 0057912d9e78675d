"""An analysis, and the players there are, as tables for the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from quincunx.analysis import Analysis, ScoredMove
from quincunx.game import Game
from quincunx.players import PLAYERS, player_module, players_of, unsupported_reason
from quincunx.players.level import LEVEL_NAMES

BAR = 11  # letters of a value bar; the middle one is an even game
LINE = 8  # moves of a line that are shown


def show_analysis(analysis: Analysis, console: Console, top: int) -> None:
    """The best moves with their values and lines, and the position's value in words."""
    console.print(verdict(analysis))
    console.print(judged_moves(analysis, top))
    more = len(analysis.moves) - top
    rest = f"{more:,} more legal moves; " if more > 0 else ""
    console.print(f"{rest}by {analysis.by}", style="dim")


def verdict(analysis: Analysis) -> str:
    """The value of the position in a few words."""
    game = analysis.state.game
    seat = game.parts.rules.SEAT_NAMES[analysis.seat]
    return f"{'' if game.seats == 1 else f'{seat} to move: '}{in_words(analysis.moves[0])}"


def judged_moves(analysis: Analysis, top: int, lines: bool = True) -> Table:
    """The best moves with their values, and how play goes on if lines are wanted."""
    shown = analysis.moves[:top]
    told = lines and any(len(judged.line) > 1 for judged in shown)
    table = Table("move", "value", "", "and then" if told else "", box=None, pad_edge=False)
    table.columns[1].justify = "right"
    for judged in shown:
        line = " ".join(judged.line[1:LINE]) + (" …" if len(judged.line) > LINE else "")
        table.add_row(judged.move, _value(judged), _bar(judged.value), line if told else "")
    return table


def in_words(judged: ScoredMove) -> str:
    """What a move leads to, in a few words."""
    if judged.plies is not None and judged.value:
        won = "wins" if judged.value > 0 else "loses"
        return f"{judged.move} {won} in {judged.plies} {'ply' if judged.plies == 1 else 'plies'}"
    return f"{judged.move} is best, {judged.value:+.2f}"


def _value(judged: ScoredMove) -> str:
    if judged.plies is not None and judged.value:
        return f"{'win' if judged.value > 0 else 'loss'} in {judged.plies}"
    return f"{judged.value:+.2f}"


def _bar(value: float) -> str:
    """A value from -1 to 1 as a mark on a line."""
    place = round((value + 1) / 2 * (BAR - 1))
    return f"[dim]{'─' * place}[/][bold cyan]●[/][dim]{'─' * (BAR - 1 - place)}[/]"


def show_players(game: Game, console: Console) -> None:
    """Who plays a game: kinds of players with their options, and the eight levels."""
    table = Table("player", "what it does", box=None, pad_edge=False)
    for kind in players_of(game):
        module = player_module(kind)
        table.add_row(f"[bold cyan]{kind}[/]", module.DESCRIPTION)
        for option in module.OPTIONS:
            table.add_row(f"  {option.name}={option.default}", option.description, style="dim")
    for kind in PLAYERS:
        if why := unsupported_reason(kind, game):
            table.add_row(f"not here: {kind}", escape(why), style="dim")
    console.print(table)
    levels = Table("level", "", "plays as", "slips", box=None, pad_edge=False)
    levels.columns[3].justify = "right"
    for number, (slip, text) in enumerate(game.parts.rules.LEVELS, 1):
        mistakes = f"{slip} of 100" if slip else "never"
        levels.add_row(f"[bold cyan]level:{number}[/]", LEVEL_NAMES[number - 1], text, mistakes)
    console.print()
    console.print(levels)
