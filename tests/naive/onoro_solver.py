"""Onoro with few pawns, solved slowly and obviously: the oracle of the solver.

A position is the cells of the side to move and those of the other side, so swapping the colours
together with the side to move changes nothing. Positions in which the side to move has a line
already are no part of the game and have no outcome.
"""

from functools import cache
from itertools import combinations, permutations

from tests.naive import onoro
from tests.naive.onoro import Cell

Position = tuple[frozenset[Cell], frozenset[Cell]]  # the mover's cells, the other's cells
Key = tuple[tuple[int, int, int], ...]  # q and r of every pawn, 0 if the mover owns it, 1 if not
Outcome = tuple[str, int | None]  # win, draw or loss for the side to move; plies to the end

DRAW: Outcome = ("draw", None)

# With a third coordinate -q-r, a symmetry permutes the three and may change all their signs.
SYMMETRIES = [(i, j, sign) for i, j in permutations(range(3), 2) for sign in (1, -1)]


def key(position: Position) -> Key:
    """The same for all positions that differ by shifting, turning and mirroring alone."""
    cubes = [(q, r, -q - r, side) for side in (0, 1) for q, r in position[side]]
    images = []
    for i, j, sign in SYMMETRIES:
        pawns = sorted((sign * cube[i], sign * cube[j], cube[3]) for cube in cubes)
        left, top, _ = pawns[0]
        images.append(tuple((q - left, r - top, side) for q, r, side in pawns))
    return min(images)


def seen_by_mover(position: onoro.Position) -> Position:
    """The pawns of the game's position, the mover's first."""
    return position.sides[position.next_seat], position.sides[1 - position.next_seat]


def shapes(cells: int) -> list[frozenset[Cell]]:
    """One of each sound shape up to symmetry, found by growing all connected shapes."""
    connected = {frozenset({(0, 0)})}
    for _ in range(cells - 1):
        connected = {
            frozenset((q, r) for q, r, _ in key((shape | {cell}, frozenset())))
            for shape in connected
            for cell in onoro.empty_neighbours(shape)
        }
    return sorted(filter(onoro.is_legal_group, connected), key=sorted)


def colourings(cells: int) -> list[Position]:
    """All positions with so many pawns: each shape once, in all its colourings."""
    return [
        (frozenset(own), shape - frozenset(own))
        for shape in shapes(cells)
        for own in combinations(sorted(shape), cells // 2)
    ]


def positions(pawns: int) -> list[Position]:
    """All positions of phase 2: each shape once, in all its colourings."""
    return colourings(2 * pawns)


def replies(position: Position, pawns: int) -> list[Position]:
    """The positions one ply later, none if the game is over."""
    own, other = position
    if onoro.has_four_in_a_row(other):
        return []
    after = []
    for move in onoro.Position(position, onoro.BLACK, (), pawns, repetition=0).choices():
        *origin, target = [onoro.read_cell(text) for text in move.split(">")]
        after.append((other, own - set(origin) | {target}))
    return after


def replies_by_key(cells: int, pawns: int) -> dict[Key, set[Key]]:
    """The replies of all positions with so many cells in which the mover has no line."""
    spots = {key(spot): spot for spot in colourings(cells) if not onoro.has_four_in_a_row(spot[0])}
    return {name: {key(reply) for reply in replies(spots[name], pawns)} for name in spots}


def judged(outcomes: list[Outcome]) -> Outcome:
    """The outcome for a mover who may choose among these outcomes for the opponent."""
    losses = [plies for value, plies in outcomes if value == "loss"]
    if losses:
        return "win", 1 + min(losses)
    if DRAW in outcomes:
        return DRAW
    return "loss", 1 + max((plies for _, plies in outcomes), default=-1)


@cache
def solve(pawns: int) -> dict[Key, Outcome]:
    """The outcomes of all positions of phase 2, with no rule of repetition.

    Everything is a draw until a round shows otherwise: round n finds the ends within n - 1 plies.
    """
    graph = replies_by_key(2 * pawns, pawns)
    outcomes, before = dict.fromkeys(graph, DRAW), None
    while outcomes != before:
        before = outcomes
        outcomes = {name: judged([before[reply] for reply in graph[name]]) for name in graph}
    return outcomes


@cache
def solve_placing(pawns: int) -> dict[Key, Outcome]:
    """The outcomes of all positions of phase 1, from the last placing back to the start."""
    placing: dict[Key, Outcome] = {}
    later = solve(pawns)
    for cells in range(2 * pawns - 1, 2, -1):
        graph = replies_by_key(cells, pawns)
        later = {name: judged([later[reply] for reply in graph[name]]) for name in graph}
        placing |= later
    return placing


def start_outcome(pawns: int) -> Outcome:
    """The outcome of the start, for White."""
    return solve_placing(pawns)[key(seen_by_mover(onoro.start(pawns)))]
