"""Charts as SVG: values with intervals, one row each, and a curve."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import count, takewhile
from math import ceil, floor, log10
from typing import NamedTuple

from quincunx.draw.palette import THEMES
from quincunx.draw.svg import FONT_FAMILY, INVALID_XML_CHARS, check_one_of

# All sizes in SVG units.
TITLE_BASELINE, SUBTITLE_BASELINE = 28, 47
TOP_MARGIN, BOTTOM_MARGIN, SIDE_MARGIN = 64, 44, 24
ROW_HEIGHT = 34
PLOT_WIDTH, VALUE_WIDTH = 460, 70  # of the rows, and of the numbers to their right
CHAR_WIDTH = 7.4  # of a name, on average
MAX_LABEL_CHARS = 40
CURVE_WIDTH, CURVE_HEIGHT, CURVE_LEFT_MARGIN = 640, 360, 72


class IntervalRow(NamedTuple):
    """A named value with the ends of its interval, and the value as text."""

    name: str
    value: float
    low: float
    high: float
    figure: str


def interval_chart(
    title: str, subtitle: str, rows: Sequence[IntervalRow], theme: str = "light"
) -> str:
    """Returns a chart with a dot and an interval for each row; raises BadOption for the theme."""
    check_one_of("theme", theme, THEMES)
    colours = THEMES[theme]
    name_chars = min(MAX_LABEL_CHARS, max((len(row.name) for row in rows), default=0))
    left = SIDE_MARGIN + CHAR_WIDTH * name_chars + 16
    bottom = TOP_MARGIN + ROW_HEIGHT * len(rows)
    width, height = left + PLOT_WIDTH + VALUE_WIDTH + SIDE_MARGIN, bottom + BOTTOM_MARGIN
    lines = _frame(width, height, SIDE_MARGIN, title, subtitle, colours)
    if rows:
        low, high, step = round_scale(min(row.low for row in rows), max(row.high for row in rows))

        def x_of(value: float) -> float:
            return left + PLOT_WIDTH * (value - low) / (high - low)

        for tick in _ticks(low, high, step):
            x = x_of(tick)
            lines.append(_line(x, TOP_MARGIN, x, bottom, colours["line"], 1))
            lines.append(_label(x, bottom + 18, f"{tick:,g}", colours["quiet"], "middle"))
        for i, row in enumerate(rows):
            y = TOP_MARGIN + ROW_HEIGHT * (i + 0.5)
            lines += [
                _label(left - 16, y + 4.5, _shorten(row.name), colours["ink"], "end"),
                _line(x_of(row.low), y, x_of(row.high), y, colours["accent"], 3),
                f'<circle cx="{x_of(row.value):.1f}" cy="{y:g}" r="6" fill="{colours["accent"]}"/>',
                _label(left + PLOT_WIDTH + 16, y + 4.5, row.figure, colours["ink"]),
            ]
    return "\n".join([*lines, "</svg>", ""])


def curve_chart(
    title: str, subtitle: str, values: Sequence[float], ends: tuple[str, str], theme: str = "light"
) -> str:
    """Returns a chart of a curve from left to right; raises BadOption for an unknown theme.

    `ends` are the labels of both ends of the horizontal axis. The vertical axis includes 0.
    """
    check_one_of("theme", theme, THEMES)
    colours = THEMES[theme]
    lines = _frame(CURVE_WIDTH, CURVE_HEIGHT, CURVE_LEFT_MARGIN, title, subtitle, colours)
    if values:
        low, high, step = round_scale(min(0.0, *values), max(0.0, *values))
        left, right = CURVE_LEFT_MARGIN, CURVE_WIDTH - SIDE_MARGIN
        bottom = CURVE_HEIGHT - BOTTOM_MARGIN

        def y_of(value: float) -> float:
            return bottom - (bottom - TOP_MARGIN) * (value - low) / (high - low)

        for tick in _ticks(low, high, step):
            y = y_of(tick)
            lines.append(_line(left, y, right, y, colours["line"], 1))
            lines.append(_label(left - 10, y + 4, f"{tick:,g}", colours["quiet"], "end"))
        lines.append(_label(left, bottom + 20, ends[0], colours["quiet"], "start"))
        lines.append(_label(right, bottom + 20, ends[1], colours["quiet"], "end"))
        points = " ".join(
            f"{left + (right - left) * i / len(values):.1f},{y_of(value):.1f}"
            for i, value in enumerate(values, 1)
        )
        lines.append(
            f'<polyline points="{points}" fill="none" stroke="{colours["accent"]}" '
            f'stroke-width="2.5" stroke-linejoin="round"/>'
        )
    return "\n".join([*lines, "</svg>", ""])


def round_scale(minimum: float, maximum: float) -> tuple[float, float, float]:
    """Returns both ends of an axis for these values and the distance of its ticks, all round."""
    rough = max(maximum - minimum, 1e-3 * max(1.0, abs(maximum))) / 5
    unit: float = 10 ** floor(log10(rough))
    step = next(factor * unit for factor in (1, 2, 5, 10) if factor * unit >= rough)
    low, high = floor(minimum / step) * step, ceil(maximum / step) * step
    return low, (high if high > low else low + step), step


def _ticks(low: float, high: float, step: float) -> Iterator[float]:
    return takewhile(lambda tick: tick <= high + step / 2, (low + i * step for i in count()))


def _frame(
    width: float,
    height: float,
    left: float,
    title: str,
    subtitle: str,
    colours: Mapping[str, str],
) -> list[str]:
    """Returns the start of a chart: the svg element, its background and its headings."""
    description = _escape(f"{title}. {subtitle}")
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="quincunx" role="img" '
        f'aria-label="{description}" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" font-family="{FONT_FAMILY}" font-size="13">',
        f"<title>{description}</title>",
        f'<rect width="{width:g}" height="{height:g}" fill="{colours["paper"]}"/>',
        f'<text x="{left:.1f}" y="{TITLE_BASELINE}" fill="{colours["ink"]}" '
        f'font-size="15" font-weight="600">{_escape(title)}</text>',
        _label(left, SUBTITLE_BASELINE, subtitle, colours["quiet"]),
    ]


def _label(x: float, y: float, text: str, fill: str, anchor: str = "start") -> str:
    """Returns a text element; the anchor says which of its ends is at x."""
    return (
        f'<text x="{x:.1f}" y="{y:g}" fill="{fill}" text-anchor="{anchor}">{_escape(text)}</text>'
    )


def _line(x1: float, y1: float, x2: float, y2: float, stroke: str, width: float) -> str:
    """Returns a line element."""
    return (
        f'<line x1="{x1:.1f}" y1="{y1:g}" x2="{x2:.1f}" y2="{y2:g}" stroke="{stroke}" '
        f'stroke-width="{width:g}" stroke-linecap="round"/>'
    )


def _shorten(name: str) -> str:
    return name if len(name) <= MAX_LABEL_CHARS else name[: MAX_LABEL_CHARS - 1] + "…"


def _escape(text: str) -> str:
    return escape(INVALID_XML_CHARS.sub("?", text))
