"""Rate limits: how many messages, requests, new rooms and sockets each client address may use.

An address is what `client_address` returns: an IPv4 address, or a network of IPv6.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from quincunx.rooms.errors import RequestError
from quincunx.web.addresses import parse_address

MAX_BUCKETS = 10_000  # above this number, buckets that are full again are discarded


@dataclass(frozen=True)
class Limits:
    """The limits of one address; loopback addresses get `loopback_factor` times as much."""

    messages_per_second: float = 50.0  # over all sockets of the address
    requests_per_second: float = 20.0
    rooms_per_second: float = 0.5  # new rooms
    rooms_per_day: int = 1000  # new rooms, also over restarts of the server
    max_sockets: int = 32
    burst_seconds: float = 10.0  # a burst may use the allowance of this many seconds
    loopback_factor: int = 200


class TokenBucket:
    """Allows `rate` actions per second, and bursts of up to `rate * burst_seconds` actions."""

    def __init__(self, rate: float, burst_seconds: float, now: Callable[[], float]) -> None:
        self.rate = rate
        self.capacity = self.tokens = max(1.0, rate * burst_seconds)
        self._now = now
        self._updated = now()

    def take(self) -> bool:
        """Takes one token; returns False when none is left."""
        now = self._now()
        self.tokens = min(self.capacity, self.tokens + (now - self._updated) * self.rate)
        self._updated = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True

    @property
    def full(self) -> bool:
        """True when all tokens are back, so that the bucket can be discarded."""
        return self.tokens + (self._now() - self._updated) * self.rate >= self.capacity


class RateLimiter:
    """Counts what each client address uses, and rejects what is over its limits."""

    def __init__(
        self, limits: Limits | None = None, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.limits = limits or Limits()
        self._now = now
        self._buckets: dict[tuple[str, str], TokenBucket] = {}
        self._sockets: dict[str, int] = {}

    def bucket(self, kind: str, address: str) -> TokenBucket:
        """Returns the bucket of an address; `kind` is messages, requests or rooms."""
        key = kind, address
        if key not in self._buckets:
            if len(self._buckets) >= MAX_BUCKETS:
                self._buckets = {k: b for k, b in self._buckets.items() if not b.full}
            rate = getattr(self.limits, f"{kind}_per_second") * self._factor(address)
            self._buckets[key] = TokenBucket(rate, self.limits.burst_seconds, self._now)
        return self._buckets[key]

    def count_new_room(self, address: str) -> None:
        """Counts a room that an address is about to create; raises RequestError over the limit."""
        if not self.bucket("rooms", address).take():
            raise RequestError("rate", "too many new rooms; try again in a moment")

    def rooms_per_day(self, address: str) -> int:
        """Returns how many rooms an address may create in 24 hours."""
        return self.limits.rooms_per_day * self._factor(address)

    def _factor(self, address: str) -> int:
        return self.limits.loopback_factor if is_loopback(address) else 1

    def open_socket(self, address: str) -> bool:
        """Counts a new socket of an address; returns False if it has too many."""
        limit = self.limits.max_sockets * self._factor(address)
        if self._sockets.get(address, 0) >= limit:
            return False
        self._sockets[address] = self._sockets.get(address, 0) + 1
        return True

    @property
    def open_sockets(self) -> int:
        """The number of sockets of all addresses."""
        return sum(self._sockets.values())

    def close_socket(self, address: str) -> None:
        """Stops counting a socket that `open_socket` counted."""
        self._sockets[address] -= 1
        if not self._sockets[address]:
            del self._sockets[address]


def is_ip_address(host: str) -> bool:
    """True for a numeric address such as 192.168.1.5."""
    return parse_address(host) is not None


def is_loopback(address: str) -> bool:
    """True for an address of this machine itself."""
    parsed = parse_address(address)
    return parsed is not None and parsed.is_loopback
