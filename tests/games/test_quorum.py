"""Quorum: every diagram of its rules, and random games against the naive implementation."""

import random
from itertools import product

import pytest

import quincunx as qx
from quincunx.errors import BadOption, BadPosition, IllegalMove, MoveSyntax
from quincunx.games.quorum import bitboards, kernel
from tests.naive import quorum as naive

QUORUM = qx.game("quorum")
START = "4BBBB/5BBB/6BB/7B/W7/WW6/WWW5/WWWW4 w"


def position(diagram, turn="w"):
    """Reads a diagram as drawn in the rules, rank 8 first; A and + are empty squares."""
    rows = [line.split()[1:] for line in diagram.strip().splitlines() if line.split()[0].isdigit()]
    text = "/".join("".join({"○": "W", "●": "B"}.get(cell, "1") for cell in row) for row in rows)
    return QUORUM.read(f"{text} {turn}")


def test_start_position():
    state = position("""
           a b c d e f g h
        8  · · · · ● ● ● ●
        7  · · · · · ● ● ●
        6  · · · · · · ● ●
        5  · · · + + · · ●
        4  ○ · · + + · · ·
        3  ○ ○ · · · · · ·
        2  ○ ○ ○ · · · · ·
        1  ○ ○ ○ ○ · · · ·
    """)
    assert QUORUM.start() == state
    assert state.text == START
    assert (state.turn, len(state.moves()), state.over) == (0, 19, False)


def test_movement_a1_over_c2_to_e3():
    after = QUORUM.start().play("a1e3")
    assert after == position(
        """
           a b c d e f g h
        8  · · · · ● ● ● ●
        7  · · · · · ● ● ●
        6  · · · · · · ● ●
        5  · · · + + · · ●
        4  ○ · · + + · · ·
        3  ○ ○ · · ○ · · ·
        2  ○ ○ ○ · · · · ·
        1  · ○ ○ ○ · · · ·
        """,
        "b",
    )
    (moved, done) = QUORUM.start().steps("a1e3")
    assert (moved.event, moved.cells) == ("move", ("a1", "c2", "e3"))
    assert done == after


# The diagram of the rules. The stones on f1 and f2 are added: f1 leaps over f2 to A (f3).
SUFFOCATION = """
    8  · · · · · · · ·
    7  · · · · · · · ·
    6  · · · · · · · ·
    5  · · · ○ ● ● ● ·
    4  · · · ● {e4} ● ● ·
    3  · · · ○ ○ A ○ ·
    2  · · · · ○ ○ ○ ·
    1  · · · · · ○ · ·
"""


def test_suffocation_removes_f4_and_no_own_stone():
    before = position(SUFFOCATION.format(e4="○"))
    _, suffocated = before.steps("f1f3")[:2]
    assert suffocated.event == "suffocate"
    assert suffocated.cells == ("f4",)
    after = before.play("f1f3")
    assert "f4" not in squares_of(after, "B")
    assert {"e4", "f3", "e3", "g3"} <= squares_of(after, "W")


def test_suffocation_removes_all_stones_at_once():
    _, suffocated = position(SUFFOCATION.format(e4="●")).steps("f1f3")[:2]
    assert suffocated.event == "suffocate"
    assert set(suffocated.cells) == {"e4", "f4"}


def test_conversion_changes_only_e5():
    # The diagram of the rules. The stones on g7 and h8 are added: h8 leaps over g7 to A (f6).
    before = position("""
        8  · · · · · · · ○
        7  · · · ○ · · ○ ·
        6  · · · · ● A · ·
        5  · · · + ● ● · ·
        4  · · · ○ ○ ● · ·
        3  · · · · · ○ · ·
        2  · · · · · · · ·
        1  · · · · · · · ·
    """)
    converted = before.steps("h8f6")[1]
    assert (converted.event, converted.cells) == ("convert", ("e5",))
    after = before.play("h8f6")
    assert {"e6", "f5", "f4"} == squares_of(after, "B")


def test_suffocation_comes_before_conversion():
    # f4 could be converted, since f5 is white; but it has no empty neighbour and is removed first.
    before = position(SUFFOCATION.format(e4="○").replace("○ ● ● ●", "○ ● ○ ●"))
    after = before.play("f1f3")
    assert "f4" not in squares_of(after, "B") | squares_of(after, "W")


def test_converted_stones_do_not_convert_others():
    # The landing on c3 converts d4 (e5 is white); e4, between d4 and f4, stays black.
    before = QUORUM.read("8/8/8/4W3/3BBW2/8/1W6/W7 w")
    after = before.play("a1c3")
    assert "d4" in squares_of(after, "W")
    assert squares_of(after, "B") == {"e4"}


def test_placement_fills_all_empty_home_squares():
    before = QUORUM.read("8/8/8/8/8/8/1W6/7B w")
    after = before.play("place")
    assert squares_of(after, "W") == {"a1", "a2", "b1", "b2"}
    assert before.steps("place")[0].event == "place"
    with pytest.raises(IllegalMove, match="all four are occupied"):
        QUORUM.start().play("place")


def test_placement_skips_home_squares_held_by_the_opponent():
    after = QUORUM.read("8/8/8/8/8/8/1B6/7B w").play("place")
    assert squares_of(after, "W") == {"a1", "a2", "b1"}
    assert squares_of(after, "B") == {"b2", "h1"}


def test_holding_all_four_objective_squares_wins():
    before = QUORUM.read("7B/8/8/3WW3/3W4/4W3/4W3/8 w")
    after = before.play("e2e4")
    assert after.over
    assert (after.turn, after.winners, after.scores) == (None, (0,), (1.0, 0.0))
    assert "all four objective squares" in after.status
    with pytest.raises(IllegalMove, match="the game is over"):
        after.play("place")


def test_no_legal_play_loses():
    # Black's home is full of white stones, and Black's only stone has no centre to leap over.
    before = QUORUM.read("6WW/6WW/8/8/8/8/8/W1W4B w")
    after = before.play("a1e1")
    assert (after.winners, after.moves()) == ((0,), [])
    assert "Black has no legal play" in after.status


def test_a_position_with_a_held_objective_is_won_for_either_side_to_move():
    ranks = "BBBBBBBB/BBBBBBBB/BBBBBBBB/BBBWWBBB/BBBWWBBB/BBBBBBBB/BBBBBBBB/BBBBBBBB"
    for turn in "wb":
        assert QUORUM.read(f"{ranks} {turn}").winners == (0,)


@pytest.mark.modes
def test_key_includes_the_side_to_move():
    keys = {
        int(kernel.key(QUORUM.read(text).position))
        for text in ("8/8/8/8/8/8/4W3/B6B w", "8/8/8/8/8/8/4W3/7B b", "8/8/8/8/8/8/4W3/B6B b")
    }
    assert len(keys) == 3


# The conversions of a stone that lands on c3, f3, c6 or f6, next to which a line of two squares
# reaches each edge of the board: the converted stone, and the own stone on the far side of it.
@pytest.mark.modes
@pytest.mark.parametrize(
    ("landing", "leap"),
    [("c3", "g3c3"), ("f3", "b3f3"), ("c6", "g6c6"), ("f6", "b6f6")],
)
def test_stones_are_converted_up_to_every_edge(landing, leap):
    file, rank = "abcdefgh".index(landing[0]), int(landing[1])
    for df, dr in product((-1, 0, 1), repeat=2):
        between, far = (f"{'abcdefgh'[file + i * df]}{rank + i * dr}" for i in (1, 2))
        centre = "e" if leap[0] == "g" else "d"
        if (df, dr) == (0, 0) or f"{centre}{rank}" in (between, far):
            continue
        white = {leap[:2], f"{centre}{rank}", far}
        after = QUORUM.read(board_text(white, {between, "h8"} - white)).play(leap)
        assert squares_of(after, "W") == {landing, f"{centre}{rank}", far, between}, f"\n{after}"


@pytest.mark.modes
def test_observations():
    state = QUORUM.start().play("a1e3")
    for seat, own, other in ((0, "W", "B"), (1, "B", "W")):
        homes = ({"a1", "b1", "a2", "b2"}, {"g7", "h7", "g8", "h8"})
        planes = state.observe(seat)
        assert planes.shape == (4, 8, 8)
        expected = [squares_of(state, own), squares_of(state, other), homes[seat]]
        for plane, squares in zip(planes, expected, strict=False):
            found = {f"{'abcdefgh'[f]}{r + 1}" for r, f in zip(*plane.nonzero(), strict=True)}
            assert found == squares
            assert plane.max() == 1
        assert (planes[3] == float(seat == 1)).all(), "Black is to move"


def test_repetition_is_a_draw():
    # Each side has two stones that leap over each other: ply 2, 6 and 10 reach the same position.
    state = QUORUM.read("B1B5/8/8/8/8/W1W5/8/8 w")
    moves = ["a3e3", "a8e8", "c3g3", "c8g8", "g3c3", "g8c8", "e3a3", "e8a8", "a3e3", "a8e8"]
    for move in moves:
        assert not state.over, f"{move}\n{state}"
        state = state.play(move)
    assert state.over
    assert (state.scores, state.winners) == ((0.5, 0.5), ())
    assert "Draw" in state.status


def test_repetition_can_be_switched_off():
    state = qx.game("quorum", repetition=0).read("B1B5/8/8/8/8/W1W5/8/8 w")
    for move in ["a3e3", "a8e8", "c3g3", "c8g8", "g3c3", "g8c8", "e3a3", "e8a8"] * 4:
        state = state.play(move)
    assert not state.over


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "eight ranks"),
        (START[:-2], "eight ranks"),
        (START + " w", "eight ranks"),
        (START[:-1] + "x", "w or b"),
        ("8/8/8/8/8/8/8 w", "not 7"),
        ("9/8/8/8/8/8/8/8 w", "rank 8 contains '9'"),
        ("8/8/8/8/8/8/8/7 w", "rank 1 has 7 squares"),
        ("8/8/8/8/8/8/8/WWWWWWWWW w", "rank 1 has 9 squares"),
        ("8/8/8/8/8/8/8/7X w", "rank 1 contains 'X'"),
    ],
)
def test_invalid_position_texts(text, reason):
    with pytest.raises(BadPosition, match=reason):
        QUORUM.read(text)


@pytest.mark.parametrize("text", ["", "a1", "a1a9", "i1a1", "a1-e3", "placed", "a1e3q"])
def test_invalid_move_texts(text):
    with pytest.raises(MoveSyntax, match="a1e3"):
        QUORUM.start().play(text)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("a1b1", "0, 2 or 4"),
        ("a1a1", "0, 2 or 4"),
        ("a1g1", "0, 2 or 4"),
        ("h8f6", "an opponent's stone on h8; you can move only your own"),
        ("e1c1", "no stone on e1"),
        ("a4c4", "centre b4 must hold"),
        ("a1c1", "c1 is not empty"),
    ],
)
def test_illegal_moves_give_a_reason(move, reason):
    with pytest.raises(IllegalMove, match=reason):
        QUORUM.start().play(move)


@pytest.mark.parametrize("repetition", [3, 0, 2])
def test_random_games_against_the_naive_implementation(repetition):
    game = qx.game("quorum", repetition=repetition)
    assert compare(game, seeds=range(4), plies=150) > 250


@pytest.mark.modes
def test_a_short_game_against_the_naive_implementation():
    assert compare(QUORUM, seeds=[1], plies=24) == 24


def compare(game, seeds, plies):
    """Compares random games with the naive implementation; returns the number of positions."""
    repetition, positions = game.options["repetition"], 0
    for seed in seeds:
        rng = random.Random(seed)
        state, reference = game.start(), naive.start(repetition=repetition)
        while not state.over and state.ply < plies:
            assert_same(state, reference)
            move = rng.choice(state.moves())
            steps = [(step.event, step.text) for step in state.steps(move)[:-1]]
            assert steps == reference.step_texts(move), f"{move}\n{state}"
            state, reference = state.play(move), reference.play(move)
            positions += 1
        assert_same(state, reference)
    return positions


def assert_same(state, reference):
    """Fails, showing the board, if the kernel and the naive implementation differ."""
    assert state.text == reference.text, f"\n{state}"
    for name in ("turn", "over", "scores", "winners"):
        assert getattr(state, name) == getattr(reference, name), f"{name}\n{state}"
    assert state.moves() == reference.moves(), f"\n{state}"


def board_text(white, black, turn="w"):
    """Returns the position text of stones on the named squares."""
    letters = {**dict.fromkeys(white, "W"), **dict.fromkeys(black, "B")}
    ranks = ["".join(letters.get(f"{f}{r}", "1") for f in "abcdefgh") for r in range(8, 0, -1)]
    return f"{'/'.join(ranks)} {turn}"


def squares_of(state, letter):
    """Returns the names of the squares that hold stones of a colour, W or B."""
    squares = set()
    for rank, row in zip("87654321", state.text.split()[0].split("/"), strict=True):
        row = "".join("." * int(c) if c.isdigit() else c for c in row)
        squares |= {f"{file}{rank}" for file, c in zip("abcdefgh", row, strict=True) if c == letter}
    return squares


def test_repetition_of_one_is_rejected():
    with pytest.raises(BadOption, match="0 or an integer from 2 to 33"):
        qx.game("quorum", repetition=1)


def test_a_convertible_neighbour_has_a_square_behind_it():
    steps = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
    for square in range(64):
        rank, file = divmod(square, 8)
        expected = sum(
            1 << square + 8 * y + x
            for x, y in steps
            if file + 2 * x in range(8) and rank + 2 * y in range(8)
        )
        assert int(bitboards.CONVERTIBLE_MASK[square]) == expected, f"square {square}"
