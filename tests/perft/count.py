"""Counts leaves with the naive implementations: python -m tests.perft.count

The counts of the kernels are compared with these, so they must not come from the kernels. A
position is counted only to the depth at which no random event (a smash, new balls) can occur.
"""

import json
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).parent

# game, options, position (None = the initial one), depth
POSITIONS = [
    ("quorum", {}, "4BBBB/5BBB/6BB/7B/W7/WW6/WWW5/WWWW4 w", 3),
    ("quorum", {}, "8/8/2B1B3/2WB1W2/1B1W1B2/2W1B3/1WW1B3/W3W3 b", 3),
    ("quorum", {}, "BBBBBBBB/BBBBBBBB/8/2WB1W2/1B1W1B2/8/WWWWWWWW/WWWWWWWW w", 2),
    ("onoro", {}, ".W/BB w -1,0", 5),
    ("onoro", {"pawns": 3}, ".W/BB w -1,0", 6),
    ("onoro", {"pawns": 4}, ".W/BB w -1,0", 6),
    ("sphero", {"players": 2, "order": "turns"}, "A R", 4),
    ("sphero", {"players": 4, "order": "turns"}, "..BG./.BYYR/RAYYY/RYBG. R", 2),
    ("sphero", {"players": 2, "order": "turns"}, "R.../AYRY R", 3),
    ("blocky", {"depth": 1, "players": 1}, "(rgby) blob:r-0 0 0", 1),
    ("blocky", {"depth": 2}, "((rgby)(rrgg)(bbby)(yyyy)) blob:r-0,blob:b-0 0 0", 2),
    ("blocky", {"depth": 3}, "(r(gbby)y(b(rgby)(yyyr)g)) perimeter:r-0,blob:b-1 7 1", 1),
    ("wzlz", {}, "R......../........./..GGG..../..G.G..../..GGG..../........./.Y......./"
     "Y......../......... RGB 0", 1),
    ("wzlz", {"rows": 3, "cols": 3}, "RG./GRB/.BR RGB 0", 1),
    ("wzlz", {"rows": 5, "cols": 5}, "R.G.B/.R.G./B.R.G/.B.R./G.B.R RGB 4", 1),
]  # fmt: skip


def leaves(position, depth):
    """Returns the number of move sequences of `depth` plies."""
    if depth == 1:
        return len(position.moves())
    return sum(leaves(position.play(move), depth - 1) for move in position.moves())


def main():
    files = {}
    for game, options, text, depth in POSITIONS:
        position = import_module(f"tests.naive.{game}").read(text, **options)
        assert position.text == text, (position.text, text)
        counts = [leaves(position, d) for d in range(1, depth + 1)]
        files.setdefault(game, []).append({"options": options, "position": text, "leaves": counts})
        print(game, text, counts, flush=True)
    for game, rows in files.items():
        (HERE / f"{game}.json").write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
