"""Verdicts: who wins a position with best play, how soon, and the result of each move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Verdict:
    """The result of a position, or of a move, with best play by both sides.

    The winner wins as soon as possible and the loser delays. The verdict of a position is for the
    side to move, and so are the verdicts of its moves.
    """

    value: Literal["win", "draw", "loss"]
    distance: int | None = None  # plies to the end; None for a draw
    moves: Mapping[str, Verdict] = field(default_factory=dict)

    @property
    def rank(self) -> tuple[int, int]:
        """A sort key, greater is better: quick wins, slow wins, draws, slow losses, quick ones."""
        if self.value == "draw":
            return 0, 0
        plies = self.distance or 0
        return (1, -plies) if self.value == "win" else (-1, plies)

    def __str__(self) -> str:
        if self.value == "draw":
            return "draw"
        return f"{self.value} in {self.distance}"
