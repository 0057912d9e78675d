"""A few random rooms of each game; `python -m tests.rooms.fuzz_rooms 100000` plays more."""

import asyncio

import pytest

from quincunx.registry import BUILT_IN
from tests.rooms.fuzz_rooms import fuzz


@pytest.mark.parametrize("name", BUILT_IN)
def test_random_rooms_are_read_back_the_same(name):
    assert asyncio.run(fuzz(40, 1, (name,)))[name] > 20
