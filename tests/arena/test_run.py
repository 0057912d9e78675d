"""Games in processes of their own: the same results on one and on two, and no player breaks it."""

import json
import os
import subprocess
import sys
import time
from xml.etree import ElementTree

import pytest

import quincunx as qx
from quincunx import arena
from quincunx.arena.referee import play_game
from quincunx.arena.report import text
from quincunx.arena.results import Results
from quincunx.arena.schedule import make_plan, pairing
from quincunx.arena.workers import GameProcesses, WorkerFailed
from quincunx.errors import BadOption

BAD = "tests.arena.bad_players"
PLAYERS = ["greedy", "random", f"{BAD}:Plain"]

# One process of pytest-xdist for all of them: they use all cores themselves.
pytestmark = pytest.mark.xdist_group("arena")


def told(results):
    """All but the times."""
    return [(o.number, o.moves, o.result, o.turns, o.forfeit) for o in results.outcomes]


@pytest.fixture(scope="module")
def here():
    """The results of a small tournament in this process."""
    plan = make_plan("quorum", PLAYERS, games=4)
    return Results(plan, [play_game(plan, number) for number in range(plan.total)])


@pytest.mark.parametrize("workers", [1, 2])
def test_the_same_results_on_any_number_of_processes(here, workers):
    assert told(arena.play("quorum", PLAYERS, games=4, workers=workers)) == told(here)


def test_a_run_goes_on_where_it_was_stopped(here, tmp_path):
    with arena.Tournament(here.plan, tmp_path) as tournament:
        games = tournament.play(workers=2)
        for _ in range(5):
            next(games)
        games.close()
        assert not tournament.results.complete
    with open(tmp_path / "games.qx", "ab") as file:
        file.write(here.outcomes[0].block(here.plan).encode()[:60])
    played = []
    again = arena.play(
        "quorum", PLAYERS, games=4, workers=2, out=tmp_path, on_outcome=played.append
    )
    assert len(played) == here.plan.total - 5
    assert told(again) == told(here)
    kept = json.loads((tmp_path / "results.json").read_text())
    assert kept["complete"]
    assert kept["players"][0]["points"] == here.rows[0].points
    assert (tmp_path / "ratings.svg").read_text().startswith("<svg")
    numbers = [
        line for line in (tmp_path / "games.qx").read_text().splitlines() if "Number" in line
    ]
    assert numbers == [f'[Number "{number}"]' for number in range(here.plan.total)]
    assert arena.play("quorum", PLAYERS, games=4, out=tmp_path, on_outcome=pytest.fail).complete


def test_who_hangs_or_kills_its_process_forfeits_and_the_others_play_on(tmp_path):
    names = ["Chatter", "Die", "Segfault", "Sleep"]
    plan = make_plan("quorum", [f"{BAD}:{name}" for name in names], 2, move_seconds=0.5)
    numbers = [n for n in range(plan.total) if pairing(plan, n).seats[0] == 0]
    team = GameProcesses(2, tmp_path / "log")
    results = Results(plan, team.play(plan, numbers))
    team.close()
    assert [outcome.forfeit for outcome in results.outcomes] == [
        (1, "crashed: the process ended (exit code 7)"),
        (1, "crashed: the process ended (signal 11)"),
        (1, "hung: no move within 0.5 s"),
    ]
    assert results.rows[0].points == 3
    assert results.rows[3].forfeits == {"hung": 1}
    assert all(len(record.states()) == 4 + 5 + 1 for record in results.records)
    assert "more" in (tmp_path / "log").read_text()
    assert "Sleep forfeited: hung 1×" in str(results)


def test_processes_end_with_the_one_who_asked():
    script = (
        "import os; from quincunx import arena\n"
        "plan = arena.run.make_plan('quorum', ['random', 'tests.arena.bad_players:Sleep'])\n"
        "team = arena.workers.GameProcesses(1)\n"
        "def tell(child, *rest): print(child.process.pid, flush=True); os._exit(0)\n"
        "arena.workers.GameProcess.hear = tell\n"
        "list(team.play(plan, [0]))"
    )
    script = "import quincunx.arena.run, quincunx.arena.workers\n" + script
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    pid = int(done.stdout)
    for _ in range(600):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        with open(f"/proc/{pid}/stat") as stat:
            if stat.read().split()[2] == "Z":  # ended, and nobody there to be told
                return
        time.sleep(0.1)
    pytest.fail("the process still runs")


def test_a_stopped_run_leaves_no_process_behind(here):
    team = GameProcesses(2)
    games = team.play(here.plan, range(here.plan.total))
    next(games)
    processes = [child.process for child in team._children]
    games.close()
    team.close()
    assert all(process.poll() is not None for process in processes)


def test_other_sources_than_planned_are_refused(here):
    from dataclasses import replace

    team = GameProcesses(1)
    with pytest.raises(WorkerFailed, match="sources"):
        list(team.play(replace(here.plan, code="other"), [0]))
    team.close()


def test_a_place_that_cannot_start_is_told(here, tmp_path):
    team = GameProcesses(1, tmp_path / "log", path=[])
    with pytest.raises(WorkerFailed, match="ended 3 times"):
        list(team.play(here.plan, [0]))
    team.close()


def test_only_known_places_and_some_workers():
    with pytest.raises(BadOption, match="local, ray"):
        arena.play("quorum", ["random"] * 2, on="mars")
    with pytest.raises(BadOption, match="at least 1"):
        arena.play("quorum", ["random"] * 2, workers=0)


def test_the_report(here):
    shown = text(here)
    assert "Quorum: 12 of 12 games, seed 0" in shown
    assert "Cross table" in shown
    assert "Points by seat: White" in shown
    points, games = here.cross
    assert (points + points.T == games).all()
    assert sum(row.points for row in here.rows) == 12
    assert here.rating_kind == "Elo"


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_the_picture(here, theme):
    root = ElementTree.fromstring(here.svg(theme))
    labels = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"greedy", "random", f"{BAD}:Plain"} <= set(labels)
    assert len(list(root.iter("{http://www.w3.org/2000/svg}circle"))) == 3


def test_results_before_the_first_game(here):
    nothing = Results(here.plan, [])
    assert "0 of 12 games" in str(nothing)
    assert nothing.rating_kind == ""
    ElementTree.fromstring(nothing.svg())
    json.dumps(nothing.as_dict())


def test_playing_alone():
    plan = make_plan(qx.game("blocky", players=1), ["greedy", "random"], games=5)
    results = Results(plan, [play_game(plan, number) for number in range(plan.total)])
    score, moves = results.solo_scores[0]
    assert score.p10.value <= score.median.value
    assert score.mean.low <= score.mean.value <= score.mean.high
    assert moves.mean.value == 20
    assert results.rating_kind == "mean score"
    assert results.cross[0][0, 1] > results.cross[0][1, 0]
    assert results.cross[1][0, 1] == 5
    assert "seeds on which row beat column" in str(results)
    assert results.as_dict()["players"][1]["score"]["mean"]["value"] == results.ratings[1].value


def test_three_at_a_board_have_openskill_ratings():
    pytest.importorskip("openskill", reason="needs openskill: pip install 'quincunx[arena]'")
    plan = make_plan(qx.game("blocky", players=3), ["greedy", "random", "random"], games=6)
    results = Results(plan, [play_game(plan, number) for number in range(plan.total)])
    assert results.rating_kind == "openskill"
    assert results.ratings[0].value == max(rating.value for rating in results.ratings)
    assert sum(row.points for row in results.rows) == pytest.approx(6)
    assert "random #2" in str(results)
