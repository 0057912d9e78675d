"""The server under random clients and faults: `docs/simulation.md` says what must hold."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from quincunx.registry import BUILT_IN
from tests.simulation import run
from tests.simulation.bugs import BUGS
from tests.simulation.script import GAMES, Script, make_script
from tests.simulation.shrink import report, shrink
from tests.simulation.world import run_script

ROOT = Path(__file__).parents[2]
RUNS = 1000
FIRST_RUNS = 300  # without the heavy tests
RUNS_OF_A_TEST = 50
MAX_SEEDS_OF_A_BUG = 100
MAX_SHRUNK_STEPS = 20
QUICKLY_SHRUNK = {  # to at most this number of steps
    "acknowledge before the write": 4,
    "skip a number": 4,
    "broadcast before the commit": 4,
    "forget the check of the seat": 5,
}
EVENT_KINDS = {
    *("play", "undo", "asked", "answer", "resign", "flag", "pause", "resume", "name", "rematch"),
    *("pause_asked", "pause_answer"),
}


def check_runs(seeds):
    for seed in seeds:
        outcome = run_script(make_script(seed))
        if outcome.violation is not None:
            pytest.fail(report(shrink(outcome)))


@pytest.mark.parametrize("first", range(0, FIRST_RUNS, RUNS_OF_A_TEST))
def test_all_invariants_hold(first):
    check_runs(range(first, first + RUNS_OF_A_TEST))


@pytest.mark.heavy
def test_all_invariants_hold_in_more_runs():
    check_runs(range(FIRST_RUNS, RUNS))


def test_runs_reach_every_kind_of_event_and_every_game():
    counts, games = Counter(), Counter()
    for seed in range(RUNS, RUNS + 200):
        script = make_script(seed)
        counts.update(run_script(script).counts)
        games.update(step.fields["game"] for step in script.steps if step.kind == "create")
    assert set(counts) >= EVENT_KINDS
    assert set(games) == set(GAMES) == set(BUILT_IN)


def digests(seeds):
    return [run_script(make_script(seed)).digest for seed in seeds]


def test_a_seed_gives_the_same_run_in_every_process():
    seeds = range(12)
    here = digests(seeds)
    assert here == digests(seeds)
    assert len(set(here)) == len(seeds)
    code = f"from tests.simulation.test_simulation import digests; print(*digests({seeds!r}))"
    for hash_seed in ("1", "2"):
        there = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        assert there.stdout.split() == here


def test_a_script_can_be_written_and_read():
    script = make_script(3)
    read = Script.from_json(script.as_json())
    assert str(read) == str(script)
    assert run_script(read).digest == run_script(script).digest


def first_failure(bug):
    """Returns the first failing run with a bug, which must be planted."""
    outcomes = (run_script(make_script(seed)) for seed in range(MAX_SEEDS_OF_A_BUG))
    failed = next((each for each in outcomes if each.violation is not None), None)
    assert failed is not None, f"not found with {MAX_SEEDS_OF_A_BUG} seeds"
    assert failed.violation.invariant in bug.invariants, report(failed)
    return failed


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_a_known_bug_is_found(bug):
    with bug.planted():
        failed = first_failure(bug)
    assert str(failed.violation).startswith(f"{failed.violation.invariant}: ")
    assert run_script(failed.script).violation is None


@pytest.mark.parametrize(
    ("bug", "most_steps"),
    [
        pytest.param(bug, most, id=bug.name, marks=[pytest.mark.heavy] if most > 5 else [])
        for bug, most in ((bug, QUICKLY_SHRUNK.get(bug.name, MAX_SHRUNK_STEPS)) for bug in BUGS)
    ],
)
def test_a_failing_script_is_shrunk(bug, most_steps):
    with bug.planted():
        failed = first_failure(bug)
        shrunk = shrink(failed)
        assert shrunk.violation.invariant == failed.violation.invariant
        assert len(shrunk.script.steps) <= most_steps, report(shrunk)
        assert run_script(shrunk.script).digest == shrunk.digest


def test_the_command_reports_failures_and_replays_them(tmp_path, capsys):
    output = tmp_path / "failures.txt"
    options = ["--runs", "4", "--seed", "0", "--output", str(output)]
    assert run.main([*options, "--jobs", "1"]) == 0
    assert "4 of 4 runs, 0 failed" in capsys.readouterr().out
    assert not output.exists()
    with BUGS[0].planted():
        _, _, failures = run.run_chunk(range(1))
        output.write_text("".join(text for _, _, text in failures))
        assert run.main(["--replay", str(output)]) == 1
        assert f"VIOLATED: {BUGS[0].invariants[0]}" in capsys.readouterr().out
    assert run.main(["--replay", str(output)]) == 0
