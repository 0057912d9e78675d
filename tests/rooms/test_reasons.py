"""Reasons for clicks with which no legal move begins."""

import asyncio

import pytest

import quincunx as qx
from quincunx.errors import IllegalMove, message_for_people
from quincunx.rooms.messages import MAX_CLICKS
from quincunx.rooms.reasons import why_illegal
from tests.simulation.host import SimulatedClient, direct_host
from tests.toy_game import make_game

PHASE_2 = ".WW/BBB/W.. b -2,0"  # of a game with three pawns


def reason(game, clicks, position="", **options):
    state = qx.game(game, **options)
    state = state.read(position) if position else state.start(seed=1)
    return why_illegal(state, state.turn or 0, clicks)


@pytest.mark.parametrize(
    ("clicks", "expected"),
    [
        (["h8"], "there is an opponent's stone on h8; you can move only your own stones"),
        (["d4"], "there is no stone on d4; you can move only your own stones"),
        (["d4", "d5"], "there is no stone on d4; you can move only your own stones"),
        (["h8", "h7"], "there is an opponent's stone on h8; you can move only your own stones"),
        (["b1", "b2"], qx.game("quorum").texts["distance"]),
        (["a2", "a4"], "the target square a4 is not empty"),
        (["c1", "c5"], "the centre c3 must hold one of your own stones"),
        (["place"], "no legal move starts at place"),
        (["nowhere"], "no legal move starts at nowhere"),
        (["nowhere", "a1"], "no legal move goes from nowhere to a1"),
        (["a1"], ""),
        (["a1", "e3"], ""),
        ([], ""),
    ],
)
def test_the_first_true_reason_for_clicks_is_named(clicks, expected):
    assert reason("quorum", clicks) == expected


def test_a_piece_that_cannot_move_has_no_other_reason():
    position = "8/8/8/8/8/8/8/W6W w"
    assert reason("quorum", ["h1"], position) == "no legal move starts at h1"


@pytest.mark.parametrize(
    ("clicks", "expected"),
    [
        (["0,0"], "the pawn on 0,0 belongs to White"),
        (["1,1"], "there is no pawn on 1,1"),
        (["0,1", "1,1"], "a pawn on 1,1 would touch no other pawn; it must touch at least two"),
        (["0,1", "0,0"], "0,0 is occupied"),
        (["0,1", "0,-1"], ""),
    ],
)
def test_clicks_and_drags_of_a_move_between_cells_have_reasons(clicks, expected):
    assert reason("onoro", clicks, PHASE_2, pawns=3) == expected


def test_a_drag_has_a_reason_where_no_piece_can_move_yet():
    text = "pawns are still to be placed, and none moves before: give only the new cell"
    assert reason("onoro", ["0,0", "1,0"]) == text
    assert reason("onoro", ["0,0"]) == "0,0 is occupied"


def test_games_from_outside_have_reasons_too():
    state = make_game().start(seed=0)
    assert why_illegal(state, 0, ["9"]) == "no legal move starts at 9"
    assert why_illegal(state, 0, state.game.parts.layout.clicks(state.moves()[0])) == ""


def test_nothing_can_be_clicked_when_the_game_is_over():
    position = "4BBBB/5BBB/6BB/3WW2B/3WW3/8/8/W7 b"
    assert reason("quorum", ["h8"], position) == "the game is over"


def test_messages_for_people_have_no_position():
    with pytest.raises(IllegalMove) as caught:
        qx.game("quorum").start().play("d4e5")
    error = caught.value
    assert message_for_people(error) == (
        "illegal move 'd4e5': there is no stone on d4; you can move only your own stones"
    )
    assert error.position == qx.game("quorum").start().text
    assert message_for_people(ValueError("x")) == "x"


def ask(*requests):
    """Returns the answers of a server to `explain`."""

    async def run():
        async with direct_host() as lobby:
            session, _ = await lobby.create("quorum", {}, ("human", "human"))
            client = SimulatedClient(lobby)
            fields = ({"room": session.room.settings.id, **request} for request in requests)
            return [await client.ask("explain", **request) for request in fields]

    return asyncio.run(run())


def test_the_server_explains_clicks_without_playing():
    own, other, of_game, error = ask(
        {"clicks": ["h8"], "seat": 0},
        {"clicks": ["h8"], "moves": ["a1a5"]},
        {"clicks": ["a1", "b1"], "room": None, "game": "quorum"},
        {"clicks": ["h8"], "moves": ["a1a2"]},
    )
    assert own["type"] == "reason"
    assert own["reason"].startswith("there is an opponent's stone on h8")
    assert other["reason"] == ""
    assert of_game["reason"] == qx.game("quorum").texts["distance"]
    assert (error["error"], error["where"]) == ("illegal", "moves.0")
    assert "position" not in error["text"]


def test_clicks_are_bounded():
    for clicks in (None, "h8", ["x"] * (MAX_CLICKS + 1), ["x" * 65], [1]):
        (answer,) = ask({"clicks": clicks})
        assert (answer["error"], answer["where"].partition(".")[0]) == ("message", "clicks")
