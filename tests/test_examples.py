"""Runs every example as a script, in a directory of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import quincunx as qx

EXAMPLES = Path(__file__).parents[1] / "examples"
EXPECTED_OUTPUT = {
    "draw_positions": "onoro.gif",
    "own_player": "the sampler won",
    "play_a_match": "wins",
    "sphero_steps": "new position: RAGB/.GR.",
    "thousand_games": "moves per game",
}


def test_every_example_is_tested():
    tested_elsewhere = {"web_bot"}  # in tests/web/test_client.py, since it needs a server
    assert {
        path.stem for path in EXAMPLES.glob("*.py")
    } == EXPECTED_OUTPUT.keys() | tested_elsewhere


@pytest.mark.parametrize("name", EXPECTED_OUTPUT)
def test_the_example_runs(name, tmp_path):
    process = subprocess.run(
        [sys.executable, EXAMPLES / f"{name}.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(qx.__file__).parents[1])},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert process.returncode == 0, process.stderr
    assert EXPECTED_OUTPUT[name] in process.stdout
