"""The commands `match` and `tournament`, run from the command line."""

import json
import re
import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

from quincunx.arena.referee import play_game
from quincunx.arena.results import Results
from quincunx.arena.schedule import make_plan
from quincunx.commands.arena import RunningScore, match, tournament
from quincunx.errors import BadOption

pytestmark = pytest.mark.xdist_group("arena")

app = typer.Typer()
app.command()(match)
app.command()(tournament)

# A process that a shell starts in the background ignores SIGINT, and so do its children.
HANDLE_CTRL_C = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
INTERRUPT_AFTER_FOUR_GAMES = """
import os
from quincunx.commands.arena import RunningScore
add, games = RunningScore.add, []
def add_and_interrupt(score, outcome):
    add(score, outcome)
    games.append(outcome)
    if len(games) == 4:
        os.kill(os.getpid(), signal.SIGINT)
RunningScore.add = add_and_interrupt
"""
APP = (
    "import typer; from quincunx.commands.arena import match, tournament\n"
    "app = typer.Typer(); app.command()(match); app.command()(tournament); app()"
)


def run(*arguments):
    return CliRunner().invoke(app, list(map(str, arguments)))


def test_a_match_prints_its_table_and_saves_its_games(tmp_path):
    arguments = ["match", "quorum", "greedy", "random", "--workers", 1]
    done = run(*arguments, "--games", 4, "--out", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert "Quorum: 4 of 4 games, seed 0" in done.output
    assert re.search(r"1  greedy .*100\.0%", done.output)
    assert {file.name for file in (tmp_path / "out").iterdir()} >= {
        "plan.json",
        "games.qx",
        "results.json",
        "ratings.svg",
    }
    again = run(*arguments, "-n", 4, "-o", tmp_path / "out", "--json")
    assert again.exit_code == 0
    results = json.loads(again.stdout)
    assert results["complete"]
    assert results["players"][0]["share"]["value"] == 1


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_nothing_is_written_without_a_directory(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    done = run(command, "quorum", "random", "greedy", "-n", 2, "-w", 1)
    assert done.exit_code == 0, done.output
    assert "2 of 2 games" in done.output
    assert "Files in" not in done.output
    assert list(tmp_path.iterdir()) == []


def test_a_tournament_with_options(tmp_path):
    arguments = ["quorum", "random", "greedy", "random", "-n", 2, "-O", "repetition=5", "-w", 1]
    done = run("tournament", *arguments, "--out", tmp_path)
    assert done.exit_code == 0, done.output
    assert (tmp_path / "games.qx").read_text().count('[Options "repetition=5"]') == 6


def test_a_match_is_extended_by_more_games(tmp_path):
    arguments = ["match", "quorum", "greedy", "random", "-w", 1, "--out"]
    assert run(*arguments, tmp_path / "short", "-n", 2).exit_code == 0
    before = (tmp_path / "short" / "games.qx").read_text()
    longer = run(*arguments, tmp_path / "short", "-n", 6)
    assert longer.exit_code == 0, longer.output
    assert "2 of 6 games played before" in longer.output
    assert "6 of 6 games" in longer.output
    games = (tmp_path / "short" / "games.qx").read_text()
    assert games.startswith(before)
    assert run(*arguments, tmp_path / "long", "-n", 6).exit_code == 0
    assert _moves(games) == _moves((tmp_path / "long" / "games.qx").read_text())
    fewer = run(*arguments, tmp_path / "short", "-n", 4)
    assert "games was 6, now 4" in str(fewer.exception)


def _moves(games):
    return [line for line in games.splitlines() if not line.startswith("[")]


def test_a_custom_player_from_the_current_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "custom_player.py").write_text(
        "class First:\n"
        "    def __init__(self, game, seed): pass\n"
        "    def choose(self, state, seat=None): return state.actions(seat)[0]\n"
    )
    done = run("match", "quorum", "greedy", "custom_player:First", "-n", 2, "-o", "x", "-w", 1)
    assert done.exit_code == 0, done.output
    assert "custom_player:First" in done.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["match", "quorm", "greedy", "random"], "did you mean quorum"),
        (["match", "quorum", "greedy"], "2 seats"),
        (["match", "quorum", "greedy", "random", "greedy"], "use tournament"),
        (["match", "sphero", "greedy", "random", "-O", "players=3"], "3 seats"),
        (["tournament", "quorum", "greedy"], "2 seats"),
        (["match", "quorum", "greedy", "rndom"], "did you mean random"),
        (["match", "quorum", "greedy", "random", "-O", "x"], "name=value"),
        (["match", "quorum", "greedy", "random", "-O", "x=1"], "no such option"),
    ],
)
def test_invalid_arguments_are_explained_and_create_no_files(
    arguments, message, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadOption, match=message):
        CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert not list(tmp_path.iterdir())


def test_an_unknown_place_is_a_usage_error():
    assert run("match", "quorum", "greedy", "random", "--on", "mars").exit_code == 2


def test_ctrl_c_prints_the_results_so_far(tmp_path):
    arguments = ["match", "quorum", "greedy", "random", "-n", "100000"]
    arguments += ["-o", str(tmp_path), "-w", "1"]
    done = subprocess.run(
        [sys.executable, "-c", HANDLE_CTRL_C + INTERRUPT_AFTER_FOUR_GAMES + APP, *arguments],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 130, done.stderr
    assert "4 of 100,000 games" in done.stdout
    assert "Crosstable" in done.stdout
    assert "Traceback" not in done.stderr
    assert f"--out {tmp_path}" in done.stderr
    assert not json.loads((tmp_path / "results.json").read_text())["complete"]


@pytest.mark.parametrize(
    ("game", "players", "pattern"),
    [
        ("quorum", ["greedy", "random"], r"greedy 2 : 0 random"),
        ("quorum", ["greedy", "random", "random"], r"greedy \d+%, random( #2)? \d+%, random"),
        ("blocky", ["random"], r"random -?\d+\.\d"),
    ],
)
def test_the_running_score(game, players, pattern):
    import quincunx as qx

    configured = qx.game(game, players=1) if game == "blocky" else game
    plan = make_plan(configured, players, games=2)
    score = RunningScore(Results(plan, []))
    for number in range(plan.total):
        score.add(play_game(plan, number))
    assert re.search(pattern, score.text)
