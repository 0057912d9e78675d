"""The types of the solver's arrays."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Bytes: TypeAlias = NDArray[np.uint8]  # cells of shapes, flags
Counts: TypeAlias = NDArray[np.int64]  # counts, and indices into other arrays
Codes: TypeAlias = NDArray[np.uint8]  # the results of positions, in longer games NDArray[np.uint16]
Masks: TypeAlias = NDArray[np.uint16]  # sets of cells, one bit each
Words: TypeAlias = NDArray[np.uint64]  # rows of bits, and permutations
Slots: TypeAlias = NDArray[np.int32]  # indices of shapes
