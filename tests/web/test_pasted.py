"""What a pasted text is."""

import pytest

from quincunx.registry import GAMES, game
from quincunx.web.pasted import read
from quincunx.web.wire import Refused

ALL = [game(name) for name in GAMES]


def test_a_position_of_any_game(any_game):
    state = any_game.start(3)
    for _ in range(4):
        seat = 0 if state.turn is None else state.turn
        state = state.play(state.moves(seat)[0], seat)
    found = read(f"  {state.text}\n", ALL)
    assert (found.kind, found.game, found.position) == ("position", any_game.name, state.text)


def test_a_record_with_its_moves():
    found = read('[Game "onoro"]\n[Options "pawns=4"]\n\n1,0 -1,2\n', ALL)
    assert (found.kind, found.options, found.moves) == ("record", {"pawns": 4}, ("1,0", "-1,2"))


def test_moves_alone_where_the_game_is_known():
    found = read("1. a1e3 h8f4 2. place", [game("quorum")])
    assert (found.kind, found.moves) == ("record", ("a1e3", "h8f4", "place"))


@pytest.mark.parametrize(
    "link", ["http://localhost:8200/room/Ab_-9#seat=0&secret=x", "/room/Ab_-9"]
)
def test_a_link(link):
    found = read(link, ALL)
    assert (found.kind, found.room) == ("link", "Ab_-9")


@pytest.mark.parametrize(
    ("text", "word"),
    [("", "position"), ("hello", "position"), ('[Game "chess"]\n\ne4', "record"), ("[x", "record")],
)
def test_what_is_nothing(text, word):
    with pytest.raises(Refused) as refused:
        read(text, ALL)
    assert refused.value.word == word
