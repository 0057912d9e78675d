"""What happens in one play of Sphero, step by step: a chain goes, the others settle."""

import quincunx as qx

game = qx.game("sphero")  # anyone may place at any time, so a move says whose it is
state = game.read("..G/..Y/RAYYB/.GYR")
print(state, end="\n\n")

for step in state.steps("Y:2,1"):
    if step.event:
        print(step.event, " ".join(step.cells))
        print(step, end="\n\n")

after = state.play("Y:2,1")
print("now it is", after.text)
print("spheres of Red, Yellow, Brown, Green:", *(int(score) for score in after.scores))
