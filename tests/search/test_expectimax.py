"""Expectimax: certain results are found, hidden information stays hidden."""

import pytest

import quincunx as qx
from quincunx import search
from quincunx.buffers import records
from quincunx.players import player
from quincunx.search.expectimax import workspace_type

SMALL = "expectimax:width=4,samples=2"


def test_a_win_in_one_is_found_and_proven():
    state = qx.game("quorum").read("7B/8/8/3WW3/3W4/4W3/4W3/8 w")
    best = qx.player("expectimax", state.game, seed=1).analyse_moves(state)[0]
    assert state.act(best.action).winners == (0,)
    assert (best.value, best.plies) == (1.0, 1)


def test_a_loss_in_one_is_avoided():
    """Black loses at once unless the leap of e2 is prevented."""
    state = qx.game("quorum").read("4BBBB/5BBB/4B1BB/3WW2B/3W4/4W3/4W3/8 b")
    after = state.act(qx.player("expectimax:width=1000", state.game, seed=1).choose(state))
    assert not any(after.act(reply).winners == (0,) for reply in after.actions()), f"\n{after}"


def test_every_move_has_a_value_and_the_best_is_chosen(any_game):
    state = any_game.start(seed=3)
    seat = 0 if state.turn is None else None
    moves = player(SMALL, any_game, seed=5).analyse_moves(state, seat)
    assert sorted(move.action for move in moves) == state.actions(seat)
    assert moves[0].action == player(SMALL, any_game, seed=5).choose(state, seat)
    for move in moves:
        assert -1.0 <= move.value <= 1.0
        assert (abs(move.value) == 1.0) <= (move.plies is not None)
        assert move.line[0] == move.action
    # Four moves in the first round, two in the second; the fifth is not searched.
    assert [move.visits for move in moves[:5]] == [4, 4, 2, 2, 0][: len(moves)]


def test_the_same_seed_gives_the_same_choices(any_game):
    state = any_game.start(seed=4)
    seat = 0 if state.turn is None else None
    first, second = (player(SMALL, any_game, seed=6) for _ in range(2))
    for _ in range(3):
        assert first.choose(state, seat) == second.choose(state, seat)


@pytest.mark.parametrize("options", [{"show_next_balls": False}, {"variant": "lines98"}])
def test_hidden_information_does_not_change_the_choice(options):
    wzlz = qx.game("wzlz", **options)
    state = wzlz.start(seed=2)
    choices = {player(SMALL, wzlz, seed=3).choose(state.hidden(0, future)) for future in range(9)}
    assert len(choices) == 1


def test_without_chance_every_sample_is_the_evaluation_after_the_best_reply():
    state = qx.game("onoro").start()
    for action in (state.actions()[0], state.actions()[-1]):
        after = state.act(action)
        replies = [after.act(reply) for reply in after.actions()]
        best = max(replies, key=lambda reply: reply.evaluate(after.turn))
        expected = best.evaluate(state.turn)
        kernel = state.game.kernel
        scratch = state.game.empty_positions(4)
        scratch[0] = state.position
        workspace = records(workspace_type(kernel.MAX_LEGAL), 1)[0]
        code = search.compiled(kernel)
        workspace.candidates[0] = action
        nodes = code.expectimax(scratch, state.turn, state.game.seats, workspace, 1, 3, 7)
        assert workspace.value_sums[0] == pytest.approx(3 * expected)
        assert nodes == 3 * (1 + len(replies))


def test_greedy_and_expectimax_beat_random_play_in_wzlz():
    """On a small board, over the same few games."""
    game = qx.game("wzlz", rows=6, cols=6, match_length=4, colors_count=4)
    totals = []
    for kind in ("random", "greedy", SMALL):
        total = 0.0
        for seed in range(4):
            bot, state = player(kind, game, seed=seed), game.start(seed=seed)
            while not state.over and state.ply < 60:
                state = state.act(bot.choose(state))
            total += state.scores[0]
        totals.append(total)
    assert totals[0] < totals[1]
    assert totals[0] < totals[2]


def test_a_time_limit_ends_the_search():
    state = qx.game("wzlz").start(seed=1)
    bot = player("expectimax:width=3,samples=1,time=0.01", state.game, seed=1)
    assert bot.choose(state) in state.actions()
