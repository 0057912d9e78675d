"""The commands `analyse` and `players`."""

from __future__ import annotations

import json
from functools import partial
from typing import Annotated

import typer

from quincunx.commands.arguments import (
    GameName,
    Json,
    Options,
    Seed,
    configured_game,
    initial_state,
)
from quincunx.commands.console import (
    compile_game,
    err,
    fail_usage,
    out,
    run_interruptible,
)


def analyse(
    name: GameName,
    position: Annotated[
        str | None,
        typer.Argument(
            metavar="POSITION", help="The text of the position. Default: the first position."
        ),
    ] = None,
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
            "or nodes=20000 in Onoro and Quorum, sims=2000 in Sphero and Blocky, samples=4 in "
            "Wzlz.",
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
    from quincunx.terminal.analysis_table import print_analysis
    from quincunx.terminal.plain_prompt import colour_mode

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
    print_analysis(analysis, out, top)


def players(name: GameName) -> None:
    """List the players of a game, their options and the eight levels."""
    from quincunx.terminal.analysis_table import print_players

    print_players(configured_game(name, None), out)
