"""Clocks, with times that the tests give."""

from dataclasses import asdict

from quincunx.rooms.clocks import Clocks, uptime

MINUTE_MS = 60_000


def running(seat, since=1000):
    return Clocks((MINUTE_MS, MINUTE_MS), 2000).restart((MINUTE_MS, MINUTE_MS), seat, since)


def test_only_the_running_clock_loses_time():
    assert running(1).left_at(4000) == (MINUTE_MS, MINUTE_MS - 3000)
    assert running(None).left_at(10**9) == (MINUTE_MS, MINUTE_MS)


def test_a_move_adds_the_increment_to_the_running_clock_only():
    assert running(0).left_after_move(0, 6000) == (MINUTE_MS - 5000 + 2000, MINUTE_MS)
    assert running(None).left_after_move(0, 6000) == (MINUTE_MS, MINUTE_MS)


def test_time_expires_at_zero_and_not_before():
    assert running(1).expired_seat(1000 + MINUTE_MS - 1) is None
    assert running(1).expired_seat(1000 + MINUTE_MS) == 1
    assert running(1).left_at(1000 + 2 * MINUTE_MS) == (MINUTE_MS, 0)
    assert running(None).expired_seat(10**9) is None


def test_a_time_before_the_start_of_the_clock_costs_nothing():
    assert running(0).left_at(0) == (MINUTE_MS, MINUTE_MS)
    assert asdict(running(0).fields(0)) == {
        "left": (MINUTE_MS, MINUTE_MS),
        "running": 0,
        "increment": 2000,
    }


def test_uptime_leaves_out_absences():
    assert uptime(100, 200, []) == 100
    assert uptime(100, 200, [(0, 50), (90, 110), (120, 150), (190, 300), (400, 500)]) == 50
    assert uptime(100, 200, [(150, 140)]) == 100  # the system clock was set back
    assert uptime(200, 100, [(120, 130)]) == 0
