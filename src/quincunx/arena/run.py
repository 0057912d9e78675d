"""A match or tournament from its plan to its results, here or on a Ray cluster."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from pathlib import Path
from types import TracebackType

from quincunx.arena.directory import RESULTS, TournamentDirectory
from quincunx.arena.outcome import Outcome
from quincunx.arena.results import Results
from quincunx.arena.schedule import Plan, make_plan
from quincunx.arena.workers import GameProcesses
from quincunx.errors import BadOption, MissingExtra
from quincunx.game import Game
from quincunx.machine import cores

PLACES = ("local", "ray")
PICTURE = "ratings"


class Tournament:
    """The games of a plan, played as far as they are; on disk if there is a directory."""

    def __init__(self, plan: Plan, out: str | Path | None = None) -> None:
        self.plan = plan
        self.directory = TournamentDirectory(out, plan) if out is not None else None
        self.outcomes: dict[int, Outcome] = dict(self.directory.outcomes) if self.directory else {}

    def play(self, workers: int | None = None, on: str = "local") -> Generator[Outcome]:
        """Plays the games that are missing; gives each when it is over and kept."""
        if on not in PLACES:
            raise BadOption("on", on, f"must be one of {', '.join(PLACES)}")
        if workers is not None and workers < 1:
            raise BadOption("workers", workers, "must be at least 1")
        missing = [n for n in range(self.plan.total) if n not in self.outcomes]
        if not missing:
            return
        with closing(self._source(missing, workers, on)) as source:
            for outcome in source:
                if outcome.number in self.outcomes:
                    continue
                if self.directory:
                    self.directory.add(outcome)
                self.outcomes[outcome.number] = outcome
                yield outcome

    def _source(self, missing: list[int], workers: int | None, on: str) -> Generator[Outcome]:
        if on == "ray":
            from quincunx.arena.cluster import play_on_ray

            return play_on_ray(self.plan, missing, workers)
        return _play_here(self.plan, missing, workers or cores(), self.directory)

    @property
    def results(self) -> Results:
        """What came out so far."""
        return Results(self.plan, self.outcomes.values())

    def finish(self) -> list[Path]:
        """Writes results and picture into the directory; the files, records first."""
        if not self.directory:
            return []
        results = self.results
        self.directory.sort()
        self.directory.write(RESULTS, json.dumps(results.as_dict(), indent=1) + "\n")
        drawn = results.svg()
        self.directory.write(f"{PICTURE}.svg", drawn)
        names = ["games.qx", RESULTS, f"{PICTURE}.svg"]
        try:
            from quincunx.draw.image import png

            self.directory.write(f"{PICTURE}.png", png(drawn, size=1200))
            names.append(f"{PICTURE}.png")
        except MissingExtra:
            pass
        return [self.directory.path / name for name in names]

    def close(self) -> None:
        """Lets go of the directory."""
        if self.directory:
            self.directory.close()

    def __enter__(self) -> Tournament:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
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
    move_seconds: float = 60.0,
    on_outcome: Callable[[Outcome], None] | None = None,
) -> Results:
    """Plays a match, or a tournament if there are more players than seats; the results.

    `games` counts those of every line-up; with a directory `out` the games are kept, and
    those that are there are not played again; `on_outcome` is called after every game.
    """
    plan = make_plan(game, players, games, seed, opening_plies, ply_limit, move_seconds)
    with Tournament(plan, out) as tournament:
        with closing(tournament.play(workers, on)) as outcomes:
            for outcome in outcomes:
                if on_outcome:
                    on_outcome(outcome)
        tournament.finish()
        return tournament.results


def _play_here(
    plan: Plan, numbers: list[int], workers: int, directory: TournamentDirectory | None
) -> Generator[Outcome]:
    from quincunx.jit import is_warm, warm

    if not is_warm(plan.game):
        for _ in warm(plan.rules):  # once here, not once in every process
            pass
    team = GameProcesses(workers, directory.log if directory else None)
    try:
        yield from team.play(plan, numbers)
    finally:
        team.close()
