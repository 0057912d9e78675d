"""The commands `match` and `tournament`."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quincunx.commands.arguments import Backend, BackendOption, GameName, Json, Options
from quincunx.commands.console import EXIT_FAILED, EXIT_INTERRUPTED, compile_game, err, out
from quincunx.commands.progress import counting_progress
from quincunx.errors import BadOption
from quincunx.options import parse_assignments
from quincunx.phrases import quantity

if TYPE_CHECKING:
    from quincunx.arena.outcome import Outcome
    from quincunx.arena.results import Results
    from quincunx.arena.run import Tournament
    from quincunx.arena.schedule import Plan
    from quincunx.game import Game

MAX_PLAYERS_SHOWN = 4  # beside the progress bar


Players = Annotated[
    list[str],
    typer.Argument(
        metavar="PLAYER",
        help="A player, such as random, greedy or smart:difficulty=50; or your own as "
        "module:Class, a class that is called with (game, seed) and has a method "
        "choose(state, seat) that returns an action.",
    ),
]
NUMBER = "NUMBER"
RunSeed = Annotated[
    int,
    typer.Option(
        "--seed",
        "-s",
        metavar=NUMBER,
        help="Set the seed of the random generator. The same seed gives the same games.",
    ),
]
OutputDirectory = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="DIR",
        help="Write the plan, records, results and chart to this directory. The directory of an "
        "earlier run resumes that run, also with more games. Default: write nothing.",
    ),
]
OpeningPlies = Annotated[
    int | None,
    typer.Option(
        "--opening-plies",
        min=0,
        metavar=NUMBER,
        help="Play this number of random plies first, the same ones for every seating. Default: "
        "2 per seat if the start position is fixed, 0 if it is random.",
    ),
]
PlyLimit = Annotated[
    int | None,
    typer.Option(
        "--ply-limit",
        min=0,
        metavar=NUMBER,
        help="Stop a game after this number of plies, as a draw or with the current scores; 0 is "
        "no limit. Default: 2000, and no limit for a single player.",
    ),
]
MoveTimeLimit = Annotated[
    float,
    typer.Option(
        "--move-time-limit",
        metavar="SECONDS",
        help="Let a player that takes longer for a move forfeit the game.",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        "-w",
        min=1,
        metavar=NUMBER,
        help="Play this number of games in parallel. Default: one per core.",
    ),
]


def match(
    name: GameName,
    players: Players,
    games: Annotated[
        int,
        typer.Option(
            "--games",
            "-n",
            min=1,
            metavar=NUMBER,
            help="Play this number of games; in solo games, use this number of seeds.",
        ),
    ] = 100,
    option: Options = None,
    seed: RunSeed = 0,
    output: OutputDirectory = None,
    opening_plies: OpeningPlies = None,
    ply_limit: PlyLimit = None,
    move_time_limit: MoveTimeLimit = 60.0,
    workers: Workers = None,
    on: BackendOption = Backend.LOCAL,
    as_json: Json = False,
) -> None:
    """Play a match between players, one per seat; each has every seat equally often.

    Games come in groups with the same opening and the same random events, one for every seating.
    In solo games, all players get the same seeds.
    """
    given = parse_assignments(option or [])
    game = _game(name, given, len(players))
    if game.seats not in (1, len(players)):
        raise BadOption(
            "players",
            " ".join(players),
            f"{game.title} with these options has {quantity(game.seats, 'seat')}: expected "
            f"{quantity(game.seats, 'player')} (a player may be repeated); for more players, use "
            "tournament",
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
            help="Play this number of games of every pairing or line-up.",
        ),
    ] = 20,
    option: Options = None,
    seed: RunSeed = 0,
    output: OutputDirectory = None,
    opening_plies: OpeningPlies = None,
    ply_limit: PlyLimit = None,
    move_time_limit: MoveTimeLimit = 60.0,
    workers: Workers = None,
    on: BackendOption = Backend.LOCAL,
    as_json: Json = False,
) -> None:
    """Play a tournament: all line-ups of the players, each player in every seat equally often."""
    game = _game(name, parse_assignments(option or []))
    plan = _plan(game, players, games, seed, opening_plies, ply_limit, move_time_limit)
    _play(plan, output, workers, on.value, as_json)


def _game(name: str, given: Mapping[str, object], players: int | None = None) -> Game:
    """Returns the game with its options, with as many seats as players if that is an option."""
    from quincunx.registry import game

    options = {option.name: option for option in game(name).parts.rules.OPTIONS}
    seats = options.get("players")
    if players is not None and seats and "players" not in given and players <= seats.high:
        given = {**given, "players": max(players, seats.low)}
    return game(name, **given)


def _plan(
    game: Game,
    players: list[str],
    games: int,
    seed: int,
    opening_plies: int | None,
    ply_limit: int | None,
    move_seconds: float,
) -> Plan:
    """Returns the plan of a run; checks the players, then compiles the game."""
    from quincunx.arena.participants import check
    from quincunx.arena.schedule import make_plan

    # Players of the user are imported from the current directory.
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    for text in players:
        check(text.strip(), game)  # report a typo before compiling, which takes a while
    compile_game(game)
    plan = make_plan(game, players, games, seed, opening_plies, ply_limit, move_seconds)
    if plan.games > games:
        err.print(f"Playing {plan.games} games, so that everyone has every seat equally often.")
    return plan


def _play(plan: Plan, output: Path | None, workers: int | None, on: str, as_json: bool) -> None:
    """Plays the missing games with a progress bar, then prints and writes the results."""
    from quincunx.arena.report import show
    from quincunx.arena.run import Tournament
    from quincunx.arena.workers import WorkerFailed

    failure, code = "", EXIT_FAILED
    with Tournament(plan, output) as tournament:
        if tournament.outcomes:
            err.print(
                f"{len(tournament.outcomes):,} of {quantity(plan.total, 'game')} played before."
            )
        try:
            _play_with_progress(tournament, workers, on)
        except KeyboardInterrupt:
            failure, code = "interrupted", EXIT_INTERRUPTED
        except WorkerFailed as error:
            failure = str(error)
        results = tournament.results
        files = tournament.finish()
    if as_json:
        print(json.dumps(results.as_dict()))
    elif results.outcomes:
        show(results, out)
        if files:
            names = ", ".join(file.name for file in files)
            out.print(f"\nFiles in {output}: {names}", markup=False)
    if failure:
        advice = (
            f"to resume, run the same command with --out {output}"
            if output
            else "with --out DIR, the games are saved and can be resumed"
        )
        err.print(f"{failure}; {advice}", markup=False)
        raise typer.Exit(code)


def _play_with_progress(tournament: Tournament, workers: int | None, on: str) -> None:
    """Plays with a progress bar and the running score beside it."""
    from contextlib import closing

    plan = tournament.plan
    with counting_progress() as progress:
        score = RunningScore(tournament.results)
        bar = progress.add_task(score.text, total=plan.total, completed=len(tournament.outcomes))
        with closing(tournament.play(workers, on)) as outcomes:
            for outcome in outcomes:
                score.add(outcome)
                progress.update(bar, advance=1, description=score.text)


class RunningScore:
    """The score during a run, as a short text."""

    def __init__(self, results: Results) -> None:
        self.plan = results.plan
        self._sums = [0.0] * len(self.plan.players)
        self._games = [0] * len(self.plan.players)
        for outcome in results.outcomes:
            self.add(outcome)

    def add(self, outcome: Outcome) -> None:
        """Adds the result of a game."""
        from quincunx.arena.schedule import pairing_at

        results = outcome.result if self.plan.seats == 1 else outcome.points
        for seat, player in enumerate(pairing_at(self.plan, outcome.number).players):
            self._sums[player] += results[seat]
            self._games[player] += 1

    @property
    def text(self) -> str:
        """The points of two players, or the mean results of the best players, in order."""
        names, sums = self.plan.names, self._sums
        if self.plan.seats == 2 and len(names) == 2:
            return f"{names[0]} {sums[0]:g} : {sums[1]:g} {names[1]}"
        means = [total / max(count, 1) for total, count in zip(sums, self._games, strict=True)]
        best = sorted(range(len(names)), key=lambda player: -means[player])
        template = "{:,.1f}" if self.plan.seats == 1 else "{:.0%}"
        shown = best[:MAX_PLAYERS_SHOWN]
        texts = [f"{names[player]} {template.format(means[player])}" for player in shown]
        return ", ".join(texts) + (" …" if len(best) > len(shown) else "")
