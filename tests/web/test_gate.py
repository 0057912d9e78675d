"""Who is let in."""

import pytest

from quincunx.web.gate import Bucket, Gate, Limits, is_loopback
from quincunx.web.wire import Refused


class Clock:
    time = 0.0

    def __call__(self):
        return self.time


def scope(kind="http", method="GET", **headers):
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    return {"type": kind, "method": method, "headers": pairs, "path": "/"}


def test_a_bucket_lets_a_burst_pass_and_then_its_rate():
    clock = Clock()
    bucket = Bucket(2, 3, clock)
    assert [bucket.take() for _ in range(7)] == [True] * 6 + [False]
    clock.time += 0.5
    assert [bucket.take(), bucket.take()] == [True, False]
    assert not bucket.full
    clock.time += 3
    assert bucket.full


def test_each_address_has_its_own_and_this_machine_more():
    gate = Gate(Limits(messages=1, burst=2, loopback=10), now=Clock())
    far, near = gate.bucket("messages", "10.0.0.1"), gate.bucket("messages", "127.0.0.1")
    assert gate.bucket("messages", "10.0.0.1") is far
    assert (far.most, near.most) == (2, 20)


def test_addresses_that_do_nothing_are_forgotten(monkeypatch):
    monkeypatch.setattr("quincunx.web.gate.MOST_ADDRESSES", 3)
    gate = Gate(Limits(messages=1, burst=2), now=Clock())
    gate.bucket("messages", "10.0.0.1").take()
    for last in range(2, 9):
        gate.bucket("messages", f"10.0.0.{last}")
    assert len(gate._buckets) <= 3
    assert not gate.bucket("messages", "10.0.0.1").full


def test_sockets_are_counted():
    gate = Gate(Limits(sockets=2))
    assert [gate.enter("10.0.0.1") for _ in range(3)] == [True, True, False]
    assert gate.enter("10.0.0.2")
    gate.leave("10.0.0.1")
    assert gate.enter("10.0.0.1")


@pytest.mark.parametrize("host", ["localhost:8200", "127.0.0.1", "[::1]:80", "192.168.1.5:8200"])
def test_names_that_nobody_can_point_elsewhere(host):
    Gate().check(scope(host=host))


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example:8200", "", "127.0.0.1.x"])
def test_other_names_are_refused(host):
    with pytest.raises(Refused, match="name"):
        Gate().check(scope(host=host))
    Gate(names=["Games.Example"]).check(scope(host="games.example"))


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://localhost:8201", "null", "https://localhost"]
)
def test_pages_of_other_sites_change_nothing(origin):
    gate = Gate()
    for kind, method in (("http", "POST"), ("websocket", "GET"), ("http", "DELETE")):
        with pytest.raises(Refused, match="other sites"):
            gate.check(scope(kind, method, host="localhost:8200", origin=origin))
    gate.check(scope(host="localhost:8200", origin=origin))  # looking is free
    gate.check(scope("http", "POST", host="localhost:8200", origin="http://localhost:8200"))


def test_what_is_this_machine():
    assert is_loopback("127.0.0.1")
    assert is_loopback("::1")
    assert not is_loopback("10.0.0.1")
    assert not is_loopback("unknown")
