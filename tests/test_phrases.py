"""Statuses and reasons as codes with fields, and their texts."""

import pickle
import random
import string

import pytest

import quincunx as qx
from quincunx.errors import BadOption, IllegalMove
from quincunx.phrases import COMMON_TEXTS, YOU, Phrase, join, quantity, render, seat_name
from quincunx.registry import BUILT_IN
from quincunx.terminal.local_game import LocalGame

# Random games of these produce most phrases of the games.
EXPLORED = [
    ("quorum", {"repetition": 2}),
    ("onoro", {"pawns": 3}),
    ("onoro", {"pawns": 4, "repetition": 2}),
    ("blocky", {"depth": 2, "players": 4, "turns": 2}),
    ("blocky", {"depth": 3, "players": 1, "turns": 3}),
    ("wzlz", {"rows": 4, "cols": 4, "match_length": 3, "initial_balls": 3}),
    ("sphero", {"players": 6, "limit": 20}),
    ("sphero", {"players": 2, "order": "turns", "limit": 1}),
    ("sphero", {"players": 2, "order": "turns", "limit": 4}),
    ("sphero", {"players": 2, "order": "turns"}),
]
SEEDS, MAX_PLIES, ILLEGAL_TRIES = 10, 60, 12

# The others: code, game and options, position or "" for the first, illegal move or "" for the
# status.
EXAMPLES = [
    ("distance", "quorum", {}, "", "a1a2"),
    ("no_play", "quorum", {}, "6WW/6WW/8/8/8/8/8/2W1W2B b", ""),
    ("split", "onoro", {"pawns": 4}, "...WB/.WBW./BB.../W.... b -2,-1", "0,0>2,-2"),
    ("path_length", "blocky", {"depth": 2}, "", "cw@000"),
    ("point", "blocky", {"depth": 1, "players": 1, "turns": 1}, "(rrbb) blob:r-1 1 0", ""),
    ("point", "wzlz", {"rows": 1, "cols": 3, "initial_balls": 1}, "R.G - 1", ""),
    ("no_row", "wzlz", {}, "", "99,0>0,0"),
    ("no_column", "wzlz", {}, "", "0,99>0,0"),
    ("too_far", "sphero", {}, "", "R:99,0"),
    ("cut_off", "sphero", {}, "A..R", "R:4,0"),
    ("sphere.5", "sphero", {"players": 6}, "OA", "R:-1,0"),
    ("highest", "sphero", {}, f"{'R' * 21}/RA{'R' * 21}/RRR", ""),
]


def codes_in(phrase):
    """Yields the codes of a phrase and of the phrases in its fields."""
    yield phrase.code
    for value in phrase.fields.values():
        if isinstance(value, Phrase):
            yield from codes_in(value)


def explore(game):
    """Yields the phrases of random games and of illegal actions in them."""
    format_move = game.parts.notation.format_move
    for seed in range(SEEDS):
        rng, state = random.Random(seed), game.start(seed)
        while True:
            yield state.status_phrase
            if state.over or state.ply >= MAX_PLIES:
                break
            seat = state.seat_to_move(0, state.ply)
            actions = state.actions(seat)
            for action in rng.choices(range(game.actions), k=ILLEGAL_TRIES):
                try:
                    state.play(format_move(game, state.position, action), seat)
                except IllegalMove as error:
                    yield error.phrase
                except ValueError:  # some actions of the action space leave the board
                    pass
            yield from game.parts.rules.notes(game, state.position)
            if progress := game.parts.rules.progress(game, state.position):
                yield progress
            *steps, state = state.apply_in_steps(rng.choice(actions), seat)
            yield from (step.status_phrase for step in steps)


def example(name, options, text, move):
    """Returns the phrase of a position's status, or of the reason why a move is illegal."""
    game = qx.game(name, **options)
    state = game.read(text) if text else game.start(seed=0)
    if not move:
        return state.status_phrase
    with pytest.raises(IllegalMove) as caught:
        state.play(move)
    return caught.value.phrase


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_code_has_a_text_and_every_text_is_used(name):
    game = qx.game(name)
    used = {f"event.{event}" for event in game.kernel.EVENTS}
    examples = [example(*given) for _, *given in EXAMPLES if given[0] == name]
    for options in (options for explored, options in EXPLORED if explored == name):
        examples += explore(qx.game(name, **options))
    for phrase in examples:
        assert render(phrase, game.texts)
        used.update(codes_in(phrase))
    texts = set(game.parts.rules.TEXTS)
    missing = {code for code in used - texts - set(COMMON_TEXTS) if not code.startswith("event.")}
    assert missing <= {f"seat.{seat}" for seat in range(8)}
    unused = {code for code in texts if code.removesuffix(YOU) not in used}
    assert not unused, f"no position or move has these phrases: {unused}"


@pytest.mark.parametrize(("code", "name", "options", "text", "move"), EXAMPLES)
def test_examples_have_their_code(code, name, options, text, move):
    assert code in codes_in(example(name, options, text, move))


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_table_renders_the_phrases_in_another_language(name):
    game = qx.game(name)
    # Every text becomes its code and the names of its fields: no English text is left.
    names = {
        code: [field for _, field, _, _ in string.Formatter().parse(text) if field]
        for code, text in game.texts.items()
    }
    table = {
        code: f"<{code}{''.join(f' {{{field}}}' for field in dict.fromkeys(fields))}>"
        for code, fields in names.items()
    }
    phrase = game.start(seed=3).status_phrase
    translated = render(phrase, table)
    assert translated.startswith(f"<{phrase.code}")
    for code in codes_in(phrase):
        assert f"<{code}" in translated


def test_phrases_nest_lists_and_names():
    texts = {**COMMON_TEXTS, "seat.0": "Red", "seat.1": "Yellow", "seat.2": "Brown"}
    names = [seat_name(seat) for seat in range(3)]
    assert render(join(names), texts) == "Red, Yellow and Brown"
    assert render(join(names[:2]), texts) == "Red and Yellow"
    assert render(join(names[:1]), texts) == "Red"
    assert render(join(names, "comma"), texts) == "Red, Yellow, Brown"
    with pytest.raises(KeyError):
        render(Phrase("unknown"), texts)


def test_a_phrase_as_plain_values():
    state = qx.game("blocky", depth=2).read("(rgby) blob:r-0,blob:b-1 7 1")
    assert state.status_phrase.as_dict() == {
        "code": "move",
        "fields": {
            "seat": {"code": "seat.1", "fields": {}},
            "goal": {
                "code": "goal.blob",
                "fields": {"colour": {"code": "colour.blue", "fields": {}}},
            },
            "turns": {"code": "turns", "fields": {"count": 17}},
        },
    }


@pytest.mark.parametrize(
    ("name", "options", "text"),
    [
        ("quorum", {}, "Your turn: leap over one of your stones, or fill your home"),
        ("sphero", {"order": "turns"}, "Your turn: place a sphere on a liberty"),
        ("sphero", {}, "Anyone may place a sphere on a liberty, including you"),
    ],
)
def test_the_status_is_addressed_to_a_seat_that_may_move(name, options, text):
    state = qx.game(name, **options).start(seed=0)
    assert state.status_for(state.turn or 0) == text
    other = state.game.seats - 1 - (state.turn or 0)
    assert state.status_for(other) == (state.status if state.turn is not None else text)


@pytest.mark.parametrize("seat", [-1, 2, None, "0", True])
def test_the_status_for_an_invalid_seat_is_refused(seat):
    with pytest.raises(BadOption, match=r"seat=.*: must be an integer from 0 to 1"):
        qx.game("quorum").start().status_for(seat)


def test_the_status_of_a_finished_game_is_the_same_for_everyone():
    state = qx.game("quorum").read("8/8/8/3WW3/3WW3/8/8/B7 b")
    assert state.status_for(0) == state.status_for(1) == state.status


def test_illegal_moves_carry_their_reason_as_a_code():
    with pytest.raises(IllegalMove) as caught:
        qx.game("quorum").start().play("h8d6")
    error = caught.value
    assert (error.code, error.phrase.fields) == ("opponent", {"square": "h8"})
    again = pickle.loads(pickle.dumps(error))
    assert (again.phrase, again.reason, str(again)) == (error.phrase, error.reason, str(error))


def local_game(*players, start=""):
    return LocalGame(qx.Match(qx.game("quorum"), players, start=start))


@pytest.mark.parametrize(
    ("code", "call"),
    [
        ("other_turn", lambda: qx.game("quorum").start().play("h8d6", seat=1)),
        ("name_seat", lambda: qx.game("sphero").start().play("0,1")),
        ("other_seat", lambda: qx.game("sphero").start().play("R:0,1", seat=1)),
        ("not_legal", lambda: qx.game("quorum").start().move(-1)),
        ("not_legal_for", lambda: qx.game("quorum").start().act(-1)),
        ("over", lambda: qx.game("quorum").read("8/8/8/3WW3/3WW3/8/8/B7 b").play("place")),
        ("late", lambda: qx.Match(qx.game("quorum")).play("a1e3", number=4)),
        ("undo", lambda: qx.Match(qx.game("quorum")).undo()),
        ("redo", lambda: qx.Match(qx.game("quorum")).redo()),
        ("not_legal_in", lambda: qx.game("quorum").batch(2, seed=0).step([-1, -1])),
        ("played_by", lambda: local_game("greedy", "human").play("a1e3", seat=0)),
        ("over", lambda: local_game(start="8/8/8/3WW3/3WW3/8/8/B7 b").play("a1e3", seat=0)),
    ],
)
def test_reasons_outside_the_rules_have_codes_too(code, call):
    with pytest.raises(IllegalMove) as caught:
        call()
    assert caught.value.code == code
    assert caught.value.reason == render(caught.value.phrase, {**COMMON_TEXTS, "seat.0": "White"})


def test_a_number_has_a_noun_in_singular_or_plural():
    assert [quantity(count, "move") for count in (0, 1, 2)] == ["0 moves", "1 move", "2 moves"]
    assert quantity(1200, "ply", "plies") == "1,200 plies"
    assert [quantity(days, "day") for days in (1.0, 0.5)] == ["1 day", "0.5 days"]
