"""The example of docs/your-own-game.md is a game, as a package and in one script."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from quincunx.default_rules import UNTUNED_LEVELS
from quincunx.new_game import write_skeleton

PAGE = (Path(__file__).parents[1] / "docs" / "your-own-game.md").read_text()
BLOCK = re.compile(r"^```(?:python|markdown) ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TRY_IT = re.compile("From `([^`]+)` play `([^`]+)`")

CHECK = """
import quincunx
from quincunx.testing import check_game
from quincunx_clobber import GAME

quincunx.register(GAME)
check_game(GAME, games=1)
game = quincunx.game("clobber")
print(game.read({text!r}).play({move!r}).text)
state = game.start()
print(state.status)
print(state.move(quincunx.player("level:7", game, seed=1).choose(state)) in state.moves())
"""


def blocks(file):
    """Returns the code blocks of the page that belong to a file; "" for those of none."""
    return [code for name, code in BLOCK.findall(PAGE) if name == file]


def run(source, path):
    """Runs a script with a further directory of modules; returns what it prints."""
    result = subprocess.run(
        [sys.executable, source],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([path, os.environ.get("PYTHONPATH", "")])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout.splitlines()


@pytest.fixture
def example(tmp_path):
    """The package of the page, with its texts and levels."""
    write_skeleton("clobber", tmp_path / "clobber")
    folder = tmp_path / "clobber" / "src" / "quincunx_clobber"
    texts, levels, _ = blocks("")
    (folder / "kernel.py").write_text("\n\n".join(blocks("kernel.py")))
    (folder / "rules.py").write_text("\n".join([*blocks("rules.py"), texts, levels]))
    (folder / "guide.md").write_text(*blocks("guide.md"))
    return folder.parent


def test_the_example_is_a_game_that_passes_the_check(example, tmp_path):
    ((text, move),) = TRY_IT.findall(PAGE)
    script = tmp_path / "check.py"
    script.write_text(CHECK.format(text=text, move=move))
    assert run(script, str(example)) == [
        "WBWBWB/BWBWBW/WBWBWB/WWBWBW/1BWBWB b",
        "White to play: take a neighbouring stone",
        "True",
    ]


def test_the_levels_of_the_page_are_the_defaults():
    levels = blocks("")[1].removeprefix("LEVELS = ")
    assert ast.literal_eval(levels) == UNTUNED_LEVELS


def test_the_example_in_one_script(tmp_path):
    """As in a notebook: all parts are names of the main module."""
    register = blocks("")[-1]
    rules = re.sub("^from quincunx_clobber.*\n", "", blocks("rules.py")[0], flags=re.MULTILINE)
    script = tmp_path / "clobber.py"
    script.write_text(
        "\n\n".join([*blocks("kernel.py"), rules, register])
        + "\nprint(quincunx.game('clobber').start().play('a1a2').text)\n"
    )
    assert run(script, "") == ["WBWBWB/BWBWBW/WBWBWB/WWBWBW/1BWBWB b"]
