"""Recognition of pasted text."""

import pytest

from quincunx.registry import BUILT_IN, game
from quincunx.rooms.messages import RequestError
from quincunx.rooms.paste import recognise
from tests.toy_game import make_game

ALL_GAMES = [game(name) for name in BUILT_IN]


def test_a_position_of_any_game(any_game):
    state = any_game.start(3)
    for _ in range(4):
        seat = 0 if state.turn is None else state.turn
        state = state.play(state.moves(seat)[0], seat)
    pasted = recognise(f"  {state.text}\n", ALL_GAMES)
    assert (pasted.kind, pasted.game, pasted.position) == ("position", any_game.name, state.text)


def test_a_broken_game_does_not_hide_the_others(any_game, caplog):
    def crash(game, text, s):
        raise KeyError(text)

    broken = make_game()
    broken.parts.notation.read = crash
    text = any_game.start(3).text
    assert recognise(text, [broken, *ALL_GAMES]).game == any_game.name
    assert caplog.messages == ["stones could not read a position"]
    with pytest.raises(KeyError):
        recognise(text, [broken])


def test_a_record_with_its_moves():
    pasted = recognise('[Game "onoro"]\n[Options "pawns=4"]\n\n1,0 -1,2\n', ALL_GAMES)
    assert (pasted.kind, pasted.options, pasted.moves) == ("record", {"pawns": 4}, ("1,0", "-1,2"))


@pytest.mark.parametrize(("tag", "rules"), [("", 1), ('[Rules "2"]\n', None)])
def test_a_record_of_old_rules_says_so(tag, rules):
    pasted = recognise(f'[Game "sphero"]\n{tag}[Start "GB/.Y/AR"]\n\nR:2,2', ALL_GAMES)
    assert pasted.rules == rules
    assert pasted.position == ("RABR/Y.../.G.." if rules else "RABR/Y.../G...")
    assert recognise("GB/.Y/AR", ALL_GAMES).rules is None


def test_moves_of_a_known_game():
    pasted = recognise("1. a1e3 h8f4 2. place", [game("quorum")])
    assert (pasted.kind, pasted.moves) == ("record", ("a1e3", "h8f4", "place"))


@pytest.mark.parametrize(
    "link", ["http://localhost:8200/room/Ab_-9#seat=0&secret=x", "/room/Ab_-9"]
)
def test_a_link_to_a_room(link):
    pasted = recognise(link, ALL_GAMES)
    assert (pasted.kind, pasted.room) == ("link", "Ab_-9")


@pytest.mark.parametrize(
    ("text", "code"),
    [("", "position"), ("hello", "position"), ('[Game "chess"]\n\ne4', "record"), ("[x", "record")],
)
def test_other_text_is_rejected(text, code):
    with pytest.raises(RequestError) as error:
        recognise(text, ALL_GAMES)
    assert error.value.code == code


def other_value(option):
    """Returns a value of an option that is not the default."""
    if option.choices:
        return next(choice for choice in option.choices if choice != option.default)
    if isinstance(option.default, bool):
        return not option.default
    return option.default - 1 if option.default > option.low else option.default + 1


def test_a_position_that_was_copied_with_its_options(any_game):
    """The page copies such a position as a record without moves, in one line."""
    for option in any_game.parts.rules.OPTIONS:
        value = other_value(option)
        state = game(any_game.name, **{option.name: value}).start(3)
        tags = f'[Game "{any_game.name}"] [Options "{option.name}={value}"]'
        pasted = recognise(f'{tags} [Start "{state.text}"]', ALL_GAMES)
        assert (pasted.game, pasted.options) == (any_game.name, {option.name: value})
        assert (pasted.start, pasted.position) == (state.text, state.text)
