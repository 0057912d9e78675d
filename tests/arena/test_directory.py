"""The directory of a tournament keeps all finished games and drops incomplete ones."""

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


def open_and_close(path, plan):
    directory = TournamentDirectory(path, plan)
    directory.close()
    return directory


def test_reopening_restores_the_games(tmp_path, plan, outcomes):
    directory = TournamentDirectory(tmp_path / "new" / "one", plan)
    for number in (3, 0, 5):
        directory.add(outcomes[number])
    directory.close()
    assert json.loads((directory.path / "plan.json").read_text()) == plan.as_dict()
    again = open_and_close(directory.path, plan)
    assert again.outcomes == {number: outcomes[number] for number in (3, 0, 5)}
    records, problems = load(directory.path / "games.qx")
    assert problems == []
    assert [record.tags["Number"] for record in records] == ["3", "0", "5"]
    again.sort()
    assert [r.tags["Number"] for r in load(directory.path / "games.qx")[0]] == ["0", "3", "5"]


def test_a_truncated_game_is_dropped(tmp_path, plan, outcomes):
    file = tmp_path / "games.qx"
    open_and_close(tmp_path, plan)
    first, second = (outcomes[number].block(plan).encode() for number in (0, 1))
    for end in range(len(second)):
        file.write_bytes(first + second[:end])
        assert list(open_and_close(tmp_path, plan).outcomes) == [0], second[:end]
        assert file.read_bytes() == first
    directory = TournamentDirectory(tmp_path, plan)
    directory.add(outcomes[1])
    directory.close()
    assert file.read_bytes() == first + second


def test_everything_but_valid_games_is_removed(tmp_path, plan, outcomes):
    open_and_close(tmp_path, plan)
    good = outcomes[2].block(plan).encode()
    (tmp_path / "games.qx").write_bytes(b"\xff\x00garbage\n" + good + good)
    assert list(open_and_close(tmp_path, plan).outcomes) == [2]
    assert (tmp_path / "games.qx").read_bytes() == good


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 1}, "seed was 0, now 1"),
        ({"games": 4}, "games was 6, now 4"),
        ({"games": 8, "seed": 1}, "games was 6, now 8; seed was 0, now 1"),
        ({"players": ("greedy", "greedy")}, "players was greedy random, now greedy greedy"),
        ({"options": {"repetition": 4}}, "repetition was 3, now 4"),
        ({"code": "other"}, "have changed since"),
        ({"game": "onoro"}, "games of quorum"),
    ],
)
def test_another_plan_is_refused(tmp_path, plan, change, message):
    open_and_close(tmp_path, plan)
    with pytest.raises(BadOption, match=message):
        TournamentDirectory(tmp_path, replace(plan, **change))


def test_an_unreadable_plan_is_reported(tmp_path, plan):
    (tmp_path / "plan.json").write_text("{")
    with pytest.raises(BadOption, match="cannot be read"):
        TournamentDirectory(tmp_path, plan)


def test_a_directory_with_other_games_is_refused(tmp_path, plan):
    (tmp_path / "games.qx").write_text("mine")
    with pytest.raises(BadOption, match=r"no plan\.json"):
        TournamentDirectory(tmp_path, plan)


def test_a_second_run_in_a_directory_is_refused(tmp_path, plan):
    directory = TournamentDirectory(tmp_path, plan)
    for other in (plan, replace(plan, games=8)):
        with pytest.raises(BadOption, match="another run"):
            TournamentDirectory(tmp_path, other)
    directory.close()
    open_and_close(tmp_path, plan)


def test_a_plan_is_extended_by_more_games(tmp_path, plan, outcomes):
    directory = TournamentDirectory(tmp_path, plan)
    directory.add(outcomes[2])
    directory.close()
    longer = replace(plan, games=8)
    directory = TournamentDirectory(tmp_path, longer)
    assert directory.outcomes == {2: outcomes[2]}
    with pytest.raises(BadOption, match="another run"):
        TournamentDirectory(tmp_path, longer)
    directory.close()
    with pytest.raises(BadOption, match="games was 8, now 6"):
        TournamentDirectory(tmp_path, plan)
