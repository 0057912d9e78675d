"""The skeleton of a game: its package, and what is refused."""

import os
import re
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from quincunx import cli
from quincunx.errors import BadOption
from quincunx.new_game import FILES, SKELETON, check_name, write_skeleton

# Installs nothing: the package is found by its path, and registered.
RUN = """
import quincunx
import naive_three_stones
from quincunx.testing import check_game
from quincunx_three_stones import GAME

quincunx.register(GAME)
check_game(GAME, games=2, naive=naive_three_stones)
state = quincunx.game("three_stones").start().play("b2")
print(state.text, "|", state.status)
"""


def test_the_skeleton_is_a_game_that_passes_the_check(tmp_path):
    write_skeleton("three_stones", tmp_path / "game")
    paths = [str(tmp_path / "game" / folder) for folder in ("src", "tests")]
    result = subprocess.run(
        [sys.executable, "-c", RUN],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == "3/1B1/3 w | White to play\n"


def test_no_placeholder_remains_and_all_files_are_used(tmp_path):
    files = write_skeleton("three_stones", tmp_path / "game")
    assert {path.name for path in SKELETON.iterdir()} == set(FILES)
    assert sorted(files) == sorted(p for p in (tmp_path / "game").rglob("*") if p.is_file())
    for file in files:
        assert not re.search("my.?game", file.read_text(), re.IGNORECASE), file


@pytest.mark.parametrize(
    "name", ["", "Stones", "3stones", "three stones", "three__stones", "class", "x" * 41, "a_", "ä"]
)
def test_names_that_cannot_be_used(name):
    with pytest.raises(BadOption, match="must be at most 32 lower-case letters"):
        check_name(name)


def test_the_name_of_an_existing_game_is_refused(any_game):
    with pytest.raises(BadOption, match="there is already a game of this name"):
        check_name(any_game.name)


def test_an_existing_directory_is_not_touched(tmp_path):
    with pytest.raises(FileExistsError):
        write_skeleton("three_stones", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_nothing_remains_when_writing_fails(tmp_path, monkeypatch):
    monkeypatch.setitem(FILES, "missing.txt", "missing")
    with pytest.raises(FileNotFoundError):
        write_skeleton("three_stones", tmp_path / "game")
    assert list(tmp_path.iterdir()) == []


def test_the_command_says_what_to_do_next(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(cli.app, ["new-game", "Three_Stones"])
    assert result.exit_code == 0
    assert (tmp_path / "three_stones" / "pyproject.toml").is_file()
    assert "pip install -e three_stones\n" in result.stdout
    assert "quincunx check three_stones\n" in result.stdout


def test_the_printed_command_quotes_the_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(cli.app, ["new-game", "stones", "-o", "my [red] games"])
    assert result.output.startswith("my [red] games has a small game")
    assert "\n  pip install -e 'my [red] games'\n" in result.output
