"""Sphero's options and traits, and the phrases for statuses and illegal moves."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

from quincunx.contract import SHARED_WIN, Position, Traits
from quincunx.game import Game
from quincunx.games.sphero import kernel
from quincunx.options import Option, Preset, Presets, Value
from quincunx.phrases import Phrase, join, seat_name

NAME = "sphero"
VERSION = 2
OLD_VERSIONS = (1,)  # in which spheres that a rebalancing pass had cut off floated
SUMMARY = "Build around an anchor that rights itself."
SEAT_NAMES = ("Red", "Yellow", "Brown", "Green", "Purple", "Orange")
LETTERS = "RYBGPO"
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
        "who places next: any player at any time, or each player in turn",
        choices=("anytime", "turns"),
        choice_labels=("At any time", "In turn"),
    ),
    Option(
        "limit",
        0,
        "the number of placements after which the game ends; 0 = no limit",
        low=0,
        high=1_000_000,
    ),
)

PRESETS = Presets(
    "length",
    (
        Preset("quick", "60 placements each", per_seat={"limit": 60}),
        Preset("normal", "200 placements each", per_seat={"limit": 200}),
        Preset("full", f"until the height exceeds {kernel.VALENCE_LIMIT}", {"limit": 0}),
    ),
    selected=1,
)

# Without people, the players take turns and a game ends after this number of placements.
UNATTENDED: Mapping[str, Value] = {"order": "turns", "limit": 1000}

TEXTS = {
    # Statuses.
    "place": "{seat} to place a sphere on a liberty",
    "place.you": "Your turn: place a sphere on a liberty",
    "anyone": "Anyone may place a sphere on a liberty",
    "anyone.you": "Anyone may place a sphere on a liberty, including you",
    "rebalancing": "The board is rebalancing",
    "wins": "{winners} wins with {spheres}: {ending}",
    "shared": "{winners} share the win with {spheres} each: {ending}",
    "spheres": "{count} spheres",
    "sphere": "{count} sphere",
    "highest": "the highest valence, {valence}, exceeds {limit}",
    "limit": "all {limit} placements have been made",
    "limit_one": "the only placement has been made",
    # Progress.
    "height": "height {height} of {highest}",
    "height_total": "height {height} of {highest}, {made} of {limit} placements",
    "height_each": "height {height} of {highest}, {made} of {limit} placements each",
    # Events.
    "event.chain": "five in a chain",
    "event.rotate": "unbalanced: the board turns",
    # Reasons.
    "anchor": "the anchor is on 0,0; a sphere must be placed on an empty cell",
    "occupied": "there is already {sphere} on {cell}",
    "cut_off": "{cell} touches only spheres that are cut off from the anchor",
    "no_liberty": "{cell} is not a liberty: it touches neither the anchor nor a sphere",
    "too_far": "no liberty is more than {steps} steps from the anchor",
    "sphere.0": "a red sphere",
    "sphere.1": "a yellow sphere",
    "sphere.2": "a brown sphere",
    "sphere.3": "a green sphere",
    "sphere.4": "a purple sphere",
    "sphere.5": "an orange sphere",
}


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


def spheres(s: Position) -> dict[int, int]:
    """Returns every sphere, `8 * id + seat + 1`, by its cell: rows from the bottom, left to right.

    Each row is read from its first to its last taken cell: most of the grid is empty.
    """
    grid = memoryview(s["sphere"].tobytes()).cast("H")  # two bytes a cell, as in the record
    found = {}
    for row, taken in enumerate(s["taken"].tolist()):
        if taken:
            first, end = 64 * row + (taken & -taken).bit_length() - 1, 64 * row + taken.bit_length()
            for cell, sphere in enumerate(grid[first:end].tolist(), first):
                if sphere:
                    found[cell] = sphere
    return found


def sphere_seats(s: Position) -> dict[int, int]:
    """Returns the seat of every sphere by its cell, in the order of `spheres`."""
    return {cell: (sphere & 7) - 1 for cell, sphere in spheres(s).items()}


def contains(cells: Sequence[int], cell: int) -> bool:
    """Returns True if a set of cells of the kernel contains the cell."""
    return bool(cells[cell // 64] >> cell % 64 & 1)


def traits(options: Mapping[str, Value]) -> Traits:
    """Returns the traits: nothing is left to chance or hidden, but there may be no turns."""
    return Traits(
        simultaneous=options["order"] == "anytime", outcome=SHARED_WIN, unattended=UNATTENDED
    )


def planes(options: Mapping[str, Value]) -> tuple[int, int, int]:
    """Returns the shape of an observation: a plane per player, the liberties, the right to move."""
    return int(options["players"]) + 2, kernel.ACTION_GRID_SIDE, kernel.ACTION_GRID_SIDE


def reason(s: Position, seat: int, action: int) -> Phrase:
    """Returns why a placement is not legal."""
    cell = action_cell(action)
    if cell == kernel.ANCHOR:
        return Phrase("anchor")
    name = cell_name(cell)
    if s.sphere[cell]:
        seat = (int(s.sphere[cell]) & 7) - 1
        return Phrase("occupied", {"sphere": Phrase(f"sphere.{seat}"), "cell": name})
    touches_sphere = any(s.sphere[cell + int(step)] for step in kernel.STEPS)
    return Phrase("cut_off" if touches_sphere else "no_liberty", {"cell": name})


def cells(before: Position, after: Position, action: int, event: str) -> tuple[str, ...]:
    """Returns the cells of an event: the placement, chain, inner board, or path of a slide."""
    if event == "place":
        return (cell_name(action_cell(action)),)
    if event == "chain":
        return tuple(cell_name(cell) for cell in after.chain.tolist())
    if event == "rotate":
        waiting = after.waiting.tolist()
        return tuple(cell_name(cell) for cell in sphere_seats(after) if not contains(waiting, cell))
    return tuple(
        cell_name(cell)
        for cell in shortest_path(before.taken.tolist(), int(after.origin), int(after.target))
    )


def shortest_path(taken: Sequence[int], origin: int, target: int) -> list[int]:
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


def status(game: Game, s: Position) -> Phrase:
    """Returns who may place, or how the game ended."""
    if s.over:
        return _result(game, s)
    if s.stage:
        return Phrase("rebalancing")
    if s.turn < 0:
        return Phrase("anyone")
    return Phrase("place", {"seat": seat_name(int(s.turn))})


def progress(game: Game, s: Position) -> Phrase | None:
    """Returns the height, and the number of placements if that is limited."""
    height = {"height": int(s.highest), "highest": kernel.VALENCE_LIMIT}
    made, limit = int(s.ply), int(s.limit)
    if limit == 0:
        return Phrase("height", height)
    if limit % game.seats == 0:
        rounds = {"made": made // game.seats, "limit": limit // game.seats}
        return Phrase("height_each", {**height, **rounds})
    return Phrase("height_total", {**height, "made": made, "limit": limit})


def _result(game: Game, s: Position) -> Phrase:
    """Returns the winners and their number of spheres, and why the game is over."""
    counts = s.count.tolist()[: game.seats]
    best = max(counts)
    winners = [seat_name(seat) for seat, count in enumerate(counts) if count == best]
    spheres = Phrase("sphere" if best == 1 else "spheres", {"count": best})
    code = "wins" if len(winners) == 1 else "shared"
    return Phrase(code, {"winners": join(winners), "spheres": spheres, "ending": _ending(s)})


def _ending(s: Position) -> Phrase:
    """Returns why the game is over."""
    if s.highest > kernel.VALENCE_LIMIT:
        return Phrase("highest", {"valence": int(s.highest), "limit": kernel.VALENCE_LIMIT})
    return Phrase("limit", {"limit": int(s.limit)}) if s.limit > 1 else Phrase("limit_one")
