"""The package's own logarithm: accuracy, order, and the same bits compiled and uncompiled."""

import math
import random
import struct

import pytest

from quincunx.arithmetic import log

MAX_ERROR_ULPS = 2


def positive_numbers():
    """Returns numbers of all magnitudes, many of them near 1, where the logarithm is small."""
    rng = random.Random(1)
    near_one = [1.0 + rng.uniform(-1e-3, 1e-3) for _ in range(2000)]
    around = [rng.uniform(0.5, 2.0) for _ in range(2000)]
    wide = [math.ldexp(rng.uniform(0.5, 1.0), rng.randint(-1020, 1023)) for _ in range(4000)]
    edges = [1.0, 2.0, 0.5, math.sqrt(2), math.sqrt(0.5), 2.0**-1022, 1.7976931348623157e308]
    edges += [math.nextafter(x, direction) for x in edges[:5] for direction in (0.0, 9.0)]
    return [*near_one, *around, *wide, *edges, *(float(n) for n in range(1, 2000))]


@pytest.mark.modes
def test_the_logarithm_is_accurate():
    for x in positive_numbers():
        expected = math.log(x)
        error = abs(log(x) - expected)
        assert error <= MAX_ERROR_ULPS * math.ulp(expected), x


def test_the_logarithm_increases_from_integer_to_integer():
    for first in range(1, 1_000_000, 997):
        values = [log(float(n)) for n in range(first, first + 5)]
        assert values == sorted(set(values)), first


@pytest.mark.modes
def test_the_bits_of_the_logarithm_are_fixed():
    """They are the same on every machine, compiled or not."""
    bits = {x: struct.pack(">d", log(x)).hex() for x in (2.0, 3.0, 10.0, 1001.0, 0.7)}
    assert bits == {
        2.0: "3fe62e42fefa39ef",
        3.0: "3ff193ea7aad030a",
        10.0: "40026bb1bbb55516",
        1001.0: "401ba2909ce4f864",
        0.7: "bfd6d3c324e13f50",
    }


def test_compiled_and_uncompiled_logarithms_have_the_same_bits():
    uncompiled = getattr(log, "py_func", log)
    for x in positive_numbers():
        assert log(x) == uncompiled(x), x
