"""Monte Carlo tree search, for any number of players, with chance and hidden things."""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from random import Random
from types import ModuleType
from typing import Any, NamedTuple, cast

import numpy as np

from quincunx import search
from quincunx.game import Game, State
from quincunx.machine import cores
from quincunx.options import Option, Value
from quincunx.players import MoveValue, unproven
from quincunx.search.kernels import BLIND, NODE, NONE, OPEN, transplant

OPTIONS = (
    Option("sims", 0, "simulations a move; 0 = as many as time allows, or 1000", 0, 100_000_000),
    Option("time", 0.0, "seconds a move; 0 = as long as the simulations take", 0, 3600),
    # More than a few for each core would only take room.
    Option("threads", 1, "trees grown side by side", 1, 4 * cores()),
    Option("horizon", NONE, "random plies after the tree; -1 = what suits the game", -1, 10_000),
    Option("explore", 0.0, "how much it tries what looks worse; 0 = what suits the game", 0, 10),
    Option("guided", True, "try first what looks best at a glance, where that suits the game"),
)
DESCRIPTION = "Monte Carlo tree search"

SIMS = 1000  # where no limit is given
NODES = 1 << 20  # of a tree; when it is full, it grows no more
DEEP = 512  # plies of the tree
AT_ONCE = 0.002  # seconds between two looks at the clock, as long as simulations usually take
AT_WORST = 0.02  # the same, if all of them took as long as the slowest
PUBLIC = 0  # the seed of what is hidden where it does not matter


class Node(NamedTuple):
    """A node of the tree as plain numbers, in the order of NODE."""

    action: int
    child: int
    next: int
    visits: int
    worth: float
    promise: float
    plies: int
    mover: int
    proof: int


class Tree:
    """A tree that grows from one position, for one seat."""

    def __init__(self, game: Game, tuning: np.ndarray[Any, Any]) -> None:
        kernel = game.kernel
        self._code = search.compiled(cast(ModuleType, kernel))
        self._game = game
        self._tuning = tuning
        self._nodes, self._bed = (np.zeros(NODES, NODE).view(np.recarray) for _ in range(2))
        self._room = game.empty_positions(3)
        self._moves = np.empty(kernel.MAX_LEGAL, np.int32)
        self._promises = np.empty(kernel.MAX_LEGAL)
        self._path, self._widths = np.zeros(DEEP, np.int64), np.zeros(DEEP, np.int64)
        self._seat = NONE
        self._before = 0
        self._clear()
        # Compiles or loads all that is needed: that is not to be on the clock of a move.
        self.grow(0, 0)
        self._code.trace(self._nodes, game.empty_positions(2), self._path, 0)
        transplant(self._nodes, 0, self._bed)

    def _clear(self) -> None:
        """Leaves a root and nothing else."""
        self._nodes[0] = (NONE, NONE, NONE, 0, 0.0, 0.0, 0, 0, OPEN)
        self._used = 1

    def plant(self, state: State, seat: int) -> None:
        """Begins from a position: with what has grown from it already, or anew."""
        node = self._find(state) if seat == self._seat else NONE
        if node == NONE:
            self._clear()
        elif node > 0:
            self._used = transplant(self._nodes, node, self._bed)
            self._nodes, self._bed = self._bed, self._nodes
        self._room[0] = state._s
        self._seat = seat
        self._before = int(self._nodes[0].visits)

    def _find(self, state: State) -> int:
        """The node of the same position or of one a round later, or NONE.

        The moves in between are not known, so they are played again, from what the seat knew
        then to what it knows now: what it could not know is the same in both. A position that
        chance had a part in is not found, and its tree begins anew; what is hidden makes no
        difference to that.
        """
        plies = state.ply - int(self._room[0].ply)
        if plies not in (0, self._game.seats):
            return NONE
        states = self._game.empty_positions(plies + 2)
        states[0], states[-1] = self._room[0], state._s
        for s in (states[0], states[-1]):
            self._game.kernel.hide(s, self._seat, PUBLIC)
        node = int(self._code.trace(self._nodes, states, self._path, plies))
        # Equal keys may have different histories, and a proof may hang on a repetition.
        return node if states[-2].tobytes() == states[-1].tobytes() else NONE

    def grow(self, sims: int, seed: int) -> bool:
        """Runs simulations; False when more would change nothing."""
        self._used = self._code.mcts(
            self._nodes,
            self._used,
            self._room,
            self._seat,
            self._game.seats,
            self._moves,
            self._promises,
            self._path,
            self._widths,
            sims,
            self._tuning,
            seed,
        )
        return bool(self._nodes[0].proof == OPEN)

    def one_ply_values(self) -> dict[int, float]:
        """What every move at the root is worth without looking further."""
        room = self._room[1:]
        room[0] = self._room[0]
        self._game.kernel.hide(room[0], self._seat, PUBLIC)
        n = self._code.one_ply_values(room, self._seat, self._moves, self._promises)
        return dict(zip(self._moves[:n].tolist(), self._promises[:n].tolist(), strict=True))

    def children(self, first: int | None = None) -> list[Node]:
        """A node and its later siblings; by default all that come after the root."""
        following = self._nodes["next"]
        child = int(self._nodes["child"][0]) if first is None else first
        found = []
        while child != NONE:
            found.append(child)
            child = int(following[child])
        return [Node(*row) for row in self._nodes[found].tolist()]

    def line(self, node: Node) -> tuple[int, ...]:
        """The play that is expected, from a node on."""
        line = [node.action]
        while nodes := [child for child in self.children(node.child) if child.visits]:
            node = max(nodes, key=rank)
            line.append(node.action)
        return tuple(line)

    @property
    def sims(self) -> int:
        """How many simulations the last search made."""
        return int(self._nodes[0].visits) - self._before

    @property
    def nodes(self) -> int:
        """How often a node was come to, in all simulations that the tree knows."""
        return int(self._nodes.visits[: self._used].sum())


def rank(node: Node) -> tuple[int, int, float]:
    """What makes one move better than another: a near win, many visits, a distant loss."""
    return node.proof, -node.proof * node.plies if node.proof else node.visits, node.worth


def _together(one: Node, other: Node) -> Node:
    """What two trees know of the same move."""
    return one._replace(
        visits=one.visits + other.visits,
        worth=one.worth + other.worth,
        plies=min((node.plies for node in (one, other) if node.proof), default=0),
        proof=one.proof or other.proof,
    )


class MctsPlayer:
    """Chooses the move that most simulations went to; keeps the tree for the next move."""

    def __init__(
        self, game: Game, options: Mapping[str, Value], tuning: np.ndarray[Any, Any], seed: int
    ) -> None:
        self._dice = Random(seed)
        self._sims, self._time = int(options["sims"]), float(options["time"])
        if not self._sims and not self._time:
            self._sims = SIMS
        self._trees = [Tree(game, tuning) for _ in range(int(options["threads"]))]

    def choose(self, state: State, seat: int | None = None) -> int:
        """The best action found within the limit."""
        seat = state.acting_seat(seat)
        actions = state.actions(seat)
        if len(actions) == 1:
            return actions[0]
        self.search(state, seat)
        return max(self._tally(), key=rank).action

    def analyse_moves(self, state: State, seat: int | None = None) -> list[MoveValue]:
        """An opinion on every legal move, the best first; what was not tried, at a glance."""
        seat = state.acting_seat(seat)
        self.search(state, seat)
        glance = self._trees[0].one_ply_values()

        def order(node: Node) -> tuple[float, ...]:
            return *rank(node), 0.0 if node.visits else glance[node.action]

        tally = sorted(self._tally(), key=order, reverse=True)
        lines = self._lines()
        return [self._opinion(node, lines[node.action], glance[node.action]) for node in tally]

    def _opinion(self, node: Node, line: tuple[int, ...], glance: float) -> MoveValue:
        """What is thought of a move at the root."""
        if node.proof:
            return MoveValue(node.action, float(node.proof), line, node.visits, node.plies + 1)
        value = 2.0 * node.worth / node.visits - 1.0 if node.visits else glance
        return MoveValue(node.action, unproven(value), line, node.visits)

    def search(self, state: State, seat: int) -> None:
        """Grows the trees from a position until the limit is reached."""
        end = time.perf_counter() + self._time
        for tree in self._trees:
            tree.plant(state, seat)
        seeds = [self._dice.getrandbits(63) for _ in self._trees]
        if len(self._trees) == 1:
            self._grow(self._trees[0], seeds[0], end)
            return
        with ThreadPoolExecutor(len(self._trees)) as threads:
            list(threads.map(self._grow, self._trees, seeds, [end] * len(seeds)))

    @property
    def sims(self) -> int:
        """How many simulations the last search made."""
        return sum(tree.sims for tree in self._trees)

    @property
    def nodes(self) -> int:
        """How often a node was come to, in all simulations that the trees know."""
        return sum(tree.nodes for tree in self._trees)

    def _tally(self) -> list[Node]:
        """What all trees together know of the moves at the root."""
        tally: dict[int, Node] = {}
        for tree in self._trees:
            for node in tree.children():
                known = tally.get(node.action)
                tally[node.action] = node if known is None else _together(node, known)
        return list(tally.values())

    def _lines(self) -> dict[int, tuple[int, ...]]:
        """The play expected after each action, by the tree that knows it best."""
        best: dict[int, tuple[Node, Tree]] = {}
        for tree in self._trees:
            for node in tree.children():
                if node.action not in best or rank(node) > rank(best[node.action][0]):
                    best[node.action] = node, tree
        return {action: tree.line(node) for action, (node, tree) in best.items()}

    def _grow(self, tree: Tree, seed: int, end: float) -> None:
        """Grows one tree: its share of the simulations, or until the time is up."""
        left = -(-self._sims // len(self._trees)) if self._sims else 1 << 60
        if not self._time:
            # In one go, so that the same seed gives the same tree.
            tree.grow(left, seed)
            return
        now, batch, slowest = time.perf_counter(), 1, 0.0
        # At least one simulation: without any, there is no move to choose.
        while left > 0 and (now < end or not tree.sims) and tree.grow(min(batch, left), seed):
            left -= batch
            seed = (seed + 1) & (2**63 - 1)
            before, now = now, time.perf_counter()
            # By the last ones alone: simulations take longer once the tree is deep.
            each = (now - before) / batch
            slowest = max(slowest, each)
            few = min(min(AT_ONCE, end - now) / each, AT_WORST / slowest)
            batch = max(1, min(2 * batch, int(few)))


def make(game: Game, options: Mapping[str, Value], seed: int) -> MctsPlayer:
    """Plays every game."""
    suits = game.parts.rules.SEARCH
    horizon, explore = int(options["horizon"]), float(options["explore"])
    tuning = (
        explore or suits["explore"],
        suits.get("trust", BLIND) if options["guided"] else BLIND,
        suits["horizon"] if horizon == NONE else horizon,
        game.seats == 2 and game.parts.rules.DRAWS,
    )
    return MctsPlayer(game, options, np.array(tuning, np.float64), seed)
