"""The examples, run as a newcomer would run them: each alone, in a folder of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import quincunx as qx

EXAMPLES = Path(__file__).parents[1] / "examples"
SAID = {
    "draw_positions": "onoro.gif",
    "own_player": "the sampler won",
    "play_a_match": "wins",
    "sphero_steps": "now it is RAGB/.GR.",
    "thousand_games": "moves in a game",
}


def test_every_example_is_tried():
    elsewhere = {"web_bot"}  # in tests/web/test_client.py, for it needs a server
    assert {path.stem for path in EXAMPLES.glob("*.py")} == SAID.keys() | elsewhere


@pytest.mark.parametrize("name", SAID)
def test_example(name, tmp_path):
    done = subprocess.run(
        [sys.executable, EXAMPLES / f"{name}.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(qx.__file__).parents[1])},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert SAID[name] in done.stdout
