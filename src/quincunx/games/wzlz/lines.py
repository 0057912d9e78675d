"""Balls on Wzlz's board, compiled: putting and taking them, finding lines and removing them."""

import numpy as np

from quincunx.jit import jit, lowest_bit, popcount
from quincunx.position import random_below


@jit
def put_ball(s, cell, colour):
    """Puts a ball on an empty cell."""
    row = cell // s.cols
    s.board[cell + row + s.cols + 2] = colour
    s.empty[row] ^= 1 << (cell - row * s.cols)
    s.room -= 1


@jit
def take_ball(s, cell):
    """Removes the ball from a cell and returns its colour."""
    row = cell // s.cols
    index = cell + row + s.cols + 2
    colour = s.board[index]
    s.board[index] = 0
    s.empty[row] ^= 1 << (cell - row * s.cols)
    s.room += 1
    return colour


@jit
def random_empty_cell(s):
    """Returns a random empty cell; there must be one."""
    k = random_below(s, s.room)
    row = 0
    bits = np.int64(s.empty[0])
    while k >= popcount(bits):
        k -= popcount(bits)
        row += 1
        bits = np.int64(s.empty[row])
    for _ in range(k):
        bits &= bits - 1
    return row * s.cols + lowest_bit(bits)


@jit
def mark_lines(s, cell):
    """Marks in `gone` the lines through the ball on a cell; returns True if there are any."""
    row = cell // s.cols
    col = cell - row * s.cols
    stride = s.cols + 1
    index = cell + row + stride + 1
    colour = s.board[index]
    found = False
    for down, right in ((0, 1), (1, -1), (1, 0), (1, 1)):
        step = down * stride + right
        forward = 0
        while s.board[index + (forward + 1) * step] == colour:
            forward += 1
        backward = 0
        while s.board[index - (backward + 1) * step] == colour:
            backward += 1
        if forward + backward + 1 >= s.match:
            found = True
            for k in range(-backward, forward + 1):
                s.gone[row + k * down] |= 1 << (col + k * right)
    return found


@jit
def mark_all_lines(s):
    """Marks in `gone` every line on the board; returns True if there are any."""
    found = False
    for cell in range(s.rows * s.cols):
        if s.board[cell + cell // s.cols + s.cols + 2]:
            found |= mark_lines(s, cell)
    return found


@jit
def clear_marks(s):
    """Clears the marked cells."""
    for row in range(s.rows):
        s.gone[row] = 0


@jit
def remove_marked(s):
    """Removes the balls of the marked cells; returns their number."""
    before = s.room
    for row in range(s.rows):
        bits = np.int64(s.gone[row])
        while bits:
            take_ball(s, row * s.cols + lowest_bit(bits))
            bits &= bits - 1
    clear_marks(s)
    return s.room - before
