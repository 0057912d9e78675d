"""The commands `perft`, `bench` and `warm`."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from quincunx.commands.arguments import (
    GameName,
    GameNames,
    Json,
    Options,
    Position,
    Seed,
    configured_game,
    initial_state,
)
from quincunx.commands.console import (
    compile_game,
    compile_games,
    err,
    fail_interrupted,
    out,
    run_interruptible,
)
from quincunx.phrases import quantity
from quincunx.registry import games as game_names

if TYPE_CHECKING:
    from quincunx.game import Game


def perft(
    name: GameName,
    depth: Annotated[
        int,
        typer.Argument(
            min=1, max=64, metavar="DEPTH", help="Count sequences of this number of plies."
        ),
    ],
    position: Position = None,
    divide: Annotated[
        bool, typer.Option("--divide", help="Print the count of each first move.")
    ] = False,
    option: Options = None,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Count the move sequences of a given length, to check the rules."""
    from quincunx.search import count_leaves

    game = configured_game(name, option)
    compile_game(game)
    state = initial_state(game, position, seed)
    start = time.perf_counter()
    counts: dict[str, int] = {}
    seat = 0 if state.turn is None else None
    try:
        with err.status("Counting …") as status:
            for action in state.actions(seat):
                after = state.act(action, seat)
                count = run_interruptible(partial(count_leaves, after, depth - 1))
                counts[state.move(action)] = count
                status.update(f"Counting … {sum(counts.values()):,}")
    except KeyboardInterrupt:
        fail_interrupted(f"interrupted after {quantity(sum(counts.values()), 'leaf', 'leaves')}")
    seconds = time.perf_counter() - start
    total = sum(counts.values())
    if as_json:
        print(
            json.dumps(
                {
                    "game": name,
                    "position": state.text,
                    "depth": depth,
                    "leaves": total,
                    "moves": counts,
                }
            )
        )
        return
    if divide:
        for move, count in sorted(counts.items()):
            out.print(f"{move:12} {count:,}", markup=False)
    out.print(f"perft({depth}) = {total:,}  [dim]({total / max(seconds, 1e-9):,.0f} per second)[/]")


def bench(
    names: GameNames = None,
    seconds: Annotated[
        float,
        typer.Option(
            min=0.1, max=600, metavar="SECONDS", help="Measure each figure for this long."
        ),
    ] = 2.0,
    signature: Annotated[
        bool,
        typer.Option(
            "--signature",
            help="Print the node counts of fixed searches instead, which do not depend on time.",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Measure random play in moves per second, on one core and on all."""
    from rich.progress import track
    from rich.table import Table

    from quincunx.bench import measured, random_play
    from quincunx.machine import cores

    games = [configured_game(name, None) for name in names or game_names()]
    for game in games:
        compile_game(game)
    if signature:
        _signatures(games, as_json)
        return
    rows = []
    try:
        for game in track(
            games, "Measuring", console=err, transient=True, disable=not err.is_terminal
        ):
            rows.append([random_play(measured(game), seconds, count) for count in (1, cores())])
    except KeyboardInterrupt:
        fail_interrupted(f"interrupted after {len(rows)} of {quantity(len(games), 'game')}")
    if as_json:
        print(json.dumps([vars(speed) for row in rows for speed in row]))
        return
    table = Table(
        "game", "one core, moves/s", f"{quantity(cores(), 'core')}, moves/s", "moves per game"
    )
    for column in table.columns[1:]:
        column.justify = "right"
    for one_core, all_cores in rows:
        table.add_row(
            one_core.game,
            f"{one_core.moves_per_second:,.0f}",
            f"{all_cores.moves_per_second:,.0f}",
            f"{one_core.moves / one_core.games:.0f}",
        )
    out.print(table)


def _signatures(games: Sequence[Game], as_json: bool) -> None:
    """Prints the node counts of fixed searches, in the format of the stored signature."""
    from quincunx.bench import signature

    counts = {}
    for game in games:
        for text, nodes in signature(game):
            counts[f"{game.name} {text}"] = nodes
            if not as_json:
                out.print(f"{game.name:8}{text:24}{nodes:>12}", markup=False)
    if as_json:
        print(json.dumps(counts))


def warm(names: GameNames = None) -> None:
    """Compile the games now instead of on first use."""
    games = [configured_game(name, None) for name in names or game_names()]
    start = time.perf_counter()
    try:
        if len(games) > 1:
            compile_games([game.name for game in games])
        else:
            compile_game(games[0], always=True)
    except KeyboardInterrupt:
        fail_interrupted("interrupted; what is compiled so far is kept")
    out.print(f"Compiled everything in {time.perf_counter() - start:.0f} s.")
