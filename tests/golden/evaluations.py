"""Writes positions and their static evaluations: python -m tests.golden.evaluations

The positions are from games between greedy and random players, so that both quiet positions and
those just before the end occur. The weights are fitted, not derived from the rules: there is no
naive implementation to compare them with, and a change must be intended.
"""

import json
from pathlib import Path
from random import Random

import quincunx as qx

FILE = Path(__file__).parent / "evaluations.json"
GAMES = [
    ("sphero", {"players": 2, "order": "turns", "limit": 40}),
    ("sphero", {"players": 4, "order": "turns", "limit": 40}),
    ("onoro", {}),
    ("onoro", {"pawns": 4}),
    ("blocky", {"depth": 2, "turns": 5}),
    ("blocky", {"depth": 3, "players": 3, "turns": 5, "goals": "mixed"}),
    ("wzlz", {}),
    ("wzlz", {"rows": 6, "cols": 7, "match_length": 4}),
    ("quorum", {}),
]
POSITIONS = 12  # per game and options
MAX_PLIES = 60
DIGITS = 9  # after the decimal point


def positions(name, options):
    """Returns positions, evenly spread over two games; the last ones are before the end."""
    game, found = qx.game(name, **options), []
    for seed in (1, 2):
        rng, state, states = Random(seed), game.start(seed), []
        bots = [qx.player("greedy", game, seed=seat) for seat in range(game.seats)]
        while not state.over and state.ply < MAX_PLIES:
            states.append(state)
            is_random = rng.random() < 0.3
            action = rng.choice(state.actions()) if is_random else bots[state.turn].choose(state)
            state = state.act(action)
        step = max(1, len(states) // (POSITIONS // 2))
        found += states[::-step][: POSITIONS // 2]
    return found


def evaluations(state):
    """Returns the rounded evaluations of a position, one per seat."""
    return [round(float(state.evaluate(seat)), DIGITS) for seat in range(state.game.seats)]


if __name__ == "__main__":
    rows = [
        {"game": name, "options": options, "position": state.text,
         "evaluations": evaluations(state.game.read(state.text))}
        for name, options in GAMES
        for state in positions(name, options)
    ]  # fmt: skip
    FILE.write_text("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n")
