import json

import pytest
from typer.testing import CliRunner

import quincunx as qx
from quincunx import cli
from quincunx.commands import solve as commands
from quincunx.errors import BadOption, MissingTable

# All in one pytest-xdist worker, so that the solver is compiled once.
pytestmark = pytest.mark.xdist_group("solver")


def run(*arguments):
    result = CliRunner().invoke(cli.app, [str(argument) for argument in arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.mark.heavy
def test_solve_prints_the_result_and_saves_the_table(tmp_path):
    result = run("solve", "onoro", "--pawns", 4, "--data", tmp_path, "--threads", 1)
    assert result.exit_code == 0
    assert "the start position is a draw." in result.stdout
    assert "3,437" in result.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["onoro-4.table"]


@pytest.mark.heavy
def test_verify_writes_the_longest_win(tmp_path):
    arguments = ("solve", "onoro", "--pawns", 4, "--data", tmp_path, "--verify", "--json")
    facts = json.loads(run(*arguments).stdout)
    assert facts["value"] == "draw"
    assert facts["longest"] == 3
    assert facts["verified"]["entries"] == 4509
    (file,) = tmp_path.glob("*.qx")
    assert len(qx.Record.load(file).moves) == 3


@pytest.mark.heavy
def test_sample_estimates_the_time(tmp_path):
    arguments = ("solve", "onoro", "--pawns", 5, "--data", tmp_path, "--sample", 40)
    facts = json.loads(run(*arguments, "--json").stdout)
    assert facts["shapes"] == 40
    assert all(hours > 0 for hours in facts["hours"].values())
    assert "Estimated core-hours" in run(*arguments).stdout


def test_placing_finds_no_forced_win():
    result = json.loads(run("solve", "onoro", "--pawns", 5, "--placing", "--json").stdout)
    assert result == {"pawns": 5, "placements": 7, "winner": None}


def test_probe_infers_the_number_of_pawns():
    result = json.loads(run("probe", "...BB/WWBBW/W.... b", "--json").stdout)
    assert (result["value"], result["distance"]) == ("win", 3)
    assert next(iter(result["moves"].values())) == {"value": "win", "distance": 3}
    printed = run("probe", ".W/BB w", "-O", "pawns=4").stdout
    assert "4 pawns a side, White to move: draw" in printed


def test_probe_without_a_table_names_the_command_that_builds_it():
    with pytest.raises(MissingTable, match="quincunx solve onoro --pawns 8"):
        run("probe", ".W/BB w")


@pytest.mark.parametrize(
    ("text", "size"), [("", None), ("8G", 8 << 30), ("500 MB", 500 << 20), ("1.5g", 3 << 29)]
)
def test_memory_sizes(text, size):
    assert commands._parse_size(text) == size


def test_invalid_arguments():
    with pytest.raises(BadOption, match="such as 8G"):
        commands._parse_size("much")
    with pytest.raises(BadOption, match="only onoro can be solved"):
        run("solve", "quorum")
    with pytest.raises(BadOption, match="only onoro can be solved"):
        run("probe", "8 w", "--game", "quorum")
    with pytest.raises(BadOption, match="pawns='9'"):
        run("solve", "onoro", "-O", "pawns=9")
