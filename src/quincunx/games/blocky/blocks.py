"""The blocks and unit cells of Blocky's board: numbers, sizes, rows and columns.

The board is stored as its unit cells in Morton order: the index of a cell is its path from
the top, read as a base-4 number. The cells for depth 2, and the quadrants of every block:

     0  1 |  4  5          0 | 1
     2  3 |  6  7          --+--
    ------+------          2 | 3
     8  9 | 12 13
    10 11 | 14 15

A block of level k is a range of 4^(depth - k) cells, whose indices start with the path of
the block. `units[i]` is `level * 4 + colour` of the leaf that covers cell i; a block is
divided if its first cell belongs to a leaf of a deeper level.

Blocks are numbered by level, and in Morton order within a level. The numbers do not depend
on the depth of the board:

    level 0    level 1    level 2    ...    level k starts at FIRST_BLOCK[k]
       0       1 2 3 4    5 .. 20
"""

import numpy as np

MAX_BOARD_DEPTH = 6
MAX_SIDE = 2**MAX_BOARD_DEPTH  # in unit cells
MAX_UNIT_CELLS = MAX_SIDE * MAX_SIDE
COLOURS = 4

# FIRST_BLOCK[k]: the number of the first block of level k; LEVEL_START is the same for compiled
# code.
FIRST_BLOCK = tuple((4**k - 1) // 3 for k in range(MAX_BOARD_DEPTH + 2))
LEVEL_START = np.array(FIRST_BLOCK, np.int64)

# BLOCK_CELLS[h]: the number of unit cells in a block that is h levels above the unit cells.
BLOCK_CELLS = np.array([4**h for h in range(MAX_BOARD_DEPTH + 1)], np.int64)

# Row and column of a unit cell: every second bit of its index.
_CELL_INDEX = np.arange(MAX_UNIT_CELLS, dtype=np.int64)
CELL_ROW = np.array([(_CELL_INDEX >> 2 * b + 1 & 1) << b for b in range(MAX_BOARD_DEPTH)]).sum(
    axis=0
)
CELL_COLUMN = np.array([(_CELL_INDEX >> 2 * b & 1) << b for b in range(MAX_BOARD_DEPTH)]).sum(
    axis=0
)
