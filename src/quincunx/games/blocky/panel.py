"""Blocky's panel: goals, scores, the turns left, and the actions for a picked block.

The full panel is a column of text lines beside the board. Without a side panel, only goals and
scores are shown, in a row of fields above the board.
"""

from __future__ import annotations

from quincunx.contract import Position
from quincunx.draw.scene import Disc, Label, Rect, Shape, ViewOptions
from quincunx.game import State
from quincunx.games.blocky import kernel, rules
from quincunx.phrases import render

# Widths in line heights.
PANEL_WIDTH_LINES = 10.5
CHIP_SPACING_LINES = 3.5  # from one action to the next
NARROW_FIELD_LINES = 6  # player fields up to this width show no player name

# For each action its description, and the column and line of its chip.
ACTION_CHIPS = {
    "cw": ("turn clockwise", (0, 0)),
    "ccw": ("turn counterclockwise", (1, 0)),
    "hswap": ("swap the left and right halves", (0, 1)),
    "vswap": ("swap the upper and lower halves", (1, 1)),
    "combine": ("make one block of the majority colour (costs 1 point)", (2, 0)),
    "smash": ("divide at random (costs 3 points)", (0, 0)),
    "paint:r": ("paint red (costs 1 point)", (0, 0)),
    "paint:g": ("paint green (costs 1 point)", (1, 0)),
    "paint:b": ("paint blue (costs 1 point)", (2, 0)),
    "paint:y": ("paint yellow (costs 1 point)", (0, 1)),
    "pass": ("do nothing", (2, 1)),
}


def add_player_fields(state: State, side: float, bottom: float, shapes: list[Shape]) -> float:
    """Adds a field for each player above a board that is `side` wide; returns their height."""
    s, players = state.position, int(state.position.players)
    line = side / 15
    width = (side + 0.3 * line) / max(players, 2) / line
    named = width > NARROW_FIELD_LINES
    for seat in range(players):
        x, y = seat * width * line, bottom - 2.45 * line
        to_move = not s.over and seat == s.turn
        shapes.append(
            Rect(
                *(x, y, (width - 0.3) * line, 2.2 * line, "board"),
                *("accent" if to_move else "", 0.09 * line, 0.3 * line),
                role="player",
                title=_player_title(s, seat),
            )
        )
        shapes += _player(state, seat, x, y + 0.1 * line, line, width - 0.65, 0.3, named)
    return 2.6 * line


def add_side_panel(
    state: State,
    view: ViewOptions,
    picked: str | None,
    side: float,
    line: float,
    shapes: list[Shape],
) -> int:
    """Adds players, turns left and the actions for a picked block; returns the number of lines."""
    s = state.position
    max_lines, players = int(side / line), int(s.players)
    player_lines = next((n for n in (3, 2) if players * n + 4 <= max_lines), 1)
    x = side + 2 * line
    for seat in range(players):
        y = seat * player_lines * line
        if not s.over and seat == s.turn:
            centre = (x + 0.6 * line, y + 0.5 * line)
            shapes.append(Disc(*centre, 0.14 * line, "accent", role="turn", glyph=">"))
        shapes += _player(state, seat, x, y, line, PANEL_WIDTH_LINES, 1.1, True, player_lines > 1)
    lines = players * player_lines
    left = rules.turns_left(s)
    text = "game over" if s.over else f"{left} turn{'' if left == 1 else 's'} left"
    shapes.append(
        Label(x + 2.25 * line, (lines + 0.5) * line, text, 0.5 * line, anchor="start", role="turns")
    )
    lines += 2 if lines + 5 <= max_lines else 1
    if picked is not None:
        text = f"{rules.block_title(picked)}, level {len(picked)}"
        position = (x + line / 4, (lines + 0.5) * line)
        shapes.append(Label(*position, text, 0.5 * line, "ink", "start", True, "level"))
    lines += 1
    actions = ["pass"] if not s.over and (view.targets or picked is not None) else []
    if picked is not None:
        decoded = (divmod(a - 1, kernel.OPERATIONS) for a in state.actions() if a != kernel.PASS)
        number = rules.block_number(picked)
        actions += [
            rules.OPERATION_NAMES[operation] for block, operation in decoded if block == number
        ]
    for action in actions:
        shapes += _chip(action, x, lines * line, line)
    return lines + 2 if actions else lines


def _player(
    state: State,
    seat: int,
    x: float,
    y: float,
    line: float,
    right: float,
    left: float,
    named: bool,
    two_lines: bool = True,
) -> list[Shape]:
    """Returns a player's goal, score and cost, from `left` to `right` line heights after x."""
    s = state.position
    cost, goal_score = int(s.cost[seat]), int(kernel.goal_score(s, seat))
    kind, colour = rules.GOAL_KINDS[s.goal[seat]], rules.COLOURS[s.target[seat]]
    to_move = not s.over and seat == s.turn
    title, cost_text = _player_title(s, seat), f"cost {cost}" if cost else ""
    ink = "ink" if to_move or s.over else "quiet"
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
        anchor = "end" if dx == right else "start"
        position = (x + dx * line, y + (dy + 0.5) * line)
        fill = ink if dy == 0 else "quiet"
        shapes.append(Label(*position, text, size * line, fill, anchor, bold, "score", title=title))

    text_left = left + 1.15
    if two_lines:
        write(text_left, 0, rules.SEAT_NAMES[seat] if named else rules.LETTERS[seat], 0.6, to_move)
        write(text_left if named else left, 1, kind, 0.5 if named else 0.44)
        write(right, 1, cost_text if named else cost_text.removeprefix("cost "), 0.5)
    else:
        write(text_left, 0, f"{rules.LETTERS[seat]} {kind} {cost_text}".strip(), 0.5, to_move)
    write(right, 0, str(goal_score - cost), 0.7, True)
    return shapes


def _player_title(s: Position, seat: int) -> str:
    """Returns a player's goal and score in words."""
    cost, goal_score = int(s.cost[seat]), int(kernel.goal_score(s, seat))
    name, goal = rules.SEAT_NAMES[seat], render(rules.goal(s, seat), rules.TEXTS)
    return f"{name}, goal: {goal}; score {goal_score} - {cost} (cost) = {goal_score - cost}"


def _chip(action: str, x: float, y: float, line: float) -> list[Shape]:
    """Returns the clickable chip of an action."""
    title, (column, row) = ACTION_CHIPS[action]
    x, y = x + (column * CHIP_SPACING_LINES + 0.05) * line, y + (row + 0.08) * line
    box = (x, y, (CHIP_SPACING_LINES - 0.2) * line, 0.84 * line)
    shapes: list[Shape] = [
        Rect(
            *(*box, "board", "line", 0.04 * line, 0.2 * line),
            role="action",
            cell=action,
            title=title,
        )
    ]
    text, middle = action, x + box[2] / 2
    if action.startswith("paint:"):
        text = rules.COLOURS[rules.COLOUR_LETTERS.index(action[-1])]
        box = (x + 0.15 * line, y + 0.15 * line, 0.54 * line, 0.54 * line)
        shapes.append(Rect(*box, text, radius=0.1 * line, role="action", cell=action, mark=text))
        middle += 0.3 * line
    position = (middle, y + 0.42 * line)
    return [*shapes, Label(*position, text, 0.46 * line, "ink", role="action", cell=action)]
