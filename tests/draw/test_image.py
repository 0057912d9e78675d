"""PNG and GIF pictures: their size, colours, labels and frames."""

import sys
from dataclasses import replace
from io import BytesIO

import pytest

from quincunx.draw import palette, picture
from quincunx.draw.image import _fallback_font, gif, png
from quincunx.draw.scene import Label, Piece, Scene
from quincunx.draw.svg import svg
from quincunx.errors import BadOption, MissingExtra
from quincunx.registry import game
from tests.draw.test_svg import scene_of_all_shapes

image = pytest.importorskip("PIL.Image")
resvg = pytest.importorskip("resvg_py")


def opened(data: bytes):
    return image.open(BytesIO(data))


def ball(x_position: float, colour: str = "red", **box: float) -> Scene:
    return replace(Scene(0, 0, 4, 2, (Piece(x_position, 1, colour),), "Ball"), **box)


def is_close(colour, expected: str) -> bool:
    return all(abs(a - b) <= 6 for a, b in zip(colour, palette.rgb(expected), strict=False))


@pytest.mark.parametrize("theme", [*palette.THEMES, "auto"])
def test_a_png_has_the_requested_size_and_background(theme: str) -> None:
    drawn = opened(png(scene_of_all_shapes(), 230, theme))
    assert (drawn.format, drawn.size) == ("PNG", (230, 130))
    paper = palette.THEMES["light" if theme == "auto" else theme]["paper"]
    assert is_close(drawn.getpixel((1, 1)), paper)


def test_a_png_of_a_position_and_of_an_svg() -> None:
    state = game("quorum").start()
    assert png(state, 200) == png(state.scene(), 200) == picture(state, "png", size=200)
    assert opened(png(state.svg(theme="dark"), 200)).size == (200, 200)
    light, auto = (
        opened(png(svg(scene_of_all_shapes(), theme), 200)) for theme in ("light", "auto")
    )
    assert light.tobytes() == auto.tobytes()


def test_labels_are_drawn_where_no_font_is_installed() -> None:
    text = svg(Scene(0, 0, 2, 1, (Label(1, 0.5, "a1", fill="ink"),), ""), size=100)
    with _fallback_font() as font:
        data = resvg.svg_to_bytes(
            svg_string=text,
            skip_system_fonts=True,
            font_files=font.files,
            sans_serif_family=font.family,
        )
    drawn = opened(data)
    assert len(drawn.convert("RGB").getcolors(10000)) > 5


def test_a_gif_has_a_frame_for_each_position_and_loops() -> None:
    animated = opened(gif([ball(1), ball(2), ball(3, "blue")], 0.25, 120))
    assert (animated.format, animated.n_frames, animated.size) == ("GIF", 3, (120, 60))
    assert animated.info["loop"] == 0
    for frame, x, colour in ((0, 30, "red"), (1, 60, "red"), (2, 90, "blue")):
        animated.seek(frame)
        assert animated.info["duration"] == 250
        # Left of the mark in the middle.
        assert is_close(animated.convert("RGB").getpixel((x - 8, 30)), palette.PIECES[colour].fill)


def test_all_frames_have_the_same_box() -> None:
    animated = opened(gif([ball(1), ball(1, x=-2, w=6)], size=120))
    assert (animated.n_frames, animated.size) == (1, (120, 40))


def test_a_gif_is_not_dithered() -> None:
    states = [game("quorum").start()]
    for move in ("a1e3", "h8d6", "place"):
        states.append(states[-1].play(move))
    animated = opened(gif(states, size=160))
    for frame in range(animated.n_frames):
        animated.seek(frame)
        drawn = animated.convert("RGB")
        assert is_close(drawn.getpixel((0, 0)), palette.LIGHT["paper"])
        assert len({drawn.getpixel((x, 0)) for x in range(160)}) == 1


def test_each_frame_can_have_its_own_duration() -> None:
    animated = opened(gif([ball(1), ball(2)], [0.1, 2], 64))
    durations = []
    for frame in range(2):
        animated.seek(frame)
        durations.append(animated.info["duration"])
    assert durations == [100, 2000]


@pytest.mark.parametrize("seconds", [0, -1, 61, float("nan"), [1], [1, 1, 1], "fast"])
def test_wrong_durations_are_refused(seconds: object) -> None:
    with pytest.raises(BadOption, match=r"from 0\.02 to 60"):
        gif([ball(1), ball(2)], seconds)  # type: ignore[arg-type]


def test_wrong_options_are_refused() -> None:
    with pytest.raises(BadOption, match="at least one"):
        gif([])
    with pytest.raises(BadOption, match="from 16 to 8192"):
        png(ball(1), 100_000)
    with pytest.raises(BadOption, match="light, dark, contrast"):
        png(ball(1), theme="blue")
    with pytest.raises(BadOption, match="picture='hello': must be an SVG with a viewBox"):
        png("hello")


def test_missing_packages_are_reported_with_the_extra_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert opened(png(ball(1), 64)).size == (64, 32)
    with pytest.raises(MissingExtra, match=r"quincunx\[image\]"):
        gif([ball(1)])
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingExtra, match=r"quincunx\[image\]"):
        png(ball(1))
