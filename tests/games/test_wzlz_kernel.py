"""Wzlz's kernel by itself: when moves are legal, crowded starts, features, announced cells."""

import numpy as np
import pytest

import quincunx as qx
from quincunx.games.wzlz import evaluation, kernel, patterns
from tests.games.test_wzlz_one_ply_values import clears, one_ply_values, points
from tests.naive import wzlz as naive

LINES98 = qx.game("wzlz", variant="lines98")
# Few empty cells, so few moves; balls of every colour reach an announced cell.
ANNOUNCED = (
    "RGBNMYCRG/BNMYCRGBN/MYCR.BNMY/CRGB..MYC/RGBNMYCRG/BNM.CRGBN/MYCRGBNMY/CRG..NMYC/RGBNMYCR. "
    "RYC@2,4;7,3;8,8 12"
)


def legal_actions(s, seat):
    """Returns what `legal` writes."""
    out = np.zeros(kernel.MAX_LEGAL, np.int32)
    return out[: kernel.legal(s, seat, out)].tolist()


def test_no_action_is_legal_for_another_seat_or_during_a_move():
    state = qx.game("wzlz", rows=3, cols=4).start(seed=1)
    actions = legal_actions(state.position, 0)
    assert actions
    assert legal_actions(state.position, 1) == []
    assert not any(kernel.is_legal(state.position, 1, action) for action in actions)
    steps = state.steps(state.moves()[0])
    for step in steps[:-1]:
        assert legal_actions(step.position, 0) == []
        assert not any(kernel.is_legal(step.position, 0, action) for action in range(144))
    assert legal_actions(steps[-1].position, 0)


@pytest.mark.parametrize(
    "board",
    [
        "R.G./.BG./..GN",
        "R.G./GBG./..GN",
        "..../.R../....",
        # A path that winds up and down, on the largest number of rows.
        "/".join(["R...", *[".RG."] * 7, ".RGB", *[".RG."] * 6, "...."]),
        "R.............../................",
    ],
)
def test_is_legal_agrees_with_legal(board):
    rows = board.split("/")
    game = qx.game("wzlz", rows=len(rows), cols=len(rows[0]))
    s = game.read(f"{board} RGB 0").position
    cells = len(rows) * len(rows[0])
    legal = legal_actions(s, 0)
    # All actions of the first balls and targets, and one beyond each end.
    actions = [*range(-1, 2 * cells), *range(2 * cells, cells * cells, 7), cells * cells]
    for action in actions:
        assert kernel.is_legal(s, 0, action) == (action in legal), f"{action} on {board}"


@pytest.mark.parametrize(("side", "seed"), [(6, 2), (6, 4), (7, 1)])
def test_a_crowded_start_has_two_colours_and_no_line(side, seed):
    """With these seeds the balls cannot all be drawn without a line, so they are arranged."""
    options = {"rows": side, "cols": side, "match_length": 3, "colors_count": 3}
    game = qx.game("wzlz", **options, initial_balls=side * side - 1)
    reference = naive.read(game.start(seed).text, **game.options)
    assert len(reference.balls) == side * side - 1
    assert len(set(reference.balls.values())) == 2
    assert reference.all_lines() == set(), reference.text


@pytest.mark.parametrize("variant", ["wzlz", "lines98"])
@pytest.mark.parametrize("balls", [12, 40, 60])
def test_the_evaluation_is_the_sum_of_the_weights_of_the_features(variant, balls):
    state = qx.game("wzlz", variant=variant, initial_balls=balls).start(seed=balls)
    s = state.position.copy()
    s.score = 30
    out = np.full(kernel.FEATURES, -1, np.int64)
    assert kernel.features(s, 0, out) == len(out) == len(patterns.GROUP_CELLS) + 1
    assert out.min() >= 0
    discount = {"wzlz": 0.5, "lines98": 0.25}[variant]
    expected = 30 + discount * kernel.WEIGHTS[out].astype(float).sum()
    assert points(kernel.evaluate(s, 0)) == pytest.approx(expected), f"\n{state}"


def test_boards_without_weights_have_no_features():
    out = np.empty(kernel.FEATURES, np.int64)
    for options in ({"rows": 8}, {"cols": 8}, {"match_length": 4}):
        assert kernel.features(qx.game("wzlz", **options).start(seed=1).position, 0, out) == 0


def test_a_ball_moved_to_an_announced_cell_displaces_the_announced_ball():
    """The displaced ball counts with its mean over the cells that stay empty."""
    state = LINES98.read(ANNOUNCED)
    s = state.position
    board = s.board.copy()
    for cell, colour in announced(s).items():
        board[patterns.PADDED_INDEX[cell]] = colour
    empty_cells = int(s.room - s.coming)
    empty = [cell for cell in range(81) if board[patterns.PADDED_INDEX[cell]] == 0]
    assert len(empty) == empty_cells
    base = future_points(s, board, {}, empty_cells)
    gains = {
        colour: np.mean([future_points(s, board, {c: colour}, empty_cells) - base for c in empty])
        for colour in announced(s).values()
    }
    colours_moved = set()
    for action, value in one_ply_values(state).items():
        origin, target = divmod(action, 81)
        if target in announced(s) and not clears(state, action):
            colour = int(s.board[patterns.PADDED_INDEX[origin]])
            colours_moved.add(colour)
            moved = future_points(s, board, {origin: 0, target: colour}, empty_cells)
            expected = 12 + moved + gains[announced(s)[target]]
            assert points(value) == pytest.approx(expected, abs=1e-6), f"{action}\n{state}"
    assert colours_moved == set(range(1, 8))


def announced(s):
    """Returns the colours of the next balls by cell."""
    return dict(zip(s.coming_cell[: s.coming].tolist(), s.coming_colour.tolist(), strict=False))


def future_points(s, board, changes, empty_cells):
    """Returns the discounted value of a board with some cells changed."""
    changed = board.copy()
    for cell, colour in changes.items():
        changed[patterns.PADDED_INDEX[cell]] = colour
    first = evaluation.weights_offset(s, empty_cells)
    weights = kernel.WEIGHTS[first : first + patterns.WEIGHT_COUNT]
    return 0.25 * evaluation.board_value(changed, empty_cells, weights)
