"""Plays a game of Quorum between two bots, saves it and reads it again."""

import quincunx as qx

game = qx.game("quorum")
match = qx.Match(game, ["greedy", "random"], seed=3)
while not match.state.over:
    match.reply()

print(match.state)
print(match.state.status)

match.record.save("quorum.qx")  # a text file: tags, then the moves

with open("quorum.qx") as file:
    record = qx.Record.read(file.read())
print(len(record.moves), "moves:", *record.moves[:6], "...")
assert record.states()[-1] == match.state
