"""Previews of moves: the board after a move that is not played."""

import asyncio

from quincunx.draw.animation import page_picture
from tests.simulation.host import SimulatedClient, direct_host

BOARD = "(r(gbby)yb) blob:r-0,blob:b-0 0 0"
OPTIONS = {"depth": 2, "players": 2}


def ask(*requests):
    """Returns the answers of a server to `preview`, and the game of its room before and after."""

    async def run():
        async with direct_host() as lobby:
            session, _ = await lobby.create("blocky", OPTIONS, ("human", "human"), start=BOARD)
            client = SimulatedClient(lobby)
            before, room = session.room.state, session.room.settings.id
            answers = [await client.ask("preview", room=room, **request) for request in requests]
            assert session.room.number == 0
            return answers, before

    return asyncio.run(run())


def test_a_preview_is_the_picture_after_the_move():
    (turned, painted), state = ask({"move": "cw@"}, {"move": "paint:r@12", "flip": True})
    assert turned["type"] == "preview"
    for answer, move, flip in ((turned, "cw@", False), (painted, "paint:r@12", True)):
        shapes = page_picture(state.play(move), flip)["shapes"]
        assert answer["picture"]["shapes"] == [list(shape) for shape in shapes]


def test_what_chance_decides_has_no_preview():
    (smashed,), _ = ask({"move": "smash@0"})
    assert smashed["type"] == "preview"
    assert "picture" not in smashed


def test_a_move_that_is_not_legal_has_no_preview():
    (answer,), _ = ask({"move": "smash@"})
    assert answer["error"] == "illegal"
