"""The directory of a tournament: nothing that is finished is lost, nothing half done is kept."""

import json
from dataclasses import replace

import pytest

from quincunx.arena.directory import TournamentDirectory
from quincunx.arena.referee import play_game
from quincunx.arena.schedule import make_plan
from quincunx.errors import BadOption
from quincunx.record import load


@pytest.fixture(scope="module")
def plan():
    return make_plan("quorum", ["greedy", "random"], games=6)


@pytest.fixture(scope="module")
def outcomes(plan):
    return [play_game(plan, number) for number in range(plan.total)]


def opened(path, plan):
    directory = TournamentDirectory(path, plan)
    directory.close()
    return directory


def test_games_are_there_again(tmp_path, plan, outcomes):
    directory = TournamentDirectory(tmp_path / "new" / "one", plan)
    for number in (3, 0, 5):
        directory.add(outcomes[number])
    directory.close()
    assert json.loads((directory.path / "plan.json").read_text()) == plan.as_dict()
    again = opened(directory.path, plan)
    assert again.outcomes == {number: outcomes[number] for number in (3, 0, 5)}
    records, problems = load(directory.path / "games.qx")
    assert problems == []
    assert [record.tags["Number"] for record in records] == ["3", "0", "5"]
    again.sort()
    assert [r.tags["Number"] for r in load(directory.path / "games.qx")[0]] == ["0", "3", "5"]


def test_a_game_cut_off_is_dropped_wherever_it_was_cut(tmp_path, plan, outcomes):
    file = tmp_path / "games.qx"
    opened(tmp_path, plan)
    first, second = (outcomes[number].block(plan).encode() for number in (0, 1))
    for end in range(len(second)):
        file.write_bytes(first + second[:end])
        assert list(opened(tmp_path, plan).outcomes) == [0], second[:end]
        assert file.read_bytes() == first
    directory = TournamentDirectory(tmp_path, plan)
    directory.add(outcomes[1])
    directory.close()
    assert file.read_bytes() == first + second


def test_what_is_no_game_at_all_is_removed(tmp_path, plan, outcomes):
    opened(tmp_path, plan)
    good = outcomes[2].block(plan).encode()
    (tmp_path / "games.qx").write_bytes(b"\xff\x00rubbish\n" + good + good)
    assert list(opened(tmp_path, plan).outcomes) == [2]
    assert (tmp_path / "games.qx").read_bytes() == good


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seed": 1}, "seed=0 there, 1 here"),
        ({"games": 8}, "games=6 there, 8 here"),
        ({"players": ("greedy", "greedy")}, "players=greedy random there, greedy greedy here"),
        ({"options": {"repetition": 4}}, "repetition=3 there, 4 here"),
        ({"code": "other"}, "was changed since"),
        ({"game": "onoro"}, "games of quorum"),
    ],
)
def test_another_plan_is_refused(tmp_path, plan, change, said):
    opened(tmp_path, plan)
    with pytest.raises(BadOption, match=said):
        TournamentDirectory(tmp_path, replace(plan, **change))


def test_a_broken_plan_is_told(tmp_path, plan):
    (tmp_path / "plan.json").write_text("{")
    with pytest.raises(BadOption, match="cannot be read"):
        TournamentDirectory(tmp_path, plan)


def test_foreign_games_are_not_touched(tmp_path, plan):
    (tmp_path / "games.qx").write_text("mine")
    with pytest.raises(BadOption, match=r"no plan\.json"):
        TournamentDirectory(tmp_path, plan)


def test_two_runs_do_not_share_a_directory(tmp_path, plan):
    directory = TournamentDirectory(tmp_path, plan)
    with pytest.raises(BadOption, match="another run"):
        TournamentDirectory(tmp_path, plan)
    directory.close()
    opened(tmp_path, plan)
