"""Pictures made of pixels: PNG by resvg, GIF by Pillow."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from quincunx.draw.palette import properties
from quincunx.draw.scene import Scene
from quincunx.draw.svg import check_size, svg
from quincunx.errors import BadOption, MissingExtra

if TYPE_CHECKING:
    from PIL.Image import Image

    from quincunx.game import State

SAMPLES = 8  # frames that a GIF's palette is taken from
LONGEST = 60.0  # seconds that a frame can be asked to stand


def png(
    picture: State | Scene | str, size: int = 720, theme: str = "light", marks: str = "faint"
) -> bytes:
    """A position, scene or SVG as PNG, its longer side `size` pixels; BadOption, MissingExtra.

    An SVG keeps its own theme and marks; a picture of the auto theme is drawn light.
    """
    with _font() as font:
        return _png(picture, size, theme, marks, font)


def gif(
    frames: Iterable[State | Scene],
    seconds: float | Sequence[float] = 0.8,
    size: int = 480,
    theme: str = "light",
    marks: str = "faint",
) -> bytes:
    """Positions or scenes as a GIF that repeats for ever; BadOption, MissingExtra.

    `seconds` is how long each frame stands, one number for all or one for each. All frames
    are drawn in one box that holds every scene, so that nothing jumps.
    """
    image = _pillow()
    scenes = _in_one_box([_scene(frame) for frame in frames])
    times = _times(seconds, len(scenes))
    with _font() as font:
        drawn = [_png(scene, size, theme, marks, font) for scene in scenes]
    palette = _palette(drawn[:: -(-len(drawn) // SAMPLES)])
    # Without dithering: flat areas stay flat, and frames differ only where something moved.
    none = image.Dither.NONE
    pages = [_decoded(frame).quantize(palette=palette, dither=none) for frame in drawn]
    out = BytesIO()
    pages[0].save(
        out, "GIF", save_all=True, append_images=pages[1:], duration=times, loop=0, disposal=1
    )
    return out.getvalue()


def _png(
    picture: State | Scene | str, size: int, theme: str, marks: str, font: dict[str, Any]
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
        longer = "width" if float(box[1]) >= float(box[2]) else "height"
        text = picture
        for name, value in properties("light").items():
            # resvg knows no custom properties.
            text = text.replace(f"var(--{name})", value)
        font = {**font, longer: int(size)}
    else:
        theme = "light" if theme == "auto" else theme
        text = svg(_scene(picture), theme, marks, size, title=False)
    drawn: bytes = svg_to_bytes(svg_string=text, **font)
    return drawn


def _scene(picture: State | Scene) -> Scene:
    return picture if isinstance(picture, Scene) else picture.scene()


def _in_one_box(scenes: list[Scene]) -> list[Scene]:
    """The scenes with the smallest box that holds the box of each."""
    if not scenes:
        raise BadOption("frames", "none", "a GIF needs at least one position")
    x, y = min(s.x for s in scenes), min(s.y for s in scenes)
    w, h = max(s.x + s.w for s in scenes) - x, max(s.y + s.h for s in scenes) - y
    return [replace(scene, x=x, y=y, w=w, h=h) for scene in scenes]


def _times(seconds: float | Sequence[float], count: int) -> list[int]:
    """Milliseconds for each frame, in the hundredths of a second that a GIF counts in."""
    each = [seconds] * count if isinstance(seconds, int | float) else list(seconds)
    if len(each) != count or not all(0.02 <= one <= LONGEST for one in each):
        allowed = f"must be from 0.02 to {LONGEST:g}, one number or one for each of {count} frames"
        raise BadOption("seconds", seconds, allowed)
    return [round(one * 100) * 10 for one in each]


def _palette(frames: list[bytes]) -> Image:
    """An image with the colours that serve all these frames best."""
    image = _pillow()
    images = [_decoded(frame) for frame in frames]
    width, height = images[0].size
    sheet = image.new("RGB", (width, height * len(images)))
    for i, one in enumerate(images):
        sheet.paste(one, (0, i * height))
    palette: Image = sheet.quantize(256, method=image.Quantize.MEDIANCUT, kmeans=2)
    return palette


def _decoded(data: bytes) -> Image:
    decoded: Image = _pillow().open(BytesIO(data)).convert("RGB")
    return decoded


def _pillow() -> Any:
    try:
        from PIL import Image
    except ImportError as error:
        raise MissingExtra("image", "a GIF") from error
    return Image


@contextmanager
def _font() -> Iterator[dict[str, Any]]:
    """What resvg is told about fonts, so that labels never vanish.

    Where none of the fonts that a picture asks for is installed, resvg draws no text at all.
    Pillow carries a font of its own with Latin letters and digits: it stands in.
    """
    try:
        from PIL import ImageFont

        font = ImageFont.load_default(16)
        data, family = font.path.getvalue(), font.getname()[0]  # type: ignore[union-attr]
    except (ImportError, TypeError, AttributeError):
        yield {}
        return
    with TemporaryDirectory() as folder:
        file = Path(folder, "font.ttf")
        file.write_bytes(data)
        yield {"font_files": [str(file)], "sans_serif_family": family}
