"""Fits the weights of Onoro's and Quorum's evaluation features to games.

    python benchmarks/tune_duel.py GAME [--games 2000] [--nodes 1500] [--seed 1]

Alpha-beta plays itself from random openings, with a share of random moves. A logistic regression
over the positions of these games predicts the result for the side to move from the difference of
each feature between the two sides. Weights are in hundredths of a logit, as in the kernels.
Random moves and positions in which the side to move can win at once are left out.
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
from quincunx.games.onoro import evaluation as onoro
from quincunx.games.quorum import evaluation as quorum
from quincunx.jit import jit, popcount

RANDOM_MOVE_SHARE = 0.08  # of the moves after the opening
MAX_GAME_PLIES = 150  # a longer game counts as a draw
TEST_SHARE = 0.2  # of the positions, used for the loss but not for the fit


@jit
def onoro_features(s, seat, out):
    """Writes the features of one side, in the order of EVALUATIONS."""
    sets = onoro.group_sets(s)
    three_open, three_closed, two_both_open, two_one_open = onoro._count_open_lines(
        s, seat, sets[1]
    )
    mobility, wins = onoro._mobility_and_wins(s, seat, sets, three_open > 0)
    out[:4] = three_closed, two_both_open, two_one_open, mobility
    out[4] = wins == 1
    out[5] = wins > 1


@jit
def quorum_features(s, seat, out):
    """Writes the features of one side, in the order of EVALUATIONS."""
    own, other = s.stones[seat], s.stones[1 - seat]
    empty = ~(own | other)
    targets = quorum._landing_squares(own, empty)
    convertible = quorum._convertible(own, other, targets)
    missing = quorum.OBJECTIVE_MASK & ~own
    out[0] = popcount(own)
    out[1] = popcount(empty & quorum.HOME_MASK[seat])
    out[2] = popcount(own & quorum.BEST_SQUARES[seat])
    out[3] = popcount(own & quorum.GOOD_SQUARES[seat])
    out[4] = popcount(own & quorum.POOR_SQUARES[seat])
    out[5] = popcount(targets & quorum.OBJECTIVE_MASK)
    out[6] = popcount(targets & quorum.OBJECTIVE_RING)
    out[7] = popcount(convertible)
    out[8] = popcount(convertible & quorum.OBJECTIVE_MASK)
    out[9] = popcount(missing) == 1 and missing & (targets | convertible) != np.uint64(0)


# For each game: the names of the features; the function that writes them; the indices of the
# features that mean a win with the next move; and a function that returns the phase of a position,
# since each phase is fitted separately.
EVALUATIONS: dict[str, tuple[str, Callable[..., None], tuple[int, ...], Callable[[Any], str]]] = {
    "onoro": (
        "three_closed two_both_open two_one_open mobility one_win several_wins",
        onoro_features,
        (4, 5),
        lambda s: "placing" if s.placed < 2 * s.each else "moving",
    ),
    "quorum": (
        "stones home best good poor targets_objective targets_ring convertible "
        "convertible_objective win",
        quorum_features,
        (9,),
        lambda s: "all",
    ),
}


def main() -> None:
    """Plays games, fits the weights and prints them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("game", choices=EVALUATIONS)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--nodes", type=int, default=1500, help="node limit of alpha-beta per move")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    names, write_features, winning, phase_of = EVALUATIONS[arguments.game]
    phases: dict[str, list[tuple[np.ndarray, float]]] = {}
    for s, points in self_play(
        quincunx.game(arguments.game), arguments.games, arguments.nodes, arguments.seed
    ):
        features = np.zeros((2, len(names.split())))
        for i, seat in enumerate((int(s.turn), 1 - int(s.turn))):
            write_features(s, seat, features[i])
        if not features[0, list(winning)].any():
            row = np.append(features[0] - features[1], 1.0)
            phases.setdefault(phase_of(s), []).append((row, points))
    for phase, samples in phases.items():
        rows, results = (np.array(column) for column in zip(*samples, strict=True))
        Console().print(fit(f"{arguments.game}, {phase}", names.split(), rows, results))


def self_play(game: Game, games: int, nodes: int, seed: int) -> Iterator[tuple[Any, float]]:
    """Yields the positions in which alpha-beta chose a move, and the result for its side."""
    rng = Random(seed)
    players = [quincunx.player(f"alphabeta:nodes={nodes}", game, seed=seat) for seat in range(2)]
    for _ in range(games):
        state, opening_plies, positions = game.start(seed=0), rng.randrange(2, 9), []
        while not state.over and state.ply < MAX_GAME_PLIES:
            if state.ply < opening_plies or rng.random() < RANDOM_MOVE_SHARE:
                state = state.act(rng.choice(state.actions()))
            else:
                positions.append(state.position)
                state = state.act(players[int(state.position.turn)].choose(state))
        points = state.scores if state.over else (0.5, 0.5)
        yield from ((s, points[int(s.turn)]) for s in positions)


def fit(title: str, names: list[str], features: np.ndarray, results: np.ndarray) -> Table:
    """Returns a table of the fitted weights with their standard errors, and the test loss."""
    split = int(len(results) * (1 - TEST_SHARE))
    weights, errors = logistic_regression(features[:split], results[:split])
    loss = log_loss(features[split:] @ weights, results[split:])
    table = Table(
        title=f"{title}: {len(results)} positions, log loss {loss:.4f} "
        f"(without weights {np.log(2):.4f})",
        box=SIMPLE_HEAD,
    )
    for column in ("feature", "weight", "±"):
        table.add_column(column, justify="left" if column == "feature" else "right")
    for name, weight, error in zip([*names, "turn"], weights, errors, strict=True):
        table.add_row(name, f"{100 * weight:.0f}", f"{100 * error:.1f}")
    return table


def logistic_regression(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns fitted weights and their standard errors, by Newton's method.

    The weights, in logits, have a normal prior with mean 0 and variance 1 (ridge regression).
    """
    weights = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ weights))
        hessian = (x * (p * (1 - p))[:, None]).T @ x + np.eye(len(weights))
        weights += np.linalg.solve(hessian, x.T @ (y - p) - weights)
    return weights, np.sqrt(np.diag(np.linalg.inv(hessian)))


def log_loss(logits: np.ndarray, y: np.ndarray) -> float:
    """Returns the mean negative log-likelihood of the results y."""
    return float(np.mean(np.logaddexp(0, logits) - y * logits))


if __name__ == "__main__":
    main()
