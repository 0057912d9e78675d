"""What pieces look like: round stones, square tiles with a text, or what a game draws itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Protocol, TypeAlias

from quincunx.draw.palette import PIECES, THEMES, colour, contrast, mix
from quincunx.draw.scene import Label, Piece, Rect, Shape

DISCS = {"white": "○", "black": "●"}  # the characters of these colours in a terminal


@dataclass(frozen=True)
class Place:
    """Where a piece is drawn: the middle of a cell, the cell's name, and what a click on it picks.

    `glyph` is its character in a terminal, the letter of the piece in position texts.
    """

    x: float
    y: float
    name: str
    click: str
    glyph: str


class Look(Protocol):
    """What a piece looks like."""

    def shapes(self, place: Place) -> tuple[Shape, ...]:
        """Returns the shapes of a piece; the one that moves has the id `place.name`."""


# A piece as an author writes it: a colour of `draw.palette` for a stone, or a look.
LookText: TypeAlias = "str | Look"


@dataclass(frozen=True)
class Stone:
    """A round piece of one colour; `name` is read out, `glyph` is its character in a terminal."""

    colour: str
    name: str = ""
    glyph: str = ""
    finish: str = "flat"
    radius: float = 0.38

    def shapes(self, place: Place) -> tuple[Shape, ...]:
        """Returns the piece."""
        stone = Piece(
            *(place.x, place.y, self.colour, self.radius, self.finish),
            cell=place.click,
            id=place.name,
            glyph=self.glyph or DISCS.get(self.colour, place.glyph),
            title=f"{self.name or self.colour.capitalize()} on {place.name}",
        )
        return (stone,)


@dataclass(frozen=True)
class Tile:
    """A square piece with a text on it; with a low opacity its colour is pale.

    In a terminal it is the character `glyph`, by default the letter of the piece.
    """

    text: str
    colour: str
    opacity: float = 1.0
    glyph: str = ""

    @property
    def ink(self) -> str:
        """The colour of the text: the one that is easiest to read in the worst of all themes."""
        return _ink(self.colour, self.opacity)

    def shapes(self, place: Place) -> tuple[Shape, ...]:
        """Returns the tile and its text, which is the smaller the longer it is."""
        tile = Rect(
            *(place.x - 0.46, place.y - 0.46, 0.92, 0.92, self.colour),
            radius=0.1,
            opacity=self.opacity,
            role="piece",
            cell=place.click,
            id=place.name,
            glyph=self.glyph or place.glyph,
            title=f"{self.text} on {place.name}",
        )
        size = min(0.42, 1.2 / max(1, len(self.text)))
        label = Label(place.x, place.y, self.text, size, self.ink, bold=True, role="piece")
        return tile, label


@cache
def _ink(fill: str, opacity: float) -> str:
    def worst_contrast(ink: str) -> float:
        return min(
            contrast(colour(ink, theme), mix(colour("shade", theme), colour(fill, theme), opacity))
            for theme in THEMES
        )

    return max(("black", "white", "ink"), key=worst_contrast)


def looks_of(pieces: str | Mapping[str, LookText]) -> dict[str, Look]:
    """Returns the look of each piece by its letter.

    A letter alone is a stone of the first colour in `draw.palette` that begins with it.
    """
    looks: dict[str, Look] = {}
    for letter in pieces:
        given = pieces[letter] if isinstance(pieces, Mapping) else _colour_of(letter)
        if isinstance(given, str) and given not in PIECES:
            raise ValueError(f"piece {letter!r}: unknown colour {given!r}; {_allowed()}")
        looks[letter] = Stone(given) if isinstance(given, str) else given
    return looks


def _colour_of(letter: str) -> str:
    colours = [name for name in PIECES if name.startswith(letter.lower())]
    if not colours:
        raise ValueError(
            f"piece {letter!r}: no colour begins with this letter; write pieces={{{letter!r}: "
            f"'red', ...}}; {_allowed()}"
        )
    return colours[0]


def _allowed() -> str:
    return f"the colours are {', '.join(PIECES)}"
