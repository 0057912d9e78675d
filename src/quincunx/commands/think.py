"""The commands `analyse` and `players`: what the best player thinks, and who there is."""

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
    configured,
    position_of,
)
from quincunx.commands.console import (
    beside,
    compile_whole,
    err,
    misuse,
    out,
)


def analyse(
    name: GameName,
    position: Annotated[
        str | None,
        typer.Argument(
            metavar="POSITION", help="The position's text; the first position if left out."
        ),
    ] = None,
    seconds: Annotated[
        float, typer.Option("--time", "-t", min=0.01, max=3600, metavar="SECONDS", help="To think.")
    ] = 1.0,
    limit: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="A limit of the player's own instead, the same analysis every time: depth=4 or "
            "nodes=20000 in Onoro and Quorum, sims=2000 in Sphero and Blocky, samples=4 in Wzlz.",
        ),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Who thinks, from 0, where anyone may move."),
    ] = None,
    top: Annotated[int, typer.Option(min=1, metavar="NUMBER", help="How many moves to show.")] = 10,
    option: Options = None,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Ask the game's best player what it thinks of a position: values and best lines."""
    from quincunx.analysis import analyse as think
    from quincunx.analysis import analysis_player
    from quincunx.draw import picture
    from quincunx.players import parse_player
    from quincunx.terminal.analysis_table import show_analysis
    from quincunx.terminal.plain_prompt import colour_mode

    game = configured(name, option)
    wanted = seconds if limit is None else limit
    parse_player(analysis_player(game, wanted), game)
    compile_whole(game)
    state = position_of(game, position, seed)
    if state.over:
        misuse(f"the game is over in this position: {state.status}")
    if seat is None and state.turn is None:
        seat = 0
    with err.status("Thinking …"):
        found = beside(partial(think, state, wanted, seat, seed or 0))
    if as_json:
        print(json.dumps(found.as_dict()))
        return
    out.file.write(picture(state, "text", colour=colour_mode(out)) + "\n\n")
    show_analysis(found, out, top)


def players(name: GameName) -> None:
    """List the players of a game, their options, and the eight levels."""
    from quincunx.terminal.analysis_table import show_players

    show_players(configured(name, None), out)
