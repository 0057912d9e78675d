"""Your own player: any object with a method `choose` can play.

This one plays a few random games after every legal move and chooses the best move.
"""

from random import Random

import quincunx as qx


class Sampler:
    """Plays the move with the best results of random games."""

    def __init__(self, seed, games=3):
        self.rng = Random(seed)
        self.games = games

    def choose(self, state, seat=None):
        me = state.acting_seat(seat)
        return max(state.actions(), key=lambda action: self.value(state.act(action), me))

    def value(self, state, me):
        return sum(self.random_game(state)[me] for _ in range(self.games))

    def random_game(self, state):
        while not state.over:
            state = state.act(self.rng.choice(state.actions()))
        return state.scores


game = qx.game("onoro", pawns=4, repetition=2)
wins = [0, 0]
for seed in range(4):
    match = qx.Match(game, [Sampler(seed), "random"], seed)
    while not match.state.over:
        match.reply()
    print(f"game {seed + 1}: {match.state.status}")
    for seat in match.state.winners:
        wins[seat] += 1
print(f"the sampler won {wins[0]}, the random player {wins[1]}")
