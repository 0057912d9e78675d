"""A match or tournament from its plan to its results, on this machine or on a Ray cluster."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from pathlib import Path

from quincunx.arena.directory import GAMES_FILE, RESULTS_FILE, TournamentDirectory
from quincunx.arena.outcome import Outcome
from quincunx.arena.results import Results
from quincunx.arena.schedule import DEFAULT_MOVE_SECONDS, Plan, make_plan
from quincunx.arena.workers import WorkerPool
from quincunx.errors import BadOption, MissingExtra
from quincunx.game import Game
from quincunx.machine import cores
from quincunx.registry import is_registered

PLACES = ("local", "ray")
CHART_NAME = "ratings"


class Tournament:
    """The games of a plan and the outcomes so far; on disk if it has a directory."""

    def __init__(self, plan: Plan, out: str | Path | None = None) -> None:
        self.plan = plan
        self.directory = TournamentDirectory(out, plan) if out is not None else None
        self.outcomes: dict[int, Outcome] = dict(self.directory.outcomes) if self.directory else {}

    def play(self, workers: int | None = None, on: str = "local") -> Generator[Outcome]:
        """Plays the missing games; yields each outcome after it is saved."""
        if on not in PLACES:
            raise BadOption("on", on, f"must be one of {', '.join(PLACES)}")
        if workers is not None and workers < 1:
            raise BadOption("workers", workers, "must be at least 1")
        if is_registered(self.plan.game):
            raise BadOption(
                "game",
                self.plan.game,
                "is registered in this process only, and tournaments play in other processes; "
                "install it as a package with an entry point quincunx.games",
            )
        missing = [n for n in range(self.plan.total) if n not in self.outcomes]
        if not missing:
            return
        with closing(self._play_games(missing, workers, on)) as outcomes:
            for outcome in outcomes:
                if outcome.number in self.outcomes:
                    continue
                if self.directory:
                    self.directory.add(outcome)
                self.outcomes[outcome.number] = outcome
                yield outcome

    def _play_games(self, numbers: list[int], workers: int | None, on: str) -> Generator[Outcome]:
        if on == "ray":
            from quincunx.arena.cluster import play_on_ray

            return play_on_ray(self.plan, numbers, workers)
        return _play_locally(self.plan, numbers, workers or cores(), self.directory)

    @property
    def results(self) -> Results:
        """The results so far."""
        return Results(self.plan, self.outcomes.values())

    def finish(self) -> list[Path]:
        """Writes results and charts into the directory; returns its files, records first."""
        if not self.directory:
            return []
        results = self.results
        self.directory.sort()
        self.directory.write(RESULTS_FILE, json.dumps(results.as_dict(), indent=1) + "\n")
        chart = results.svg()
        self.directory.write(f"{CHART_NAME}.svg", chart)
        names = [GAMES_FILE, RESULTS_FILE, f"{CHART_NAME}.svg"]
        try:
            from quincunx.draw.image import png

            self.directory.write(f"{CHART_NAME}.png", png(chart, size=1200))
            names.append(f"{CHART_NAME}.png")
        except MissingExtra:
            pass
        return [self.directory.path / name for name in names]

    def close(self) -> None:
        """Unlocks the directory."""
        if self.directory:
            self.directory.close()

    def __enter__(self) -> Tournament:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def play(
    game: Game | str,
    players: Sequence[str],
    games: int = 100,
    seed: int = 0,
    *,
    workers: int | None = None,
    on: str = "local",
    out: str | Path | None = None,
    opening_plies: int | None = None,
    ply_limit: int | None = None,
    move_seconds: float = DEFAULT_MOVE_SECONDS,
    on_outcome: Callable[[Outcome], None] | None = None,
) -> Results:
    """Plays a match, or a tournament if there are more players than seats; returns the results.

    `games` is the number for every line-up. With a directory `out`, the games are saved, and the
    games found there are not played again. `on_outcome` is called after every game.
    """
    plan = make_plan(game, players, games, seed, opening_plies, ply_limit, move_seconds)
    with Tournament(plan, out) as tournament:
        with closing(tournament.play(workers, on)) as outcomes:
            for outcome in outcomes:
                if on_outcome:
                    on_outcome(outcome)
        tournament.finish()
        return tournament.results


def _play_locally(
    plan: Plan, numbers: list[int], workers: int, directory: TournamentDirectory | None
) -> Generator[Outcome]:
    from quincunx.warm import is_warm, warm

    if not is_warm(plan.game):
        for _ in warm(plan.configured_game):  # once here, not once in every process
            pass
    pool = WorkerPool(workers, directory.log if directory else None)
    try:
        yield from pool.play(plan, numbers)
    finally:
        pool.close()
