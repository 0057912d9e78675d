"""Prints one move of Sphero step by step: a chain is removed and the other spheres settle."""

import quincunx as qx

game = qx.game("sphero")  # anyone may move at any time, so a move names its player
state = game.read("..G/..Y/RAYYB/.GYR")
print(state, end="\n\n")

for step in state.steps("Y:2,1"):
    if step.event:
        print(step.event, " ".join(step.cells))
        print(step, end="\n\n")

after = state.play("Y:2,1")
print("new position:", after.text)
print("spheres of Red, Yellow, Brown, Green:", *(int(score) for score in after.scores))
