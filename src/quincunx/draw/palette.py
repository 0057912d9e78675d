"""The colours, named once: themes for paper and board, and piece colours with their marks."""

from __future__ import annotations

from dataclasses import dataclass

LIGHT = {
    "paper": "#f6f4ee",
    "board": "#e9e4d8",
    "shade": "#e1dbcc",
    "line": "#cfc8b8",
    "ink": "#23262b",
    "quiet": "#6b6f76",
    "accent": "#2f6f9f",
    "good": "#2e8b57",
    "bad": "#b5483a",
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
    "white": Paint("#fbfaf6", "#8f8a7e", "#23262b", ""),
    "black": Paint("#2a2d33", "#0c0d0f", "#f6f4ee", ""),
    "red": Paint("#d55e00", "#a34800", "#ffffff", "disc"),
    "cyan": Paint("#56b4e9", "#2e86b8", "#10384f", "triangle"),
    "green": Paint("#009e73", "#00714f", "#ffffff", "square"),
    "yellow": Paint("#f0e442", "#b8ad1c", "#4a4500", "diamond"),
    "blue": Paint("#0072b2", "#004f7d", "#ffffff", "star"),
    "orange": Paint("#e69f00", "#ad7700", "#4a3300", "cross"),
    "purple": Paint("#cc79a7", "#99507a", "#3d1029", "ring"),
    "magenta": Paint("#cc79a7", "#99507a", "#3d1029", "ring"),
    "brown": Paint("#8a5a2b", "#5e3b19", "#ffffff", "bar"),
}
