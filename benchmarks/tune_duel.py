"""What the features of Onoro's and Quorum's evaluations are worth, learnt from games.

    python benchmarks/tune_duel.py GAME [--games 2000] [--nodes 1500] [--seed 1]

Alpha-beta plays with itself from random openings, and slips now and then. A logistic regression
over the positions of these games tells how much each feature of the side to move, less the
same of the other side, adds to its chances; in hundredths of a logit, as the kernels write it.
Where the side to move can win at once, nothing is to be learnt.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

import quincunx
from quincunx.game import Game
from quincunx.games.onoro import kernel as onoro
from quincunx.games.quorum import kernel as quorum
from quincunx.jit import jit, popcount

SLIP = 0.08
LONGEST = 150  # plies
KEPT = 0.2  # of the positions are kept to test what was learnt from the others


@jit
def onoro_side(s, seat, out):
    ground = onoro._group_sets(s)
    near, far, both, one = onoro._count_open_lines(s, seat, ground[1])
    freedom, strikes = onoro._mobility_and_wins(s, seat, ground, near > 0)
    out[:4] = far, both, one, freedom
    out[4] = strikes == 1
    out[5] = strikes > 1


@jit
def quorum_side(s, seat, out):
    own, other = s.stones[seat], s.stones[1 - seat]
    empty = ~(own | other)
    targets = quorum._landing_squares(own, empty)
    turned = quorum._convertible(own, other, targets)
    missing = quorum.OBJECTIVE & ~own
    out[0] = popcount(own)
    out[1] = popcount(empty & quorum.HOME[seat])
    out[2] = popcount(own & quorum.BEST_SQUARES[seat])
    out[3] = popcount(own & quorum.GOOD_SQUARES[seat])
    out[4] = popcount(own & quorum.POOR_SQUARES[seat])
    out[5] = popcount(targets & quorum.OBJECTIVE)
    out[6] = popcount(targets & quorum.OBJECTIVE_RING)
    out[7] = popcount(turned)
    out[8] = popcount(turned & quorum.OBJECTIVE)
    out[9] = popcount(missing) == 1 and missing & (targets | turned) != np.uint64(0)


# For each game: its features, which of them end the game at once for the side to move, and
# the phases that are learnt apart.
DUELS: dict[str, tuple[str, Callable[..., None], tuple[int, ...], Callable[[Any], str]]] = {
    "onoro": (
        "far both one freedom strike strikes",
        onoro_side,
        (4, 5),
        lambda s: "placing" if s.placed < 2 * s.each else "moving",
    ),
    "quorum": (
        "stones home best good poor objective near turned turned_objective goal",
        quorum_side,
        (9,),
        lambda s: "all",
    ),
}


def main() -> None:
    """Plays, learns and prints what it learnt."""
    words = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    words.add_argument("game", choices=DUELS)
    words.add_argument("--games", type=int, default=2000)
    words.add_argument("--nodes", type=int, default=1500, help="of alpha-beta, for each move")
    words.add_argument("--seed", type=int, default=1)
    given = words.parse_args()
    names, side, decisive, phase_of = DUELS[given.game]
    phases: dict[str, list[tuple[np.ndarray, float]]] = {}
    for s, points in played(quincunx.game(given.game), given.games, given.nodes, given.seed):
        both = np.zeros((2, len(names.split())))
        for i, seat in enumerate((int(s.turn), 1 - int(s.turn))):
            side(s, seat, both[i])
        if not both[0, list(decisive)].any():
            row = np.append(both[0] - both[1], 1.0)
            phases.setdefault(phase_of(s), []).append((row, points))
    for phase, seen in phases.items():
        features, results = np.array([row for row, _ in seen]), np.array([y for _, y in seen])
        Console().print(learnt(f"{given.game}, {phase}", names.split(), features, results))


def played(game: Game, games: int, nodes: int, seed: int) -> Iterator[tuple[Any, float]]:
    """The positions of games of alpha-beta with itself, and what the side to move got at last."""
    dice = Random(seed)
    players = [quincunx.player(f"alphabeta:nodes={nodes}", game, seed=seat) for seat in range(2)]
    for _ in range(games):
        state, opening, positions = game.start(seed=0), dice.randrange(2, 9), []
        while not state.over and state.ply < LONGEST:
            if state.ply < opening or dice.random() < SLIP:
                state = state.act(dice.choice(state.actions()))
            else:
                positions.append(state._s)
                state = state.act(players[int(state._s.turn)].choose(state))
        points = state.scores if state.over else (0.5, 0.5)
        yield from ((s, points[int(s.turn)]) for s in positions)


def learnt(title: str, names: list[str], features: np.ndarray, results: np.ndarray) -> Table:
    """The weights, with how sure they are, and how well they foretell other games."""
    apart = int(len(results) * (1 - KEPT))
    weights, errors = regression(features[:apart], results[:apart])
    loss = surprise(features[apart:] @ weights, results[apart:])
    table = Table(
        title=f"{title}: {len(results)} positions, surprise {loss:.4f} "
        f"(knowing nothing {np.log(2):.4f})",
        box=SIMPLE_HEAD,
    )
    for column in ("feature", "weight", "±"):
        table.add_column(column, justify="left" if column == "feature" else "right")
    for name, weight, error in zip([*names, "turn"], weights, errors, strict=True):
        table.add_row(name, f"{100 * weight:.0f}", f"{100 * error:.1f}")
    return table


def regression(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weights of a logistic regression and their standard errors, by Newton's method."""
    weights = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ weights))
        curvature = (x * (p * (1 - p))[:, None]).T @ x + np.eye(len(weights))
        weights += np.linalg.solve(curvature, x.T @ (y - p) - weights)
    return weights, np.sqrt(np.diag(np.linalg.inv(curvature)))


def surprise(logits: np.ndarray, y: np.ndarray) -> float:
    """The mean of -log of the chance that was given to what happened."""
    return float(np.mean(np.logaddexp(0, logits) - y * logits))


if __name__ == "__main__":
    main()
