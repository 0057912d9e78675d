"""2048's names, texts and picture."""

from quincunx import boards
from quincunx.contract import SCORE, Traits

NAME = "twenty48"
TITLE = "2048"
SUMMARY = "Push equal tiles together for points."
TEXTS = {"play": "Push the tiles left, up, right or down", "not_legal": "no tile would move"}

# The tiles 2, 4, 8, ... have the letters a, b, c, ...; three in a row have the same colour.
COLOURS = ("yellow", "green", "blue", "magenta", "red")
TILES = {
    letter: boards.Tile(str(2 << i), COLOURS[i // 3], opacity=(0.35, 0.7, 1.0)[i % 3])
    for i, letter in enumerate("abcdefghijklmno")
}
NOTATION = boards.BoardNotation(
    boards.SquareBoard(4, 4, top_row_first=True),
    pieces=TILES,
    cells=boards.PackedCells("board"),
    moves=boards.WordMoves({0: "left", 1: "up", 2: "right", 3: "down"}),
    fields=[boards.NumberField("score", high=2**32 - 1)],
)
LAYOUT = boards.BoardLayout(NOTATION, style="tiles", header=lambda state: f"{state.scores[0]:.0f}")


def traits(options):
    """Returns the traits: tiles come at random, and the result is the score."""
    return Traits(random_start=True, chance=True, outcome=SCORE)
