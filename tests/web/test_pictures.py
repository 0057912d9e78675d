"""Pictures over HTTP: budgets, the cache, what a browser has already, clients that leave."""

import asyncio
from types import SimpleNamespace

import pytest

import quincunx as qx
from quincunx.errors import BadOption
from quincunx.rooms.errors import RequestError
from quincunx.rooms.explore import PastPosition
from quincunx.web import drawing, pictures
from quincunx.web.pictures import Drawing, ResponseCache

QUORUM = qx.game("quorum")
START = QUORUM.start(seed=0)


class FakeRequest:
    """A request whose client leaves when a test says so."""

    def __init__(self, **headers):
        self.headers = headers
        self.left = asyncio.Event()
        self._body = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive(self):
        if self._body:
            return self._body.pop()
        await self.left.wait()
        return {"type": "http.disconnect"}


class FakePool:
    """Draws nothing; counts what it was asked, and can be held."""

    def __init__(self):
        self.calls = []
        self.held = asyncio.Event()
        self.held.set()
        self.cancelled = 0

    async def run_process(self, function, *arguments, client, seconds):
        self.calls.append((function, client, seconds))
        try:
            await self.held.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return f"picture {len(self.calls)}".encode()


def draw(*arguments, **settings):
    return Drawing(drawing.draw_state, (START, *arguments), "image/png", **settings)


def respond(work):
    async def run():
        return await work(FakePool(), ResponseCache())

    return asyncio.run(run())


def test_a_picture_is_drawn_once_and_sent_once():
    async def work(pool, cache):
        first = await pictures.respond(FakeRequest(), pool, cache, "a", draw("png"))
        assert (first.body, first.media_type) == (b"picture 1", "image/png")
        again = await pictures.respond(FakeRequest(), pool, cache, "b", draw("png"))
        assert again.body == b"picture 1"
        assert pool.calls == [(drawing.draw_state, "a", 10.0)]
        known = FakeRequest(**{"if-none-match": first.headers["etag"]})
        unchanged = await pictures.respond(known, pool, ResponseCache(), "a", draw("png"))
        assert (unchanged.status_code, unchanged.body) == (304, b"")
        assert unchanged.headers["etag"] == first.headers["etag"]
        assert len(pool.calls) == 1

    respond(work)


def test_the_key_of_a_picture_is_that_of_what_it_shows():
    other = START.play("a1e3")
    same_position = QUORUM.read(other.text)
    keys = [
        Drawing(drawing.draw_state, arguments, "image/png").key
        for arguments in (
            (START, "png", False),
            (START, "png", True),
            (START, "svg", False),
            (other, "png", False),
            (same_position, "png", False),  # its last move is not known, and not shown
            (qx.game("quorum", repetition=2).start(0), "png", False),
            ([START, other], "png", False),
            ([other, START], "png", False),
        )
    ]
    assert len(set(keys)) == len(keys)
    again = Drawing(drawing.draw_state, (QUORUM.start(seed=0), "png", False), "image/png")
    assert again.key == keys[0]


def test_the_cache_keeps_what_was_used_last():
    cache = ResponseCache(max_bytes=10)
    cache.add("a", b"1234")
    cache.add("b", b"1234")
    assert cache.get("a") == b"1234"
    cache.add("c", b"1234")
    assert [cache.get(key) is not None for key in "abc"] == [True, False, True]
    cache.add("a", b"123456")
    assert (cache.size, cache.get("a")) == (10, b"123456")
    cache.add("d", b"x" * 11)  # larger than the cache itself
    assert (cache.size, cache.get("d")) == (0, None)


def test_drawing_ends_when_the_client_leaves():
    async def work(pool, cache):
        pool.held.clear()
        request = FakeRequest()
        answering = asyncio.create_task(pictures.respond(request, pool, cache, "a", draw("png")))
        while not pool.calls:
            await asyncio.sleep(0)
        request.left.set()
        with pytest.raises(RequestError, match="the client has left"):
            await answering
        await asyncio.sleep(0)
        assert pool.cancelled == 1
        assert cache.size == 0

    respond(work)


def test_a_request_that_is_cancelled_ends_its_drawing():
    async def work(pool, cache):
        pool.held.clear()
        answering = asyncio.create_task(
            pictures.respond(FakeRequest(), pool, cache, "a", draw("png"))
        )
        while not pool.calls:
            await asyncio.sleep(0)
        answering.cancel()
        await asyncio.gather(answering, return_exceptions=True)
        await asyncio.sleep(0)
        assert pool.cancelled == 1

    respond(work)


def test_a_picture_with_too_many_pixels_for_its_shapes_is_refused(monkeypatch):
    shapes = len(START.scene().shapes)
    monkeypatch.setattr(drawing, "MAX_PIXEL_SHAPES", 100 * 100 * shapes)
    with pytest.raises(BadOption, match=rf"at most 100 for a picture with {shapes} shapes"):
        drawing.draw_state(START, "png", False, "light", 101)
    assert drawing.draw_state(START, "png", False, "auto", 100).startswith(b"\x89PNG")
    assert drawing.draw_state(START, "svg", False, "auto", 2000).startswith(b"<svg")


def test_every_first_position_can_be_drawn_in_the_largest_size(any_game):
    shapes = len(any_game.start(seed=0).scene().shapes)
    assert 2000 * 2000 * shapes <= drawing.MAX_PIXEL_SHAPES


def test_an_animation_shows_the_last_part_of_a_long_game(monkeypatch):
    drawn = []

    def gif(scenes, **options):
        drawn.append((scenes, options))
        return b"GIF"

    monkeypatch.setattr("quincunx.draw.image.gif", gif)
    shapes = len(START.scene().shapes)
    first = START.play("a1e3")
    second = first.play("h8d6")
    monkeypatch.setattr(drawing, "MAX_GIF_SHAPES", 2 * shapes + shapes // 2)
    past, actions = PastPosition(START, ()), [(START.action("a1e3"), 0), (first.action("h8d6"), 1)]
    drawing.draw_animation(past, actions, False, "auto")
    drawing.draw_animation(past, [], False, "dark")
    (scenes, options), (only, more) = drawn
    assert scenes == [first.scene(), second.scene()]
    assert (options["seconds"], options["theme"]) == ([0.8, 2.5], "light")
    assert (only, more["seconds"], more["theme"]) == ([START.scene()], [2.5], "dark")


def test_a_very_large_board_still_has_an_animation_of_one_frame(monkeypatch):
    monkeypatch.setattr(drawing, "MAX_GIF_SHAPES", 1)
    past, actions = PastPosition(START, ()), [(START.action("a1e3"), 0)]
    assert drawing.draw_animation(past, actions, False, "light").startswith(b"GIF")


def test_a_failing_receive_does_not_end_the_drawing():
    async def work(pool, cache):
        async def receive():
            raise RuntimeError("the body was read already")

        request = SimpleNamespace(headers={}, receive=receive)
        response = await pictures.respond(request, pool, cache, "a", draw("png"))
        assert response.body == b"picture 1"

    respond(work)
