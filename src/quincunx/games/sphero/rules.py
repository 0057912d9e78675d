"""Sphero's options, and its rules in words."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

from quincunx.game import Game
from quincunx.games.sphero import kernel
from quincunx.options import Option, Value

NAME = "sphero"
TITLE = "Sphero"
SEAT_NAMES = ("Red", "Yellow", "Brown", "Green", "Purple", "Orange")
LETTERS = "RYBGPO"
DRAWS = False
SEARCH = {"explore": 0.03, "horizon": 4, "trust": 1.0}
LEVELS = (
    (100, "greedy"),
    (40, "greedy"),
    (0, "greedy"),
    (0, "mcts:sims=8,explore=0.1"),
    (0, "mcts:sims=28,explore=0.1"),
    (0, "mcts:sims=100,explore=0.1"),
    (0, "mcts:sims=700,explore=0.1"),
    (0, "mcts:time=0.4"),
)

OPTIONS = (
    Option("players", 4, "how many players there are", low=2, high=kernel.SEATS),
    Option(
        "order",
        "anytime",
        "who places: whoever comes first (anytime), or one after the other (turns)",
        choices=("anytime", "turns"),
    ),
    Option(
        "limit",
        0,
        "after how many placements the game ends in any case; 0 = never",
        low=0,
        high=1_000_000,
    ),
)


def name(cell: int) -> str:
    """The name of a cell of the kernel's grid, as in `2,-1`."""
    x, y = place(cell)
    return f"{x},{y}"


def place(cell: int) -> tuple[int, int]:
    """The x and y of a cell of the kernel's grid, counted from the anchor, y up."""
    return int(cell) % 64 - kernel.MIDDLE, int(cell) // 64 - kernel.MIDDLE


def cell_at(x: int, y: int) -> int:
    """The number of a cell in the kernel's grid."""
    return (y + kernel.MIDDLE) * 64 + x + kernel.MIDDLE


def placed(action: int) -> int:
    """The cell that an action places a sphere on."""
    return cell_at(action % kernel.WIDTH - kernel.REACH, action // kernel.WIDTH - kernel.REACH)


def spheres(s: Any) -> dict[int, int]:
    """The seat of every sphere by its cell, from the bottom up, from left to right."""
    grid = s.sphere
    cells = grid.nonzero()[0]
    return dict(zip(cells.tolist(), ((grid[cells] & 7).astype(int) - 1).tolist(), strict=True))


def holds(cells: Any, cell: int) -> bool:
    """True when a set of cells of the kernel has this one."""
    return bool(int(cells[cell // 64]) >> cell % 64 & 1)


def check(options: Mapping[str, Value]) -> None:
    """Any options go together."""


def seats(options: Mapping[str, Value]) -> int:
    """As many as there are players."""
    return int(options["players"])


def actions(options: Mapping[str, Value]) -> int:
    """The cells of the square that placements can reach."""
    return kernel.ACTIONS


def planes(options: Mapping[str, Value]) -> tuple[int, int, int]:
    """A plane for each player's spheres, one for the liberties, one for the right to move."""
    return seats(options) + 2, kernel.WIDTH, kernel.WIDTH


def reason(s: Any, seat: int, action: int) -> str:
    """Why a placement is not legal."""
    cell = placed(action)
    if cell == kernel.ANCHOR:
        return "the anchor is on 0,0, and a sphere goes on an empty cell"
    if s.sphere[cell]:
        colour = SEAT_NAMES[spheres(s)[cell]].lower()
        return f"there is {article(colour)} sphere on {name(cell)} already"
    if any(s.sphere[cell + step] for step in kernel.STEPS):
        return f"{name(cell)} touches only spheres that are cut off from the anchor"
    return f"{name(cell)} is not a liberty: it touches neither the anchor nor a sphere"


def article(colour: str) -> str:
    """The colour with a or an before it."""
    return f"{'an' if colour[0] in 'aeiou' else 'a'} {colour}"


def cells(before: Any, after: Any, action: int, event: str) -> tuple[str, ...]:
    """The placed cell, the chain as it was found, the way of a slide, or the inner board."""
    if event == "place":
        return (name(placed(action)),)
    if event == "chain":
        return tuple(name(cell) for cell in after.chain)
    if event == "rotate":
        waiting = after.waiting
        return tuple(name(cell) for cell in spheres(after) if not holds(waiting, cell))
    return tuple(name(cell) for cell in way(before.taken, int(after.origin), int(after.target)))


def way(taken: Any, origin: int, target: int) -> list[int]:
    """A shortest way through cells that are not taken, both ends included."""
    came: dict[int, int] = {target: target}
    queue = deque([target])
    while origin not in came:
        cell = queue.popleft()
        for step in kernel.STEPS:
            near = cell + int(step)
            inside = max(map(abs, place(near))) <= kernel.EDGE + 1
            if inside and near not in came and (near == origin or not holds(taken, near)):
                came[near] = cell
                queue.append(near)
    found = [origin]
    while found[-1] != target:
        found.append(came[found[-1]])
    return found


def status(game: Game, s: Any) -> str:
    """Who may place, or how the game ended."""
    if s.over:
        return f"{_result(game, s)}: {_ending(s)}"
    if s.stage:
        return "The board is finding its balance"
    if s.turn < 0:
        return "Anyone may place a sphere on a liberty"
    return f"{SEAT_NAMES[s.turn]} to place a sphere on a liberty"


def _result(game: Game, s: Any) -> str:
    """Who won, with how many spheres."""
    best = max(int(s.count[seat]) for seat in range(game.seats))
    winners = [SEAT_NAMES[seat] for seat in range(game.seats) if s.count[seat] == best]
    noun = "sphere" if best == 1 else "spheres"
    if len(winners) == 1:
        return f"{winners[0]} wins with {best} {noun}"
    return f"{', '.join(winners[:-1])} and {winners[-1]} share the win with {best} {noun} each"


def _ending(s: Any) -> str:
    """Why the game is over."""
    if s.highest > kernel.LAST_VALENCE:
        return f"the highest valence, {s.highest}, exceeds {kernel.LAST_VALENCE}"
    return f"all {s.limit} placements are made" if s.limit > 1 else "the one placement is made"
