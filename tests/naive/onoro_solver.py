"""A slow and obvious solver of Onoro with few pawns, to test the fast one.

A position is the cells of the side to move and those of the other side, so swapping the colours
together with the side to move changes nothing. Positions in which the side to move already has a
line cannot occur in a game and have no outcome.
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
    """Returns a key that positions share if they differ only by shift, rotation and mirroring."""
    cubes = [(q, r, -q - r, side) for side in (0, 1) for q, r in position[side]]
    images = []
    for i, j, sign in SYMMETRIES:
        pawns = sorted((sign * cube[i], sign * cube[j], cube[3]) for cube in cubes)
        left, top, _ = pawns[0]
        images.append(tuple((q - left, r - top, side) for q, r, side in pawns))
    return min(images)


def mover_first(position: onoro.Position) -> Position:
    """Returns the cells of the mover and of the other side in a position of the game."""
    return position.sides[position.next_seat], position.sides[1 - position.next_seat]


def shapes(cells: int) -> list[frozenset[Cell]]:
    """Returns the legal shapes up to symmetry, found by growing all connected shapes."""
    connected = {frozenset({(0, 0)})}
    for _ in range(cells - 1):
        connected = {
            frozenset((q, r) for q, r, _ in key((shape | {cell}, frozenset())))
            for shape in connected
            for cell in onoro.empty_neighbours(shape)
        }
    return sorted(filter(onoro.is_legal_group, connected), key=sorted)


def colourings(cells: int) -> list[Position]:
    """Returns all positions with `cells` pawns: each shape in all its colourings."""
    return [
        (frozenset(own), shape - frozenset(own))
        for shape in shapes(cells)
        for own in combinations(sorted(shape), cells // 2)
    ]


def positions(pawns: int) -> list[Position]:
    """Returns all positions of phase 2: each shape in all its colourings."""
    return colourings(2 * pawns)


def replies(position: Position, pawns: int) -> list[Position]:
    """Returns the positions one ply later; none if the game is over."""
    own, other = position
    if onoro.has_four_in_a_row(other):
        return []
    positions_after = []
    for move in onoro.Position(position, onoro.BLACK, (), pawns, repetition=0).choices():
        *origin, target = [onoro.read_cell(text) for text in move.split(">")]
        positions_after.append((other, own - set(origin) | {target}))
    return positions_after


def replies_by_key(cells: int, pawns: int) -> dict[Key, set[Key]]:
    """Returns the replies to all positions with `cells` pawns in which the mover has no line."""
    by_key = {key(p): p for p in colourings(cells) if not onoro.has_four_in_a_row(p[0])}
    return {k: {key(reply) for reply in replies(p, pawns)} for k, p in by_key.items()}


def best_outcome(outcomes: list[Outcome]) -> Outcome:
    """Returns the outcome for the mover, given the opponent's outcome after each move."""
    losses = [plies for value, plies in outcomes if value == "loss"]
    if losses:
        return "win", 1 + min(losses)
    if DRAW in outcomes:
        return DRAW
    return "loss", 1 + max((plies for _, plies in outcomes), default=-1)


@cache
def solve(pawns: int) -> dict[Key, Outcome]:
    """Returns the outcomes of all positions of phase 2, without the repetition rule.

    Every position is a draw until a round finds otherwise: round n finds ends within n - 1 plies.
    """
    graph = replies_by_key(2 * pawns, pawns)
    outcomes, before = dict.fromkeys(graph, DRAW), None
    while outcomes != before:
        before = outcomes
        outcomes = {k: best_outcome([before[reply] for reply in graph[k]]) for k in graph}
    return outcomes


@cache
def solve_placing(pawns: int) -> dict[Key, Outcome]:
    """Returns the outcomes of all positions of phase 1, from the last placement to the first."""
    placing: dict[Key, Outcome] = {}
    later = solve(pawns)
    for cells in range(2 * pawns - 1, 2, -1):
        graph = replies_by_key(cells, pawns)
        later = {k: best_outcome([later[reply] for reply in graph[k]]) for k in graph}
        placing |= later
    return placing


def start_outcome(pawns: int) -> Outcome:
    """Returns the outcome of the start, for White."""
    return solve_placing(pawns)[key(mover_first(onoro.start(pawns)))]
