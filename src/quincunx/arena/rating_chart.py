"""The ratings of a tournament as an SVG chart: a dot and an interval for each player."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from math import ceil, floor, log10

from quincunx.arena.report import headline
from quincunx.arena.results import Results
from quincunx.draw.palette import THEMES
from quincunx.draw.svg import FONT_FAMILY, INVALID_XML_CHARS, check_one_of

# All sizes in SVG units.
PLAYER_HEIGHT, TOP_MARGIN, BOTTOM_MARGIN, SIDE_MARGIN = 34, 64, 44, 24
PLOT_WIDTH, VALUE_WIDTH = 460, 70  # of the plot, and of the numbers to its right
CHAR_WIDTH = 7.4  # of a name, on average
MAX_LABEL_CHARS = 40


def svg(results: Results, theme: str = "light") -> str:
    """Returns the chart; raises BadOption for an unknown theme."""
    check_one_of("theme", theme, THEMES)
    colours = THEMES[theme]
    names, ratings = results.plan.names, results.ratings
    rated = [(names[p], rating) for p, rating in enumerate(ratings) if rating]
    rated.sort(key=lambda pair: -pair[1].value)
    name_chars = min(MAX_LABEL_CHARS, max((len(n) for n, _ in rated), default=0))
    left = SIDE_MARGIN + CHAR_WIDTH * name_chars + 16
    width = left + PLOT_WIDTH + VALUE_WIDTH + SIDE_MARGIN
    height = TOP_MARGIN + PLAYER_HEIGHT * len(rated) + BOTTOM_MARGIN
    kind = results.rating_kind or "no ratings"
    lines = [
        *frame(width, height, f"{headline(results)}. {kind} with 95 % intervals", colours),
        label(
            SIDE_MARGIN, 28, headline(results), colours["ink"], 'font-size="15" font-weight="600"'
        ),
        label(SIDE_MARGIN, 47, f"{kind}, with 95 % intervals", colours["quiet"]),
    ]
    if rated:
        ends = [end for _, rating in rated for end in (rating.low, rating.high)]
        low, high, step = round_scale(min(ends), max(ends))
        bottom = height - BOTTOM_MARGIN
        tick = low
        while tick <= high + step / 2:
            x = left + PLOT_WIDTH * (tick - low) / (high - low)
            lines.append(line(x, TOP_MARGIN, x, bottom, colours["line"], 1))
            lines.append(
                label(x, bottom + 18, f"{tick:,g}", colours["quiet"], 'text-anchor="middle"')
            )
            tick += step
        for i, (name, rating) in enumerate(rated):
            y = TOP_MARGIN + PLAYER_HEIGHT * (i + 0.5)
            x, x_low, x_high = (
                left + PLOT_WIDTH * (value - low) / (high - low)
                for value in (rating.value, rating.low, rating.high)
            )
            figure = f"{rating.value:+,.0f}" if kind == "Elo" else f"{rating.value:,.1f}"
            lines += [
                label(left - 16, y + 4.5, _shorten(name), colours["ink"], 'text-anchor="end"'),
                line(x_low, y, x_high, y, colours["accent"], 3),
                f'<circle cx="{x:.1f}" cy="{y:g}" r="6" fill="{colours["accent"]}"/>',
                label(left + PLOT_WIDTH + 16, y + 4.5, figure, colours["ink"]),
            ]
    return "\n".join([*lines, "</svg>", ""])


def frame(width: float, height: float, title: str, colours: Mapping[str, str]) -> list[str]:
    """Returns the start of a chart: the svg element, its title and its background."""
    title = _escape(title)
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="quincunx" role="img" '
        f'aria-label="{title}" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" font-family="{FONT_FAMILY}" font-size="13">',
        f"<title>{title}</title>",
        f'<rect width="{width:g}" height="{height:g}" fill="{colours["paper"]}"/>',
    ]


def round_scale(minimum: float, maximum: float) -> tuple[float, float, float]:
    """Returns both ends of an axis for these values and the distance of its ticks, all round."""
    rough = max(maximum - minimum, 1e-3 * max(1.0, abs(maximum))) / 5
    unit: float = 10 ** floor(log10(rough))
    step = next(factor * unit for factor in (1, 2, 5, 10) if factor * unit >= rough)
    low, high = floor(minimum / step) * step, ceil(maximum / step) * step
    return low, (high if high > low else low + step), step


def _shorten(name: str) -> str:
    return name if len(name) <= MAX_LABEL_CHARS else name[: MAX_LABEL_CHARS - 1] + "…"


def label(x: float, y: float, text: str, fill: str, attributes: str = "") -> str:
    """Returns a text element."""
    return f'<text x="{x:.1f}" y="{y:g}" fill="{fill}" {attributes}>{_escape(text)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, stroke: str, width: float) -> str:
    """Returns a line element."""
    return (
        f'<line x1="{x1:.1f}" y1="{y1:g}" x2="{x2:.1f}" y2="{y2:g}" stroke="{stroke}" '
        f'stroke-width="{width:g}" stroke-linecap="round"/>'
    )


def _escape(text: str) -> str:
    return escape(INVALID_XML_CHARS.sub("?", text))
