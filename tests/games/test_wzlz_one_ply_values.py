"""Wzlz values all moves at once; here each is tried alone, and must be worth the same."""

import numpy as np
import pytest

import quincunx as qx
from quincunx import search
from quincunx.games.wzlz import kernel, patterns

# Options, and the most plies of a random game, so that boards of all kinds come up.
GAMES = [
    ({"variant": "lines98"}, 60),
    ({"variant": "lines98", "colors_count": 3}, 200),
    ({"variant": "lines98", "rows": 7}, 20),
    ({"variant": "lines98", "match_length": 4}, 20),
    ({}, 60),
    ({"show_next_balls": False, "colors_count": 4}, 60),
]


def looked_at(state):
    """The actions of a position and their values at a glance."""
    room = state.game.empty_positions(2)
    room[0] = state._s
    moves = np.empty(kernel.MAX_LEGAL, np.int32)
    values = np.empty(kernel.MAX_LEGAL)
    n = search.compiled(kernel).one_ply_values(room, 0, moves, values)
    assert moves[:n].tolist() == state.actions()
    return dict(zip(moves[:n].tolist(), values[:n].tolist(), strict=True))


def points(value):
    """What a value between -1 and 1 is in points."""
    return 1000 * value / (1 - abs(value))


def positions(options, plies, seed, stride=7):
    """Every few positions of a game in which the best of ten random moves is played."""
    game = qx.game("wzlz", **options)
    dice = np.random.default_rng(seed)
    state = game.start(seed=seed)
    while not state.over and state.ply < plies:
        if state.ply % stride == seed % stride:
            yield state
        some = dice.choice(state.actions(), 10)
        state = max(
            (state.act(int(action)) for action in some), key=lambda after: after.evaluate(0)
        )


def certain(state, action):
    """True where nothing that follows an action up to the next move is left to chance."""
    s = state._s
    announced = s.coming_cell[: s.coming].tolist()
    return clears(state, action) or (s.lines98 and action % (s.rows * s.cols) not in announced)


def clears(state, action):
    """True if the move itself makes a line."""
    s = state._s.copy()
    kernel.begin(s, 0, action)
    return kernel.advance(s) == kernel.CLEARED


@pytest.mark.parametrize(("options", "plies"), GAMES)
def test_a_move_is_worth_what_the_position_after_it_is_worth(options, plies):
    for seed in range(3):
        for state in positions(options, plies, seed):
            for action, value in list(looked_at(state).items())[::11]:
                if certain(state, action):
                    after = state.act(action)
                    assert value == pytest.approx(after.evaluate(0), abs=1e-9), (
                        f"{state.move(action)}\n{state}\n{after}"
                    )


@pytest.mark.parametrize("shown", [True, False])
def test_balls_that_come_anywhere_count_with_their_mean(shown):
    """Each ball by itself, on every empty cell of the board as it stands."""
    for state in positions({"show_next_balls": shown}, 12, seed=1, stride=3):
        s = state._s
        left = int(s.room - s.coming)
        base = worth(state, {}, left)
        colours = [[int(c)] for c in s.coming_colour[: s.coming]] if shown else [range(1, 8)] * 3
        empty = [cell for cell in range(81) if s.board[patterns.PLACE[cell]] == 0]
        coming = sum(
            np.mean([worth(state, {cell: c}, left) - base for cell in empty for c in some])
            for some in colours
        )
        for action, value in list(looked_at(state).items())[::37]:
            origin, target = divmod(action, 81)
            if not clears(state, action):
                moved = {origin: 0, target: int(s.board[patterns.PLACE[origin]])}
                right = state.scores[0] + worth(state, moved, left) + coming
                assert points(value) == pytest.approx(right, abs=1e-6), f"{action}\n{state}"


def worth(state, balls, room):
    """What is to come on the board with some balls put or taken away, as with so much room."""
    board = state._s.board.copy()
    for cell, colour in balls.items():
        board[patterns.PLACE[cell]] = colour
    first = kernel._first_weight(state._s, room)
    weights = kernel.WEIGHTS[first : first + patterns.WEIGHTS]
    return kernel.PATIENCE * kernel.evaluation.outlook(board, room, weights)


def test_the_order_of_moves_survives_a_long_game():
    """Values near 1 still tell moves apart."""
    game = qx.game("wzlz", variant="lines98")
    board = next(state for state in positions({"variant": "lines98"}, 30, seed=6)).text
    few, many = (game.read(board.rsplit(" ", 1)[0] + f" {score}") for score in (0, 10**7))
    order = [sorted(values, key=values.get) for values in map(looked_at, (few, many))]
    values = looked_at(few)
    for a, b in zip(*order, strict=True):
        assert points(values[a]) == pytest.approx(points(values[b]), abs=1e-3)


def test_a_symmetric_board_is_worth_the_same():
    """Turned or with other colours, the patterns are the same, and so are their kinds."""
    game = qx.game("wzlz", variant="lines98")
    state = next(positions({"variant": "lines98"}, 60, seed=6))
    rows = [list(row) for row in state.text.split()[0].split("/")]
    turned = ["".join(row) for row in zip(*rows[::-1], strict=True)]
    painted = "/".join(turned).translate(str.maketrans("RGBNMYC", "GBNMYCR"))
    other = game.read(f"{painted} - {int(state.scores[0])}")
    assert sorted(_seen(state)) == sorted(_seen(other)), f"\n{state}\n{other}"


def _seen(state):
    """The kinds of groups, with how many balls and colours they have."""
    out = np.empty(kernel.FEATURES, np.int64)
    kernel.features(state._s, 0, out)
    first = kernel._first_weight(state._s, state._s.room)
    for group, block in enumerate(patterns.BLOCK.tolist()):
        label = patterns.LABEL[out[group] - first - block]
        yield block, int((label > 0).sum()), int(label.max())


@pytest.mark.modes
def test_a_glance_is_the_same_in_all_modes():
    """A known position, with balls to come on three known cells."""
    state = qx.game("wzlz", variant="lines98").read(
        "N.C.BCC.B/..R..Y.R./...M.BRCN/BY....G.C/BC..YG.C./CNM...N../B...G..../.C.N.M.M./Y.....B.. "
        "MMM@0,1;4,2;8,8 37"
    )
    for action, value in list(looked_at(state).items())[::5]:
        if certain(state, action):
            after = state.act(action)
            assert value == pytest.approx(after.evaluate(0), abs=1e-9), f"{action}\n{after}"
