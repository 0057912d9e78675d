"""What games declare about themselves is true."""

from dataclasses import replace
from random import Random

import pytest

import quincunx as qx
from quincunx.contract import SCORE, SHARED_WIN, WIN_OR_DRAW, Traits
from quincunx.game import Game, Parts
from quincunx.testing import check_game, check_state

PLAIN = Traits(
    random_start=False,
    chance=False,
    hidden=False,
    simultaneous=False,
    outcome=WIN_OR_DRAW,
    repetition=False,
    unattended={},
)
UNATTENDED = {"order": "turns", "limit": 1000}
DECLARED = [
    ("quorum", {}, replace(PLAIN, repetition=True)),
    ("quorum", {"repetition": 0}, PLAIN),
    ("onoro", {}, replace(PLAIN, repetition=True)),
    ("onoro", {"repetition": 0}, PLAIN),
    ("sphero", {}, replace(PLAIN, simultaneous=True, outcome=SHARED_WIN, unattended=UNATTENDED)),
    ("sphero", {"order": "turns"}, replace(PLAIN, outcome=SHARED_WIN, unattended=UNATTENDED)),
    ("blocky", {}, replace(PLAIN, random_start=True, chance=True, outcome=SHARED_WIN)),
    ("blocky", {"players": 1}, replace(PLAIN, random_start=True, chance=True, outcome=SCORE)),
    ("wzlz", {}, replace(PLAIN, random_start=True, chance=True, outcome=SCORE)),
    (
        "wzlz",
        {"show_next_balls": False},
        replace(PLAIN, random_start=True, chance=True, hidden=True, outcome=SCORE),
    ),
]
IDS = [f"{name} {options}" for name, options, _ in DECLARED]


@pytest.mark.parametrize(("name", "options", "traits"), DECLARED, ids=IDS)
def test_declared_traits(name, options, traits):
    game = qx.game(name, **options)
    assert game.traits == traits
    assert game.traits is game.traits
    assert game.traits.combinatorial == (not (traits.chance or traits.simultaneous))


def random_positions(game, games=4, plies=20):
    """Yields positions of random games, with the seat that moves next."""
    for seed in range(games):
        rng, state = Random(seed), game.start(seed)
        while not state.over and state.ply < plies:
            seat = state.seat_to_move(0, state.ply)
            yield state, seat
            state = state.act(rng.choice(state.actions(seat)), seat)


@pytest.mark.parametrize(("name", "options", "traits"), DECLARED, ids=IDS)
def test_traits_are_true_of_random_games(name, options, traits):
    game = qx.game(name, **options)
    chance = hidden = simultaneous = False
    for state, seat in random_positions(game):
        first, second = state.hidden(seat, 1), state.hidden(seat, 2)
        hidden |= without_generator(first) != without_generator(second)
        simultaneous |= state.turn is None
        actions = state.actions(seat)
        for action in actions[:: max(1, len(actions) // 8)]:
            chance |= first.act(action, seat).text != second.act(action, seat).text
    assert (chance, hidden, simultaneous) == (traits.chance, traits.hidden, traits.simultaneous)
    starts = {game.start(seed).text for seed in range(10)}
    assert (len(starts) > 1) == traits.random_start


def without_generator(state):
    """Returns the bytes of a position with its generator set to 0."""
    s = state.position.copy()
    s.rng = 0
    return s.tobytes()


@pytest.mark.parametrize("repetition", [0, 2])
@pytest.mark.parametrize(
    ("name", "text", "moves"),
    [
        (
            "quorum",
            "B1B5/8/8/8/8/W1W5/8/8 w",
            "a3e3 a8e8 c3g3 c8g8 g3c3 g8c8 e3a3 e8a8 a3e3 a8e8",
        ),
        ("onoro", ".WWW/BBB. b", "0,1>3,1 1,0>4,0 1,1>4,1 2,0>5,0"),
    ],
)
def test_a_repeated_position_ends_the_game_if_declared(name, text, moves, repetition):
    game = qx.game(name, repetition=repetition, **({"pawns": 3} if name == "onoro" else {}))
    state = game.read(text)
    for move in moves.split():
        if state.over:
            break
        state = state.play(move)
    assert state.over == game.traits.repetition


@pytest.mark.parametrize("name", qx.games())
def test_unattended_games_end(name):
    game = qx.game(name)
    unattended = game.configured(**game.traits.unattended)
    assert not unattended.traits.simultaneous
    if unattended.traits.outcome != WIN_OR_DRAW:  # a long random game of the others may go on
        rng, state = Random(0), unattended.start(seed=0)
        while not state.over:
            state = state.act(rng.choice(state.actions()))


def test_outcomes_decide_who_wins():
    assert qx.game("quorum").read("8/8/8/3WW3/3WW3/8/8/B7 b").winners == (0,)
    blocky = qx.game("blocky", depth=1, players=3, turns=2)
    assert blocky.read("(rrbb) blob:r-0,blob:b-0,blob:y-0 6 0").winners == (0, 1)
    solo = qx.game("blocky", depth=1, players=1, turns=1)
    assert solo.read("(rrbb) blob:r-1 1 0").winners == ()


class _Rules:
    """The rules of a game with other traits."""

    def __init__(self, rules, **changes):
        self._rules, self._changes = rules, changes

    def __getattr__(self, name):
        return getattr(self._rules, name)

    def traits(self, options):
        return replace(self._rules.traits(options), **self._changes)


WRONG_TRAITS = [
    ("quorum", {"random_start": True}, "wrong random_start"),
    ("wzlz", {"random_start": False}, "wrong random_start"),
    ("wzlz", {"chance": False}, "wrong chance"),
    ("quorum", {"simultaneous": True}, "wrong unattended"),
    ("sphero", {"simultaneous": False}, "wrong simultaneous"),
    ("sphero", {"unattended": {}}, "wrong unattended"),
    ("quorum", {"outcome": SCORE}, "wrong outcome"),
    ("quorum", {"outcome": "draw"}, "unknown outcome"),
    ("sphero", {"outcome": WIN_OR_DRAW, "unattended": UNATTENDED}, "neither a win nor a draw"),
]


@pytest.mark.parametrize(("name", "wrong", "complaint"), WRONG_TRAITS)
def test_check_game_finds_wrong_traits(name, wrong, complaint):
    options = {"players": 2, "limit": 3} if "outcome" in wrong and name == "sphero" else {}
    with pytest.raises(AssertionError, match=complaint):
        check_game(with_rules(name, options, **wrong), games=1, plies=20)


def with_rules(name, options, **changes):
    """Returns a game whose traits are changed."""
    parts = qx.game(name).parts
    rules = _Rules(parts.rules, **changes)
    return Game(Parts(parts.kernel, rules, parts.notation, parts.layout), options)


def test_check_state_finds_a_missing_turn():
    state = with_rules("sphero", {}, simultaneous=False).start()
    with pytest.raises(AssertionError, match="turn is ANYONE exactly in simultaneous games"):
        check_state(state)


def test_check_state_finds_hidden_information_that_is_not_declared():
    state = with_rules("wzlz", {"show_next_balls": False}, hidden=False).start(seed=0)
    with pytest.raises(AssertionError, match="`hide` changes more than the generator"):
        check_state(state)


def test_check_state_finds_a_status_without_text():
    game = with_rules("onoro", {})
    texts = game.parts.rules.TEXTS
    game.parts.rules.TEXTS = {code: texts[code] for code in texts if code != "place.you"}
    with pytest.raises(AssertionError, match=r"has 'place', but not 'place\.you'"):
        check_state(game.start())


def test_check_state_finds_a_pass_that_is_not_legal():
    game = with_rules("quorum", {})
    game.parts.rules.PASS = game.actions
    with pytest.raises(AssertionError, match=r"`rules\.PASS` is not always legal"):
        check_state(game.start())
