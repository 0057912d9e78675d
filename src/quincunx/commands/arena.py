"""The commands `match` and `tournament`: parse words, play, print."""

from __future__ import annotations

import json
import os
import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from quincunx.commands.arguments import GameName, Json, On, Options, Place
from quincunx.commands.console import FAILED, compile_whole, err, out
from quincunx.errors import BadOption
from quincunx.options import parse_assignments

if TYPE_CHECKING:
    from quincunx.arena.results import Results
    from quincunx.arena.run import Tournament
    from quincunx.arena.schedule import Plan
    from quincunx.game import Game

SHOWN = 4  # so many players fit beside the progress bar


Players = Annotated[
    list[str],
    typer.Argument(
        metavar="PLAYER",
        help="Players by their texts, such as random, greedy or smart:difficulty=50; or your own "
        "as module:Class, a class that is called with (game, seed) and has a method "
        "choose(state, seat) that gives an action.",
    ),
]
NUMBER = "NUMBER"
Seed = Annotated[
    int, typer.Option("--seed", "-s", metavar=NUMBER, help="The same games for the same seed.")
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="DIR",
        help="Where plan, records, results and picture are kept. Give the directory of a run that "
        "was stopped to go on with it. A new one under arena/ if left out.",
    ),
]
Opening = Annotated[
    int | None,
    typer.Option(
        "--opening-plies",
        min=0,
        metavar=NUMBER,
        help="Random plies before the players begin, the same for every seating. By default 2 for "
        "each seat where all games start alike, 0 where chance lays the board.",
    ),
]
PlyLimit = Annotated[
    int | None,
    typer.Option(
        "--ply-limit",
        min=0,
        metavar=NUMBER,
        help="Stop a game after so many plies: as a draw, or by the scores as they stand. "
        "0 = never. 2000 by default, never for one player alone.",
    ),
]
MoveSeconds = Annotated[
    float,
    typer.Option(
        "--move-time-limit",
        metavar="SECONDS",
        help="Seconds after which a player that has not moved forfeits.",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        "-w",
        min=1,
        metavar=NUMBER,
        help="Games at once; one for each core by default.",
    ),
]


def match(
    name: GameName,
    players: Players,
    games: Annotated[
        int,
        typer.Option(
            "--games", "-n", min=1, metavar=NUMBER, help="How many games; of one alone, seeds."
        ),
    ] = 100,
    option: Options = None,
    seed: Seed = 0,
    output: Out = None,
    opening_plies: Opening = None,
    ply_limit: PlyLimit = None,
    move_time_limit: MoveSeconds = 60.0,
    workers: Workers = None,
    on: On = Place.LOCAL,
    as_json: Json = False,
) -> None:
    """Let players play each other: as many as the game has seats, every seat equally often.

    Games come in groups with the same opening and the same luck, one for every seating. Where
    one plays alone, all players get the same seeds.
    """
    given = parse_assignments(option or [])
    game = _game(name, given, len(players))
    if game.seats not in (1, len(players)):
        raise BadOption(
            "players",
            " ".join(players),
            f"{game.title} has {game.seats} seats here; name {game.seats} players, the same one "
            "again if need be, or play a tournament",
        )
    plan = _plan(game, players, games, seed, opening_plies, ply_limit, move_time_limit)
    _play(plan, output, workers, on.value, as_json)


def tournament(
    name: GameName,
    players: Players,
    games: Annotated[
        int,
        typer.Option(
            "--games",
            "-n",
            min=1,
            metavar=NUMBER,
            help="How many games of every pairing or line-up.",
        ),
    ] = 20,
    option: Options = None,
    seed: Seed = 0,
    output: Out = None,
    opening_plies: Opening = None,
    ply_limit: PlyLimit = None,
    move_time_limit: MoveSeconds = 60.0,
    workers: Workers = None,
    on: On = Place.LOCAL,
    as_json: Json = False,
) -> None:
    """Let everyone play everyone: all line-ups of the players, every seat equally often."""
    game = _game(name, parse_assignments(option or []))
    plan = _plan(game, players, games, seed, opening_plies, ply_limit, move_time_limit)
    _play(plan, output, workers, on.value, as_json)


def _game(name: str, given: dict[str, Any], players: int | None = None) -> Game:
    """The game with its options; for so many players, if it can be told how many there are."""
    from quincunx.registry import game

    known = {option.name: option for option in game(name).parts.rules.OPTIONS}
    seats = known.get("players")
    if players is not None and seats and "players" not in given and players <= seats.high:
        given = {**given, "players": max(players, seats.low)}
    return game(name, **given)


def _plan(game: Game, players: list[str], *rest: Any) -> Plan:
    from quincunx.arena.participants import check
    from quincunx.arena.schedule import make_plan

    # A player of one's own is looked for where one stands.
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    for text in players:
        check(text.strip(), game)  # compiling takes a while, a wrong word is said before
    compile_whole(game)
    plan = make_plan(game, players, *rest)
    if plan.games > rest[0]:
        err.print(f"{plan.games} games, so that everyone has every seat equally often.")
    return plan


def _play(plan: Plan, output: Path | None, workers: int | None, on: str, as_json: bool) -> None:
    """Plays what is missing, shows how it goes, and prints and keeps what came out."""
    from quincunx.arena.report import show
    from quincunx.arena.run import Tournament
    from quincunx.arena.workers import WorkerFailed

    where = output or Path("arena", f"{datetime.now():%Y-%m-%d-%H%M%S}-{plan.game}")
    failure = ""
    with Tournament(plan, where) as tournament:
        if tournament.outcomes:
            err.print(f"{len(tournament.outcomes):,} of {plan.total:,} games were played before.")
        try:
            _show(tournament, workers, on)
        except KeyboardInterrupt:
            failure = "stopped"
        except WorkerFailed as error:
            failure = str(error)
        results = tournament.results
        files = tournament.finish()
    if as_json:
        print(json.dumps(results.as_dict()))
    elif results.outcomes:
        show(results, out)
        out.print(f"\nIn {where}: {', '.join(file.name for file in files)}", markup=False)
    if failure:
        err.print(f"{failure}; to go on: the same command with --out {where}", markup=False)
        raise typer.Exit(FAILED)


def _show(tournament: Tournament, workers: int | None, on: str) -> None:
    """Plays with a progress bar that has the running score beside it."""
    from contextlib import closing

    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    plan = tournament.plan
    with Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    ) as progress:
        score = RunningScore(tournament.results)
        bar = progress.add_task(score.text, total=plan.total, completed=len(tournament.outcomes))
        with closing(tournament.play(workers, on)) as outcomes:
            for outcome in outcomes:
                score.add(outcome)
                progress.update(bar, advance=1, description=score.text)


class RunningScore:
    """The score while games are played, in a few words."""

    def __init__(self, results: Results) -> None:
        self.plan = results.plan
        self._sums = [0.0] * len(self.plan.players)
        self._games = [0] * len(self.plan.players)
        for outcome in results.outcomes:
            self.add(outcome)

    def add(self, outcome: Any) -> None:
        """Counts a game."""
        from quincunx.arena.schedule import pairing

        gained = outcome.result if self.plan.seats == 1 else outcome.points
        for seat, player in enumerate(pairing(self.plan, outcome.number).seats):
            self._sums[player] += gained[seat]
            self._games[player] += 1

    @property
    def text(self) -> str:
        """Points of two players; means of more, or of those who play alone, best first."""
        names, sums = self.plan.names, self._sums
        if self.plan.seats == 2 and len(names) == 2:
            return f"{names[0]} {sums[0]:g} : {sums[1]:g} {names[1]}"
        means = [total / max(count, 1) for total, count in zip(sums, self._games, strict=True)]
        best = sorted(range(len(names)), key=lambda player: -means[player])
        form = "{:,.1f}" if self.plan.seats == 1 else "{:.0%}"
        told = [f"{names[player]} {form.format(means[player])}" for player in best[:SHOWN]]
        return ", ".join(told) + (" …" if len(best) > SHOWN else "")
