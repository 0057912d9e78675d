"""Games on a Ray cluster: a task for each, played again elsewhere when its node dies.

On its node a game runs in a process of its own, as it does here: a player that hangs or
crashes ends that process and forfeits, and Ray sees nothing of it. So whenever Ray loses
a task, the machine is to blame, and the task is simply begun again.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Generator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

from quincunx.arena.outcome import Outcome
from quincunx.arena.schedule import Plan
from quincunx.arena.workers import GameProcesses, WorkerFailed
from quincunx.machine import ray_cluster

# Tasks that wait on the cluster for each that runs, so that no core is ever idle.
AHEAD = 2


def play_on_ray(plan: Plan, numbers: list[int], workers: int | None = None) -> Generator[Outcome]:
    """Plays the games on the cluster that Ray finds; at most `workers` at once."""
    with ExitStack() as stack:
        try:
            ray = stack.enter_context(ray_cluster("playing on Ray"))
        except ConnectionError as error:
            raise WorkerFailed(f"Ray's cluster cannot be reached: {error}") from error
        task = ray.remote(num_cpus=1, max_retries=-1, scheduling_strategy="SPREAD")(_play_on_node)
        todo = deque(numbers)
        running: dict[Any, int] = {}
        given, path = plan.as_dict(), [entry for entry in sys.path if Path(entry).exists()]
        try:
            while todo or running:
                most = workers or AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
                while todo and len(running) < most:
                    number = todo.popleft()
                    running[task.remote(given, number, path)] = number
                for done in ray.wait(list(running), num_returns=1, timeout=1.0)[0]:
                    del running[done]
                    yield Outcome.from_dict(ray.get(done))
        finally:
            for left in running:
                ray.cancel(left, force=True)


def _play_on_node(plan: dict[str, Any], number: int, path: list[str]) -> dict[str, Any]:
    """Plays one game on this machine."""
    team = _team(tuple(dict.fromkeys((*sys.path, *path))))
    (outcome,) = team.play(Plan.from_dict(plan), [number])
    return outcome.as_dict()


@cache
def _team(path: tuple[str, ...]) -> GameProcesses:
    """The process for games on this node, kept between the tasks that Ray gives to this worker."""
    return GameProcesses(1, path=path)
