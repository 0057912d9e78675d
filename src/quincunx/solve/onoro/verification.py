"""Verifies a table by its checksums, each entry's successors, and an independent search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import numpy as np

from quincunx.errors import BadTable
from quincunx.game import Game, State
from quincunx.record import Record
from quincunx.registry import game as game_named
from quincunx.solve.onoro import retrograde, shape_sets
from quincunx.solve.onoro.arrays import Codes
from quincunx.solve.onoro.forced import ForcedWinSearch
from quincunx.solve.onoro.reader import TableReader, move_verdict, verdict_from_code
from quincunx.solve.onoro.retrograde import LOST_NOW, UNREACHABLE
from quincunx.solve.onoro.solver import codes_from_successors
from quincunx.solve.onoro.tablebase import Tablebase
from quincunx.solve.onoro.threads import ThreadTeam
from quincunx.solve.protocol import ProgressCallback

SEARCHED_POSITIONS = 200
SEARCH_PLIES = 4
MAX_TRIED_ENTRIES = 10_000  # random entries tried to find one that ends within SEARCH_PLIES


@dataclass(frozen=True)
class Verification:
    """How much was verified; the fields are the keys of the command's JSON output."""

    entries: int
    blocks: int  # with a correct checksum
    searched: int  # positions on which the independent search agreed
    ended: int  # how many of these end within SEARCH_PLIES


def verify(
    table: Tablebase,
    team: ThreadTeam,
    progress: ProgressCallback,
    positions: int = SEARCHED_POSITIONS,
    seed: int = 0,
) -> Verification:
    """Verifies a whole table; raises BadTable that names the first wrong position or block."""
    blocks = table.mapped.block_count
    for block in table.verify_checksums():
        progress("checksums", block + 1, blocks)
    for n in table.pawn_counts:
        _verify_entries(table, team, progress, n)
    ended = 0
    for number, ends in enumerate(_search_positions(table, positions, Random(seed))):
        progress("independent search", number + 1, positions)
        ended += ends
    entries = sum(table.mapped.codes(n).size for n in table.pawn_counts)
    return Verification(entries, blocks, positions, ended)


def _verify_entries(table: Tablebase, team: ThreadTeam, progress: ProgressCallback, n: int) -> None:
    """Recomputes all codes of n pawns from the positions after their moves; raises BadTable."""
    codes = table.mapped.codes(n)
    target_n = min(n + 1, 2 * table.pawns)

    def task(low: int, high: int) -> tuple[int, int]:
        expected = np.empty_like(codes[low:high])
        codes_from_successors(table.mapped, n, target_n, low, high, expected)
        shape, k = retrograde.first_difference(codes[low:high], expected)
        return (-1 if shape < 0 else low + shape), k

    for stop, (shape, k) in team.map_range(0, len(codes), task, shape_sets.BATCH_SHAPES):
        progress(f"entries, {n} pawns", stop, len(codes))
        if shape >= 0:
            position = position_text(table, n, shape, k)
            raise BadTable(
                str(table.path),
                f"code {codes[shape, k]} of {position} contradicts its successors",
            )


def _search_positions(table: Tablebase, positions: int, rng: Random) -> Iterator[bool]:
    """Compares random entries with a search; yields whether each one ends within SEARCH_PLIES."""
    game, search, reader = _game(table), ForcedWinSearch(SEARCH_PLIES), TableReader(table)
    for number in range(positions):
        n, shape, k = _random_entry(table, rng, ends=number % 2 == 0)
        state = game.read(position_text(table, n, shape, k))
        code = int(table.mapped.codes(n)[shape, k])
        verdict = verdict_from_code(code)
        ends = verdict.distance is not None and verdict.distance <= SEARCH_PLIES
        if code == LOST_NOW:
            agrees = state.over and state.turn is None
        else:
            winner = _winner(state, verdict.value) if ends else None
            agrees = not state.over and all(
                search.can_force(state, seat, SEARCH_PLIES) == (seat == winner) for seat in range(2)
            )
            if winner is not None and verdict.distance:
                agrees &= not search.can_force(state, winner, verdict.distance - 1)
        if not agrees or reader.code(state) != code:
            raise BadTable(
                str(table.path),
                f"{state.text}: table says {verdict}, but an independent search disagrees",
            )
        yield ends


def _random_entry(table: Tablebase, rng: Random, ends: bool) -> tuple[int, int, int]:
    """Returns a random entry as pawns, shape and colouring.

    With `ends`, it ends within SEARCH_PLIES if such an entry is found in MAX_TRIED_ENTRIES tries.
    """
    for _ in range(MAX_TRIED_ENTRIES):
        n = rng.choice((2 * table.pawns, 2 * table.pawns, rng.choice(table.pawn_counts)))
        codes = table.mapped.codes(n)
        shape, k = rng.randrange(len(codes)), rng.randrange(codes.shape[1])
        code = int(codes[shape, k])
        if code != UNREACHABLE and (not ends or LOST_NOW <= code <= LOST_NOW + SEARCH_PLIES):
            break
    return n, shape, k


def _winner(state: State, value: str) -> int:
    """Returns the seat that wins, given the value for the side to move."""
    seat = int(state.position.turn)
    return seat if value == "win" else 1 - seat


def _game(table: Tablebase) -> Game:
    return game_named(table.game_name, pawns=table.pawns)


def position_text(table: Tablebase, n: int, shape: int, k: int) -> str:
    """Returns the text of an entry's position; in phase 2, where either may move, Black does."""
    cells = [(int(bit) >> 4, int(bit) & 15) for bit in table.mapped.shapes(n).cells[shape]]
    own = int(shape_sets.colourings_of(n).masks[k])
    to_move, other = ("W", "B") if n % 2 else ("B", "W")
    pawn = {cell: to_move if own >> i & 1 else other for i, cell in enumerate(cells)}
    rows = [
        "".join(pawn.get((y, x), ".") for x in range(1 + max(x for _, x in cells)))
        for y in range(1 + max(y for y, _ in cells))
    ]
    return f"{'/'.join(rows)} {to_move.lower()}"


def longest_win(table: Tablebase) -> Record:
    """Returns one of the longest wins, as a game with best play by both sides."""
    counts = table.counts
    n = max(counts, key=lambda n: (counts[n]["longest"], n))
    codes = table.mapped.codes(n)
    shape, k = _first_entry(codes, LOST_NOW + counts[n]["longest"])
    game, reader = _game(table), TableReader(table)
    start = game.read(position_text(table, n, shape, k))
    state, moves = start, []
    while not state.over:
        actions, codes_after = reader.codes_after(state)
        ranks = [move_verdict(code).rank for code in codes_after]
        best = max(range(len(actions)), key=lambda i: ranks[i])
        moves.append(state.move(actions[best]))
        state = state.act(actions[best])
    return Record(
        game,
        tuple(moves),
        players=("perfect", "perfect"),
        result=state.scores,
        start=start.text,
    )


def _first_entry(codes: Codes, code: int) -> tuple[int, int]:
    """Returns the shape and colouring of the first entry with a code."""
    for shape, row in enumerate(codes):
        matches = np.flatnonzero(row == code)
        if len(matches):
            return shape, int(matches[0])
    raise ValueError(f"no entry has code {code}")
