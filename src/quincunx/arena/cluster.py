"""Games on a Ray cluster: one task per game, repeated on another node when its node dies.

On its node a game runs in a separate process, as in a local run: a player that hangs or crashes
ends that process and forfeits, which Ray does not notice. So whenever Ray loses a task, the
machine has failed, and the task is started again.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Generator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

from quincunx.arena.outcome import Outcome, OutcomeFields
from quincunx.arena.schedule import Plan, PlanFields
from quincunx.arena.workers import WorkerFailed, WorkerPool
from quincunx.machine import ray_cluster

# Tasks submitted per core, running or waiting, so that no core is idle.
TASKS_PER_CORE = 2


def play_on_ray(plan: Plan, numbers: list[int], workers: int | None = None) -> Generator[Outcome]:
    """Plays the games on the cluster that Ray finds, with at most `workers` tasks submitted."""
    with ExitStack() as stack:
        try:
            ray = stack.enter_context(ray_cluster("playing on Ray"))
        except ConnectionError as error:
            raise WorkerFailed(f"cannot connect to the Ray cluster: {error}") from error
        task = ray.remote(num_cpus=1, max_retries=-1, scheduling_strategy="SPREAD")(_play_on_node)
        waiting = deque(numbers)
        running: dict[object, int] = {}
        plan_dict, path = plan.as_dict(), [entry for entry in sys.path if Path(entry).exists()]
        try:
            while waiting or running:
                cluster_cores = max(1, int(ray.cluster_resources().get("CPU", 1)))
                max_tasks = workers or TASKS_PER_CORE * cluster_cores
                while waiting and len(running) < max_tasks:
                    number = waiting.popleft()
                    running[task.remote(plan_dict, number, path)] = number
                for done in ray.wait(list(running), num_returns=1, timeout=1.0)[0]:
                    del running[done]
                    yield Outcome.from_dict(ray.get(done))
        finally:
            for submitted in running:
                ray.cancel(submitted, force=True)


def _play_on_node(plan: PlanFields, number: int, path: list[str]) -> OutcomeFields:
    """Plays one game on this machine."""
    pool = _worker_pool(tuple(dict.fromkeys((*sys.path, *path))))
    (outcome,) = pool.play(Plan.from_dict(plan), [number])
    return outcome.as_dict()


@cache
def _worker_pool(path: tuple[str, ...]) -> WorkerPool:
    """Returns the pool of one process that plays all games of this Ray worker."""
    return WorkerPool(1, path=path)
