"""Games in worker processes: neither their number nor players that hang affect other games."""

import json
import os
import select
import subprocess
import sys
from xml.etree import ElementTree

import pytest

import quincunx as qx
from quincunx import arena
from quincunx.arena.referee import play_game
from quincunx.arena.report import text
from quincunx.arena.results import Results
from quincunx.arena.schedule import make_plan, pairing_at
from quincunx.arena.workers import WorkerFailed, WorkerPool
from quincunx.errors import BadOption

BAD_PLAYERS = "tests.arena.bad_players"
PLAYERS = ["greedy", "random", f"{BAD_PLAYERS}:Plain"]

# All in one pytest-xdist worker, since they use all cores themselves.
pytestmark = pytest.mark.xdist_group("arena")


def games_of(results):
    """Returns the fields of all outcomes that do not depend on time."""
    return [(o.number, o.moves, o.result, o.turns, o.forfeit) for o in results.outcomes]


@pytest.fixture(scope="module")
def results():
    """The results of a small tournament, played in this process."""
    plan = make_plan("quorum", PLAYERS, games=4)
    return Results(plan, [play_game(plan, number) for number in range(plan.total)])


@pytest.mark.parametrize("workers", [1, 2])
def test_results_do_not_depend_on_the_number_of_workers(results, workers):
    played = arena.play("quorum", PLAYERS, games=4, workers=workers)
    assert games_of(played) == games_of(results)


def test_a_stopped_run_can_be_resumed(results, tmp_path):
    with arena.Tournament(results.plan, tmp_path) as tournament:
        games = tournament.play(workers=2)
        for _ in range(5):
            next(games)
        games.close()
        assert not tournament.results.complete
    # A game that was cut off by a crash.
    with open(tmp_path / "games.qx", "ab") as file:
        file.write(results.outcomes[0].block(results.plan).encode()[:60])
    played = []
    again = arena.play(
        "quorum", PLAYERS, games=4, workers=2, out=tmp_path, on_outcome=played.append
    )
    assert len(played) == results.plan.total - 5
    assert games_of(again) == games_of(results)
    saved = json.loads((tmp_path / "results.json").read_text())
    assert saved["complete"]
    assert saved["players"][0]["points"] == results.rows[0].points
    assert (tmp_path / "ratings.svg").read_text().startswith("<svg")
    numbers = [
        line for line in (tmp_path / "games.qx").read_text().splitlines() if "Number" in line
    ]
    assert numbers == [f'[Number "{number}"]' for number in range(results.plan.total)]
    assert arena.play("quorum", PLAYERS, games=4, out=tmp_path, on_outcome=pytest.fail).complete


def test_players_that_hang_or_end_their_process_forfeit(tmp_path):
    names = ["Chatter", "Die", "Segfault", "Sleep"]
    plan = make_plan("quorum", [f"{BAD_PLAYERS}:{name}" for name in names], 2, move_seconds=0.5)
    numbers = [n for n in range(plan.total) if pairing_at(plan, n).players[0] == 0]
    pool = WorkerPool(2, tmp_path / "log")
    results = Results(plan, pool.play(plan, numbers))
    pool.close()
    assert [outcome.forfeit for outcome in results.outcomes] == [
        (1, "crashed: the process ended (exit code 7)"),
        (1, "crashed: the process ended (signal 11)"),
        (1, "hung: no move within 0.5 s"),
    ]
    assert results.rows[0].points == 3
    assert results.rows[3].forfeits == {"hung": 1}
    # The start, the opening and the moves before the third choice of the bad player.
    assert all(len(record.states()) == 1 + 4 + 5 for record in results.records)
    assert "more" in (tmp_path / "log").read_text()  # what Chatter printed
    assert "Sleep forfeited: hung 1×" in str(results)


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs Linux")
def test_workers_end_when_their_parent_ends():
    script = (
        "import os\n"
        "from quincunx.arena.schedule import make_plan\n"
        "from quincunx.arena.workers import Worker, WorkerPool\n"
        "plan = make_plan('quorum', ['random', 'tests.arena.bad_players:Sleep'])\n"
        "def handle(worker, *_): print(worker.process.pid, flush=True); os._exit(0)\n"
        "Worker.handle = handle\n"
        "list(WorkerPool(1).play(plan, [0]))"
    )
    parent = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    try:
        worker = os.pidfd_open(int(parent.stdout))
    except ProcessLookupError:
        return  # it has already ended
    ended, _, _ = select.select([worker], [], [], 60)
    os.close(worker)
    assert ended, "the worker is still running"


def test_a_stopped_run_leaves_no_process_behind(results):
    pool = WorkerPool(2)
    games = pool.play(results.plan, range(results.plan.total))
    next(games)
    started = [worker.process for worker in pool._workers]
    games.close()
    pool.close()
    assert all(process.poll() is not None for process in started)


def test_sources_that_differ_from_the_plan_are_refused(results):
    from dataclasses import replace

    pool = WorkerPool(1)
    with pytest.raises(
        WorkerFailed, match="the sources of quincunx or of a player on this machine differ"
    ):
        list(pool.play(replace(results.plan, code="other"), [0]))
    pool.close()


def test_workers_that_cannot_start_are_reported(results, tmp_path):
    pool = WorkerPool(1, tmp_path / "log", path=[])
    with pytest.raises(WorkerFailed, match="ended 3 times"):
        list(pool.play(results.plan, [0]))
    pool.close()


def test_invalid_places_and_numbers_of_workers_are_refused():
    with pytest.raises(BadOption, match="local, ray"):
        arena.play("quorum", ["random"] * 2, on="mars")
    with pytest.raises(BadOption, match="at least 1"):
        arena.play("quorum", ["random"] * 2, workers=0)


def test_the_report(results):
    report = text(results)
    assert "Quorum: 12 of 12 games, seed 0" in report
    assert "Crosstable" in report
    assert "Points by seat: White" in report
    points, games = results.crosstable
    assert (points + points.T == games).all()
    assert sum(row.points for row in results.rows) == 12
    assert results.rating_kind == "Elo"


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_the_rating_chart(results, theme):
    root = ElementTree.fromstring(results.svg(theme))
    labels = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"greedy", "random", f"{BAD_PLAYERS}:Plain"} <= set(labels)
    assert len(list(root.iter("{http://www.w3.org/2000/svg}circle"))) == 3


def test_results_before_the_first_game(results):
    empty = Results(results.plan, [])
    assert "0 of 12 games" in str(empty)
    assert empty.rating_kind == ""
    ElementTree.fromstring(empty.svg())
    json.dumps(empty.as_dict())


def test_solo_games():
    plan = make_plan(qx.game("blocky", players=1), ["greedy", "random"], games=5)
    results = Results(plan, [play_game(plan, number) for number in range(plan.total)])
    score, moves = results.solo_distributions[0]
    assert score.p10.value <= score.median.value
    assert score.mean.low <= score.mean.value <= score.mean.high
    assert moves.mean.value == 20
    assert results.rating_kind == "mean score"
    assert results.crosstable[0][0, 1] > results.crosstable[0][1, 0]
    assert results.crosstable[1][0, 1] == 5
    assert "seeds on which row beat column" in str(results)
    assert results.as_dict()["players"][1]["score"]["mean"]["value"] == results.ratings[1].value


def test_games_of_three_have_openskill_ratings():
    pytest.importorskip("openskill", reason="needs openskill: pip install 'quincunx[arena]'")
    plan = make_plan(qx.game("blocky", players=3), ["greedy", "random", "random"], games=6)
    results = Results(plan, [play_game(plan, number) for number in range(plan.total)])
    assert results.rating_kind == "openskill"
    assert results.ratings[0].value == max(rating.value for rating in results.ratings)
    assert sum(row.points for row in results.rows) == pytest.approx(6)
    assert "random #2" in str(results)


def test_a_game_that_is_only_registered_is_refused(game_without_guide):
    with pytest.raises(BadOption, match="stones': is registered in this process only"):
        arena.play(game_without_guide, ["random", "random"], games=2)
