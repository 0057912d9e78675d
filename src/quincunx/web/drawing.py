"""Draws the files of pictures, within a budget. These functions are called in worker processes."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from quincunx.draw import picture
from quincunx.draw.scene import Scene, ViewOptions
from quincunx.errors import BadOption
from quincunx.game import Game, State
from quincunx.rooms.explore import PastPosition

# The time to draw a PNG grows with its pixels and its shapes: a full board of a thousand spheres
# would take seconds in 2,000 x 2,000 pixels.
MAX_PIXEL_SHAPES = 2_000_000_000

MAX_GIF_FRAMES = 150
MAX_GIF_SHAPES = 30_000  # in all frames together
GIF_PIXELS = 400
GIF_SECONDS = 30.0  # for drawing it
FRAME_SECONDS, LAST_FRAME_SECONDS = 0.8, 2.5


def draw_state(state: State, kind: str, flip: bool, theme: str, size: int) -> bytes:
    """Returns a position as the file of a picture; raises BadOption if it would take too long."""
    scene = state.scene(ViewOptions(flip=flip))
    shapes = max(1, len(scene.shapes))
    if kind == "png" and size * size * shapes > MAX_PIXEL_SHAPES:
        largest = isqrt(MAX_PIXEL_SHAPES // shapes)
        raise BadOption("size", size, f"at most {largest} for a picture with {shapes} shapes")
    theme = "light" if kind == "png" and theme == "auto" else theme
    if kind == "png":
        return picture(state, "png", flip=flip, theme=theme, size=size)
    return picture(state, "svg", flip=flip, theme=theme, size=size).encode()


def draw_past(past: PastPosition, kind: str, flip: bool, theme: str, size: int) -> bytes:
    """Returns a position of a room as the file of a picture."""
    return draw_state(past.state(), kind, flip, theme, size)


def draw_position(
    game: Game, position: str, seed: int, kind: str, flip: bool, theme: str, size: int
) -> bytes:
    """Returns a position, given as text, as the file of a picture; the start if it is empty."""
    state = game.read(position, seed) if position else game.start(seed)
    return draw_state(state, kind, flip, theme, size)


def draw_animation(
    past: PastPosition, actions: Sequence[tuple[int, int]], flip: bool, theme: str
) -> bytes:
    """Returns a game from a position on as GIF, given actions and their seats.

    Of a game with too many frames or shapes, it is the last part.
    """
    from quincunx.draw.image import gif

    states = [past.state()]
    for action, seat in actions:
        states.append(states[-1].apply(action, seat))
    scenes: list[Scene] = []
    shapes = 0
    for state in reversed(states[-MAX_GIF_FRAMES:]):
        scene = state.scene(ViewOptions(flip=flip))
        shapes += len(scene.shapes)
        if scenes and shapes > MAX_GIF_SHAPES:
            break
        scenes.append(scene)
    seconds = [FRAME_SECONDS] * (len(scenes) - 1) + [LAST_FRAME_SECONDS]
    theme = "light" if theme == "auto" else theme
    return gif(scenes[::-1], seconds=seconds, size=GIF_PIXELS, theme=theme)


def draw_guide_picture(game: Game, name: str) -> bytes:
    """Returns a picture of a game's guide as JSON, as shapes for a page to draw."""
    from quincunx.rooms.messages import dumps
    from quincunx.web.lessons import guide_picture

    return dumps(guide_picture(game.name, name)).encode()
