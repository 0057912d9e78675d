"""Shrinks a failing script to a short one that violates the same invariant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile
from typing import Any

from tests.simulation.script import Script, Step
from tests.simulation.world import Outcome, run_script

MAX_RUNS = 300
OTHER_SEEDS = 2
SIMPLER: dict[str, tuple[Any, ...]] = {  # values of fields that are tried, the simplest first
    "moves": (1, 3, 10),
    "count": (1,),
    "seconds": (0.05, 1.0),
    "callbacks": (0,),
    "kept_writes": (0,),
    "moment": ("now",),
    "view": ("none", "moves"),
    "choice": (0,),
}


def shrink(failed: Outcome) -> Outcome:
    """Returns the shortest failing run that was found: delta debugging over the steps."""
    assert failed.violation is not None
    search = _Search(failed)
    size = len(failed.script.steps)
    while size > 1:
        size = (size + 1) // 2
        search.remove_steps(size)
    search.keep_if_failing(replace(search.best.script, in_order=True))
    while search.simplify() or search.remove_steps(1):
        pass
    return search.best


class _Search:
    """The best run so far; every change that still fails is kept."""

    def __init__(self, failed: Outcome) -> None:
        assert failed.violation is not None
        self.best = failed
        self._runs = 0
        self._invariant = failed.violation.invariant
        self._tried: set[str] = set()

    def keep_if_failing(self, script: Script) -> bool:
        """Runs a script; returns True if it still fails, and is now the best one."""
        key = str(script)
        if key in self._tried or self._runs >= MAX_RUNS:
            return False
        self._tried.add(key)
        self._runs += 1
        outcome = run_script(script)
        if outcome.violation is None or outcome.violation.invariant != self._invariant:
            return False
        self.best = outcome
        return True

    def remove_steps(self, size: int) -> bool:
        """Removes steps in a row where possible, the last ones first; returns True if any."""
        before = end = len(self.best.script.steps)
        while end > 0:
            steps = self.best.script.steps
            fewer = replace(self.best.script, steps=steps[: max(0, end - size)] + steps[end:])
            # Without these steps everything else comes at other moments: others may fit better.
            others = (replace(fewer, seed=fewer.seed + i) for i in range(1, OTHER_SEEDS + 1))
            if not self.keep_if_failing(fewer) and size > 1:
                any(map(self.keep_if_failing, others))
            end -= size
        return len(self.best.script.steps) < before

    def simplify(self) -> bool:
        """Replaces values of steps by simpler ones where possible; returns True if any."""
        changed = False
        for i in range(len(self.best.script.steps)):
            for simpler in _simpler(self.best.script.steps[i]):
                steps = list(self.best.script.steps)
                steps[i] = simpler
                if self.keep_if_failing(replace(self.best.script, steps=tuple(steps))):
                    changed = True
                    break
        return changed


def _simpler(step: Step) -> Iterator[Step]:
    """Yields a step with one value replaced by a simpler one."""
    for name, values in SIMPLER.items():
        if name in step.fields and step.kind != "set the clock":  # small jumps may be charged
            for value in takewhile(lambda value: value != step.fields[name], values):  # noqa: B023
                yield Step(step.time, step.kind, {**step.fields, name: value})


def report(outcome: Outcome, trace_lines: int = 40) -> str:
    """Returns a failed run for people: its script, the end of its trace, and its violation."""
    lines = [str(outcome.script), "", "The end of the trace:"]
    lines += [line[:200] for line in outcome.trace[-trace_lines:]]
    return "\n".join([*lines, "", f"VIOLATED: {outcome.violation}", ""])
