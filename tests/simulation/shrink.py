"""Shrinks a failing script to a short one that violates the same invariant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tests.simulation.script import Script, Step
from tests.simulation.world import Outcome, run_script

MAX_RUNS = 200
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
        while search.try_any(_without(search.best.script, size)):
            pass
    search.try_any(iter([replace(search.best.script, in_order=True)]))
    while search.try_any(_simpler(search.best.script)) or search.try_any(
        _without(search.best.script, 1)
    ):
        pass
    return search.best


class _Search:
    def __init__(self, failed: Outcome) -> None:
        assert failed.violation is not None
        self.best = failed
        self.runs = 0
        self._invariant = failed.violation.invariant
        self._tried: set[str] = set()

    def try_any(self, scripts: Iterator[Script]) -> bool:
        """Runs scripts until one of them still fails; returns False if none does."""
        for script in scripts:
            key = str(script)
            if key in self._tried or self.runs >= MAX_RUNS:
                continue
            self._tried.add(key)
            self.runs += 1
            outcome = run_script(script)
            if outcome.violation and outcome.violation.invariant == self._invariant:
                self.best = outcome
                return True
        return False


def _without(script: Script, size: int) -> Iterator[Script]:
    """Yields the script without some steps in a row, the last ones first."""
    steps = script.steps
    for end in range(len(steps), 0, -size):
        yield replace(script, steps=steps[: max(0, end - size)] + steps[end:])


def _simpler(script: Script) -> Iterator[Script]:
    """Yields the script with one value of one step replaced by a simpler one."""
    for i, step in enumerate(script.steps):
        for name, values in SIMPLER.items():
            if name not in step.fields:
                continue
            for value in values:
                if value == step.fields[name]:
                    break
                simpler = Step(step.time, step.kind, {**step.fields, name: value})
                yield replace(script, steps=(*script.steps[:i], simpler, *script.steps[i + 1 :]))


def report(outcome: Outcome, trace_lines: int = 40) -> str:
    """Returns a failed run for people: its script, the end of its trace, and its violation."""
    lines = [str(outcome.script), "", "The end of the trace:"]
    lines += [line[:200] for line in outcome.trace[-trace_lines:]]
    return "\n".join([*lines, "", f"VIOLATED: {outcome.violation}", ""])
