"""The rounds of phase 2 on a Ray cluster: every node has all bits, and works on a range of shapes.

After each round all nodes get the rows in which something was settled; this process writes the
codes of these rows into the table and needs no bits itself. When a node dies, the run ends, and
the next one goes on from the last mark.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from quincunx.solve import retrograde, shape_sets
from quincunx.solve.retrograde import Known, Moves
from quincunx.solve.rounds import BITS, Replica, words
from quincunx.solve.shape_sets import ShapeSet
from quincunx.solve.threads import ThreadTeam

SENT = 1024  # shapes whose bits travel together


class Node:
    """The replica of one node, with the moves of its range of shapes."""

    def __init__(self, threads: int, cells: Any, low: int, high: int) -> None:
        n = cells.shape[1]
        size = ShapeSet(cells, np.empty(shape_sets.table_length(len(cells)), np.int32))
        shape_sets.fill(size)
        self._team = ThreadTeam(threads)
        self._range = low, high
        moves = self._moves(size, low, high)
        nobody = np.empty((0, shape_sets.colourings(n)), np.uint8)  # the driver has the codes
        shape = len(size), words(n)
        won, lost, fresh = (np.zeros(shape, np.uint64) for _ in BITS)
        known = Known(won, lost, fresh, nobody)
        self._replica = Replica(self._team, shape_sets.colours(n), moves, known)

    def _moves(self, size: ShapeSet, low: int, high: int) -> Moves:
        """The moves of the range, found by the numbers of its shapes."""
        starts = np.zeros(len(size) + 1, np.int64)
        parts = []

        def some(begin: int, end: int) -> Moves:
            return shape_sets.moves(size, size, begin, end)

        count, begin = 0, low
        for end, part in self._team.map_range(low, high, some, shape_sets.TOGETHER):
            starts[begin : end + 1] = part.starts + count
            count, begin = count + len(part.target), end
            parts.append(part[1:])
        return Moves(starts, *(np.concatenate(column) for column in zip(*parts, strict=True)))

    def take(self, low: int, high: int, bits: Any, live: Any, next_live: Any) -> None:
        """Takes over what is known of some shapes."""
        self._replica.take(low, high, bits, live, next_live)

    def settle(self, code: int) -> tuple[Any, Any]:
        """Plays a round in its range; the shapes in which something was settled, and what."""
        for _ in self._replica.settle(code, *self._range):
            pass
        return self._replica.news(code, *self._range)

    def finish(self, code: int, *news: tuple[Any, Any]) -> None:
        """Ends a round, with what all nodes have settled."""
        for shapes, rows in news:
            self._replica.hear(code, shapes, rows)
        self._replica.finish(code)


class ClusterRounds:
    """Rounds on all nodes of a cluster."""

    def __init__(self, ray: Any, size: ShapeSet, codes: Any) -> None:
        self._ray = ray
        self._codes = codes
        self.count, self._words = len(codes), words(size.n)
        nodes = [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")]
        cuts = np.linspace(0, self.count, len(nodes) + 1).astype(int).tolist()
        cells = ray.put(np.array(size.cells))
        self._nodes = [
            self._on_node(node, cells, low, high)
            for node, low, high in zip(nodes, cuts[:-1], cuts[1:], strict=True)
        ]
        self._news: list[Any] = []

    def _on_node(self, node: Any, cells: Any, low: int, high: int) -> Any:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        cores = max(1, int(node["Resources"]["CPU"]))
        there = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
        actor = self._ray.remote(num_cpus=cores, scheduling_strategy=there)(Node)
        return actor.remote(cores, cells, low, high)

    def recall(self, code: int) -> Iterator[int]:
        """Makes all nodes ready for a round that may have been begun."""
        for low in range(0, self.count, SENT):
            codes = self._codes[low : low + SENT]
            won, lost, fresh = bits = np.empty((3, len(codes), self._words), np.uint64)
            live, next_live = (np.empty(len(codes), np.uint8) for _ in range(2))
            known = Known(won, lost, fresh, codes)
            retrograde.recall(0, len(codes), code, known, live, next_live)
            high = low + len(codes)
            self._all("take", low, high, self._ray.put(bits), live, next_live)
            yield high

    def settle(self, code: int, low: int, high: int) -> Iterator[int]:
        """Settles what has this code, in all shapes; what a killed run settled stays so."""
        self._news = [node.settle.remote(code) for node in self._nodes]
        for news in self._news:
            shapes, rows = self._ray.get(news)
            retrograde.write_codes(code, shapes, rows, self._codes)
        yield high

    def finish(self, code: int) -> bool:
        """Ends a round; False if it settled nothing, and so no later one will."""
        self._all("finish", code, *self._news)
        return any(len(self._ray.get(news)[0]) for news in self._news)

    def _all(self, what: str, *given: Any) -> None:
        self._ray.get([getattr(node, what).remote(*given) for node in self._nodes])
