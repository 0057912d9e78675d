import pytest

import quincunx as qx
from quincunx.errors import BadOption
from quincunx.players import PLAYERS, players_of
from quincunx.players.level import level_name


def test_who_plays_what():
    everywhere = {"random", "greedy", "mcts", "expectimax", "level"}
    assert set(players_of(qx.game("blocky"))) == everywhere | {"smart"}
    assert set(players_of(qx.game("quorum"))) == everywhere | {"alphabeta"}
    assert set(players_of(qx.game("wzlz"))) == everywhere
    assert "perfect" in players_of(qx.game("onoro", pawns=3))
    found = {kind for name in qx.games() for kind in players_of(qx.game(name))}
    assert found | {"perfect"} == set(PLAYERS)


def test_players_choose_legal_actions_and_repeat_for_a_seed(any_game):
    state = any_game.start(seed=6)
    for kind in players_of(any_game) * 2:
        seat = 0 if state.turn is None else None
        chosen = qx.player(kind, any_game, seed=1).choose(state, seat)
        assert chosen in state.actions(seat), kind
        assert qx.player(kind, any_game, seed=1).choose(state, seat) == chosen, kind
        state = state.act(chosen, seat)
        if state.over:
            break


def test_greedy_takes_a_win_in_one():
    state = qx.game("quorum").read("8/8/8/3WW3/3W4/4W3/4W3/W7 w")
    after = state.play(qx.player("greedy", state.game, seed=0).choose(state))
    assert after.winners == (0,), f"\n{after}"


@pytest.mark.parametrize("kind", ["random", "greedy", "mcts:sims=100"])
def test_nobody_sees_what_is_hidden(kind):
    wzlz = qx.game("wzlz", show_next_balls=False)
    state = wzlz.start(seed=2)
    choices = {
        qx.player(kind, wzlz, seed=3).choose(state.hidden(0, seed=future)) for future in range(20)
    }
    assert len(choices) == 1


def test_smart_judges_by_the_score_costs_included():
    blocky = qx.game("blocky", depth=1, players=1)
    smart = qx.player("smart:difficulty=1000", blocky, seed=0)
    # Painting a corner red gives 2 more on the perimeter for 1 point; two and two do not combine.
    state = blocky.read("(rrgg) perimeter:r-0 0 0")
    assert state.move(smart.choose(state)) in ("paint:r@2", "paint:r@3")
    # Combining turns two corners for the price of one.
    state = blocky.read("(rgbr) perimeter:r-0 0 0")
    assert state.move(smart.choose(state)) == "combine@"
    # Nothing beats a board that is all red.
    state = blocky.read("(rrrr) perimeter:r-0 0 0")
    assert state.move(smart.choose(state)) == "pass"


def test_smart_plays_blocky_only():
    with pytest.raises(BadOption, match="plays blocky only"):
        qx.player("smart", qx.game("quorum"))


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
def test_a_wrong_text_says_what_is_allowed(text, allowed):
    with pytest.raises(BadOption, match=allowed):
        qx.player(text, qx.game("blocky"))


def test_every_game_has_eight_levels(any_game):
    levels = any_game.parts.rules.LEVELS
    assert len(levels) == 8
    assert [slip for slip, _ in levels] == sorted((slip for slip, _ in levels), reverse=True)
    for _, text in levels:
        qx.player(text, any_game, seed=0)
    state = any_game.start(seed=1)
    seat = 0 if state.turn is None else None
    for number in (1, 8):
        assert qx.player(f"level:{number}", any_game, seed=2).choose(state, seat) in state.actions(
            seat
        )


def test_a_level_slips_as_often_as_it_says():
    """Where greedy has one best move, level 1 misses it about as often as random moves would."""
    state = qx.game("quorum").read("8/8/8/3WW3/3W4/4W3/4W3/W7 w")
    slip, text = state.game.parts.rules.LEVELS[1]
    best = qx.player(text, state.game, seed=0).choose(state)
    player = qx.player("level:2", state.game, seed=5)
    found = sum(player.choose(state) == best for _ in range(400)) / 400
    expected = (100 - slip) / 100 + slip / 100 / len(state.actions())
    assert abs(found - expected) < 0.1, f"{found} instead of {expected}"


@pytest.mark.parametrize(
    ("text", "title"),
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
def test_a_level_goes_by_its_name(text, title):
    assert level_name(text) == title
