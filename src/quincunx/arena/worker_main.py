"""The main loop of a worker process (see `workers`): one JSON message per line, in and out.

In: {"plan": ..., "number": 17}. Out: {"turn": 1, "moves": ["a1e3"]} before each call of the player
on seat 1, with the moves since the previous call, and {"done": ...} with the outcome at the end;
or {"failed": "..."} if the game could not be played.
"""

from __future__ import annotations

import faulthandler
import json
import os
import sys
import traceback
from functools import cache
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from quincunx.arena.outcome import OutcomeFields
    from quincunx.arena.referee import TurnCallback
    from quincunx.arena.schedule import PlanFields
    from quincunx.game import Game


class Job(TypedDict):
    """A game to play."""

    plan: PlanFields
    number: int


class WorkerMessage(TypedDict, total=False):
    """What a worker sends: a turn with the moves before it, or the outcome, or a failure."""

    turn: int
    moves: list[str]
    done: OutcomeFields
    failed: str


def main() -> None:
    """Plays the requested games until the parent closes standard input."""
    # Messages go to a copy of standard output; what players print goes to standard error.
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    faulthandler.enable()
    jobs: SimpleQueue[Job] = SimpleQueue()
    Thread(target=_read_jobs, args=(jobs,), daemon=True).start()

    def send(message: WorkerMessage) -> None:
        output.write(json.dumps(message) + "\n")
        output.flush()

    while True:
        job = jobs.get()
        try:
            send({"done": _play(job, lambda seat, moves: send({"turn": seat, "moves": [*moves]}))})
        except Exception as error:
            traceback.print_exc()
            send({"failed": f"{type(error).__name__}: {error}"})


def _read_jobs(jobs: SimpleQueue[Job]) -> None:
    """Queues jobs from the parent; ends the process, even during a game, when the parent has ended.

    Compiled code releases the GIL, so this thread also runs while a player searches.
    """
    for line in sys.stdin:
        jobs.put(json.loads(line))
    os._exit(0)


def _play(job: Job, on_turn: TurnCallback) -> OutcomeFields:
    """Plays the game of a job; returns its outcome for JSON."""
    from quincunx.arena.referee import play_game
    from quincunx.arena.schedule import Plan

    plan = Plan.from_dict(job["plan"])
    if _code_digest(plan.game, plan.players) != plan.code:
        raise RuntimeError(
            "the sources of quincunx or of a player on this machine differ from those of the plan; "
            "all machines need the same sources"
        )
    _load(plan.configured_game)
    return play_game(plan, job["number"], on_turn).as_dict()


@cache
def _load(game: Game) -> None:
    """Loads the compiled code of a game, or compiles it, before any clock runs."""
    from quincunx.warm import warm

    for _ in warm(game):
        pass


@cache
def _code_digest(game: str, players: tuple[str, ...]) -> str:
    """Returns the hash of the sources at the time of this process's first game with them."""
    from quincunx.arena.schedule import code_digest

    return code_digest(game, players)
