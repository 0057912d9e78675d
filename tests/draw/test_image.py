"""Pictures of pixels: the right size, nothing missing, nothing that jumps."""

import sys
from dataclasses import replace
from io import BytesIO

import pytest

from quincunx.draw import palette, picture
from quincunx.draw.image import _font, gif, png
from quincunx.draw.scene import Label, Piece, Scene
from quincunx.draw.svg import svg
from quincunx.errors import BadOption, MissingExtra
from quincunx.registry import game
from tests.draw.test_svg import everything

image = pytest.importorskip("PIL.Image")
resvg = pytest.importorskip("resvg_py")


def opened(data: bytes):
    return image.open(BytesIO(data))


def ball(at: float, colour: str = "red", **box: float) -> Scene:
    return replace(Scene(0, 0, 4, 2, (Piece(at, 1, colour),), "Ball"), **box)


def near(colour, wanted: str) -> bool:
    return all(abs(a - b) <= 6 for a, b in zip(colour, palette.rgb(wanted), strict=False))


@pytest.mark.parametrize("theme", [*palette.THEMES, "auto"])
def test_a_png_has_its_size_and_its_paper(theme: str) -> None:
    drawn = opened(png(everything(), 230, theme))
    assert (drawn.format, drawn.size) == ("PNG", (230, 130))
    paper = palette.THEMES["light" if theme == "auto" else theme]["paper"]
    assert near(drawn.getpixel((1, 1)), paper)


def test_a_png_of_a_position_and_of_an_svg() -> None:
    state = game("quorum").start()
    assert png(state, 200) == png(state.scene(), 200) == picture(state, "png", size=200)
    assert opened(png(state.svg(theme="dark"), 200)).size == (200, 200)
    light, auto = (opened(png(svg(everything(), theme), 200)) for theme in ("light", "auto"))
    assert light.tobytes() == auto.tobytes()


def test_labels_are_drawn_where_no_font_is_installed() -> None:
    text = svg(Scene(0, 0, 2, 1, (Label(1, 0.5, "a1", fill="ink"),), ""), size=100)
    with _font() as font:
        drawn = opened(resvg.svg_to_bytes(svg_string=text, skip_system_fonts=True, **font))
    assert len(drawn.convert("RGB").getcolors(10000)) > 5


def test_a_gif_has_a_frame_for_each_position_and_repeats() -> None:
    moved = opened(gif([ball(1), ball(2), ball(3, "blue")], 0.25, 120))
    assert (moved.format, moved.n_frames, moved.size) == ("GIF", 3, (120, 60))
    assert moved.info["loop"] == 0
    for frame, x, colour in ((0, 30, "red"), (1, 60, "red"), (2, 90, "blue")):
        moved.seek(frame)
        assert moved.info["duration"] == 250
        # Left of the middle, beside the mark.
        assert near(moved.convert("RGB").getpixel((x - 8, 30)), palette.PIECES[colour].fill)


def test_frames_share_one_box_so_that_nothing_jumps() -> None:
    moved = opened(gif([ball(1), ball(1, x=-2, w=6)], size=120))
    assert (moved.n_frames, moved.size) == (1, (120, 40))


def test_flat_areas_stay_flat() -> None:
    states = [game("quorum").start()]
    for move in ("a1e3", "h8d6", "place"):
        states.append(states[-1].play(move))
    moved = opened(gif(states, size=160))
    for frame in range(moved.n_frames):
        moved.seek(frame)
        drawn = moved.convert("RGB")
        assert near(drawn.getpixel((0, 0)), palette.LIGHT["paper"])
        assert len({drawn.getpixel((x, 0)) for x in range(160)}) == 1


def test_each_frame_can_have_its_time() -> None:
    moved = opened(gif([ball(1), ball(2)], [0.1, 2], 64))
    times = []
    for frame in range(2):
        moved.seek(frame)
        times.append(moved.info["duration"])
    assert times == [100, 2000]


@pytest.mark.parametrize("seconds", [0, -1, 61, float("nan"), [1], [1, 1, 1], "fast"])
def test_wrong_times_are_refused(seconds: object) -> None:
    with pytest.raises(BadOption, match=r"from 0\.02 to 60"):
        gif([ball(1), ball(2)], seconds)  # type: ignore[arg-type]


def test_wrong_options_are_refused() -> None:
    with pytest.raises(BadOption, match="at least one"):
        gif([])
    with pytest.raises(BadOption, match="from 16 to 8192"):
        png(ball(1), 100_000)
    with pytest.raises(BadOption, match="light, dark, contrast"):
        png(ball(1), theme="blue")
    with pytest.raises(BadOption, match="SVG"):
        png("hello")


def test_without_the_packages_one_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert opened(png(ball(1), 64)).size == (64, 32)
    with pytest.raises(MissingExtra, match=r"quincunx\[image\]"):
        gif([ball(1)])
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingExtra, match=r"quincunx\[image\]"):
        png(ball(1))
