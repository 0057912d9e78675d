"""The commands `analyse` and `players`."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from quincunx.commands.arguments import (
    GameName,
    Json,
    Options,
    PositionArgument,
    Seed,
    configured_game,
    initial_state,
)
from quincunx.commands.console import (
    colour_mode,
    compile_game,
    err,
    fail_usage,
    out,
    run_interruptible,
)

if TYPE_CHECKING:
    from quincunx.analysis import Analysis


def analyse(
    name: GameName,
    position: PositionArgument = None,
    seconds: Annotated[
        float,
        typer.Option(
            "--time", "-t", min=0.01, max=3600, metavar="SECONDS", help="Search for this long."
        ),
    ] = 1.0,
    limit: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="Limit the search by work instead of time, for a reproducible analysis: depth=4 "
            "or nodes=20000 where alphabeta analyses a game, sims=2000 where mcts does, "
            "samples=4 where expectimax does.",
        ),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER", help="Analyse for this seat, from 0, where anyone may move."
        ),
    ] = None,
    top: Annotated[
        int, typer.Option(min=1, metavar="NUMBER", help="Show this number of moves.")
    ] = 10,
    option: Options = None,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Analyse a position with the game's best player: values and best lines of its moves."""
    from quincunx.analysis import analyse as analyse_state
    from quincunx.analysis import analysis_player
    from quincunx.draw import picture
    from quincunx.players import parse_player

    game = configured_game(name, option)
    search_limit = seconds if limit is None else limit
    parse_player(analysis_player(game, search_limit), game)
    compile_game(game)
    state = initial_state(game, position, seed)
    if state.over:
        fail_usage(f"the game is over in this position: {state.status}")
    if seat is None and state.turn is None:
        seat = 0
    with err.status("Searching …"):
        analysis = run_interruptible(partial(analyse_state, state, search_limit, seat, seed or 0))
    if as_json:
        print(json.dumps(analysis.as_dict()))
        return
    out.file.write(picture(state, "text", colour=colour_mode(out)) + "\n\n")
    _print_analysis(analysis, top)


def _print_analysis(analysis: Analysis, max_moves: int) -> None:
    """Prints the value of the position and its best moves with their values and lines."""
    from quincunx.terminal.analysis_table import move_table, summary

    out.print(summary(analysis))
    out.print(move_table(analysis, max_moves))
    hidden_moves = len(analysis.moves) - max_moves
    rest = f"{hidden_moves:,} more legal moves; " if hidden_moves > 0 else ""
    out.print(f"{rest}by {analysis.by}", style="dim")


def players(name: GameName) -> None:
    """List the players of a game, their options and the eight levels."""
    from rich.markup import escape
    from rich.table import Table

    from quincunx.players import PLAYERS, player_module, players_of, unsupported_reason
    from quincunx.players.level import LEVEL_NAMES

    game = configured_game(name, None)
    table = Table("player", "what it does", box=None, pad_edge=False)
    for kind in players_of(game):
        module = player_module(kind)
        table.add_row(f"[bold cyan]{kind}[/]", module.DESCRIPTION)
        for option in module.OPTIONS:
            table.add_row(f"  {option.name}={option.default}", option.description, style="dim")
    for kind in PLAYERS:
        if reason := unsupported_reason(kind, game):
            table.add_row(f"unavailable: {kind}", escape(reason), style="dim")
    out.print(table)
    levels = Table("level", "", "plays as", "random moves", box=None, pad_edge=False)
    levels.columns[3].justify = "right"
    for number, (random_percent, text) in enumerate(game.parts.rules.LEVELS, 1):
        mistakes = f"{random_percent} %" if random_percent else "never"
        levels.add_row(f"[bold cyan]level:{number}[/]", LEVEL_NAMES[number - 1], text, mistakes)
    out.print()
    out.print(levels)
