"""Monte Carlo tree search, for any number of players, with chance and hidden information."""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import NamedTuple

from quincunx import search
from quincunx.buffers import Buffer, records, seed_of_bits
from quincunx.contract import WIN_OR_DRAW
from quincunx.game import Game, State
from quincunx.machine import cores
from quincunx.options import Option, Value
from quincunx.players import MoveValue, clamp_unproven
from quincunx.search.mcts import (
    NO_NODE,
    NODE,
    RANDOM_PRIOR_VISITS,
    SETTINGS,
    UNPROVEN,
    clear_tree,
    copy_subtree,
    total_visits,
    workspace_type,
)

GAME_DEFAULT = -1  # the value of `horizon` that stands for the game's own setting

OPTIONS = (
    Option(
        "sims", 0, "simulations per move; 0 = no limit with `time`, otherwise 1000", 0, 100_000_000
    ),
    Option("time", 0.0, "seconds per move; 0 = no time limit", 0, 3600),
    # More threads than a few per core would only cost memory.
    Option("threads", 1, "trees searched in parallel", 1, 4 * cores()),
    Option("horizon", GAME_DEFAULT, "plies of a random rollout; -1 = game default", -1, 10_000),
    Option("explore", 0.0, "exploration constant; 0 = game default", 0, 10),
    Option("guided", True, "use static evaluations as priors, in games that do so by default"),
    Option("tree_nodes", 1 << 20, "size of a tree; a full tree does not grow", 2, 1 << 28),
)
DESCRIPTION = "Monte Carlo tree search"

DEFAULT_SIMULATIONS = 1000  # where no limit is given
# The simulations between two checks of the clock take BATCH_SECONDS at the speed of the last batch,
# but not more than MAX_BATCH_SECONDS at the speed of the slowest one.
BATCH_SECONDS, MAX_BATCH_SECONDS = 0.002, 0.02
HIDE_SEED = 0  # for redrawing hidden information where any fixed outcome will do
NO_SEAT = -1
NO_SIMULATION_LIMIT = 1 << 60


class TreeNode(NamedTuple):
    """A node of the tree as plain numbers, in the order of NODE."""

    action: int
    first_child: int
    next_sibling: int
    visit_count: int
    value_sum: float
    prior_value: float
    plies_to_end: int
    mover: int
    proof: int


class SearchTree:
    """The search tree of one position, for one seat."""

    def __init__(self, game: Game, settings: Buffer, max_nodes: int) -> None:
        kernel = game.kernel
        self._code = search.compiled(kernel)
        self._game = game
        self._settings = settings
        # The root and its children must fit. The second array is the target of `copy_subtree`.
        size = max(max_nodes, 1 + kernel.MAX_LEGAL)
        self._nodes, self._spare_nodes = (records(NODE, size) for _ in range(2))
        self._scratch = game.empty_positions(3)
        self._workspace = records(workspace_type(kernel.MAX_LEGAL, kernel.SEATS), 1)[0]
        self._seat = NO_SEAT
        self._reused_visits = 0
        self._most_nodes = 1
        self._clear()
        # Compiles or loads the code now, so that this does not count as time of the first move.
        self.simulate(0, 0)
        self._code.find_descendant(self._nodes, game.empty_positions(2), self._workspace.path, 0)
        copy_subtree(self._nodes, 0, self._spare_nodes)

    def _clear(self) -> None:
        """Reduces the tree to an unvisited root."""
        clear_tree(self._nodes)
        self._workspace.node_count = 1

    def set_root(self, state: State, seat: int) -> None:
        """Makes a position the root and keeps its subtree, if the tree has one."""
        node = self._find_node(state) if seat == self._seat else NO_NODE
        if node == NO_NODE:
            self._clear()
        elif node > 0:
            self._workspace.node_count = copy_subtree(self._nodes, node, self._spare_nodes)
            self._nodes, self._spare_nodes = self._spare_nodes, self._nodes
        self._scratch[0] = state.position
        self._seat = seat
        self._reused_visits = int(self._nodes[0].visit_count)

    def _find_node(self, state: State) -> int:
        """Returns the node of a position: the root, or a node one round later, or NO_NODE.

        The moves in between are not known, so the tree's own moves are replayed, from what the
        seat knew at the root, and compared with what it knows now; hidden information is redrawn
        from the same seed on both sides. A position that depends on chance is not found, so its
        search starts with an empty tree.
        """
        plies = state.ply - int(self._scratch[0].ply)
        if plies not in (0, self._game.seats):
            return NO_NODE
        states = self._game.empty_positions(plies + 2)
        states[0], states[-1] = self._scratch[0], state.position
        for s in (states[0], states[-1]):
            self._game.kernel.hide(s, self._seat, HIDE_SEED)
        node = int(self._code.find_descendant(self._nodes, states, self._workspace.path, plies))
        # Equal keys may have different histories, and a proof may depend on a repetition.
        return node if states[-2].tobytes() == states[-1].tobytes() else NO_NODE

    def simulate(self, simulations: int, seed: int) -> bool:
        """Runs simulations; returns False when the root is proven."""
        self._code.mcts(
            self._nodes,
            self._scratch,
            self._seat,
            self._settings,
            self._workspace,
            simulations,
            seed,
        )
        self._most_nodes = max(self._most_nodes, int(self._workspace.node_count))
        return bool(self._nodes[0].proof == UNPROVEN)

    def resume(self, simulations: int) -> bool:
        """Runs more simulations, as if the last call of `simulate` had been for all of them."""
        return self.simulate(simulations, seed_of_bits(self._workspace.random_bits))

    def one_ply_values(self) -> dict[int, float]:
        """Returns the static evaluation after every legal move of the root."""
        scratch = self._scratch[1:]
        scratch[0] = self._scratch[0]
        self._game.kernel.hide(scratch[0], self._seat, HIDE_SEED)
        moves, values = self._workspace.moves, self._workspace.prior_values
        n = self._code.one_ply_values(scratch, self._seat, moves, values)
        return dict(zip(moves[:n].tolist(), values[:n].tolist(), strict=True))

    def children(self, first: int | None = None) -> list[TreeNode]:
        """Returns a node and its later siblings; by default all children of the root."""
        child = int(self._nodes[0].first_child) if first is None else first
        nodes = []
        while child != NO_NODE:
            nodes.append(TreeNode(*self._nodes[child].tolist()))
            child = nodes[-1].next_sibling
        return nodes

    def principal_variation(self, node: TreeNode) -> tuple[int, ...]:
        """Returns the actions of a node and of its best descendants."""
        line = [node.action]
        while nodes := [child for child in self.children(node.first_child) if child.visit_count]:
            node = max(nodes, key=rank)
            line.append(node.action)
        return tuple(line)

    @property
    def memory_bytes(self) -> int:
        """The memory in use: the system provides it only for nodes that were written once."""
        return 2 * self._most_nodes * NODE.itemsize

    @property
    def sims(self) -> int:
        """The number of simulations of the last search."""
        return int(self._nodes[0].visit_count) - self._reused_visits

    @property
    def nodes(self) -> int:
        """The number of node visits in all simulations of the tree."""
        return int(total_visits(self._nodes, int(self._workspace.node_count)))


def rank(node: TreeNode) -> tuple[int, int, float]:
    """Returns a sort key for moves, the greatest for the best move.

    Proven wins come before unproven moves and these before proven losses; among wins the nearest
    is best, among losses the most distant, and otherwise the most visited move.
    """
    strength = -node.proof * node.plies_to_end if node.proof else node.visit_count
    return node.proof, strength, node.value_sum


def _merge(a: TreeNode, b: TreeNode) -> TreeNode:
    """Returns the combined statistics of the same move in two trees."""
    return a._replace(
        visit_count=a.visit_count + b.visit_count,
        value_sum=a.value_sum + b.value_sum,
        plies_to_end=min((node.plies_to_end for node in (a, b) if node.proof), default=0),
        proof=a.proof or b.proof,
    )


class MctsPlayer:
    """Chooses the most visited move; keeps the search tree for the next move."""

    def __init__(
        self, game: Game, options: Mapping[str, Value], settings: Buffer, seed: int
    ) -> None:
        self._rng = Random(seed)
        self._max_simulations, self._max_seconds = int(options["sims"]), float(options["time"])
        if not self._max_simulations and not self._max_seconds:
            self._max_simulations = DEFAULT_SIMULATIONS
        self.time_limit: float | None = None
        max_nodes = int(options["tree_nodes"])
        self._trees = [
            SearchTree(game, settings, max_nodes) for _ in range(int(options["threads"]))
        ]

    def choose(self, state: State, seat: int | None = None) -> int:
        """Returns the best action found within the limit."""
        seat = state.acting_seat(seat)
        actions = state.actions(seat)
        if len(actions) == 1:
            return actions[0]
        self.search(state, seat)
        return max(self._root_children(), key=rank).action

    def analyse_moves(self, state: State, seat: int | None = None) -> list[MoveValue]:
        """Returns a value for every legal move, the best first.

        The value of an unvisited move is the static evaluation after it.
        """
        seat = state.acting_seat(seat)
        self.search(state, seat)
        evaluations = self._trees[0].one_ply_values()

        def order(node: TreeNode) -> tuple[float, ...]:
            return *rank(node), 0.0 if node.visit_count else evaluations[node.action]

        children = sorted(self._root_children(), key=order, reverse=True)
        lines = self._principal_variations()
        return [
            self._move_value(node, lines[node.action], evaluations[node.action])
            for node in children
        ]

    def _move_value(self, node: TreeNode, line: tuple[int, ...], evaluation: float) -> MoveValue:
        """Returns the value of a move at the root, on the scale of players, -1 to 1."""
        visits = node.visit_count
        if node.proof:
            return MoveValue(node.action, float(node.proof), line, visits, node.plies_to_end + 1)
        value = 2.0 * node.value_sum / visits - 1.0 if visits else evaluation
        return MoveValue(node.action, clamp_unproven(value), line, visits)

    def search(self, state: State, seat: int) -> None:
        """Searches a position with all trees until the limit is reached."""
        limits = [seconds for seconds in (self._max_seconds, self.time_limit) if seconds]
        deadline = time.perf_counter() + min(limits, default=0.0)
        for tree in self._trees:
            tree.set_root(state, seat)
        seeds = [self._rng.getrandbits(63) for _ in self._trees]
        if len(self._trees) == 1:
            self._search_tree(self._trees[0], seeds[0], deadline)
            return
        with ThreadPoolExecutor(len(self._trees)) as threads:
            list(threads.map(self._search_tree, self._trees, seeds, [deadline] * len(seeds)))

    @property
    def memory_bytes(self) -> int:
        """The memory in use."""
        return sum(tree.memory_bytes for tree in self._trees)

    @property
    def sims(self) -> int:
        """The number of simulations of the last search."""
        return sum(tree.sims for tree in self._trees)

    @property
    def nodes(self) -> int:
        """The number of node visits in all simulations of the trees."""
        return sum(tree.nodes for tree in self._trees)

    def _root_children(self) -> list[TreeNode]:
        """Returns the moves at the root, with the statistics of all trees."""
        merged: dict[int, TreeNode] = {}
        for tree in self._trees:
            for node in tree.children():
                previous = merged.get(node.action)
                merged[node.action] = node if previous is None else _merge(node, previous)
        return list(merged.values())

    def _principal_variations(self) -> dict[int, tuple[int, ...]]:
        """Returns the best play after each action, from the tree that ranks the action highest."""
        best: dict[int, tuple[TreeNode, SearchTree]] = {}
        for tree in self._trees:
            for node in tree.children():
                if node.action not in best or rank(node) > rank(best[node.action][0]):
                    best[node.action] = node, tree
        return {action: tree.principal_variation(node) for action, (node, tree) in best.items()}

    def _search_tree(self, tree: SearchTree, seed: int, deadline: float) -> None:
        """Runs a tree's share of the simulations, or as many as the time allows."""
        remaining = -(-self._max_simulations // len(self._trees)) or NO_SIMULATION_LIMIT
        if not self._max_seconds:
            # As in a single call, so that the same seed gives the same tree.
            first = 1 if self.time_limit else remaining
            if tree.simulate(first, seed) and remaining > first:
                _simulate_until(tree, remaining - first, deadline)
            return
        now, batch, slowest = time.perf_counter(), 1, 0.0
        # At least one simulation: without any, there is no move to choose.
        while (
            remaining > 0
            and (now < deadline or not tree.sims)
            and tree.simulate(min(batch, remaining), seed)
        ):
            remaining -= batch
            seed = (seed + 1) & (2**63 - 1)
            before, now = now, time.perf_counter()
            # Only the last batch counts: simulations take longer once the tree is deep.
            seconds_each = (now - before) / batch
            slowest = max(slowest, seconds_each)
            fitting = min(
                min(BATCH_SECONDS, deadline - now) / seconds_each, MAX_BATCH_SECONDS / slowest
            )
            batch = max(1, min(2 * batch, int(fitting)))


def _simulate_until(tree: SearchTree, remaining: int, deadline: float) -> None:
    """Continues the simulations of a tree, in the same order as in one call, until a deadline."""
    now, batch, slowest = time.perf_counter(), 1, 0.0
    while remaining > 0 and now + slowest < deadline and tree.resume(min(batch, remaining)):
        remaining -= batch
        before, now = now, time.perf_counter()
        seconds_each = max((now - before) / batch, 1e-9)
        slowest = max(slowest, seconds_each)
        batch = max(1, min(2 * batch, int(MAX_BATCH_SECONDS / seconds_each)))


def make(game: Game, options: Mapping[str, Value], seed: int) -> MctsPlayer:
    """Returns a player for any game."""
    game_settings = game.parts.rules.SEARCH
    rollout_plies, exploration = int(options["horizon"]), float(options["explore"])
    prior_visits = game_settings.get("trust", RANDOM_PRIOR_VISITS)
    settings = records(SETTINGS, 1)[0]
    settings.exploration = exploration or game_settings["explore"]
    settings.prior_visits = prior_visits if options["guided"] else RANDOM_PRIOR_VISITS
    settings.rollout_plies = (
        game_settings["horizon"] if rollout_plies == GAME_DEFAULT else rollout_plies
    )
    settings.seats = game.seats
    traits = game.traits
    settings.can_prove = game.seats == 2 and traits.combinatorial and traits.outcome == WIN_OR_DRAW
    return MctsPlayer(game, options, settings, seed)
