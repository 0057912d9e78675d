"""The sizes and the padding of Wzlz's board.

A cell is row * cols + column. The board is padded with sentinels, always 0, so that scans in all
directions stop at the edge without a check. The padded indices with 3 rows of 4 cells:

     0  1  2  3  4         cell 0 has padded index 6, cell 4 has 11:
     5 [6  7  8  9]        index = cell + row + cols + 2
    10 [.  .  .  .]        the sentinel left of a row is also the one right of the row above
    15 [.  .  .  .]
    20 21 22 23 24 25
"""

MAX_SIDE = 16
MAX_CELLS = MAX_SIDE * MAX_SIDE
MAX_PADDED_CELLS = (MAX_SIDE + 2) * (MAX_SIDE + 1) + 1
MAX_COLOURS = 7

NO_CELL = -1
