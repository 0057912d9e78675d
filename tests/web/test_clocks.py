"""Clocks that are told what time it is."""

from quincunx.web.clocks import Clocks, present

MINUTE = 60_000


def running(seat, since=1000):
    return Clocks((MINUTE, MINUTE), 2000).set((MINUTE, MINUTE), seat, since)


def test_only_the_clock_that_runs_loses_time():
    assert running(1).now(4000) == (MINUTE, MINUTE - 3000)
    assert running(None).now(10**9) == (MINUTE, MINUTE)


def test_a_move_brings_the_increment_to_the_clock_that_ran():
    assert running(0).moved(0, 6000) == (MINUTE - 5000 + 2000, MINUTE)
    assert running(None).moved(0, 6000) == (MINUTE, MINUTE)


def test_time_is_up_at_zero_and_not_before():
    assert running(1).due(1000 + MINUTE - 1) is None
    assert running(1).due(1000 + MINUTE) == 1
    assert running(1).now(1000 + 2 * MINUTE) == (MINUTE, 0)
    assert running(None).due(10**9) is None


def test_a_time_before_the_last_move_costs_nothing():
    assert running(0).now(0) == (MINUTE, MINUTE)
    assert running(0).as_dict(0) == {"left": [MINUTE, MINUTE], "running": 0, "increment": 2000}


def test_absences_are_nobodys_time():
    assert present(100, 200, []) == 100
    assert present(100, 200, [(0, 50), (90, 110), (120, 150), (190, 300), (400, 500)]) == 50
    assert present(100, 200, [(150, 140)]) == 100  # a clock that was set back
    assert present(200, 100, [(120, 130)]) == 0
