"""The ratings of a tournament as a picture: a dot for each player, a line for its interval."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from math import ceil, floor, log10

from quincunx.arena.ratings import IntervalEstimate
from quincunx.arena.report import headline
from quincunx.arena.results import Results
from quincunx.draw.palette import THEMES
from quincunx.draw.svg import FONT_FAMILY, INVALID_XML_CHARS, check_one_of

ROW, TOP, BOTTOM, MARGIN = 34, 64, 44, 24
PLOT, VALUE = 460, 70  # widths of the axis and of the figures behind it
LETTER = 7.4  # how wide a letter of a name is, about
LONGEST_NAME = 40


def svg(results: Results, theme: str = "light") -> str:
    """The picture as SVG; BadOption for an unknown theme."""
    check_one_of("theme", theme, THEMES)
    colours = THEMES[theme]
    names, ratings = results.plan.names, results.ratings
    rated = [(names[p], rating) for p, rating in enumerate(ratings) if rating]
    rated.sort(key=lambda pair: -pair[1].value)
    left = MARGIN + LETTER * min(LONGEST_NAME, max((len(n) for n, _ in rated), default=0)) + 16
    width, height = left + PLOT + VALUE + MARGIN, TOP + ROW * len(rated) + BOTTOM
    kind = results.rating_kind or "no ratings"
    lines = [
        *frame(width, height, f"{headline(results)}. {kind} with 95 % intervals", colours),
        label(MARGIN, 28, headline(results), colours["ink"], 'font-size="15" font-weight="600"'),
        label(MARGIN, 47, f"{kind}, with 95 % intervals", colours["quiet"]),
    ]
    if rated:
        ends = [end for _, rating in rated for end in (rating.low, rating.high)]
        low, high, step = round_scale(min(ends), max(ends))
        bottom = height - BOTTOM
        tick = low
        while tick <= high + step / 2:
            x = left + PLOT * (tick - low) / (high - low)
            lines.append(line(x, TOP, x, bottom, colours["line"], 1))
            lines.append(
                label(x, bottom + 18, f"{tick:,g}", colours["quiet"], 'text-anchor="middle"')
            )
            tick += step
        for i, (name, rating) in enumerate(rated):
            y = TOP + ROW * (i + 0.5)
            at = [left + PLOT * (v - low) / (high - low) for v in _figures(rating)]
            figure = f"{rating.value:+,.0f}" if kind == "Elo" else f"{rating.value:,.1f}"
            lines += [
                label(left - 16, y + 4.5, _short(name), colours["ink"], 'text-anchor="end"'),
                line(at[1], y, at[2], y, colours["accent"], 3),
                f'<circle cx="{at[0]:.1f}" cy="{y:g}" r="6" fill="{colours["accent"]}"/>',
                label(left + PLOT + 16, y + 4.5, figure, colours["ink"]),
            ]
    return "\n".join([*lines, "</svg>", ""])


def frame(width: float, height: float, title: str, colours: Mapping[str, str]) -> list[str]:
    """The beginning of a picture: its size, its title and its paper."""
    title = _text(title)
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="quincunx" role="img" '
        f'aria-label="{title}" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" font-family="{FONT_FAMILY}" font-size="13">',
        f"<title>{title}</title>",
        f'<rect width="{width:g}" height="{height:g}" fill="{colours["paper"]}"/>',
    ]


def round_scale(least: float, most: float) -> tuple[float, float, float]:
    """The ends of an axis and the distance of its ticks, round numbers all."""
    rough = max(most - least, 1e-3 * max(1.0, abs(most))) / 5
    unit: float = 10 ** floor(log10(rough))
    step = next(factor * unit for factor in (1, 2, 5, 10) if factor * unit >= rough)
    low, high = floor(least / step) * step, ceil(most / step) * step
    return low, (high if high > low else low + step), step


def _figures(rating: IntervalEstimate) -> tuple[float, float, float]:
    return rating.value, rating.low, rating.high


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


def label(x: float, y: float, text: str, fill: str, more: str = "") -> str:
    """A text at a point."""
    return f'<text x="{x:.1f}" y="{y:g}" fill="{fill}" {more}>{_text(text)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, stroke: str, width: float) -> str:
    """A straight line."""
    return (
        f'<line x1="{x1:.1f}" y1="{y1:g}" x2="{x2:.1f}" y2="{y2:g}" stroke="{stroke}" '
        f'stroke-width="{width:g}" stroke-linecap="round"/>'
    )


def _text(text: str) -> str:
    return escape(INVALID_XML_CHARS.sub("?", text))
