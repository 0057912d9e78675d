"""Alpha-beta search, for two players without chance."""

from __future__ import annotations

import time
from collections.abc import Mapping

from quincunx import search
from quincunx.buffers import Buffer, integer_buffer, records
from quincunx.contract import WIN_OR_DRAW
from quincunx.game import Game, State
from quincunx.options import Option, Value
from quincunx.players import MoveValue, clamp_unproven
from quincunx.search.alphabeta import FIELDS
from quincunx.search.alphabeta_records import (
    EVAL_SCALE,
    FRAME,
    MATE,
    MATE_THRESHOLD,
    MAX_DEPTH,
    STACK_PLIES,
    TT_ENTRY,
    workspace_type,
)

OPTIONS = (
    Option(
        "depth",
        0,
        "search depth in plies; 0 = no limit with `time` or `nodes`, otherwise 4",
        0,
        MAX_DEPTH,
    ),
    Option("time", 0.0, "seconds per move; 0 = no time limit", 0, 3600),
    Option("nodes", 0, "positions searched per move; 0 = no node limit", 0, 10**12),
    Option("exact", False, "no pruning heuristics: the same value as plain minimax"),
    Option(
        "table_entries",
        1 << 20,
        "size of the transposition table, rounded down to a power of two",
        2,
        1 << 28,
    ),
)
DESCRIPTION = "alpha-beta search, in games of two without chance"

DEFAULT_DEPTH = 4  # where no limit is given
CLOCK_CHECK_SECONDS = 0.004  # the approximate time between two checks of the clock
MIN_CHECK_NODES, MAX_CHECK_NODES = 250, 1 << 20  # nodes between two checks
NO_TIME_LIMIT = float("inf")


class AlphaBetaPlayer:
    """Searches with iterative deepening until a limit is reached, and plays the best move found.

    After `choose`, `depth` is the last completed depth, `nodes` the number of positions searched
    and `value` the value found, in units of search.alphabeta_records. The transposition table is
    kept for the next move. The seed decides between moves of equal value.
    """

    def __init__(self, game: Game, options: Mapping[str, Value], seed: int) -> None:
        kernel = game.kernel
        self._game = game
        self._code = search.compiled(kernel)
        self._max_depth, self._max_seconds = int(options["depth"]), float(options["time"])
        self._max_nodes = int(options["nodes"])
        if not (self._max_depth or self._max_seconds or self._max_nodes):
            self._max_depth = DEFAULT_DEPTH
        self._states = game.empty_positions(STACK_PLIES)
        self._frames = records(FRAME, STACK_PLIES)
        table_bits = int(options["table_entries"]).bit_length() - 1
        self._table = records(TT_ENTRY, 1 << table_bits)
        self._workspace = records(workspace_type(kernel.MAX_LEGAL, kernel.ACTIONS), 1)[0]
        self._workspace.full_width = options["exact"]
        self._seed = seed
        self.time_limit: float | None = None
        self._deadline, self._check_nodes = NO_TIME_LIMIT, MIN_CHECK_NODES
        self.depth = self.nodes = self.value = 0

    @property
    def memory_bytes(self) -> int:
        """The memory in use: the transposition table has entries everywhere."""
        return len(self._table) * TT_ENTRY.itemsize

    def choose(self, state: State, seat: int | None = None) -> int:
        """Returns the best action found within the limits."""
        state.acting_seat(seat)
        self._prepare(state)
        best_action, root = state.actions()[0], self._frames[0]
        for depth in range(1, (self._max_depth or MAX_DEPTH) + 1):
            completed = self._search_to_depth(0, depth)
            if root.best_value >= -MATE:
                # Valid even if incomplete: the best move of the last depth was searched first.
                best_action = int(root.best_action)
            if not completed:
                break
            self.depth, self.value = depth, int(root.value)
            # A mate beyond the depth was found by an extension; there may be a nearer one.
            if MATE - abs(self.value) <= depth or len(state.actions()) == 1:
                break
        return best_action

    def analyse_moves(self, state: State, seat: int | None = None) -> list[MoveValue]:
        """Returns a value for every legal move, the best first, within the limits.

        Every move is searched to the same depth with a full window, for its own exact value.
        """
        seat = state.acting_seat(seat)
        self._prepare(state)
        self._frames[0].key = self._code.current_key(state.position)
        values = dict.fromkeys(state.actions(), 0)
        visits = dict.fromkeys(values, 0)
        for depth in range(1, (self._max_depth or MAX_DEPTH) + 1):
            new_values = {}
            # A mate beyond the depth was found by an extension and may not be the nearest.
            unsolved = [action for action, value in values.items() if MATE - abs(value) >= depth]
            for action in sorted(unsolved, key=values.__getitem__, reverse=True):
                nodes_before = self.nodes
                self._states[1] = self._states[0]
                self._game.kernel.apply(self._states[1], seat, action)
                if self._search_to_depth(1, depth - 1, limited=depth > 1):
                    new_values[action] = -int(self._frames[1].value)
                visits[action] += self.nodes - nodes_before
            if len(new_values) < len(unsolved):
                # Values of different depths are not comparable, except for proven ones.
                values.update({a: v for a, v in new_values.items() if abs(v) > MATE_THRESHOLD})
                break
            if not unsolved:
                break
            values.update(new_values)
            self.depth = depth
        ranked = sorted(values, key=values.__getitem__, reverse=True)
        return [self._move_value(action, values[action], visits[action]) for action in ranked]

    def _prepare(self, state: State) -> None:
        """Resets the search to a position and starts the clock."""
        self._states[0] = state.position
        self._code.reset(self._frames, self._workspace, self._seed)
        self._resume(0)  # compiles on first use, before the clock starts
        limits = (self._max_seconds or NO_TIME_LIMIT, self.time_limit or NO_TIME_LIMIT)
        self._deadline = time.perf_counter() + min(limits)
        self.depth = self.nodes = self.value = 0

    def _search_to_depth(self, root: int, depth: int, limited: bool = True) -> bool:
        """Searches from a ply to a depth; returns False if a limit stopped the search."""
        frame: Buffer = self._frames[root]
        self._workspace.root = self._workspace.ply = root
        frame.alpha, frame.beta, frame.depth, frame.best_value = -MATE, MATE, depth, -MATE - 1
        while True:
            now, nodes = time.perf_counter(), self._check_nodes
            if limited and self._max_nodes:
                nodes = min(nodes, self._max_nodes - self.nodes)
            if limited and (nodes <= 0 or now >= self._deadline):
                return False
            if self._resume(nodes):
                return True
            slow = time.perf_counter() - now > CLOCK_CHECK_SECONDS
            self._check_nodes = (
                max(MIN_CHECK_NODES, self._check_nodes // 2)
                if slow
                else min(2 * self._check_nodes, MAX_CHECK_NODES)
            )

    def _resume(self, max_nodes: int) -> bool:
        """Continues the search for a number of nodes; returns True when it is complete."""
        self._workspace.nodes = 0
        completed = self._code.alphabeta(
            self._states, self._frames, self._table, self._workspace, max_nodes
        )
        self.nodes += int(self._workspace.nodes)
        return bool(completed)

    def _move_value(self, action: int, value: int, visits: int) -> MoveValue:
        """Converts a search value to the scale of players, -1 to 1."""
        line = self._principal_variation(action)
        if abs(value) > MATE_THRESHOLD:
            return MoveValue(action, 1.0 if value > 0 else -1.0, line, visits, MATE - abs(value))
        return MoveValue(action, clamp_unproven(value / EVAL_SCALE), line, visits)

    def _principal_variation(self, action: int) -> tuple[int, ...]:
        """Returns the line of best play that starts with an action in the root position."""
        line = integer_buffer(MAX_DEPTH)
        self._states[1] = self._states[0]
        n = self._code.principal_variation(self._states[1], action, self._table, line)
        return tuple(line[:n].tolist())


def unsupported(game: Game) -> str:
    """Returns why alpha-beta search cannot play a game, or "" if it can."""
    two_seats = game.seats == game.kernel.SEATS == 2
    if not (two_seats and game.traits.combinatorial and game.traits.outcome == WIN_OR_DRAW):
        return f"plays only two-player games without chance, not {game.name}"
    missing = [name for name in FIELDS if name not in (game.kernel.STATE.names or ())]
    return f"needs the field {missing[0]} in the positions of {game.name}" if missing else ""


def make(game: Game, options: Mapping[str, Value], seed: int) -> AlphaBetaPlayer:
    """Returns a player for a two-player game without chance."""
    return AlphaBetaPlayer(game, options, seed)
