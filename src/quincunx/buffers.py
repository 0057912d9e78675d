"""The arrays that Python code passes to compiled code; the only allocator outside kernels.

Code that also runs where there is no numpy takes its arrays from here, so that one module can
replace them all. Arrays of positions and other records are indexed like lists and read by field
name, `tolist`, `tobytes` and `copy`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

Buffer = Any  # a numpy array

# A record looks up its own attributes in Python code.
_bytes_of, _type_of = np.void.tobytes, np.void.dtype.__get__


@cache
def _record_type(dtype: Any) -> Any:
    """Returns the type of records, one object for each kernel, which numba recognises at once."""
    return np.dtype((np.record, dtype))


def action_buffer(*shape: int) -> Buffer:
    """Returns uninitialised int32, the type of the actions that `legal` writes."""
    return np.empty(shape, np.int32)


def integer_buffer(*shape: int) -> Buffer:
    """Returns int64 zeros."""
    return np.zeros(shape, np.int64)


def bitset_buffer(*shape: int) -> Buffer:
    """Returns uint64 zeros."""
    return np.zeros(shape, np.uint64)


def float_buffer(*shape: int) -> Buffer:
    """Returns float64 zeros, the type of scores and values."""
    return np.zeros(shape)


def plane_buffer(*shape: int) -> Buffer:
    """Returns float32 zeros, the type of observations."""
    return np.zeros(shape, np.float32)


def integers(values: Sequence[int]) -> Buffer:
    """Returns these values as int64."""
    return np.array(values, np.int64)


def floats(values: Sequence[float]) -> Buffer:
    """Returns these values as float64."""
    return np.array(values, np.float64)


def seed_of_bits(bits: int) -> Buffer:
    """Returns 64 bits as the int64 that compiled code takes as a seed."""
    return np.uint64(bits).view(np.int64)


def records(dtype: Any, count: int) -> Buffer:
    """Returns records of a kernel's or a search's type, all fields zero."""
    return np.zeros(count, _record_type(dtype)).view(np.recarray)


def records_from_bytes(dtype: Any, data: bytes) -> Buffer:
    """Returns records with the content that `tobytes` returned."""
    return np.frombuffer(data, _record_type(dtype)).copy().view(np.recarray)


def copy_record(record: Buffer) -> Buffer:
    """Returns a copy of one record, several times as fast as its own method `copy`."""
    return np.frombuffer(bytearray(_bytes_of(record)), _type_of(record))[0]
