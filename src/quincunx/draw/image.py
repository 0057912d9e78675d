"""Positions as PNG (rendered by resvg) and as animated GIF (written by Pillow)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from quincunx.draw.palette import custom_properties
from quincunx.draw.scene import Scene
from quincunx.draw.svg import check_size, svg
from quincunx.errors import BadOption, MissingExtra

if TYPE_CHECKING:
    from PIL.Image import Image

    from quincunx.game import State

PALETTE_FRAMES = 8  # the colours of a GIF are chosen from at most this number of its frames
MIN_FRAME_SECONDS, MAX_FRAME_SECONDS = 0.02, 60.0


class FallbackFont(NamedTuple):
    """A font for texts whose own fonts are not installed; without one, resvg draws no text."""

    files: list[str] | None = None
    family: str | None = None


def png(
    picture: State | Scene | str, size: int = 720, theme: str = "light", marks: str = "faint"
) -> bytes:
    """Returns a position, scene or SVG as PNG; raises BadOption, MissingExtra.

    The longer side has `size` pixels. An SVG text has its own theme and marks; the auto theme is
    drawn as light.
    """
    with _fallback_font() as font:
        return _png(picture, size, theme, marks, font)


def gif(
    frames: Iterable[State | Scene],
    seconds: float | Sequence[float] = 0.8,
    size: int = 480,
    theme: str = "light",
    marks: str = "faint",
) -> bytes:
    """Returns positions or scenes as a GIF that loops forever; raises BadOption, MissingExtra.

    `seconds` is the duration of the frames: one number for all, or one for each. All frames are
    drawn in the same box, which contains every scene, so that the board does not jump.
    """
    image_module = _import_pillow()
    scenes = _with_common_box([_scene(frame) for frame in frames])
    durations_ms = _durations_ms(seconds, len(scenes))
    with _fallback_font() as font:
        pngs = [_png(scene, size, theme, marks, font) for scene in scenes]
    palette = _palette(pngs[:: -(-len(pngs) // PALETTE_FRAMES)])
    # Without dithering: flat areas stay flat, and frames differ only where something moved.
    no_dither = image_module.Dither.NONE
    images = [_decoded(data).quantize(palette=palette, dither=no_dither) for data in pngs]
    out = BytesIO()
    images[0].save(
        out,
        "GIF",
        save_all=True,
        append_images=images[1:],
        duration=durations_ms,
        loop=0,
        disposal=1,
    )
    return out.getvalue()


def _png(
    picture: State | Scene | str, size: int, theme: str, marks: str, font: FallbackFont
) -> bytes:
    try:
        from resvg_py import svg_to_bytes
    except ImportError as error:
        raise MissingExtra("image", "a PNG") from error
    check_size(size)
    if isinstance(picture, str):
        box = re.search(r'viewBox="\S+ \S+ (\S+) (\S+)"', picture)
        if not box:
            raise BadOption("picture", picture, "must be an SVG with a viewBox")
        pixels = int(size)
        width, height = (pixels, None) if float(box[1]) >= float(box[2]) else (None, pixels)
        text = picture
        for name, value in custom_properties("light").items():
            # resvg does not support custom properties.
            text = text.replace(f"var(--{name})", value)
    else:
        theme = "light" if theme == "auto" else theme
        text = svg(_scene(picture), theme, marks, size, title=False)
        width = height = None  # those of the SVG
    return bytes(
        svg_to_bytes(
            svg_string=text,
            width=width,
            height=height,
            font_files=font.files,
            sans_serif_family=font.family,
        )
    )


def _scene(picture: State | Scene) -> Scene:
    return picture if isinstance(picture, Scene) else picture.scene()


def _with_common_box(scenes: list[Scene]) -> list[Scene]:
    """Returns the scenes with the smallest box that contains all of them."""
    if not scenes:
        raise BadOption("frames", "none", "a GIF needs at least one position")
    x, y = min(s.x for s in scenes), min(s.y for s in scenes)
    w, h = max(s.x + s.w for s in scenes) - x, max(s.y + s.h for s in scenes) - y
    return [replace(scene, x=x, y=y, w=w, h=h) for scene in scenes]


def _durations_ms(seconds: float | Sequence[float], count: int) -> list[int]:
    """Returns the milliseconds of each frame, a multiple of 10 as the format requires."""
    each = [seconds] * count if isinstance(seconds, int | float) else list(seconds)
    shortest, longest = MIN_FRAME_SECONDS, MAX_FRAME_SECONDS
    if len(each) != count or not all(shortest <= duration <= longest for duration in each):
        allowed = f"from {shortest:g} to {longest:g}, one number or one for each of {count} frames"
        raise BadOption("seconds", seconds, f"must be {allowed}")
    return [round(duration * 100) * 10 for duration in each]


def _palette(pngs: list[bytes]) -> Image:
    """Returns an image whose palette fits all these pictures best."""
    image_module = _import_pillow()
    images = [_decoded(data) for data in pngs]
    width, height = images[0].size
    sheet = image_module.new("RGB", (width, height * len(images)))
    for i, image in enumerate(images):
        sheet.paste(image, (0, i * height))
    palette: Image = sheet.quantize(256, method=image_module.Quantize.MEDIANCUT, kmeans=2)
    return palette


def _decoded(data: bytes) -> Image:
    decoded: Image = _import_pillow().open(BytesIO(data)).convert("RGB")
    return decoded


def _import_pillow() -> ModuleType:
    try:
        from PIL import Image
    except ImportError as error:
        raise MissingExtra("image", "a GIF") from error
    return Image


@contextmanager
def _fallback_font() -> Iterator[FallbackFont]:
    """Yields the fallback font, so that labels are always drawn.

    If none of the fonts that an SVG names is installed, resvg draws no text at all. Pillow
    includes a font with Latin letters and digits, which is the fallback.
    """
    try:
        from PIL import ImageFont

        font = ImageFont.load_default(16)
        data, family = font.path.getvalue(), font.getname()[0]  # type: ignore[union-attr]
    except (ImportError, TypeError, AttributeError):
        yield FallbackFont()
        return
    with TemporaryDirectory() as directory:
        file = Path(directory, "font.ttf")
        file.write_bytes(data)
        yield FallbackFont([str(file)], family)
