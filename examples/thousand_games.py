"""Plays a thousand random games at once on all cores; prints who wins and how long games are."""

import numpy as np

import quincunx as qx

game = qx.game("quorum")
batch = game.batch(1000, seed=0)

moves = 0
while not batch.over.all():
    moves += int((~batch.over).sum())
    batch.step(batch.sample())  # finished games do not change

scores = batch.scores  # a row per game, a column per seat: 1, 0 or 0.5
for seat, name in enumerate(("White", "Black")):
    print(f"{name} wins {np.mean(scores[:, seat] == 1.0):.1%}")
print(f"draws {np.mean(scores[:, 0] == 0.5):.1%}")
print(f"{moves / len(batch):.1f} moves per game")
