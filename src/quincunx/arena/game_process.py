"""The process that games are played in: jobs come in on one line each, news go out likewise.

In: {"plan": ..., "number": 17}. Out: {"turn": 1, "moves": ["a1e3"]} before a seat thinks, then
{"done": ...}; {"failed": "..."} if the game could not be played at all.
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
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from quincunx.game import Game


def main() -> None:
    """Plays the games that are asked for until there is no one left to ask."""
    # Whatever a player prints goes where errors go; the line to the parent is ours alone.
    wire = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    faulthandler.enable()
    jobs: SimpleQueue[dict[str, Any]] = SimpleQueue()
    Thread(target=_listen, args=(jobs,), daemon=True).start()

    def say(**news: Any) -> None:
        wire.write(json.dumps(news) + "\n")
        wire.flush()

    while True:
        job = jobs.get()
        try:
            say(done=_play(job, lambda seat, moves: say(turn=seat, moves=list(moves))))
        except Exception as error:
            traceback.print_exc()
            say(failed=f"{type(error).__name__}: {error}")


def _listen(jobs: SimpleQueue[dict[str, Any]]) -> None:
    """Takes jobs from the parent; without a parent, the process ends, in the middle of a game too.

    Compiled code holds no GIL, so this is heard even while it runs.
    """
    for line in sys.stdin:
        jobs.put(json.loads(line))
    os._exit(0)


def _play(job: dict[str, Any], tell: Any) -> dict[str, Any]:
    from quincunx.arena.referee import play_game
    from quincunx.arena.schedule import Plan

    plan = Plan.from_dict(job["plan"])
    if _code(plan.game, plan.players) != plan.code:
        raise RuntimeError(
            "the sources of quincunx or of a player here are not those the games were planned with"
        )
    _load(plan.rules)
    return play_game(plan, int(job["number"]), tell).as_dict()


@cache
def _load(game: Game) -> None:
    """Loads the compiled code of a game, or compiles it, before any clock runs."""
    from quincunx.jit import warm

    for _ in warm(game):
        pass


@cache
def _code(game: str, players: tuple[str, ...]) -> str:
    """The hash of the sources as they were when this process first played with them."""
    from quincunx.arena.schedule import code_digest

    return code_digest(game, players)
