"""Metrics for Prometheus: counted while the server runs, formatted only when they are read.

The instruments of prometheus-client take a lock for each observation. Everything here is counted
in the thread of the event loop, so plain numbers do, and a move costs less than a microsecond.
"""

from __future__ import annotations

import platform
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, GCCollector, ProcessCollector, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from quincunx import __version__

if TYPE_CHECKING:
    from quincunx.rooms.lobby import Lobby
    from quincunx.rooms.session import RoomSession
    from quincunx.web.limits import RateLimiter
    from quincunx.web.thinking import ThinkingPool

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
# Upper bounds of the histograms, in seconds
LATENCIES = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Histogram:
    """How often values fell into each interval of `LATENCIES`, and their sum."""

    __slots__ = ("counts", "total")

    def __init__(self) -> None:
        self.counts = [0] * (len(LATENCIES) + 1)
        self.total = 0.0

    def observe(self, seconds: float, count: int = 1) -> None:
        """Counts a value that occurred once or several times."""
        self.counts[bisect_left(LATENCIES, seconds)] += count
        self.total += seconds * count

    def buckets(self) -> list[tuple[str, float]]:
        """Returns how many values were at most each bound, as Prometheus expects them."""
        cumulative, rows = 0, []
        for bound, count in zip((*map(str, LATENCIES), "+Inf"), self.counts, strict=True):
            cumulative += count
            rows.append((bound, float(cumulative)))
        return rows


class Metrics:
    """What a server has done since its start."""

    def __init__(self) -> None:
        self.events = 0
        self.moves = 0
        self.rooms_created = 0
        self.commits = Histogram()
        self.broadcasts = Histogram()
        self.rejected: Counter[str] = Counter()  # by error code
        self.database_failures = 0
        self._unsent = 0  # events that were stored, and may not have been sent
        self._first_stored = 0.0  # when the first of them was

    def event_stored(self, kind: str, started: float, stored: float) -> bool:
        """Counts an event that is on disk, and how long its room waited for that.

        Returns True for the first event of which `events_sent` does not know.
        """
        self.events += 1
        if kind == "play":
            self.moves += 1
        self.commits.observe(stored - started)
        self._unsent += 1
        if self._unsent > 1:
            return False
        self._first_stored = stored
        return True

    def events_sent(self) -> None:
        """Measures how long it took to send the events that have been stored by now."""
        self.broadcasts.observe(perf_counter() - self._first_stored, self._unsent)
        self._unsent = 0

    def reject(self, code: str) -> None:
        """Counts a request or message that was answered by an error."""
        self.rejected[code] += 1


class ServerCollector(Collector):
    """Reads the metrics of a server, and how much it holds at this moment."""

    def __init__(
        self, metrics: Metrics, lobby: Lobby, limiter: RateLimiter, pool: ThinkingPool
    ) -> None:
        self._metrics = metrics
        self._lobby = lobby
        self._limiter = limiter
        self._pool = pool

    def collect(self) -> Iterator[Metric]:
        """Yields the current values."""
        yield InfoMetricFamily(
            "quincunx",
            "Versions of the server and of Python.",
            {"version": __version__, "python": platform.python_version()},
        )
        yield from self._gauges()
        metrics = self._metrics
        for name, text, value in (
            ("rooms_created", "Rooms that were created.", metrics.rooms_created),
            ("events", "Events of rooms that were stored.", metrics.events),
            ("moves", "Moves that were stored.", metrics.moves),
            ("database_failures", "Writes that the database refused.", metrics.database_failures),
        ):
            yield CounterMetricFamily(f"quincunx_{name}", text, value)
        rejected = CounterMetricFamily(
            "quincunx_rejected", "Requests and messages answered by an error.", labels=["code"]
        )
        for code, count in sorted(metrics.rejected.items()):
            rejected.add_metric([code], count)
        yield rejected
        for name, text, histogram in (
            ("commit", "Time until an event was on disk.", metrics.commits),
            ("broadcast", "Time until the events of a commit were sent.", metrics.broadcasts),
        ):
            family = HistogramMetricFamily(f"quincunx_{name}_seconds", text)
            family.add_metric([], histogram.buckets(), histogram.total)
            yield family

    def _gauges(self) -> Iterator[Metric]:
        sessions = list(self._lobby.sessions.values())
        for name, text, value in (
            ("rooms", "Rooms in memory.", len(sessions)),
            ("sockets", "Open WebSockets.", self._limiter.open_sockets),
            ("subscriptions", "Rooms that sockets have joined.", sum(map(_subscribers, sessions))),
        ):
            yield GaugeMetricFamily(f"quincunx_{name}", text, value)
        queues = GaugeMetricFamily("quincunx_queue", "Tasks running or waiting.", labels=["queue"])
        for name, length in sorted(self._pool.queue_lengths().items()):
            queues.add_metric([name], length)
        yield queues


def _subscribers(session: RoomSession) -> int:
    return len(session.subscriptions)


def exposition(collector: Collector) -> Callable[[], bytes]:
    """Returns a function for the text that Prometheus reads: a collector's and the process's."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(collector)
    ProcessCollector(registry=registry)
    GCCollector(registry=registry)
    return lambda: generate_latest(registry)
