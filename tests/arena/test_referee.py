"""One game, played in this process."""

import pytest

import quincunx as qx
from quincunx.arena.referee import forfeit_outcome, play_game
from quincunx.arena.schedule import make_plan, pairing_at

BAD_PLAYERS = "tests.arena.bad_players"


class RecordingPlayer:
    """Records the states that it is given."""

    states: list = []  # noqa: RUF012

    def __init__(self, game, seed):
        pass

    def choose(self, state, seat=None):
        RecordingPlayer.states.append(state)
        return state.actions(seat)[-1]


def test_a_finished_game_can_be_replayed_from_its_record():
    plan = make_plan("quorum", ["greedy", "random"])
    for number in (0, 1):
        outcome = play_game(plan, number)
        last = outcome.record(plan).states()[-1]
        assert last.over
        assert last.scores == outcome.result
        assert sum(outcome.turns) + outcome.opening == len(outcome.moves)
    assert play_game(plan, 0).moves[:4] == play_game(plan, 1).moves[:4]


def test_a_game_is_deterministic():
    plan = make_plan("quorum", ["greedy", "random"], seed=3)
    assert play_game(plan, 4).moves == play_game(plan, 4).moves


@pytest.mark.parametrize("order", ["turns", "anytime"])
def test_sphero_in_both_orders_of_play(order):
    game = qx.game("sphero", players=3, order=order, limit=30)
    plan = make_plan(game, ["random", "greedy", "random"])
    outcome = play_game(plan, 0)
    assert len(outcome.moves) == 30
    assert outcome.record(plan).states()[-1].scores == outcome.result
    if order == "anytime":
        assert [move[0] for move in outcome.moves[:6]] == list("RYBRYB")


def test_a_ply_limit_makes_a_draw_and_is_recorded():
    plan = make_plan("quorum", ["random", "random"], ply_limit=7)
    outcome = play_game(plan, 0)
    assert len(outcome.moves) == 7
    assert outcome.result == (0.5, 0.5)
    assert outcome.record(plan).tags["Ended"] == "ply limit 7"


def test_a_ply_limit_keeps_the_scores():
    plan = make_plan("blocky", ["greedy", "random"], ply_limit=9)
    outcome = play_game(plan, 0)
    assert outcome.result == outcome.record(plan).states()[-1].scores
    assert outcome.ended


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Crash", 'crashed: RuntimeError: out of "ideas" and of luck'),
        ("Exit", "crashed: SystemExit: 3"),
        ("CrashInInit", "crashed: ValueError: no"),
        ("Illegal", "illegal: chose action 1000000 in "),
        ("Nothing", "illegal: chose a NoneType, not an action"),
    ],
)
@pytest.mark.parametrize("number", [0, 1])
def test_a_misbehaving_player_forfeits(name, reason, number):
    plan = make_plan("quorum", [f"{BAD_PLAYERS}:{name}", "random"])
    outcome = play_game(plan, number)
    assert outcome.forfeit is not None
    seat, recorded = outcome.forfeit
    assert pairing_at(plan, number).players[seat] == 0
    assert recorded.startswith(reason)
    assert outcome.result[seat] == 0
    assert outcome.points[1 - seat] == 1
    assert outcome.record(plan).tags["Forfeit"].startswith(f"{seat}: {reason}")


def test_a_slow_player_forfeits():
    plan = make_plan("quorum", ["greedy", "random"], move_seconds=1e-9)
    assert play_game(plan, 0).forfeit == (0, "hung: no move within 1e-09 s")


def test_a_forfeit_leaves_the_points_to_the_other_players():
    game = qx.game("blocky", players=3)
    plan = make_plan(game, [f"{BAD_PLAYERS}:Crash", "greedy", "random"])
    outcome = play_game(plan, 0)
    assert outcome.points[0] == 0
    assert sum(outcome.points) == 1


def test_a_forfeit_in_a_solo_game_scores_nothing():
    plan = make_plan(qx.game("blocky", players=1), [f"{BAD_PLAYERS}:Crash"])
    assert play_game(plan, 0).result[0] <= 0


def test_forfeit_outcome_replays_the_moves():
    plan = make_plan("quorum", ["greedy", "random"])
    moves = play_game(plan, 1).moves[:6]
    outcome = forfeit_outcome(plan, 1, moves, 1, "hung: test")
    assert (outcome.moves, outcome.result) == (moves, (1.0, 0.0))
    assert outcome.forfeit == (1, "hung: test")


def test_players_cannot_see_hidden_information():
    plan = make_plan(qx.game("blocky", players=1), [f"{__name__}:RecordingPlayer"])
    RecordingPlayer.states.clear()
    outcome = play_game(plan, 0)
    states = outcome.record(plan).states()[:-1]
    shown = RecordingPlayer.states
    assert [state.text for state in shown] == [state.text for state in states]
    assert all(a.position.rng != b.position.rng for a, b in zip(shown, states, strict=True))
