"""What is told besides Blocky's board: goals, scores, turns left, and what can be done.

It stands beside the board, ruled in lines, or goals and scores alone stand above it.
"""

from __future__ import annotations

from typing import Any

from quincunx.draw.scene import Disc, Label, Rect, Shape, ViewOptions
from quincunx.game import State
from quincunx.games.blocky import kernel, rules

PANEL = 10.5  # lines wide
CHIP = 3.5  # lines from one action to the next
NARROW = 6  # lines in which a player's name finds no room

# What each action does, and where it is offered: column and line.
ACTIONS = {
    "cw": ("turn clockwise", (0, 0)),
    "ccw": ("turn counterclockwise", (1, 0)),
    "hswap": ("swap the left and right halves", (0, 1)),
    "vswap": ("swap the upper and lower halves", (1, 1)),
    "combine": ("make one block of the majority colour, for 1 point", (2, 0)),
    "smash": ("divide at random, for 3 points", (0, 0)),
    "paint:r": ("paint red, for 1 point", (0, 0)),
    "paint:g": ("paint green, for 1 point", (1, 0)),
    "paint:b": ("paint blue, for 1 point", (2, 0)),
    "paint:y": ("paint yellow, for 1 point", (0, 1)),
    "pass": ("do nothing", (2, 1)),
}


def above(state: State, side: float, bottom: float, shapes: list[Shape]) -> float:
    """Adds a field for each player above a board that is `side` wide; returns their height."""
    s, players = state._s, int(state._s.players)
    line = side / 15
    wide = (side + 0.3 * line) / max(players, 2) / line
    for seat in range(players):
        x, y = seat * wide * line, bottom - 2.45 * line
        moving = not s.over and seat == s.turn
        shapes.append(
            Rect(
                *(x, y, (wide - 0.3) * line, 2.2 * line, "board"),
                *("accent" if moving else "", 0.09 * line, 0.3 * line),
                role="player",
                title=_told(s, seat),
            )
        )
        shapes += _player(state, seat, x, y + 0.1 * line, line, wide - 0.65, 0.3, wide > NARROW)
    return 2.6 * line


def beside(
    state: State,
    view: ViewOptions,
    picked: str | None,
    side: float,
    line: float,
    shapes: list[Shape],
) -> int:
    """Adds players, turns left and, for a picked block, what can be done; returns its lines."""
    s = state._s
    room, players = int(side / line), int(s.players)
    per = next((n for n in (3, 2) if players * n + 4 <= room), 1)
    x = side + 2 * line
    for seat in range(players):
        y = seat * per * line
        if not s.over and seat == s.turn:
            at = (x + 0.6 * line, y + 0.5 * line)
            shapes.append(Disc(*at, 0.14 * line, "accent", role="turn", glyph=">"))
        shapes += _player(state, seat, x, y, line, PANEL, 1.1, True, per > 1)
    lines = players * per
    left = rules.turns_left(s)
    words = "game over" if s.over else f"{left} turn{'' if left == 1 else 's'} left"
    shapes.append(
        Label(
            x + 2.25 * line, (lines + 0.5) * line, words, 0.5 * line, anchor="start", role="turns"
        )
    )
    lines += 2 if lines + 5 <= room else 1
    if picked is not None:
        words = f"{rules.called(picked)}, level {len(picked)}"
        at = (x + line / 4, (lines + 0.5) * line)
        shapes.append(Label(*at, words, 0.5 * line, "ink", "start", True, "level"))
    lines += 1
    chosen = ["pass"] if not s.over and (view.targets or picked is not None) else []
    if picked is not None:
        named = (divmod(a - 1, kernel.OPERATIONS) for a in state.actions() if a != kernel.PASS)
        number = rules.block(picked)
        chosen += [rules.WORDS[operation] for block, operation in named if block == number]
    for word in chosen:
        shapes += _chip(word, x, lines * line, line)
    return lines + 2 if chosen else lines


def _player(
    state: State,
    seat: int,
    x: float,
    y: float,
    line: float,
    wide: float,
    left: float,
    named: bool,
    tall: bool = True,
) -> list[Shape]:
    """A player's goal, score and cost, in two lines or one, from `left` to `wide` lines after x."""
    s = state._s
    cost, reached = int(s.cost[seat]), int(kernel.reached(s, seat))
    kind, colour = rules.GOALS[s.goal[seat]], rules.COLOURS[s.target[seat]]
    moving = not s.over and seat == s.turn
    title, spent = _told(s, seat), f"cost {cost}" if cost else ""
    ink = "ink" if moving or s.over else "quiet"
    shapes: list[Shape] = [
        Rect(
            *(x + left * line, y + 0.1 * line, 0.8 * line, 0.8 * line, colour),
            radius=0.15 * line,
            role="goal",
            glyph=colour[0],
            title=title,
            mark=colour,
        )
    ]

    def write(dx: float, dy: float, text: str, size: float, bold: bool = False) -> None:
        anchor = "end" if dx == wide else "start"
        at = (x + dx * line, y + (dy + 0.5) * line)
        fill = ink if dy == 0 else "quiet"
        shapes.append(Label(*at, text, size * line, fill, anchor, bold, "score", title=title))

    words = left + 1.15
    if tall:
        write(words, 0, rules.SEAT_NAMES[seat] if named else rules.LETTERS[seat], 0.6, moving)
        write(words if named else left, 1, kind, 0.5 if named else 0.44)
        write(wide, 1, spent if named else spent.removeprefix("cost "), 0.5)
    else:
        write(words, 0, f"{rules.LETTERS[seat]} {kind} {spent}".strip(), 0.5, moving)
    write(wide, 0, str(reached - cost), 0.7, True)
    return shapes


def _told(s: Any, seat: int) -> str:
    """A player's goal and score in words."""
    cost, reached = int(s.cost[seat]), int(kernel.reached(s, seat))
    name, goal = rules.SEAT_NAMES[seat], rules.goal(s, seat)
    return f"{name}, for {goal}: {reached} less {cost} spent is {reached - cost}"


def _chip(word: str, x: float, y: float, line: float) -> list[Shape]:
    """A small field that stands for an action."""
    title, (column, row) = ACTIONS[word]
    x, y = x + (column * CHIP + 0.05) * line, y + (row + 0.08) * line
    box = (x, y, (CHIP - 0.2) * line, 0.84 * line)
    shapes: list[Shape] = [
        Rect(
            *(*box, "board", "line", 0.04 * line, 0.2 * line),
            role="action",
            cell=word,
            title=title,
        )
    ]
    said, middle = word, x + box[2] / 2
    if word.startswith("paint:"):
        said = rules.COLOURS[rules.COLOUR_LETTERS.index(word[-1])]
        box = (x + 0.15 * line, y + 0.15 * line, 0.54 * line, 0.54 * line)
        shapes.append(Rect(*box, said, radius=0.1 * line, role="action", cell=word, mark=said))
        middle += 0.3 * line
    at = (middle, y + 0.42 * line)
    return [*shapes, Label(*at, said, 0.46 * line, "ink", role="action", cell=word)]
