"""A scene as one self-contained SVG string; equal scenes give equal strings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from math import cos, hypot, pi, sin, sqrt

from quincunx.draw.palette import (
    MARK_OPACITIES,
    PIECES,
    THEMES,
    colour,
    custom_properties,
    mix,
    paint,
)
from quincunx.draw.scene import Disc, Label, Line, Piece, Rect, Scene, Shape
from quincunx.errors import BadOption

PIXELS_PER_CELL = 48  # if no size is given
ALLOWED_SIZES_PX = range(16, 8193)  # of the longer side
FONT_FAMILY = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
FINISHES = ("flat", "soft", "glossy")
ANCHORS = ("start", "middle", "end")
# XML cannot represent these, not even escaped.
INVALID_XML_CHARS = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class SvgStyle:
    """The style of a picture: theme, opacity of the marks, and whether titles are written.

    `page` is true for elements of a page whose style sheet, `palette.css`, has the colours.
    """

    theme: str
    mark_opacity: float
    titles: bool
    page: bool = False

    def colour(self, name: str) -> str:
        """Returns the value of a colour; in the auto theme, a reference to a custom property."""
        value = colour(name, "light" if self.theme == "auto" else self.theme)
        return f"var(--{name})" if self.theme == "auto" else value

    def rim(self, name: str) -> str:
        """Returns the value of the rim of a piece colour."""
        return f"var(--{name}-rim)" if self.theme == "auto" else paint(name, self.theme).rim


PAGE_STYLE = SvgStyle("auto", 1.0, titles=False, page=True)


def svg(
    scene: Scene,
    theme: str = "light",
    marks: str = "faint",
    size: int | None = None,
    title: bool = True,
) -> str:
    """Returns the scene as SVG, its longer side `size` pixels; raises BadOption.

    Without a size, a cell is PIXELS_PER_CELL pixels wide. The theme is light, dark, contrast, or
    auto (light or dark, as the viewer prefers); marks are strong, faint or none; without `title`,
    the SVG contains no title elements, which browsers show as tooltips.
    """
    check_one_of("theme", theme, (*THEMES, "auto"))
    check_one_of("marks", marks, MARK_OPACITIES)
    check_one_of("title", title, (True, False))
    width, height = picture_size_px(scene, size)
    style = SvgStyle(theme, MARK_OPACITIES[marks], title)
    box = (scene.x, scene.y, scene.w, scene.h)
    description = ". ".join(part.rstrip(".") for part in (scene.title, scene.status) if part)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="quincunx" role="img" '
        f'aria-label="{_escaped(description)}" viewBox="{" ".join(map(_px, box))}" '
        f'width="{width}" height="{height}" font-family="{FONT_FAMILY}">'
    ]
    if title:
        lines.append(f"<title>{_escaped(description)}</title>")
    if theme == "auto":
        lines.append(_style_element())
    pieces = [shape for shape in scene.shapes if isinstance(shape, Piece)]
    lines += _gradients({(p.finish, p.colour) for p in pieces if p.finish != "flat"})
    lines.append(_shape(Rect(*box, "paper", role="paper"), style))
    lines += [_shape(shape, style) for shape in scene.shapes]
    return "\n".join([*lines, "</svg>", ""])


def page_element(shape: Shape) -> str:
    """Returns the shape as one SVG element for a page with the style sheet of `palette.css`."""
    return _shape(shape, PAGE_STYLE)


@cache
def page_gradients() -> str:
    """Returns the gradients that page elements refer to: every finish in every colour."""
    return "".join(_gradients((finish, name) for finish in FINISHES[1:] for name in PIECES))


def picture_size_px(scene: Scene, size: int | None) -> tuple[int, int]:
    """Returns the width and height of a picture whose longer side is `size`; raises BadOption."""
    if size is None:
        return round(scene.w * PIXELS_PER_CELL), round(scene.h * PIXELS_PER_CELL)
    check_size(size)
    longer = max(scene.w, scene.h)
    return max(1, round(size * scene.w / longer)), max(1, round(size * scene.h / longer))


def check_size(size: object) -> None:
    """Raises BadOption unless the size is an allowed number of pixels."""
    if isinstance(size, bool) or not hasattr(size, "__index__") or size not in ALLOWED_SIZES_PX:
        first, last = ALLOWED_SIZES_PX[0], ALLOWED_SIZES_PX[-1]
        raise BadOption("size", size, f"must be an integer from {first} to {last}")


def check_one_of(name: str, value: object, allowed: Iterable[object]) -> None:
    """Raises BadOption, which lists the allowed values, unless the value is one of them."""
    if not any(value is a or (value == a and type(value) is type(a)) for a in allowed):
        values = ", ".join(str(a).lower() if a in (True, False) else str(a) for a in allowed)
        raise BadOption(name, value, f"must be one of {values}")


def _style_element() -> str:
    """Returns the style element of the auto theme: light colours, and dark ones that differ."""
    light, dark = custom_properties("light"), custom_properties("dark")
    light_colours = "".join(f"--{name}:{value};" for name, value in light.items())
    dark_changes = "".join(f"--{name}:{dark[name]};" for name in light if dark[name] != light[name])
    return (
        f"<style>svg.quincunx{{{light_colours}}}"
        f"@media (prefers-color-scheme: dark){{svg.quincunx{{{dark_changes}}}}}</style>"
    )


def _gradients(finishes: Iterable[tuple[str, str]]) -> list[str]:
    """Returns the lines that define one gradient for each finish and colour."""
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
            + "".join(
                f'<stop offset="{_number(offset)}" stop-color="{value}"/>'
                for offset, value in stops
            )
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
            position = f'cx="{_px(shape.x)}" cy="{_px(shape.y)}" r="{_px(shape.r)}"'
            return _tag("circle", position + _fill_and_stroke(shape, style), shape, style)
        case Piece():
            return _piece(shape, style)
        case Line():
            return _line(shape, style)
        case Label():
            return _label(shape, style)


def _rect(rect: Rect, style: SvgStyle) -> str:
    attributes = f'x="{_px(rect.x)}" y="{_px(rect.y)}" width="{_px(rect.w)}" height="{_px(rect.h)}"'
    if rect.radius:
        attributes += f' rx="{_px(rect.radius)}"'
    solid = rect.role == "cell" or (rect.fill in PIECES and rect.opacity == 1)
    # The contrast theme has no shades: lines separate adjacent areas instead.
    if style.theme == "contrast" and solid:
        stroke_width = max(rect.stroke_width, 0.02)
        rect = replace(rect, stroke=rect.stroke or "line", stroke_width=stroke_width)
    elif style.page and solid and not rect.stroke:
        attributes += f' stroke="var(--edge)" stroke-width="{_px(0.02)}"'
    attributes += _fill_and_stroke(rect, style)
    if not rect.mark or not style.mark_opacity:
        return _tag("rect", attributes, rect, style)
    middle = (rect.x + rect.w / 2, rect.y + rect.h / 2)
    side = min(rect.w, rect.h)
    size = min(0.17 * side, 0.2 * sqrt(side))  # marks grow more slowly than blocks
    # A block is a plain area, so its mark can be fainter than the one on a small glossy ball.
    mark = _mark(rect.mark, *middle, size, 0.7, style)
    return _tag("g", "", rect, style, f"<rect {attributes}/>{mark}")


def _piece(piece: Piece, style: SvgStyle) -> str:
    check_one_of("finish", piece.finish, FINISHES)
    flat = piece.finish == "flat"
    fill = style.colour(piece.colour) if flat else f"url(#{piece.finish}-{piece.colour})"
    rim_width = piece.r * (0.09 if flat else 0.06)
    content = (
        f'<circle r="{_px(piece.r - rim_width / 2)}" fill="{fill}" '
        f'stroke="{style.rim(piece.colour)}" stroke-width="{_px(rim_width)}"/>'
    )
    if style.mark_opacity:
        content += _mark(piece.colour, 0, 0, piece.r * 0.4, 1.0, style)
    if piece.finish == "glossy":
        content += (
            f'<ellipse cy="{_px(-0.56 * piece.r)}" rx="{_px(0.44 * piece.r)}" '
            f'ry="{_px(0.26 * piece.r)}" '
            f'transform="rotate(-32)" fill="url(#gloss)"/>'
        )
    return _tag("g", f'transform="translate({_px(piece.x)} {_px(piece.y)})"', piece, style, content)


def _line(line: Line, style: SvgStyle) -> str:
    points, width = list(line.points), max(line.stroke_width, 0.001)
    stroke_attributes = (
        f' stroke-width="{_px(width)}" stroke-linecap="round" stroke-linejoin="round"'
    )
    if line.dashed:
        stroke_attributes += f' stroke-dasharray="{_px(0.1 + width)} {_px(0.08 + 2 * width)}"'
    stroke = style.colour(line.stroke) if line.stroke else "none"
    fill = style.colour(line.fill) if line.fill else "none"
    arrow_head = ""
    if line.arrow and len(points) > 1:
        tip, points[-1], wings = _arrow_head(points[-2], points[-1], width)
        arrow_head = f'<path d="{_path([tip, *wings], True)}" fill="{stroke}"/>'
    path = (
        f'd="{_path(points, line.closed)}" fill="{fill}" stroke="{stroke}"'
        f"{stroke_attributes if line.stroke else ''}"
    )
    opacity = f' opacity="{_number(line.opacity)}"' if line.opacity < 1 else ""
    if arrow_head:
        return _tag("g", opacity.strip(), line, style, f"<path {path}/>{arrow_head}")
    return _tag("path", path + opacity, line, style)


def _arrow_head(
    start: tuple[float, float], tip: tuple[float, float], width: float
) -> tuple[tuple[float, float], tuple[float, float], list[tuple[float, float]]]:
    """Returns the tip, the point inside the head where the line ends, and the two wings."""
    dx, dy = tip[0] - start[0], tip[1] - start[1]
    length = hypot(dx, dy) or 1.0
    dx, dy = dx / length, dy / length
    head_length = min(0.14 + 2.2 * width, 0.8 * length)
    half_width = 0.55 * head_length
    base_x, base_y = tip[0] - dx * head_length, tip[1] - dy * head_length
    # The line stops well inside the head, so that its round end is not visible.
    end = (tip[0] - dx * 0.8 * head_length, tip[1] - dy * 0.8 * head_length)
    side_x, side_y = -dy * half_width, dx * half_width
    wings = [(base_x + side_x, base_y + side_y), (base_x - side_x, base_y - side_y)]
    return tip, end, wings


def _label(label: Label, style: SvgStyle) -> str:
    check_one_of("anchor", label.anchor, ANCHORS)
    # Capitals and digits are 0.7 of the font size high: half of that centres them on the point.
    attributes = f'x="{_px(label.x)}" y="{_px(label.y + 0.35 * label.size)}"'
    attributes += f' font-size="{_px(label.size)}" fill="{style.colour(label.fill)}"'
    if label.anchor != "start":
        attributes += f' text-anchor="{label.anchor}"'
    if label.bold:
        attributes += ' font-weight="600"'
    return _tag("text", attributes, label, style, _escaped(label.text))


def _mark(
    name: str, x: float, y: float, size: float, opacity_factor: float, style: SvgStyle
) -> str:
    """Returns the mark of a piece colour in a circle of radius `size`; empty if it has none."""
    mark, ink = paint(name, "light").mark, paint(name, "light").on
    drawn = _mark_shape(mark, ink, x, y, size, style.mark_opacity * opacity_factor)
    return f'<g class="mark">{drawn}</g>' if style.page and drawn else drawn


def _mark_shape(mark: str, ink: str, x: float, y: float, size: float, opacity: float) -> str:
    filled = f'fill="{ink}"'
    opacity_attribute = f'opacity="{_number(opacity)}"' if opacity < 1 else ""
    outline = f'fill="none" stroke="{ink}" stroke-width="{_px(size * 0.42)}"'
    circle, arm = f'<circle cx="{_px(x)}" cy="{_px(y)}"', size * 0.68

    def path(points: Iterable[tuple[float, float]]) -> str:
        corners = [(x + size * dx, y + size * dy) for dx, dy in points]
        return f'<path d="{_path(corners, True)}" {filled} {opacity_attribute}/>'

    match mark:
        case "disc":
            return f'{circle} r="{_px(size * 0.66)}" {filled} {opacity_attribute}/>'
        case "ring":
            return f'{circle} r="{_px(size * 0.66)}" {outline} {opacity_attribute}/>'
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
            down = [(x + k, y + k) for k in (-arm, arm)]
            up = [(x + k, y - k) for k in (-arm, arm)]
            return (
                f'<path d="{_path(down, False)}{_path(up, False)}" {outline} {opacity_attribute}/>'
            )
    return ""


def _star(tips: int, outer: float, inner: float) -> list[tuple[float, float]]:
    """Returns the corners of a star; with 3 tips and `inner` half of `outer`, a triangle."""
    radii = (outer, inner) * tips
    angles = [pi * i / tips - pi / 2 for i in range(2 * tips)]
    return [(r * cos(a), r * sin(a)) for r, a in zip(radii, angles, strict=True)]


def _fill_and_stroke(shape: Rect | Disc, style: SvgStyle) -> str:
    """Returns the attributes fill, stroke and opacity."""
    attributes = f' fill="{style.colour(shape.fill) if shape.fill else "none"}"'
    if shape.stroke:
        attributes += (
            f' stroke="{style.colour(shape.stroke)}" stroke-width="{_px(shape.stroke_width)}"'
        )
    return attributes + (f' opacity="{_number(shape.opacity)}"' if shape.opacity < 1 else "")


def _tag(name: str, attributes: str, shape: Shape, style: SvgStyle, content: str = "") -> str:
    """Returns an element with the attributes that all shapes have: class, name, id and title."""
    common = {"class": shape.role, "data-cell": shape.cell}
    common |= {"aria-label": shape.title} if style.page else {"data-id": shape.id}
    for key, value in common.items():
        if value:
            attributes += f' {key}="{_escaped(value)}"'
    if shape.title and style.titles:
        content = f"<title>{_escaped(shape.title)}</title>{content}"
    elif not shape.cell:
        # A shape with neither a name nor a tooltip lets clicks through to the shapes below.
        attributes += ' pointer-events="none"'
    if content:
        return f"<{name} {attributes.strip()}>{content}</{name}>"
    return f"<{name} {attributes}/>"


def _path(points: Iterable[tuple[float, float]], closed: bool) -> str:
    """Returns the path data (attribute d) of a line through points."""
    return "M" + "L".join(f"{_px(x)} {_px(y)}" for x, y in points) + ("Z" if closed else "")


def _px(cells: float) -> str:
    """Returns a length in cells as a number of pixels, as text."""
    return _number(cells * PIXELS_PER_CELL)


def _number(value: float) -> str:
    """Returns a number with at most two decimals, as short as possible."""
    short = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short


def _escaped(value: str) -> str:
    return escape(INVALID_XML_CHARS.sub("\ufffd", value))
