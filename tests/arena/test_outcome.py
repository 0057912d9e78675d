from dataclasses import replace

import pytest

from quincunx.arena.outcome import Outcome, one_line, read_block
from quincunx.arena.referee import play_game
from quincunx.arena.schedule import make_plan
from quincunx.record import read_all


@pytest.fixture(scope="module")
def plan():
    return make_plan("quorum", ["random", "tests.arena.bad_players:Crash"], games=4)


@pytest.fixture(scope="module")
def outcome(plan):
    return play_game(plan, 1)


def test_json_round_trip(outcome):
    assert Outcome.from_dict(outcome.as_dict()) == outcome


def test_blocks_are_valid_records(plan, outcome):
    empty = replace(outcome, number=2, moves=(), opening=0)
    records, problems = read_all(outcome.block(plan) + empty.block(plan) + outcome.block(plan))
    assert problems == []
    assert [record.moves for record in records] == [outcome.moves, (), outcome.moves]
    assert records[0].players == ("tests.arena.bad_players:Crash", "random")
    assert records[0].tags["Forfeit"] == '0: crashed: RuntimeError: out of "ideas" and of luck'
    assert records[0].states()[-1].ply == len(outcome.moves)


def test_a_truncated_block_is_rejected(plan, outcome):
    for complete in (
        outcome,
        replace(outcome, moves=()),
        replace(outcome, forfeit=None, ended="x"),
    ):
        text = complete.block(plan)
        assert read_block(text, plan) == complete
        for end in range(len(text)):
            read = read_block(text[:end], plan)
            # A game without moves is complete even without the sign for "unfinished".
            assert read is None or (read == complete and not complete.moves), text[:end]


def test_blocks_of_another_plan_are_rejected(plan, outcome):
    assert read_block(outcome.block(plan), replace(plan, seed=99)) is None
    assert read_block(outcome.block(plan), replace(plan, players=("random", "greedy"))) is None


@pytest.mark.parametrize(
    ("result", "forfeit", "ranks", "points"),
    [
        ((1.0, 0.0), None, (0, 1), (1, 0)),
        ((0.5, 0.5), None, (0, 0), (0.5, 0.5)),
        ((4.0, 9.0, 9.0), None, (2, 0, 0), (0, 0.5, 0.5)),
        ((4.0, 9.0, 9.0), 1, (1, 2, 0), (0, 0, 1)),
        ((0.0, 0.0, 0.0), 2, (0, 0, 2), (0.5, 0.5, 0)),
    ],
)
def test_ranks_and_points(result, forfeit, ranks, points):
    reason = None if forfeit is None else (forfeit, "crashed: x")
    outcome = Outcome(0, (), 0, result, (), (), "", reason)
    assert outcome.ranks == ranks
    assert outcome.points == points


def test_a_reason_is_one_line():
    assert one_line("a\n b\tc\x00") == "a b c?"
    assert len(one_line("x" * 1000)) == 200
