"""Quorum's picture: a quiet board, homes and objective tinted, flat stones."""

from __future__ import annotations

from quincunx.draw.scene import Disc, Label, Line, Piece, Rect, Scene, Shape, Show
from quincunx.game import State
from quincunx.games.quorum import kernel, rules

COLOURS = ("white", "black")


def clicks(move: str) -> tuple[str, ...]:
    """Active and target square; a placement is one click on the home."""
    return (move,) if move == "place" else (move[:2], move[2:])


def scene(state: State, show: Show) -> Scene:
    """The board with White at the bottom, or Black when flipped."""
    s = state._s

    def place(q: int) -> tuple[int, int]:
        return (7 - q % 8, q // 8) if show.flip else (q % 8, 7 - q // 8)

    starts, targets = _targets(state, show)
    shapes: list[Shape] = [Rect(-0.06, -0.06, 8.12, 8.12, "board", "line", radius=0.12)]
    for q in range(64):
        x, y = place(q)
        shapes.append(
            Rect(
                x,
                y,
                1,
                1,
                "shade" if (q % 8 + q // 8) % 2 == 0 else "board",
                role="cell",
                cell=rules.square(q),
                title=rules.square(q),
                glyph="+" if int(kernel.OBJECTIVE) >> q & 1 else "·",
            )
        )
    for seat, home in enumerate(kernel.HOME):
        corner = 0 if seat == 0 else 63
        x, y = place(corner)
        x, y = min(x, place(corner + (9 if seat == 0 else -9))[0]), min(y, place(corner + (9 if seat == 0 else -9))[1])
        shapes.append(
            Rect(x + 0.05, y + 0.05, 1.9, 1.9, "", "quiet", 0.03, 0.15, 0.5, role="home")
        )
    shapes.append(Rect(3.05, 3.05, 1.9, 1.9, "accent", "", 0.0, 0.2, 0.16, role="objective"))
    shapes.append(Rect(3.05, 3.05, 1.9, 1.9, "", "accent", 0.05, 0.2, 0.7, role="objective"))
    if show.last and state.last and state.last[1] != "place":
        shapes += _last_move(state.last[1], place)
    for seat, colour in enumerate(COLOURS):
        for name in rules.squares(int(s.stones[seat])):
            q = rules.FILES.index(name[0]) + 8 * (int(name[1]) - 1)
            x, y = place(q)
            shapes.append(
                Piece(
                    x + 0.5,
                    y + 0.5,
                    colour,
                    0.38,
                    cell=name,
                    glyph="○●"[seat],
                    title=f"{rules.SEAT_NAMES[seat]} on {name}",
                )
            )
    for name in starts:
        x, y = place(rules.FILES.index(name[0]) + 8 * (int(name[1]) - 1))
        shapes.append(Disc(x + 0.5, y + 0.5, 0.43, "", "accent", 0.05, role="start", cell=name))
    for name in targets:
        x, y = place(rules.FILES.index(name[0]) + 8 * (int(name[1]) - 1))
        shapes.append(Disc(x + 0.5, y + 0.5, 0.13, "accent", role="target", cell=name, glyph="o"))
    if show.coordinates:
        for i in range(8):
            x, y = place(i)[0] + 0.5, place(8 * i)[1] + 0.5
            shapes.append(Label(x, 8.42, rules.FILES[i], role="coordinate"))
            shapes.append(Label(-0.42, y, str(i + 1), role="coordinate"))
    margin = 0.8 if show.coordinates else 0.25
    return Scene(-margin, -0.25, 8.25 + margin, 8.25 + margin, tuple(shapes), "Quorum", state.status)


def _targets(state: State, show: Show) -> tuple[set[str], set[str]]:
    """The stones that can move, and the targets of the picked one."""
    moves = [clicks(move) for move in state.moves() if move != "place"]
    if show.picked:
        return {show.picked}, {move[1] for move in moves if move[0] == show.picked}
    return ({move[0] for move in moves} if show.targets else set()), set()


def _last_move(move: str, place) -> list[Shape]:
    """The way of the last movement: where it began, a dot on its centre, where it landed."""
    return []
