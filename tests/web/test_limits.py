"""Rate limits of client addresses."""

import pytest

from quincunx.rooms.errors import RequestError
from quincunx.web.limits import Limits, RateLimiter, TokenBucket, is_loopback
from tests.web.conftest import running_server


class MonotonicClock:
    seconds = 0.0

    def __call__(self):
        return self.seconds


def test_a_bucket_allows_a_burst_and_then_its_rate():
    clock = MonotonicClock()
    bucket = TokenBucket(2, 3, clock)
    assert [bucket.take() for _ in range(7)] == [True] * 6 + [False]
    clock.seconds += 0.5
    assert [bucket.take(), bucket.take()] == [True, False]
    assert not bucket.full
    clock.seconds += 3
    assert bucket.full


def test_each_address_has_its_own_bucket_and_loopback_gets_more():
    limits = Limits(messages_per_second=1, burst_seconds=2, loopback_factor=10)
    limiter = RateLimiter(limits, now=MonotonicClock())
    remote = limiter.bucket("messages", "10.0.0.1")
    local = limiter.bucket("messages", "127.0.0.1")
    assert limiter.bucket("messages", "10.0.0.1") is remote
    assert (remote.capacity, local.capacity) == (2, 20)


def test_full_buckets_are_discarded_when_there_are_too_many(monkeypatch):
    monkeypatch.setattr("quincunx.web.limits.MAX_BUCKETS", 3)
    limiter = RateLimiter(Limits(messages_per_second=1, burst_seconds=2), now=MonotonicClock())
    limiter.bucket("messages", "10.0.0.1").take()
    for last in range(2, 9):
        limiter.bucket("messages", f"10.0.0.{last}")
    assert len(limiter._buckets) <= 3
    assert not limiter.bucket("messages", "10.0.0.1").full


def test_sockets_of_an_address_are_limited():
    limiter = RateLimiter(Limits(max_sockets=2))
    assert [limiter.open_socket("10.0.0.1") for _ in range(3)] == [True, True, False]
    assert limiter.open_socket("10.0.0.2")
    limiter.close_socket("10.0.0.1")
    assert limiter.open_socket("10.0.0.1")


def test_loopback_addresses_are_recognised():
    assert is_loopback("127.0.0.1")
    assert is_loopback("::1")
    assert not is_loopback("10.0.0.1")
    assert not is_loopback("unknown")


def test_rooms_of_a_day_are_limited(tmp_path):
    assert RateLimiter(Limits(rooms_per_day=3)).rooms_per_day("192.0.2.7") == 3
    assert RateLimiter(Limits(rooms_per_day=3)).rooms_per_day("127.0.0.1") == 600
    limits = Limits(rooms_per_day=2, loopback_factor=1)
    for _ in range(2):  # a restart does not help
        with running_server(tmp_path, limits) as server, server.client() as client:
            client.create("quorum", ["human", "human"])
    with running_server(tmp_path, limits) as server, server.client() as client:
        with pytest.raises(RequestError, match="at most 2 in 24 hours") as error:
            client.create("quorum", ["human", "human"])
        assert error.value.code == "rate"
