"""The commands as their user meets them."""

import json
import re
import signal
import subprocess
import sys
import time

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

# What a shell starts in the background does not hear Ctrl-C, nor does what that starts.
HEARS_CTRL_C = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
ALONE = (
    "import typer; from quincunx.commands.arena import match, tournament\n"
    "app = typer.Typer(); app.command()(match); app.command()(tournament); app()"
)


def run(*words):
    return CliRunner().invoke(app, list(map(str, words)))


def test_a_match_prints_its_table_and_keeps_its_games(tmp_path):
    done = run("match", "quorum", "greedy", "random", "--games", 4, "--out", tmp_path / "here")
    assert done.exit_code == 0, done.output
    assert "Quorum: 4 of 4 games, seed 0" in done.output
    assert re.search(r"1  greedy .*100\.0%", done.output)
    assert {file.name for file in (tmp_path / "here").iterdir()} >= {
        "plan.json",
        "games.qx",
        "results.json",
        "ratings.svg",
    }
    again = run("match", "quorum", "greedy", "random", "-n", 4, "-o", tmp_path / "here", "--json")
    assert again.exit_code == 0
    found = json.loads(again.stdout)
    assert found["complete"]
    assert found["players"][0]["share"]["value"] == 1


def test_a_tournament_without_a_directory_makes_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("tournament", "quorum", "random", "greedy", "random", "-n", 2, "-O", "repetition=5")
    assert done.exit_code == 0, done.output
    (made,) = (tmp_path / "arena").iterdir()
    assert made.name.endswith("-quorum")
    assert (made / "games.qx").read_text().count('[Options "repetition=5"]') == 6


def test_a_player_of_ones_own_where_one_stands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine_alone.py").write_text(
        "class First:\n"
        "    def __init__(self, game, seed): pass\n"
        "    def choose(self, state, seat=None): return state.actions(seat)[0]\n"
    )
    done = run("match", "quorum", "greedy", "mine_alone:First", "-n", 2, "-o", "x")
    assert done.exit_code == 0, done.output
    assert "mine_alone:First" in done.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["match", "quorm", "greedy", "random"], "did you mean quorum"),
        (["match", "quorum", "greedy"], "2 seats"),
        (["match", "quorum", "greedy", "random", "greedy"], "play a tournament"),
        (["match", "sphero", "greedy", "random", "-O", "players=3"], "3 seats"),
        (["tournament", "quorum", "greedy"], "2 seats"),
        (["match", "quorum", "greedy", "rndom"], "did you mean random"),
        (["match", "quorum", "greedy", "random", "-O", "x"], "name=value"),
        (["match", "quorum", "greedy", "random", "-O", "x=1"], "no such option"),
    ],
)
def test_misuse_is_a_sentence_and_leaves_nothing(words, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadOption, match=said):
        CliRunner().invoke(app, words, catch_exceptions=False)
    assert not list(tmp_path.iterdir())


def test_a_wrong_place_is_misuse():
    assert run("match", "quorum", "greedy", "random", "--on", "mars").exit_code == 2


def test_ctrl_c_ends_with_the_table_so_far(tmp_path):
    words = ["match", "quorum", "greedy", "random", "-n", "100000", "-o", str(tmp_path), "-w", "1"]
    with subprocess.Popen(
        [sys.executable, "-c", HEARS_CTRL_C + ALONE, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        games = tmp_path / "games.qx"
        for _ in range(3000):
            if games.exists() and games.read_text().count("[Game ") > 3:
                break
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        printed, complaint = process.communicate(timeout=300)
    assert process.returncode == 1
    assert "of 100,000 games" in printed
    assert "Cross table" in printed
    assert "Traceback" not in complaint
    assert f"--out {tmp_path}" in complaint
    assert not json.loads((tmp_path / "results.json").read_text())["complete"]


@pytest.mark.parametrize(
    ("game", "players", "form"),
    [
        ("quorum", ["greedy", "random"], r"greedy 2 : 0 random"),
        ("quorum", ["greedy", "random", "random"], r"greedy \d+%, random( #2)? \d+%, random"),
        ("blocky", ["random"], r"random -?\d+\.\d"),
    ],
)
def test_the_running_score(game, players, form):
    import quincunx as qx

    rules = qx.game(game, players=1) if game == "blocky" else game
    plan = make_plan(rules, players, games=2)
    score = RunningScore(Results(plan, []))
    for number in range(plan.total):
        score.add(play_game(plan, number))
    assert re.search(form, score.text)
