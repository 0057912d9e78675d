"""Quorum's picture: the board with tinted homes and objective, and flat stones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from quincunx.boards import BoardLayout
from quincunx.draw.scene import Disc, Rect, Shape, ViewOptions
from quincunx.game import State
from quincunx.games.quorum import kernel
from quincunx.games.quorum.notation import NOTATION
from quincunx.games.quorum.rules import BOARD

# The lower left square of each 2 x 2 area.
HOME_CORNERS = (0, 54)
OBJECTIVE_CORNER = 27


class QuorumLayout(BoardLayout):
    """The layout of a board on which a click on an empty home square fills the home."""

    def word_marks(self, state: State, word: str, flip: bool) -> Iterator[Shape]:
        """Yields rings on the home squares that a placement fills."""
        occupied = int(state.position.stones[0]) | int(state.position.stones[1])
        for square in BOARD.cells(int(kernel.HOME[state.turn or 0]) & ~occupied):
            yield Disc(
                *(*BOARD.centre(square, flip), 0.2, "", "accent", 0.05),
                role="target",
                cell=word,
                glyph="o",
                title="fill your home",
            )


@cache
def _areas(flip: bool) -> list[Shape]:
    """Returns the tinted and framed areas: both homes and the objective."""
    areas: list[Shape] = []
    for q, colour, opacity, frame in (
        (HOME_CORNERS[0], "white", 0.18, "quiet"),
        (HOME_CORNERS[1], "black", 0.16, "quiet"),
        (OBJECTIVE_CORNER, "accent", 0.16, "accent"),
    ):
        centres = [BOARD.centre(q, flip), BOARD.centre(q + 9, flip)]
        x, y = min(c[0] for c in centres) - 0.45, min(c[1] for c in centres) - 0.45
        role = "objective" if q == OBJECTIVE_CORNER else "home"
        areas.append(Rect(x, y, 1.9, 1.9, colour, radius=0.2, opacity=opacity, role=role))
        areas.append(Rect(x, y, 1.9, 1.9, "", frame, 0.045, radius=0.2, opacity=0.55, role=role))
    return areas


def _last_centre(state: State, view: ViewOptions) -> list[Shape]:
    """Returns a dot on the centre of the last movement."""
    if not view.last or state.last is None or state.last[1] == "place":
        return []
    origin, target = map(BOARD.index, LAYOUT.clicks(state.last[1]))
    return [Disc(*BOARD.centre((origin + target) // 2, view.flip), 0.08, "accent", role="centre")]


LAYOUT = QuorumLayout(
    NOTATION,
    facing=True,
    under=lambda state, view: _areas(view.flip),
    over=_last_centre,
    glyphs=dict.fromkeys(BOARD.cells(int(kernel.OBJECTIVE)), "+"),
)
