"""Reasons to trust a table: checksums, every entry against its successors, and another search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from quincunx.errors import BadTable
from quincunx.game import Game, State
from quincunx.record import Record
from quincunx.registry import game as game_named
from quincunx.solve import GAME, retrograde, shape_sets
from quincunx.solve.forced import Search
from quincunx.solve.retrograde import LOST_NOW, OVER
from quincunx.solve.solver import ProgressCallback, judge
from quincunx.solve.tablebase import Tablebase
from quincunx.solve.threads import ThreadTeam
from quincunx.solve.verdict import TableReader, move_verdict, verdict_from_code

POSITIONS = 200  # so many are solved again
PLIES = 4  # to this depth
TRIES = 10_000  # to find a position that ends within it


@dataclass(frozen=True)
class Verified:
    """What was seen to be right."""

    entries: int
    blocks: int
    searched: int  # positions that another search agreed on
    ended: int  # of these, the ones that it saw the end of


def verify(
    table: Tablebase,
    team: ThreadTeam,
    progress: ProgressCallback,
    positions: int = POSITIONS,
    seed: int = 0,
) -> Verified:
    """Checks a whole table; BadTable says what is wrong, and where."""
    for block in table.check():
        progress("checksums", block + 1, table.mapped.blocks)
    for n in table.numbers:
        _compare(table, team, progress, n)
    ended = 0
    for number, plies in enumerate(_searched(table, positions, Random(seed))):
        progress("other search", number + 1, positions)
        ended += plies
    entries = sum(table.mapped.codes(n).size for n in table.numbers)
    return Verified(entries, table.mapped.blocks, positions, ended)


def _compare(table: Tablebase, team: ThreadTeam, progress: ProgressCallback, n: int) -> None:
    """Compares the codes of n pawns with what follows from the positions after their moves."""
    codes = table.mapped.codes(n)
    later = min(n + 1, 2 * table.pawns)

    def some(low: int, high: int) -> tuple[int, int]:
        follows = np.empty_like(codes[low:high])
        judge(table.mapped, n, later, low, high, follows)
        shape, k = retrograde.differing(codes[low:high], follows)
        return (-1 if shape < 0 else low + shape), k

    for end, (shape, k) in team.map_range(0, len(codes), some, shape_sets.TOGETHER):
        progress(f"entries, {n} pawns", end, len(codes))
        if shape >= 0:
            where = text_of(table, n, shape, k)
            raise BadTable(
                str(table.path), f"{where} is given as {codes[shape, k]}, against its successors"
            )


def _searched(table: Tablebase, positions: int, dice: Random) -> Iterator[bool]:
    """Compares random positions with what can be forced in a few plies; True where that ends."""
    game, search, reader = _game(table), Search(PLIES), TableReader(table)
    for number in range(positions):
        n, shape, k = _drawn(table, dice, ends=number % 2 == 0)
        state = game.read(text_of(table, n, shape, k))
        code = int(table.mapped.codes(n)[shape, k])
        verdict = verdict_from_code(code)
        soon = verdict.distance is not None and verdict.distance <= PLIES
        if code == LOST_NOW:
            right = state.over and state.turn is None
        else:
            winner = _winner(state, verdict.value) if soon else None
            right = not state.over and all(
                search.can_force(state, seat, PLIES) == (seat == winner) for seat in range(2)
            )
            if winner is not None and verdict.distance:
                right &= not search.can_force(state, winner, verdict.distance - 1)
        if not right or reader.code(state) != code:
            raise BadTable(
                str(table.path), f"{state.text} is no {verdict}, as another search finds"
            )
        yield soon


def _drawn(table: Tablebase, dice: Random, ends: bool) -> tuple[int, int, int]:
    """A position by chance; most likely one that ends within a few plies, if that is asked for."""
    for _ in range(TRIES):
        n = dice.choice((2 * table.pawns, 2 * table.pawns, dice.choice(table.numbers)))
        codes = table.mapped.codes(n)
        shape, k = dice.randrange(len(codes)), dice.randrange(codes.shape[1])
        code = int(codes[shape, k])
        if code != OVER and (not ends or LOST_NOW <= code <= LOST_NOW + PLIES):
            break
    return n, shape, k


def _winner(state: State, value: str) -> int:
    mover = int(state._s.turn)
    return mover if value == "win" else 1 - mover


def _game(table: Tablebase) -> Game:
    return game_named(GAME, pawns=table.pawns)


def text_of(table: Tablebase, n: int, shape: int, k: int) -> str:
    """The text of a position of the table; Black is to move where both might be."""
    cells = [(int(code) >> 4, int(code) & 15) for code in table.mapped.size(n).cells[shape]]
    own = int(shape_sets.colours(n).colourings[k])
    mover, other = ("W", "B") if n % 2 else ("B", "W")
    pawn = {cell: mover if own >> i & 1 else other for i, cell in enumerate(cells)}
    rows = [
        "".join(pawn.get((y, x), ".") for x in range(1 + max(x for _, x in cells)))
        for y in range(1 + max(y for y, _ in cells))
    ]
    return f"{'/'.join(rows)} {mover.lower()}"


def longest_win(table: Tablebase) -> Record:
    """One of the longest wins, as a game in which both sides play their best."""
    counts = table.counts
    n = max(counts, key=lambda n: (counts[n]["longest"], n))
    codes = table.mapped.codes(n)
    shape, k = _first(codes, LOST_NOW + counts[n]["longest"])
    game, reader = _game(table), TableReader(table)
    start = game.read(text_of(table, n, shape, k))
    state, moves = start, []
    while not state.over:
        actions, after = reader.codes_after(state)
        best = max(range(len(actions)), key=lambda i: move_verdict(after[i]).rank)
        moves.append(state.move(actions[best]))
        state = state.act(actions[best])
    return Record(
        game,
        tuple(moves),
        players=("perfect", "perfect"),
        result=state.scores,
        start=start.text,
    )


def _first(codes: Any, code: int) -> tuple[int, int]:
    """The first entry with a code."""
    for shape, row in enumerate(codes):
        found = np.flatnonzero(row == code)
        if len(found):
            return shape, int(found[0])
    raise ValueError(f"no entry has code {code}")
