"""The colours, named once: themes for paper and board, and piece colours with their marks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from quincunx.errors import BadOption

# Ink, quiet, accent, good and bad are read as text: at least 4.5:1 on paper, board and shade.
LIGHT = {
    "paper": "#f6f4ee",
    "board": "#e9e4d8",
    "shade": "#e1dbcc",
    "line": "#cfc8b8",
    "ink": "#23262b",
    "quiet": "#5d6066",
    "accent": "#2b6490",
    "good": "#246c44",
    "bad": "#a24034",
}
DARK = {
    "paper": "#16181d",
    "board": "#23262d",
    "shade": "#292d35",
    "line": "#363a43",
    "ink": "#e8e6e1",
    "quiet": "#9aa0a8",
    "accent": "#6db3e8",
    "good": "#5fbf8a",
    "bad": "#e07a6c",
}
CONTRAST = {
    "paper": "#ffffff",
    "board": "#ffffff",
    "shade": "#ffffff",
    "line": "#000000",
    "ink": "#000000",
    "quiet": "#000000",
    "accent": "#2f6f9f",
    "good": "#2f6f9f",
    "bad": "#000000",
}
THEMES = {"light": LIGHT, "dark": DARK, "contrast": CONTRAST}
MARKS = {"strong": 0.92, "faint": 0.4, "none": 0.0}  # how opaque marks are


@dataclass(frozen=True)
class Paint:
    """A piece colour: its fill, its rim, the colour of what is drawn on it, and its mark."""

    fill: str
    rim: str
    on: str
    mark: str


# Okabe-Ito, told apart by everyone, with a mark each for those who see none of them.
# Games name colours in their own words; `brown` is the one that the scheme lacks.
PIECES = {
    "white": Paint("#fbfaf6", "#817b6e", "#23262b", ""),
    "black": Paint("#2a2d33", "#0c0d0f", "#f6f4ee", ""),
    "red": Paint("#d55e00", "#a34800", "#ffffff", "disc"),
    "cyan": Paint("#56b4e9", "#2b82b3", "#10384f", "triangle"),
    "green": Paint("#009e73", "#00714f", "#ffffff", "square"),
    "yellow": Paint("#f0e442", "#867e00", "#4a4500", "diamond"),
    "blue": Paint("#0072b2", "#004f7d", "#ffffff", "star"),
    "orange": Paint("#e69f00", "#a57100", "#4a3300", "cross"),
    "purple": Paint("#cc79a7", "#99507a", "#3d1029", "ring"),
    "magenta": Paint("#cc79a7", "#99507a", "#3d1029", "ring"),
    "brown": Paint("#8a5a2b", "#5e3b19", "#ffffff", "bar"),
}

# Where a theme paints a piece otherwise, so that none sinks into the board.
THEME_PIECES = {
    "light": PIECES,
    "dark": {
        **PIECES,
        "black": replace(PIECES["black"], fill="#07080a", rim="#8a909a"),
        "blue": replace(PIECES["blue"], rim="#3d9bd1"),
        "brown": replace(PIECES["brown"], rim="#b98a58"),
    },
    "contrast": {name: replace(paint, rim="#000000") for name, paint in PIECES.items()},
}


def colour(name: str, theme: str) -> str:
    """The colour of that name in a theme, as #rrggbb; BadOption if there is none."""
    if name in THEMES[theme]:
        return THEMES[theme][name]
    if name not in PIECES:
        raise BadOption("colour", name, f"must be one of {', '.join((*LIGHT, *PIECES))}")
    return THEME_PIECES[theme][name].fill


def paint(name: str, theme: str) -> Paint:
    """The piece colour of that name in a theme; BadOption if there is none."""
    if name not in PIECES:
        raise BadOption("piece colour", name, f"must be one of {', '.join(PIECES)}")
    return THEME_PIECES[theme][name]


def properties(theme: str) -> dict[str, str]:
    """All colours of a theme by the names of their CSS custom properties, without the dashes."""
    pieces = THEME_PIECES[theme]
    fills = {name: p.fill for name, p in pieces.items()}
    return {**THEMES[theme], **fills, **{f"{name}-rim": p.rim for name, p in pieces.items()}}


def css() -> str:
    """The colours as a style sheet for pages: custom properties for every theme and for marks.

    The root's `data-theme` and `data-marks` choose; without a theme, what the viewer prefers.
    """
    light, dark, contrast = (_declared(theme) for theme in ("light", "dark", "contrast"))
    unsaid = ":root:not([data-theme])"
    rules = [
        f":root{{{light}--mark:{MARKS['faint']}}}",
        f"@media (prefers-color-scheme:dark){{{unsaid}{{{dark}}}}}",
        f"@media (prefers-contrast:more){{{unsaid}{{{contrast}}}}}",
        *(f'[data-theme="{name}"]{{{_declared(name)}}}' for name in THEMES),
        *(f'[data-marks="{name}"]{{--mark:{value}}}' for name, value in MARKS.items()),
        ".mark{opacity:var(--mark)}",
    ]
    return "\n".join([*rules, ""])


def _declared(theme: str) -> str:
    """A theme's colours as declarations; `edge` is drawn around cells where shades do not tell."""
    colours = properties(theme)
    colours |= {f"{name}-on": p.on for name, p in THEME_PIECES[theme].items()}
    colours["edge"] = colours["line"] if theme == "contrast" else "none"
    scheme = f"color-scheme:{'dark' if theme == 'dark' else 'light'};"
    return scheme + "".join(f"--{name}:{value};" for name, value in colours.items())


def mix(one: str, other: str, part: float) -> str:
    """The colour between two, as #rrggbb: `one` for part 0, `other` for part 1."""
    pairs = zip(rgb(one), rgb(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in pairs)


def rgb(value: str) -> tuple[int, int, int]:
    """Red, green and blue of a #rrggbb colour, 0 to 255."""
    return int(value[1:3], 16), int(value[3:5], 16), int(value[5:7], 16)


def contrast(one: str, other: str) -> float:
    """How well two #rrggbb colours are told apart, 1 to 21, as WCAG counts it."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@cache
def _luminance(value: str) -> float:
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else float(((c + 0.055) / 1.055) ** 2.4)
        for c in (part / 255 for part in rgb(value))
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
