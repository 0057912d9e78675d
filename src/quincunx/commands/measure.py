"""The commands `perft`, `bench` and `warm`: to count, to measure, to compile."""

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
    configured,
    position_of,
)
from quincunx.commands.console import (
    beside,
    compile_all,
    compile_whole,
    err,
    fail,
    out,
)
from quincunx.registry import GAMES

if TYPE_CHECKING:
    from quincunx.game import Game


def perft(
    name: GameName,
    depth: Annotated[int, typer.Argument(min=1, max=64, metavar="DEPTH", help="How many plies.")],
    position: Position = None,
    divide: Annotated[bool, typer.Option("--divide", help="Count per first move.")] = False,
    option: Options = None,
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Count the ways to play on for some plies, to check the rules."""
    from quincunx.search import count_leaves

    game = configured(name, option)
    compile_whole(game)
    state = position_of(game, position, seed)
    begin = time.perf_counter()
    counts: dict[str, int] = {}
    seat = 0 if state.turn is None else None
    try:
        with err.status("Counting …") as status:
            for action in state.actions(seat):
                after = state.act(action, seat)
                counts[state.move(action)] = beside(partial(count_leaves, after, depth - 1))
                status.update(f"Counting … {sum(counts.values()):,}")
    except KeyboardInterrupt:
        fail(f"stopped after counting {sum(counts.values()):,}")
    seconds = time.perf_counter() - begin
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
    out.print(f"perft({depth}) = {total:,}  [dim]({total / max(seconds, 1e-9):,.0f} a second)[/]")


def bench(
    names: GameNames = None,
    seconds: Annotated[
        float, typer.Option(min=0.1, max=600, metavar="SECONDS", help="Time for each figure.")
    ] = 2.0,
    signature: Annotated[
        bool,
        typer.Option("--signature", help="Print what fixed searches visit instead: no clock."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Measure random play: moves per second on one core and on all."""
    from rich.progress import track
    from rich.table import Table

    from quincunx.bench import BENCH_OPTIONS, random_play
    from quincunx.machine import cores

    games = [configured(name, None) for name in names or GAMES]
    for game in games:
        compile_whole(game)
    if signature:
        _signatures(games, as_json)
        return
    rows = []
    try:
        for game in track(
            games, "measuring", console=err, transient=True, disable=not err.is_terminal
        ):
            measured = game.configured(**BENCH_OPTIONS.get(game.name, {}))
            rows.append([random_play(measured, seconds, used) for used in (1, cores())])
    except KeyboardInterrupt:
        fail(f"stopped after {len(rows)} of {len(games)} games")
    if as_json:
        print(json.dumps([vars(speed) for row in rows for speed in row]))
        return
    table = Table("game", "one core, moves/s", f"{cores()} cores, moves/s", "moves a game")
    for column in table.columns[1:]:
        column.justify = "right"
    for one, all_ in rows:
        table.add_row(
            one.game,
            f"{one.moves_per_second:,.0f}",
            f"{all_.moves_per_second:,.0f}",
            f"{one.moves / one.games:.0f}",
        )
    out.print(table)


def _signatures(games: Sequence[Game], as_json: bool) -> None:
    """Prints the fixed searches and how many nodes they visit, as they are kept in a file."""
    from quincunx.bench import signature

    found = {}
    for game in games:
        for text, nodes in signature(game):
            found[f"{game.name} {text}"] = nodes
            if not as_json:
                out.print(f"{game.name:8}{text:24}{nodes:>12}", markup=False)
    if as_json:
        print(json.dumps(found))


def warm(names: GameNames = None) -> None:
    """Compile the games now, so that none has to wait later."""
    games = [configured(name, None) for name in names or GAMES]
    begin = time.perf_counter()
    if len(games) > 1:
        compile_all([game.name for game in games])
    else:
        compile_whole(games[0], always=True)
    out.print(f"All compiled, in {time.perf_counter() - begin:.0f} s.")
