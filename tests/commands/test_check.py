"""`quincunx check`: a clean game, a fault, and wrong arguments."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from quincunx import cli, jit, registry
from tests.testing import naive_race
from tests.testing.toy import race

pytestmark = pytest.mark.modes


# The toy game is compiled in the tests of compiled faults; the others need no compiler.
uncompiled = pytest.mark.skipif(not jit.UNCOMPILED, reason="takes long to compile")


@pytest.fixture
def registered(monkeypatch):
    """Registers a game for one test."""

    def register(game):
        monkeypatch.setitem(registry._registered, game.name, game)

    return register


REPORT = """\
race: `notation.format_move` is not one word.
In this position (White to play):

    ○
    ●
    a b c d e

    text: aa w 1

To see it again:

    state = quincunx.game('race', wind='open').start(seed=5)

Found:    'to b' for action 1.
Expected: one word: records separate moves by spaces.
"""


def run(*arguments):
    """Runs the command; returns its exit code and what it printed."""
    result = CliRunner().invoke(cli.app, ["check", *arguments])
    return result.exit_code, result.output


def test_a_game_without_faults():
    code, output = run("quorum", "--games", "1", "--plies", "2", "--option", "repetition=0")
    assert (code, output) == (
        0,
        "Quorum: no fault found in 1 random game.\n"
        "The rules were not compared with a naive implementation: see --naive.\n",
    )


@uncompiled
def test_a_naive_implementation_in_a_file(registered, tmp_path):
    registered(race())
    file = tmp_path / "naive.py"
    file.write_text(Path(naive_race.__file__).read_text())
    arguments = ("race", "--games", "2", "--option", "repetition=0", "--naive", str(file))
    assert run(*arguments) == (0, "Race: no fault found in 2 random games.\n")
    file.write_text("def legal(text):\n    return ()\n")
    code, output = run(*arguments)
    assert (code, output.splitlines()[0]) == (1, "race: `over` does not end the game.")


@pytest.mark.parametrize(
    ("text", "reason"),
    [("1 / 0", "cannot be run: ZeroDivisionError"), ("", "must have a function legal(text)")],
)
def test_a_file_that_is_no_naive_implementation(tmp_path, text, reason):
    file = tmp_path / "naive.py"
    file.write_text(text)
    result = CliRunner().invoke(cli.app, ["check", "quorum", "--naive", str(file)])
    assert result.exit_code != 0
    assert reason in str(result.exception)


def test_a_declaration_is_reported(registered):
    registered(race(name="one_letter", LETTERS="w"))
    check_kernel = "quincunx.testing.declarations.check_kernel"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(check_kernel, lambda game: None)  # which compiles
        code, output = run("race")
    assert code == 1
    assert output == (
        "race: `rules.LETTERS` does not name every seat.\n"
        "Found:    'w'.\n"
        "Expected: 2, all different: one for each seat.\n"
    )


@uncompiled
def test_a_fault_in_a_position_is_reported(registered):
    registered(race(format_move=lambda game, s, action: "to b"))
    code, output = run("race", "--seed", "5", "--option", "wind=open")
    assert code == 1
    assert output == REPORT


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["quorom"], "did you mean quorum"),
        (["quorum", "--games", "0"], "1"),
        (["quorum", "-O", "repetition=1"], "from 2 to 33"),
    ],
)
def test_wrong_arguments(arguments, words):
    result = CliRunner().invoke(cli.app, ["check", *arguments])
    assert result.exit_code != 0
    assert words in result.output + str(result.exception)


def test_help_says_what_a_report_contains():
    code, output = run("--help")
    assert code == 0
    assert "report the first fault" in output
    assert "--games" in output
