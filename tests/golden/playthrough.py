"""Writes one random playthrough per game, ply by ply: python -m tests.golden.playthrough

A file holds the record, and after it every position of the game. Compiled, uncompiled
and on every machine the same seed must give the same game to the letter; whether the
game follows the rules is what the naive twins check, in tests/games.
"""

from pathlib import Path
from random import Random

import quincunx as qx

HERE = Path(__file__).parent
SEED = 2026
PLIES = 60


def playthrough(name):
    """Returns the text of the golden file of a game."""
    game = qx.game(name)
    match = qx.Match(game, ["human"] * game.seats, seed=SEED)
    match.date = "2026-01-01"
    rng = Random(SEED)
    while not match.state.over and len(match.moves) < PLIES:
        seat = rng.randrange(game.seats) if match.state.turn is None else None
        match.play(rng.choice(match.state.moves(seat)), seat)
    return match.record.text + "\n" + "".join(f"{state.text}\n" for state in match.states)


if __name__ == "__main__":
    for name in qx.games():
        (HERE / f"{name}.txt").write_text(playthrough(name))
