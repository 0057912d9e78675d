"""The incremental one-ply values of Wzlz agree with the evaluation after each single move."""

import numpy as np
import pytest

import quincunx as qx
from quincunx import search
from quincunx.games.wzlz import evaluation, kernel, patterns

# Options, and the maximum plies of a game, so that empty and full boards occur.
GAMES = [
    ({"variant": "lines98"}, 60),
    ({"variant": "lines98", "colors_count": 3}, 200),
    ({"variant": "lines98", "rows": 7}, 20),
    ({"variant": "lines98", "match_length": 4}, 20),
    ({}, 60),
    ({"show_next_balls": False, "colors_count": 4}, 60),
]


def one_ply_values(state):
    """Returns the one-ply value of each legal action."""
    scratch = state.game.empty_positions(2)
    scratch[0] = state.position
    moves = np.empty(kernel.MAX_LEGAL, np.int32)
    values = np.empty(kernel.MAX_LEGAL)
    n = search.compiled(kernel).one_ply_values(scratch, 0, moves, values)
    assert moves[:n].tolist() == state.actions()
    return dict(zip(moves[:n].tolist(), values[:n].tolist(), strict=True))


def points(value):
    """Converts a value between -1 and 1 to points."""
    return 1000 * value / (1 - abs(value))


def positions(options, plies, seed, stride=7):
    """Yields every `stride`-th position of a game that plays the best of ten random moves."""
    game = qx.game("wzlz", **options)
    rng = np.random.default_rng(seed)
    state = game.start(seed=seed)
    while not state.over and state.ply < plies:
        if state.ply % stride == seed % stride:
            yield state
        candidates = rng.choice(state.actions(), 10)
        state = max(
            (state.act(int(action)) for action in candidates), key=lambda after: after.evaluate(0)
        )


def is_deterministic(state, action):
    """Returns True if the position after the action does not depend on chance."""
    s = state.position
    announced = s.coming_cell[: s.coming].tolist()
    return clears(state, action) or (s.lines98 and action % (s.rows * s.cols) not in announced)


def clears(state, action):
    """Returns True if the move itself completes a line."""
    s = state.position.copy()
    kernel.begin(s, 0, action)
    return kernel.advance(s) == kernel.CLEARED


@pytest.mark.parametrize(("options", "plies"), GAMES)
def test_a_deterministic_move_has_the_value_of_the_position_after_it(options, plies):
    for seed in range(3):
        for state in positions(options, plies, seed):
            for action, value in list(one_ply_values(state).items())[::11]:
                if is_deterministic(state, action):
                    after = state.act(action)
                    assert value == pytest.approx(after.evaluate(0), abs=1e-9), (
                        f"{state.move(action)}\n{state}\n{after}"
                    )


@pytest.mark.parametrize("shown", [True, False])
def test_balls_on_random_cells_count_with_their_mean(shown):
    """Each next ball is averaged alone over all empty cells of the board."""
    for state in positions({"show_next_balls": shown}, 12, seed=1, stride=3):
        s = state.position
        empty_cells = int(s.room - s.coming)
        base = future_points(state, {}, empty_cells)
        colours = [[int(c)] for c in s.coming_colour[: s.coming]] if shown else [range(1, 8)] * 3
        empty = [cell for cell in range(81) if s.board[patterns.PADDED_INDEX[cell]] == 0]
        coming = sum(
            np.mean(
                [
                    future_points(state, {cell: c}, empty_cells) - base
                    for cell in empty
                    for c in possible
                ]
            )
            for possible in colours
        )
        for action, value in list(one_ply_values(state).items())[::37]:
            origin, target = divmod(action, 81)
            if not clears(state, action):
                moved = {origin: 0, target: int(s.board[patterns.PADDED_INDEX[origin]])}
                expected = state.scores[0] + future_points(state, moved, empty_cells) + coming
                assert points(value) == pytest.approx(expected, abs=1e-6), f"{action}\n{state}"


def future_points(state, changes, empty_cells):
    """Returns the discounted value of the board with some cells changed."""
    board = state.position.board.copy()
    for cell, colour in changes.items():
        board[patterns.PADDED_INDEX[cell]] = colour
    first = evaluation.weights_offset(state.position, empty_cells)
    weights = kernel.WEIGHTS[first : first + patterns.WEIGHT_COUNT]
    return evaluation.FUTURE_DISCOUNT * evaluation.board_value(board, empty_cells, weights)


def test_a_high_score_does_not_change_the_order_of_moves():
    """Values near 1 are still precise enough to compare moves."""
    game = qx.game("wzlz", variant="lines98")
    board = next(state for state in positions({"variant": "lines98"}, 30, seed=6)).text
    low, high = (game.read(board.rsplit(" ", 1)[0] + f" {score}") for score in (0, 10**7))
    order = [sorted(values, key=values.get) for values in map(one_ply_values, (low, high))]
    values = one_ply_values(low)
    for a, b in zip(*order, strict=True):
        assert points(values[a]) == pytest.approx(points(values[b]), abs=1e-3)


def test_a_rotated_and_recoloured_board_has_the_same_features():
    """Symmetric groups share their weights, and patterns do not depend on the colours."""
    game = qx.game("wzlz", variant="lines98")
    state = next(positions({"variant": "lines98"}, 60, seed=6))
    rows = [list(row) for row in state.text.split()[0].split("/")]
    rotated = ["".join(row) for row in zip(*rows[::-1], strict=True)]
    recoloured = "/".join(rotated).translate(str.maketrans("RGBNMYC", "GBNMYCR"))
    other = game.read(f"{recoloured} - {int(state.scores[0])}")
    assert sorted(_feature_summary(state)) == sorted(_feature_summary(other)), f"\n{state}\n{other}"


def _feature_summary(state):
    """Yields the symmetry class, the number of balls and the number of colours of each group."""
    out = np.empty(kernel.FEATURES, np.int64)
    kernel.features(state.position, 0, out)
    first = evaluation.weights_offset(state.position, state.position.room)
    for group, offset in enumerate(patterns.GROUP_WEIGHTS_OFFSET.tolist()):
        labels = patterns.PATTERN_LABELS[out[group] - first - offset]
        yield offset, int((labels > 0).sum()), int(labels.max())


@pytest.mark.modes
def test_one_ply_values_agree_in_all_modes():
    """A fixed position with three announced balls."""
    state = qx.game("wzlz", variant="lines98").read(
        "N.C.BCC.B/..R..Y.R./...M.BRCN/BY....G.C/BC..YG.C./CNM...N../B...G..../.C.N.M.M./Y.....B.. "
        "MMM@0,1;4,2;8,8 37"
    )
    for action, value in list(one_ply_values(state).items())[::5]:
        if is_deterministic(state, action):
            after = state.act(action)
            assert value == pytest.approx(after.evaluate(0), abs=1e-9), f"{action}\n{after}"
