"""Sphero's options, and the texts that describe its moves and positions."""

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
    Option("players", 4, "the number of players", low=2, high=kernel.SEATS),
    Option(
        "order",
        "anytime",
        "who places next: any player (anytime), or each player in turn (turns)",
        choices=("anytime", "turns"),
    ),
    Option(
        "limit",
        0,
        "the number of placements after which the game ends; 0 = no limit",
        low=0,
        high=1_000_000,
    ),
)


def cell_name(cell: int) -> str:
    """Returns the name of a cell of the kernel's grid, such as `2,-1`."""
    x, y = coordinates(cell)
    return f"{x},{y}"


def coordinates(cell: int) -> tuple[int, int]:
    """Returns the x and y of a cell of the kernel's grid, relative to the anchor, y up."""
    return int(cell) % 64 - kernel.MIDDLE, int(cell) // 64 - kernel.MIDDLE


def cell_at(x: int, y: int) -> int:
    """Returns the number of the cell `x,y` in the kernel's grid."""
    return (y + kernel.MIDDLE) * 64 + x + kernel.MIDDLE


def action_cell(action: int) -> int:
    """Returns the cell that an action places a sphere on."""
    y, x = divmod(action, kernel.ACTION_GRID_SIDE)
    return cell_at(x - kernel.MAX_PLACEMENT_VALENCE, y - kernel.MAX_PLACEMENT_VALENCE)


def sphere_seats(s: Any) -> dict[int, int]:
    """Returns the seat of every sphere by its cell, rows from the bottom, each left to right."""
    grid = s.sphere
    cells = grid.nonzero()[0]
    return dict(zip(cells.tolist(), ((grid[cells] & 7).astype(int) - 1).tolist(), strict=True))


def contains(cells: Any, cell: int) -> bool:
    """Returns True if a set of cells of the kernel contains the cell."""
    return bool(int(cells[cell // 64]) >> cell % 64 & 1)


def check(options: Mapping[str, Value]) -> None:
    """Accepts every combination of options."""


def seats(options: Mapping[str, Value]) -> int:
    """Returns the number of players."""
    return int(options["players"])


def actions(options: Mapping[str, Value]) -> int:
    """Returns the size of the action space: one action for each cell of the area for placements."""
    return kernel.ACTIONS


def planes(options: Mapping[str, Value]) -> tuple[int, int, int]:
    """Returns the shape of an observation: a plane per player, the liberties, the right to move."""
    return seats(options) + 2, kernel.ACTION_GRID_SIDE, kernel.ACTION_GRID_SIDE


def reason(s: Any, seat: int, action: int) -> str:
    """Returns why a placement is not legal."""
    cell = action_cell(action)
    if cell == kernel.ANCHOR:
        return "the anchor is on 0,0; a sphere must be placed on an empty cell"
    if s.sphere[cell]:
        colour = SEAT_NAMES[sphere_seats(s)[cell]].lower()
        return f"there is already {with_article(colour)} sphere on {cell_name(cell)}"
    if any(s.sphere[cell + step] for step in kernel.STEPS):
        return f"{cell_name(cell)} touches only spheres that are cut off from the anchor"
    return f"{cell_name(cell)} is not a liberty: it touches neither the anchor nor a sphere"


def with_article(colour: str) -> str:
    """Returns the colour preceded by a or an."""
    return f"{'an' if colour[0] in 'aeiou' else 'a'} {colour}"


def cells(before: Any, after: Any, action: int, event: str) -> tuple[str, ...]:
    """Returns the cells of an event: the placement, chain, inner board, or path of a slide."""
    if event == "place":
        return (cell_name(action_cell(action)),)
    if event == "chain":
        return tuple(cell_name(cell) for cell in after.chain)
    if event == "rotate":
        waiting = after.waiting
        return tuple(cell_name(cell) for cell in sphere_seats(after) if not contains(waiting, cell))
    return tuple(
        cell_name(cell)
        for cell in shortest_path(before.taken, int(after.origin), int(after.target))
    )


def shortest_path(taken: Any, origin: int, target: int) -> list[int]:
    """Returns a shortest path through cells that are not taken, both ends included."""
    next_cell: dict[int, int] = {target: target}
    queue = deque([target])
    while origin not in next_cell:
        cell = queue.popleft()
        for step in kernel.STEPS:
            neighbour = cell + int(step)
            inside = max(map(abs, coordinates(neighbour))) <= kernel.MAX_VALENCE + 1
            if (
                inside
                and neighbour not in next_cell
                and (neighbour == origin or not contains(taken, neighbour))
            ):
                next_cell[neighbour] = cell
                queue.append(neighbour)
    path = [origin]
    while path[-1] != target:
        path.append(next_cell[path[-1]])
    return path


def status(game: Game, s: Any) -> str:
    """Returns who may place, or how the game ended."""
    if s.over:
        return f"{_result(game, s)}: {_ending(s)}"
    if s.stage:
        return "The board is rebalancing"
    if s.turn < 0:
        return "Anyone may place a sphere on a liberty"
    return f"{SEAT_NAMES[s.turn]} to place a sphere on a liberty"


def _result(game: Game, s: Any) -> str:
    """Returns the winners and their number of spheres."""
    best = max(int(s.count[seat]) for seat in range(game.seats))
    winners = [SEAT_NAMES[seat] for seat in range(game.seats) if s.count[seat] == best]
    noun = "sphere" if best == 1 else "spheres"
    if len(winners) == 1:
        return f"{winners[0]} wins with {best} {noun}"
    return f"{', '.join(winners[:-1])} and {winners[-1]} share the win with {best} {noun} each"


def _ending(s: Any) -> str:
    """Returns why the game is over."""
    if s.highest > kernel.VALENCE_LIMIT:
        return f"the highest valence, {s.highest}, exceeds {kernel.VALENCE_LIMIT}"
    if s.limit > 1:
        return f"all {s.limit} placements have been made"
    return "the only placement has been made"
