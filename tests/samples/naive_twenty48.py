"""A slow, simple implementation of 2048 that the kernel is tested against.

The tiles that come after a move are random, so a position is compared with what a move may lead to.
"""

from __future__ import annotations

Board = tuple[tuple[int, ...], ...]  # four rows of numbers, 0 for an empty cell

LEFT, UP, RIGHT, DOWN = range(4)
LARGEST = 32768


def pushed_row(row: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """Returns a row after its tiles were pushed to the left, and the points for it."""
    tiles = [tile for tile in row if tile]
    result: list[int] = []
    points = 0
    while tiles:
        tile = tiles.pop(0)
        if tiles and tiles[0] == tile != LARGEST:
            tile += tiles.pop(0)
            points += tile
        result.append(tile)
    return tuple(result + [0] * (4 - len(result))), points


def turned(board: Board) -> Board:
    """Returns the board turned by 90 degrees anticlockwise: its upper edge is on the left."""
    return tuple(zip(*board, strict=True))[::-1]


def pushed(board: Board, action: int) -> tuple[Board, int]:
    """Returns the board after a push, without a new tile, and the points for it."""
    for _ in range(action):
        board = turned(board)
    rows = [pushed_row(row) for row in board]
    board = tuple(row for row, _ in rows)
    for _ in range((4 - action) % 4):
        board = turned(board)
    return board, sum(points for _, points in rows)


def actions(board: Board) -> list[int]:
    """Returns the directions in which a push changes the board."""
    return [action for action in range(4) if pushed(board, action)[0] != board]


def new_tiles(before: Board, after: Board) -> list[tuple[int, int, int]]:
    """Returns row, column and number of each cell in which two boards differ."""
    return [
        (row, column, after[row][column])
        for row in range(4)
        for column in range(4)
        if before[row][column] != after[row][column]
    ]
