"""The arrays that Python code passes to compiled code."""

import numpy as np
import pytest

from quincunx import buffers
from quincunx.registry import BUILT_IN, game


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_copy_of_a_record_is_a_record_of_its_own(name):
    original = game(name).start(seed=1).position
    before = original.tobytes()
    copy = buffers.copy_record(original)
    assert (type(copy), copy.dtype) == (np.record, original.dtype)
    assert copy.tobytes() == before
    copy["ply"] = 77
    copy.turn = 1
    assert (original.tobytes(), int(copy.ply), int(copy["turn"])) == (before, 77, 1)
    assert buffers.copy_record(copy).tobytes() == copy.tobytes()
