"""Colours by name: the themes of background and board, and the piece colours with their marks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from quincunx.errors import BadOption

# Ink, quiet, accent, good and bad are text colours: their contrast to paper, board and shade is
# at least 4.5:1.
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
MARK_OPACITIES = {"strong": 0.92, "faint": 0.4, "none": 0.0}


@dataclass(frozen=True)
class Paint:
    """A piece colour: its fill, its rim, the colour of what is drawn on the fill, and its mark."""

    fill: str
    rim: str
    on: str
    mark: str


# The Okabe-Ito colours, which colour-blind people can distinguish, each with a mark for those who
# see no colours. Purple and magenta are one colour, named as the games name it; brown is not
# from the scheme.
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

# The piece colours of each theme, changed where one would not stand out from the board.
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
    """Returns the named colour of a theme as #rrggbb; raises BadOption if it is unknown."""
    if name in THEMES[theme]:
        return THEMES[theme][name]
    if name not in PIECES:
        raise BadOption("colour", name, f"must be one of {', '.join((*LIGHT, *PIECES))}")
    return THEME_PIECES[theme][name].fill


def paint(name: str, theme: str) -> Paint:
    """Returns the named piece colour of a theme; raises BadOption if it is unknown."""
    if name not in PIECES:
        raise BadOption("piece colour", name, f"must be one of {', '.join(PIECES)}")
    return THEME_PIECES[theme][name]


def custom_properties(theme: str) -> dict[str, str]:
    """Returns all colours of a theme by their CSS custom properties, written without --."""
    pieces = THEME_PIECES[theme]
    fills = {name: p.fill for name, p in pieces.items()}
    return {**THEMES[theme], **fills, **{f"{name}-rim": p.rim for name, p in pieces.items()}}


def css() -> str:
    """Returns the style sheet of the web client: custom properties for all themes and marks.

    The attributes `data-theme` and `data-marks` of the root element select them; without
    `data-theme`, the browser's preferences select the theme.
    """
    light, dark, contrast = (_declarations(theme) for theme in ("light", "dark", "contrast"))
    no_theme = ":root:not([data-theme])"
    rules = [
        f":root{{{light}--mark:{MARK_OPACITIES['faint']}}}",
        f"@media (prefers-color-scheme:dark){{{no_theme}{{{dark}}}}}",
        f"@media (prefers-contrast:more){{{no_theme}{{{contrast}}}}}",
        *(f'[data-theme="{name}"]{{{_declarations(name)}}}' for name in THEMES),
        *(f'[data-marks="{name}"]{{--mark:{value}}}' for name, value in MARK_OPACITIES.items()),
        ".mark{opacity:var(--mark)}",
    ]
    return "\n".join([*rules, ""])


def _declarations(theme: str) -> str:
    """Returns a theme's colours as CSS declarations.

    `edge` is drawn around cells in the theme that does not shade them.
    """
    colours = custom_properties(theme)
    colours |= {f"{name}-on": p.on for name, p in THEME_PIECES[theme].items()}
    colours["edge"] = colours["line"] if theme == "contrast" else "none"
    scheme = f"color-scheme:{'dark' if theme == 'dark' else 'light'};"
    return scheme + "".join(f"--{name}:{value};" for name, value in colours.items())


def mix(first: str, second: str, fraction: float) -> str:
    """Returns a colour between two as #rrggbb; fraction 0 is `first`, fraction 1 is `second`."""
    pairs = zip(rgb(first), rgb(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * fraction):02x}" for a, b in pairs)


def rgb(value: str) -> tuple[int, int, int]:
    """Returns red, green and blue of a #rrggbb colour, 0 to 255."""
    return int(value[1:3], 16), int(value[3:5], 16), int(value[5:7], 16)


def contrast(first: str, second: str) -> float:
    """Returns the WCAG contrast ratio of two #rrggbb colours, 1 to 21."""
    dark, light = sorted((_luminance(first), _luminance(second)))
    return (light + 0.05) / (dark + 0.05)


@cache
def _luminance(value: str) -> float:
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else float(((c + 0.055) / 1.055) ** 2.4)
        for c in (channel / 255 for channel in rgb(value))
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
