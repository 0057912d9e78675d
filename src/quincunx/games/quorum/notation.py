"""Quorum's position and move texts.

For example, `4BBBB/5BBB/6BB/7B/W7/WW6/WWW5/WWWW4 w` is a position; `a1e3` and `place` are moves.
"""

from __future__ import annotations

from quincunx.boards import Bitboards, BoardNotation, FromToMoves, Stone, WordMoves
from quincunx.draw.scene import Button
from quincunx.games.quorum import kernel, rules
from quincunx.games.quorum.rules import BOARD

# The active and the target square of each movement, or None if the target is off the board.
MOVEMENTS = [
    None if (squares := rules.movement(action)) is None else (squares[0], squares[2])
    for action in range(kernel.PLACE)
]
PLACE = Button("place", "Fill home", "p", "place stones on all empty home squares")

NOTATION = BoardNotation(
    BOARD,
    pieces={"W": Stone("white"), "B": Stone("black")},
    cells=Bitboards("stones"),
    moves=FromToMoves(BOARD, MOVEMENTS, no_action="distance") + WordMoves({kernel.PLACE: PLACE}),
    form="eight ranks, a space and the side to move, such as 8/8/.../W7 w",
    move_form="an active and a target square, such as a1e3, or the word place",
    origin_reason=lambda s, square: rules.no_own_stone(s, int(s.turn), square),
)
