import pytest

import quincunx as qx
from quincunx.errors import BadOption
from quincunx.players import PLAYERS, analysing_player, players_of
from quincunx.players.level import level_name, player_title


def test_players_of_each_game():
    all_games = {"random", "greedy", "mcts", "expectimax", "level"}
    assert set(players_of(qx.game("blocky"))) == all_games | {"smart"}
    assert set(players_of(qx.game("quorum"))) == all_games | {"alphabeta"}
    assert set(players_of(qx.game("wzlz"))) == all_games
    assert "perfect" in players_of(qx.game("onoro", pawns=3))
    kinds = {kind for name in qx.games() for kind in players_of(qx.game(name))}
    assert kinds | {"perfect"} == set(PLAYERS)


def test_players_choose_legal_actions_and_repeat_for_a_seed(any_game):
    state = any_game.start(seed=6)
    for kind in players_of(any_game) * 2:
        seat = 0 if state.turn is None else None
        action = qx.player(kind, any_game, seed=1).choose(state, seat)
        assert action in state.actions(seat), kind
        assert qx.player(kind, any_game, seed=1).choose(state, seat) == action, kind
        state = state.act(action, seat)
        if state.over:
            break


def test_greedy_takes_a_win_in_one():
    state = qx.game("quorum").read("8/8/8/3WW3/3W4/4W3/4W3/W7 w")
    after = state.play(qx.player("greedy", state.game, seed=0).choose(state))
    assert after.winners == (0,), f"\n{after}"


@pytest.mark.parametrize("kind", ["random", "greedy", "mcts:sims=100"])
def test_hidden_information_does_not_change_the_choice(kind):
    wzlz = qx.game("wzlz", show_next_balls=False)
    state = wzlz.start(seed=2)
    choices = {
        qx.player(kind, wzlz, seed=3).choose(state.hidden(0, seed=future)) for future in range(20)
    }
    assert len(choices) == 1


def test_smart_compares_moves_by_score_including_costs():
    blocky = qx.game("blocky", depth=1, players=1)
    smart = qx.player("smart:difficulty=1000", blocky, seed=0)
    # Painting a corner red costs 1 point and gains 2 on the perimeter; a 2:2 block cannot combine.
    state = blocky.read("(rrgg) perimeter:r-0 0 0")
    assert state.move(smart.choose(state)) in ("paint:r@2", "paint:r@3")
    # Combining recolours two corners for the price of one.
    state = blocky.read("(rgbr) perimeter:r-0 0 0")
    assert state.move(smart.choose(state)) == "combine@"
    # A board that is all red cannot be improved.
    state = blocky.read("(rrrr) perimeter:r-0 0 0")
    assert state.move(smart.choose(state)) == "pass"


def test_smart_plays_only_games_in_which_a_turn_can_be_passed(any_game):
    if any_game.parts.rules.PASS is not None:
        assert qx.player("smart", any_game)
        return
    with pytest.raises(BadOption, match=f"a turn can be passed, not {any_game.name}"):
        qx.player("smart", any_game)


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("", "the players are"),
        ("smrat", "did you mean smart"),
        ("smart:50", "name=value"),
        ("smart:difficulty=0", "from 1 to"),
        ("smart:dificulty=5", "did you mean difficulty"),
        ("random:x=1", "no such option"),
        ("level:9", "from 1 to 8"),
        ("level:best", "from 1 to 8"),
        ("level:strength=3", "it has level"),
    ],
)
def test_an_invalid_text_is_rejected_with_what_is_allowed(text, allowed):
    with pytest.raises(BadOption, match=allowed):
        qx.player(text, qx.game("blocky"))


def test_every_game_has_eight_levels(any_game):
    levels = any_game.parts.rules.LEVELS
    assert len(levels) == 8
    slips = [slip_percent for slip_percent, _ in levels]
    assert slips == sorted(slips, reverse=True)
    for _, text in levels:
        qx.player(text, any_game, seed=0)
    state = any_game.start(seed=1)
    seat = 0 if state.turn is None else None
    for number in (1, 8):
        assert qx.player(f"level:{number}", any_game, seed=2).choose(state, seat) in state.actions(
            seat
        )


def test_a_level_slips_as_often_as_specified():
    """Where its player has one best move, level 2 plays it in all moves but the slips."""
    state = qx.game("quorum").read("8/8/8/3WW3/3W4/4W3/4W3/W7 w")
    slip_percent, text = state.game.parts.rules.LEVELS[1]
    best = qx.player(text, state.game, seed=0).choose(state)
    player = qx.player("level:2", state.game, seed=5)
    share = sum(player.choose(state) == best for _ in range(400)) / 400
    expected = (100 - slip_percent) / 100 + slip_percent / 100 / len(state.actions())
    assert abs(share - expected) < 0.1, f"{share} instead of {expected}"


def test_a_player_that_cannot_value_moves_does_not_analyse():
    quorum = qx.game("quorum")
    assert analysing_player("mcts:sims=8", quorum, seed=0).analyse_moves(quorum.start())
    with pytest.raises(BadOption, match="must be a player that values every move"):
        analysing_player("random", quorum)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("level:2", "learner"),
        ("level:level=2", "learner"),
        ("level", "keen"),
        ("level:9", ""),
        ("level:strength=3", ""),
        ("random", ""),
        ("human:level", ""),
    ],
)
def test_level_name(text, name):
    assert level_name(text) == name


def test_the_title_of_a_player_is_not_its_notation():
    assert player_title("level:2") == "learner"
    assert player_title("random") == "random"
    assert player_title("smart:difficulty=50") == "smart, difficulty 50"
    assert player_title("mcts:sims=8,explore=0.1") == "mcts, sims 8, explore 0.1"
