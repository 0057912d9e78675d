"""A scene as SVG: one string, the same for the same scene, with its colours inside."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from math import cos, hypot, pi, sin, sqrt

from quincunx.draw.palette import MARKS, PIECES, THEMES, colour, mix, paint, properties
from quincunx.draw.scene import Disc, Label, Line, Piece, Rect, Scene, Shape
from quincunx.errors import BadOption

SCALE = 48  # pixels to a cell where no size is asked for
SIZES = range(16, 8193)
FONT = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
FINISHES = ("flat", "soft", "glossy")
ANCHORS = ("start", "middle", "end")
# XML has no way to write these, not even escaped.
UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class SvgStyle:
    """How a picture is drawn: theme, opacity of the marks, and whether titles are written.

    On a page the style sheet of `palette.css` says what colours and marks style like.
    """

    theme: str
    marks: float
    titles: bool
    page: bool = False

    def colour(self, name: str) -> str:
        """A colour as it is written; in the auto theme a reference to a custom property."""
        known = colour(name, "light" if self.theme == "auto" else self.theme)
        return f"var(--{name})" if self.theme == "auto" else known

    def rim(self, name: str) -> str:
        """The rim of a piece colour as it is written."""
        return f"var(--{name}-rim)" if self.theme == "auto" else paint(name, self.theme).rim


PAGE = SvgStyle("auto", 1.0, titles=False, page=True)


def svg(
    scene: Scene,
    theme: str = "light",
    marks: str = "faint",
    size: int | None = None,
    title: bool = True,
) -> str:
    """The scene as SVG, its longer side `size` pixels; BadOption.

    The theme is light, dark, contrast, or auto (light or dark, as the viewer prefers); marks
    are strong, faint or none; without title no tooltips are written.
    """
    check_one_of("theme", theme, (*THEMES, "auto"))
    check_one_of("marks", marks, MARKS)
    check_one_of("title", title, (True, False))
    width, height = pixels(scene, size)
    style = SvgStyle(theme, MARKS[marks], title)
    box = (scene.x, scene.y, scene.w, scene.h)
    words = ". ".join(part.rstrip(".") for part in (scene.title, scene.status) if part)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="quincunx" role="img" '
        f'aria-label="{_text(words)}" viewBox="{" ".join(map(_px, box))}" '
        f'width="{width}" height="{height}" font-family="{FONT}">'
    ]
    if title:
        lines.append(f"<title>{_text(words)}</title>")
    if theme == "auto":
        lines.append(_properties())
    pieces = [shape for shape in scene.shapes if isinstance(shape, Piece)]
    lines += _gradients({(p.finish, p.colour) for p in pieces if p.finish != "flat"})
    lines.append(_shape(Rect(*box, "paper", role="paper"), style))
    lines += [_shape(shape, style) for shape in scene.shapes]
    return "\n".join([*lines, "</svg>", ""])


def fragment(shape: Shape) -> str:
    """The shape as one SVG element for a page that has the style sheet of `palette.css`."""
    return _shape(shape, PAGE)


@cache
def page_gradients() -> str:
    """The definitions that fragments refer to: every finish in every colour."""
    return "".join(_gradients((finish, name) for finish in FINISHES[1:] for name in PIECES))


def pixels(scene: Scene, size: int | None) -> tuple[int, int]:
    """Width and height of a picture whose longer side is `size`; BadOption."""
    if size is None:
        return round(scene.w * SCALE), round(scene.h * SCALE)
    check_size(size)
    longer = max(scene.w, scene.h)
    return max(1, round(size * scene.w / longer)), max(1, round(size * scene.h / longer))


def check_size(size: object) -> None:
    """Raises BadOption unless the size is a number of pixels that can be drawn."""
    if isinstance(size, bool) or not hasattr(size, "__index__") or size not in SIZES:
        raise BadOption("size", size, f"must be an integer from {SIZES[0]} to {SIZES[-1]}")


def check_one_of(name: str, value: object, allowed: Iterable[object]) -> None:
    """Raises BadOption, naming what is allowed, unless the value is one of it."""
    if not any(value is one or (value == one and type(value) is type(one)) for one in allowed):
        words = ", ".join(str(one).lower() if one in (True, False) else str(one) for one in allowed)
        raise BadOption(name, value, f"must be one of {words}")


def _properties() -> str:
    """The colours of the auto theme: light, and what differs for who prefers dark."""
    light, dark = properties("light"), properties("dark")
    base = "".join(f"--{name}:{value};" for name, value in light.items())
    other = "".join(f"--{name}:{dark[name]};" for name in light if dark[name] != light[name])
    return (
        f"<style>svg.quincunx{{{base}}}"
        f"@media (prefers-color-scheme: dark){{svg.quincunx{{{other}}}}}</style>"
    )


def _gradients(finishes: Iterable[tuple[str, str]]) -> list[str]:
    """One gradient for each finish and colour."""
    used = sorted(finishes)
    if not used:
        return []
    lines = ["<defs>"]
    for finish, name in used:
        check_one_of("finish", finish, FINISHES)
        fill, shade = paint(name, "light").fill, paint(name, "light").rim
        if finish == "soft":
            stops = [(0, mix(fill, "#ffffff", 0.42)), (0.55, fill), (1, mix(fill, shade, 0.25))]
        else:
            stops = [(0, mix(fill, "#ffffff", 0.3)), (0.5, fill), (1, mix(fill, shade, 0.8))]
        lines.append(
            f'<radialGradient id="{finish}-{name}" cx="0.5" cy="0.5" r="0.72" fx="0.34" fy="0.28">'
            + "".join(f'<stop offset="{_n(at)}" stop-color="{value}"/>' for at, value in stops)
            + "</radialGradient>"
        )
    if any(finish == "glossy" for finish, _ in used):
        lines.append(
            '<radialGradient id="gloss"><stop offset="0" stop-color="#ffffff" stop-opacity="0.85"/>'
            '<stop offset="1" stop-color="#ffffff" stop-opacity="0"/></radialGradient>'
        )
    return [*lines, "</defs>"]


def _shape(shape: Shape, style: SvgStyle) -> str:
    match shape:
        case Rect():
            return _rect(shape, style)
        case Disc():
            place = f'cx="{_px(shape.x)}" cy="{_px(shape.y)}" r="{_px(shape.r)}"'
            return _tag("circle", place + _paint(shape, style), shape, style)
        case Piece():
            return _piece(shape, style)
        case Line():
            return _line(shape, style)
        case Label():
            return _label(shape, style)


def _rect(rect: Rect, style: SvgStyle) -> str:
    place = f'x="{_px(rect.x)}" y="{_px(rect.y)}" width="{_px(rect.w)}" height="{_px(rect.h)}"'
    if rect.radius:
        place += f' rx="{_px(rect.radius)}"'
    solid = rect.role == "cell" or (rect.fill in PIECES and rect.opacity == 1)
    # Black on white knows no shades: what lies side by side is told by lines instead.
    if style.theme == "contrast" and solid:
        rect = replace(rect, stroke=rect.stroke or "line", width=max(rect.width, 0.02))
    elif style.page and solid and not rect.stroke:
        place += f' stroke="var(--edge)" stroke-width="{_px(0.02)}"'
    place += _paint(rect, style)
    if not rect.mark or not style.marks:
        return _tag("rect", place, rect, style)
    middle = (rect.x + rect.w / 2, rect.y + rect.h / 2)
    side = min(rect.w, rect.h)
    size = min(0.17 * side, 0.2 * sqrt(side))  # large blocks need no large marks
    # A block is a plain area, so its mark can be fainter than one on a small shining ball.
    shown = _mark(rect.mark, *middle, size, 0.7, style)
    return _tag("g", "", rect, style, f"<rect {place}/>{shown}")


def _piece(piece: Piece, style: SvgStyle) -> str:
    check_one_of("finish", piece.finish, FINISHES)
    flat = piece.finish == "flat"
    fill = style.colour(piece.colour) if flat else f"url(#{piece.finish}-{piece.colour})"
    width = piece.r * (0.09 if flat else 0.06)
    parts = (
        f'<circle r="{_px(piece.r - width / 2)}" fill="{fill}" '
        f'stroke="{style.rim(piece.colour)}" stroke-width="{_px(width)}"/>'
    )
    if style.marks:
        parts += _mark(piece.colour, 0, 0, piece.r * 0.4, 1.0, style)
    if piece.finish == "glossy":
        parts += (
            f'<ellipse cy="{_px(-0.56 * piece.r)}" rx="{_px(0.44 * piece.r)}" '
            f'ry="{_px(0.26 * piece.r)}" '
            f'transform="rotate(-32)" fill="url(#gloss)"/>'
        )
    return _tag("g", f'transform="translate({_px(piece.x)} {_px(piece.y)})"', piece, style, parts)


def _line(line: Line, style: SvgStyle) -> str:
    points, width = list(line.points), max(line.width, 0.001)
    pen = f' stroke-width="{_px(width)}" stroke-linecap="round" stroke-linejoin="round"'
    if line.dashed:
        pen += f' stroke-dasharray="{_px(0.1 + width)} {_px(0.08 + 2 * width)}"'
    stroke = style.colour(line.stroke) if line.stroke else "none"
    fill = style.colour(line.fill) if line.fill else "none"
    head = ""
    if line.arrow and len(points) > 1:
        tip, points[-1], wings = _head(points[-2], points[-1], width)
        head = f'<path d="{_path([tip, *wings], True)}" fill="{stroke}"/>'
    path = (
        f'd="{_path(points, line.closed)}" fill="{fill}" stroke="{stroke}"'
        f"{pen if line.stroke else ''}"
    )
    faint = f' opacity="{_n(line.opacity)}"' if line.opacity < 1 else ""
    if head:
        return _tag("g", faint.strip(), line, style, f"<path {path}/>{head}")
    return _tag("path", path + faint, line, style)


def _head(
    start: tuple[float, float], tip: tuple[float, float], width: float
) -> tuple[tuple[float, float], tuple[float, float], list[tuple[float, float]]]:
    """Tip, where the line ends inside the head, and the two wings, for a line of that width."""
    dx, dy = tip[0] - start[0], tip[1] - start[1]
    length = hypot(dx, dy) or 1.0
    dx, dy = dx / length, dy / length
    long = min(0.14 + 2.2 * width, 0.8 * length)
    wide = 0.55 * long
    bx, by = tip[0] - dx * long, tip[1] - dy * long
    # The line stops well inside the head, so that its round end shows on neither side.
    end = (tip[0] - dx * 0.8 * long, tip[1] - dy * 0.8 * long)
    return tip, end, [(bx - dy * wide, by + dx * wide), (bx + dy * wide, by - dx * wide)]


def _label(label: Label, style: SvgStyle) -> str:
    check_one_of("anchor", label.anchor, ANCHORS)
    # Capitals and digits stand 0.7 of the size high; half of it puts their middle on the point.
    place = f'x="{_px(label.x)}" y="{_px(label.y + 0.35 * label.size)}"'
    place += f' font-size="{_px(label.size)}" fill="{style.colour(label.fill)}"'
    if label.anchor != "start":
        place += f' text-anchor="{label.anchor}"'
    if label.bold:
        place += ' font-weight="600"'
    return _tag("text", place, label, style, _text(label.text))


def _mark(name: str, x: float, y: float, size: float, strength: float, style: SvgStyle) -> str:
    """The mark of a piece colour within a circle of that size; empty if the colour has none."""
    mark, ink = paint(name, "light").mark, paint(name, "light").on
    shown = _mark_shape(mark, ink, x, y, size, style.marks * strength)
    return f'<g class="mark">{shown}</g>' if style.page and shown else shown


def _mark_shape(mark: str, ink: str, x: float, y: float, size: float, opacity: float) -> str:
    solid, faint = f'fill="{ink}"', f'opacity="{_n(opacity)}"' if opacity < 1 else ""
    drawn = f'fill="none" stroke="{ink}" stroke-width="{_px(size * 0.42)}"'
    circle, a = f'<circle cx="{_px(x)}" cy="{_px(y)}"', size * 0.68

    def path(points: Iterable[tuple[float, float]]) -> str:
        corners = [(x + size * dx, y + size * dy) for dx, dy in points]
        return f'<path d="{_path(corners, True)}" {solid} {faint}/>'

    match mark:
        case "disc":
            return f'{circle} r="{_px(size * 0.66)}" {solid} {faint}/>'
        case "ring":
            return f'{circle} r="{_px(size * 0.66)}" {drawn} {faint}/>'
        case "triangle":
            return path(_star(3, 1.0, 0.5))
        case "square":
            return path(((-0.66, -0.66), (0.66, -0.66), (0.66, 0.66), (-0.66, 0.66)))
        case "diamond":
            return path(((0, -1), (0.78, 0), (0, 1), (-0.78, 0)))
        case "star":
            return path(_star(5, 1.06, 0.44))
        case "bar":
            return path(((-0.95, -0.3), (0.95, -0.3), (0.95, 0.3), (-0.95, 0.3)))
        case "cross":
            near, far = [(x + k, y + k) for k in (-a, a)], [(x + k, y - k) for k in (-a, a)]
            return f'<path d="{_path(near, False)}{_path(far, False)}" {drawn} {faint}/>'
    return ""


def _star(tips: int, outer: float, inner: float) -> list[tuple[float, float]]:
    """The corners of a star that points up; with inner half of outer, three tips are a triangle."""
    radii = (outer, inner) * tips
    turns = [pi * i / tips - pi / 2 for i in range(2 * tips)]
    return [(r * cos(a), r * sin(a)) for r, a in zip(radii, turns, strict=True)]


def _paint(shape: Rect | Disc, style: SvgStyle) -> str:
    pen = f' fill="{style.colour(shape.fill) if shape.fill else "none"}"'
    if shape.stroke:
        pen += f' stroke="{style.colour(shape.stroke)}" stroke-width="{_px(shape.width)}"'
    return pen + (f' opacity="{_n(shape.opacity)}"' if shape.opacity < 1 else "")


def _tag(name: str, attributes: str, shape: Shape, style: SvgStyle, inside: str = "") -> str:
    """An element with what every shape carries: class, names, title."""
    said = {"class": shape.role, "data-cell": shape.cell}
    said |= {"aria-label": shape.title} if style.page else {"data-id": shape.id}
    for key, value in said.items():
        if value:
            attributes += f' {key}="{_text(value)}"'
    if shape.title and style.titles:
        inside = f"<title>{_text(shape.title)}</title>{inside}"
    elif not shape.cell:
        # What has no name of its own lets clicks through to what lies below.
        attributes += ' pointer-events="none"'
    return (
        f"<{name} {attributes.strip()}>{inside}</{name}>" if inside else f"<{name} {attributes}/>"
    )


def _path(points: Iterable[tuple[float, float]], closed: bool) -> str:
    return "M" + "L".join(f"{_px(x)} {_px(y)}" for x, y in points) + ("Z" if closed else "")


def _px(cells: float) -> str:
    return _n(cells * SCALE)


def _n(value: float) -> str:
    """A number with at most two decimals, as short as it can be written."""
    short = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short


def _text(value: str) -> str:
    return escape(UNWRITABLE.sub("\ufffd", value))
