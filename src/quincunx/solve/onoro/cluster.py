"""The rounds of phase 2 on a Ray cluster: each node has all bits and solves a range of shapes.

After each round all nodes receive the rows in which positions were solved. This process writes
the codes of these rows into the table and needs no bits itself. When a node dies, the run ends,
and the next run continues from the last checkpoint.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Protocol, TypedDict

import numpy as np

from quincunx.solve.onoro import retrograde, shape_sets
from quincunx.solve.onoro.arrays import Bytes, Codes, Counts, Words
from quincunx.solve.onoro.retrograde import RetrogradeRows, ShapeMoves
from quincunx.solve.onoro.rounds import BIT_FILES, RoundRunner, words_per_row
from quincunx.solve.onoro.shape_sets import ShapeSet
from quincunx.solve.onoro.threads import ThreadTeam

MESSAGE_SHAPES = 1024  # shapes whose bits are sent in one message


class ClusterNode:
    """The Ray actor of one node, with the moves of its range of shapes."""

    def __init__(self, threads: int, cells: Bytes, low: int, high: int) -> None:
        n = cells.shape[1]
        table = np.empty(shape_sets.hash_table_length(len(cells)), np.int32)
        shape_set = ShapeSet(cells, table)
        shape_sets.fill_hash_table(shape_set)
        self._team = ThreadTeam(threads)
        self._range = low, high
        moves = self._find_moves(shape_set, low, high)
        no_codes = np.empty((0, shape_sets.colouring_count(n)), np.uint8)  # the driver has them
        shape = len(shape_set), words_per_row(n)
        won, lost, frontier = (np.zeros(shape, np.uint64) for _ in BIT_FILES)
        rows = RetrogradeRows(won, lost, frontier, no_codes)
        self._rounds = RoundRunner(self._team, shape_sets.colourings_of(n), moves, rows)

    def _find_moves(self, shape_set: ShapeSet, low: int, high: int) -> ShapeMoves:
        """Returns the moves of the range; `starts` has an entry for every shape, as usual."""
        starts = np.zeros(len(shape_set) + 1, np.int64)
        chunks = []

        def task(start: int, stop: int) -> ShapeMoves:
            return shape_sets.find_moves(shape_set, shape_set, start, stop)

        count, start = 0, low
        for stop, moves in self._team.map_range(low, high, task, shape_sets.BATCH_SHAPES):
            starts[start : stop + 1] = moves.starts + count
            count, start = count + len(moves.target), stop
            chunks.append(moves[1:])
        columns = (np.concatenate(column) for column in zip(*chunks, strict=True))
        return ShapeMoves(starts, *columns)

    def load(self, low: int, high: int, bits: Words, active: Bytes, next_active: Bytes) -> None:
        """Replaces the bits and flags of a range of shapes."""
        self._rounds.load(low, high, bits, active, next_active)

    def run(self, code: int) -> tuple[Counts, Words]:
        """Runs a round in this node's range; returns what `RoundRunner.solved_rows` does."""
        for _ in self._rounds.run(code, *self._range):
            pass
        return self._rounds.solved_rows(code, *self._range)

    def finish(self, code: int, *results: tuple[Counts, Words]) -> None:
        """Ends a round, given what `run` returned on all nodes."""
        for shapes, bit_rows in results:
            self._rounds.merge(code, shapes, bit_rows)
        self._rounds.finish(code)


class Machine(TypedDict):
    """A node of the cluster, as Ray describes it; the keys are Ray's."""

    NodeID: str
    Alive: bool
    Resources: dict[str, float]


class RemoteMethod(Protocol):
    """A method of an actor, which returns a reference to its result."""

    def remote(self, *arguments: object) -> object:
        """Calls the method on the actor's node."""


class RemoteNode(Protocol):
    """A ClusterNode on another machine."""

    run: RemoteMethod
    load: RemoteMethod
    finish: RemoteMethod


class ClusterRounds:
    """Rounds on all nodes of a cluster."""

    def __init__(self, ray: ModuleType, shape_set: ShapeSet, codes: Codes) -> None:
        self._ray = ray
        self._codes = codes
        self.count, self._words = len(codes), words_per_row(shape_set.n)
        nodes: list[Machine] = ray.nodes()
        machines = [node for node in nodes if node["Alive"] and node["Resources"].get("CPU")]
        cuts = np.linspace(0, self.count, len(machines) + 1).astype(int).tolist()
        cells = ray.put(np.array(shape_set.cells))
        self._nodes = [
            self._start_node(machine, cells, low, high)
            for machine, low, high in zip(machines, cuts[:-1], cuts[1:], strict=True)
        ]
        self._results: list[object] = []

    def _start_node(self, machine: Machine, cells: object, low: int, high: int) -> RemoteNode:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        cores = max(1, int(machine["Resources"]["CPU"]))
        on_node = NodeAffinitySchedulingStrategy(machine["NodeID"], soft=False)
        actor = self._ray.remote(num_cpus=cores, scheduling_strategy=on_node)(ClusterNode)
        node: RemoteNode = actor.remote(cores, cells, low, high)
        return node

    def restore(self, code: int) -> Iterator[int]:
        """Restores the bits of all nodes for a round that may have been started.

        Yields the end of each finished range of shapes.
        """
        for low in range(0, self.count, MESSAGE_SHAPES):
            codes = self._codes[low : low + MESSAGE_SHAPES]
            won, lost, frontier = bits = np.empty((3, len(codes), self._words), np.uint64)
            active, next_active = (np.empty(len(codes), np.uint8) for _ in range(2))
            rows = RetrogradeRows(won, lost, frontier, codes)
            retrograde.restore_bits(0, len(codes), code, rows, active, next_active)
            high = low + len(codes)
            self._call_all("load", low, high, self._ray.put(bits), active, next_active)
            yield high

    def run(self, code: int, low: int, high: int) -> Iterator[int]:
        """Solves the positions with this code in all shapes, even before `low`; yields `high`."""
        self._results = [node.run.remote(code) for node in self._nodes]
        for result in self._results:
            shapes, bit_rows = self._ray.get(result)
            retrograde.write_codes(code, shapes, bit_rows, self._codes)
        yield high

    def finish(self, code: int) -> bool:
        """Ends a round; returns False if it solved nothing, in which case no later one will."""
        self._call_all("finish", code, *self._results)
        return any(len(self._ray.get(result)[0]) for result in self._results)

    def _call_all(self, method: str, *arguments: object) -> None:
        self._ray.get([getattr(node, method).remote(*arguments) for node in self._nodes])
