"""Blocky: examples for every rule, and random games against the naive implementation."""

import pickle
import random
import re
from itertools import product

import numpy as np
import pytest

import quincunx as qx
from quincunx.draw.animation import Animation
from quincunx.draw.scene import Line, Rect, ViewOptions
from quincunx.errors import BadOption, BadPosition, IllegalMove, MoveSyntax
from quincunx.games.blocky import kernel, rules
from quincunx.phrases import Phrase, seat_name
from tests.naive import blocky as naive

BLOCKY = qx.game("blocky")
GOALS = "blob:r-0,blob:b-0 0 0"


def board(blocks, depth=2, goals=GOALS, **options):
    """Returns the position of a board, by default with blob goals for red and blue."""
    players = goals.count(",") + 1
    return qx.game("blocky", depth=depth, players=players, **options).read(f"{blocks} {goals}")


def blocks(state):
    """Returns the board part of a position's text."""
    return state.text.split()[0]


def unit_cells(state):
    """Returns the rows of the board, with a letter for each unit cell."""
    depth = state.game.options["depth"]
    cells = naive.unit_cells(naive.read_block(blocks(state)), depth)
    side = range(2**depth)
    return ["".join(cells[row, column] for column in side) for row in side]


# Terminology.


def test_levels_and_unit_cells():
    state = board("(r(gbby)yb)", depth=2)
    assert unit_cells(state) == ["rrgb", "rrby", "yybb", "yybb"]
    assert [shape.title for shape in state.scene().shapes if shape.role == "cell"] == [
        "block 0, red, level 1",
        "block 10, green, level 2",
        "block 11, blue, level 2",
        "block 12, blue, level 2",
        "block 13, yellow, level 2",
        "block 2, yellow, level 1",
        "block 3, blue, level 1",
    ]


def test_position_texts_of_the_rules():
    text = "(r(gbby)yb) blob:r-0,blob:b-1 7 1"
    state = BLOCKY.read(text)
    assert state.text == text
    assert (state.turn, state.over, state.scores) == (1, False, (64.0, 79.0))
    assert BLOCKY.read("(rgby) perimeter:r-0,perimeter:g-12 0 0").scores == (16.0, 4.0)


# Rotate.

NESTED = "((rgby)r(gbby)(y(rrgb)by))"


def test_rotating_the_whole_board_rotates_all_its_unit_cells():
    before = board(NESTED, depth=3)
    assert unit_cells(before) == [
        "rrggrrrr",
        "rrggrrrr",
        "bbyyrrrr",
        "bbyyrrrr",
        "ggbbyyrr",
        "ggbbyygb",
        "bbyybbyy",
        "bbyybbyy",
    ]
    clockwise = ["".join(column) for column in zip(*unit_cells(before)[::-1], strict=True)]
    assert unit_cells(before.play("cw@")) == clockwise
    counterclockwise = ["".join(column) for column in zip(*unit_cells(before), strict=True)][::-1]
    assert unit_cells(before.play("ccw@")) == counterclockwise
    assert blocks(before.play("cw@")) == "((bgyb)(bryg)(byy(grbr))r)"
    assert blocks(before.play("ccw@")) == "(r((rbrg)yyb)(gyrb)(bygb))"


def test_rotating_a_block_at_level_1():
    assert blocks(board(NESTED, depth=3).play("cw@0")) == "((bryg)r(gbby)(y(rrgb)by))"
    assert blocks(board(NESTED, depth=3).play("ccw@3")) == "((rgby)r(gbby)((rbrg)yyb))"


def test_rotating_a_block_at_level_2():
    assert blocks(board(NESTED, depth=3).play("cw@31")) == "((rgby)r(gbby)(y(grbr)by))"


def test_four_turns_or_one_turn_and_back_restore_the_board():
    state = BLOCKY.start(seed=1)
    original = blocks(state)
    assert blocks(state.play("cw@").play("ccw@")) == original
    for _ in range(4):
        state = state.play("ccw@")
    assert blocks(state) == original


# Swap.


def test_swapping_does_not_mirror_the_halves():
    assert blocks(board(NESTED, depth=3).play("hswap@")) == "(r(rgby)(y(rrgb)by)(gbby))"
    assert blocks(board(NESTED, depth=3).play("vswap@")) == "((gbby)(y(rrgb)by)(rgby)r)"
    assert blocks(board(NESTED, depth=3).play("hswap@3")) == "((rgby)r(gbby)((rrgb)yyb))"
    assert blocks(board(NESTED, depth=3).play("vswap@0")) == "((byrg)r(gbby)(y(rrgb)by))"


@pytest.mark.parametrize("action", ["cw", "ccw", "hswap", "vswap"])
def test_rotating_and_swapping_need_a_divided_block_and_cost_nothing(action):
    state = board("(r(gbby)yb)")
    with pytest.raises(
        IllegalMove, match=r"only a divided block can be .*; block 0 is an undivided"
    ):
        state.play(f"{action}@0")
    assert state.play(f"{action}@1").text.endswith("blob:r-0,blob:b-0 1 1")


# Smash.


def test_smashing_divides_a_leaf_and_costs_3():
    state = board("(r(gbby)yb)")
    after = state.play("smash@0")
    assert re.fullmatch(r"\(\([rgby]{4}\)\(gbby\)yb\) blob:r-3,blob:b-0 1 1", after.text)


def test_smashing_a_divided_block_or_a_unit_cell_is_not_allowed():
    state = board("(r(gbby)yb)")
    with pytest.raises(IllegalMove, match="only an undivided block can be smashed; block 1 is"):
        state.play("smash@1")
    with pytest.raises(IllegalMove, match="block 12 is a unit cell, at the maximum depth 2"):
        state.play("smash@12")


def test_a_smash_is_random_but_the_same_for_the_same_seed():
    outcomes = {
        seed: BLOCKY.read("(rgby) " + GOALS, seed).play("smash@1").text for seed in range(40)
    }
    assert len(set(outcomes.values())) > 30
    assert BLOCKY.read("(rgby) " + GOALS, 7).play("smash@1").text == outcomes[7]


@pytest.mark.modes
def test_seed_and_moves_determine_the_game():
    state = BLOCKY.configured(depth=3).start(seed=7)
    assert state.text == (
        "(((bybr)g(yyyy)(yygr))(b(gybb)(rrbr)r)(y(ggbb)b(bgyg))(y(ygby)b(gybg))) "
        "blob:y-0,blob:g-0 0 0"
    )
    state = state.play("smash@32").play("smash@30").play("cw@33")
    assert state.text == (
        "(((bybr)g(yyyy)(yygr))(b(gybb)(rrbr)r)(y(ggbb)b(bgyg))((rybb)(ygby)(yrgg)(bggy))) "
        "blob:y-3,blob:g-3 3 1"
    )


def test_hidden_positions_redraw_the_outcome_of_a_smash():
    state = BLOCKY.read("(rgby) " + GOALS, 7)
    hidden = state.hidden(0, seed=1)
    assert hidden == state
    assert hidden.play("smash@1") != state.play("smash@1")
    assert hidden.play("smash@1") != state.hidden(0, seed=2).play("smash@1")


@pytest.mark.parametrize("depth", range(1, 7))
def test_the_first_board_is_divided_with_the_probabilities_of_the_rules(depth):
    game = BLOCKY.configured(depth=depth)
    for seed in range(50):
        board = naive.random_block(0, depth, naive.Generator.from_seed(seed))
        assert blocks(game.start(seed)) == naive.block_text(board)


def test_a_smash_divides_with_the_same_probabilities():
    for seed in range(100):
        state = BLOCKY.read("(rgby) " + GOALS, seed)
        smashed = naive.random_block(1, 4, naive.Generator(int(state.position.rng)))
        assert blocks(state.play("smash@2")) == f"(rg{naive.block_text(smashed)}y)"


# Paint.


def test_painting_a_unit_cell_costs_1():
    assert board("(r(gbby)yb)").play("paint:r@12").text == ("(r(gbry)yb) blob:r-1,blob:b-0 1 1")


def test_only_unit_cells_can_be_painted_and_only_in_another_colour():
    state = board("(r(gbby)yb)")
    with pytest.raises(IllegalMove, match=r"only unit cells \(level 2\).* block 0 is at level 1"):
        state.play("paint:b@0")
    with pytest.raises(IllegalMove, match="the whole board is at level 0"):
        state.play("paint:b@")
    with pytest.raises(IllegalMove, match="block 10 is already green"):
        state.play("paint:g@10")


# Combine.


@pytest.mark.parametrize(
    ("four", "majority"),
    [("rrrr", "r"), ("rbrr", "r"), ("bbby", "b"), ("rgbb", "b"), ("yrgy", "y"), ("grbg", "g")],
)
def test_combining_takes_the_majority_colour_and_costs_1(four, majority):
    after = board(f"(r({four})yb)").play("combine@1")
    assert after.text == f"(r{majority}yb) blob:r-1,blob:b-0 1 1"


@pytest.mark.parametrize(
    ("four", "tally"),
    [("rrbb", "2 red, 2 blue"), ("gygy", "2 green, 2 yellow"), ("ybgr", "1 red, 1 green, 1 blue")],
)
def test_combining_needs_a_majority(four, tally):
    state = board(f"(r({four})yb)")
    with pytest.raises(IllegalMove, match=f"no colour has the majority in block 1: it has {tally}"):
        state.play("combine@1")


def test_only_blocks_of_unit_cells_can_be_combined():
    state = board("(r(rrrr)rr)")
    with pytest.raises(
        IllegalMove, match=r"only a block of four unit cells \(level 1\) can be combined"
    ):
        state.play("combine@")
    with pytest.raises(IllegalMove, match="only a divided block can be combined; block 0"):
        state.play("combine@0")
    with pytest.raises(IllegalMove, match="block 10 is an undivided red leaf"):
        state.play("combine@10")


def test_at_depth_1_the_whole_board_can_be_combined_and_smashed():
    state = board("(rrby)", depth=1).play("combine@")
    assert state.text == "r blob:r-1,blob:b-0 1 1"
    assert state.moves() == ["pass", "smash@"]
    assert state.scores == (3.0, 0.0)
    after = state.play("smash@")
    assert re.fullmatch(r"\([rgby]{4}\) blob:r-1,blob:b-3 2 0", after.text)


# Pass, turns, costs.


def test_a_pass_changes_nothing_and_costs_nothing():
    assert board("(r(gbby)yb)").play("pass").text == "(r(gbby)yb) blob:r-0,blob:b-0 1 1"


def test_an_illegal_action_costs_nothing_and_does_not_end_the_turn():
    state = board("(r(gbby)yb)")
    for move, reason in (
        ("smash@1", "only an undivided block can be smashed"),
        ("combine@0", "only a divided block can be combined"),
        ("paint:g@10", "block 10 is already green"),
        ("cw@0", "block 0 is"),
        ("cw@00", "block 00"),
    ):
        with pytest.raises(IllegalMove, match=reason):
            state.play(move)
    assert state.text == "(r(gbby)yb) blob:r-0,blob:b-0 0 0"


def test_players_take_turns_in_order_from_the_seat_to_move():
    state = board("(rgby)", 1, "blob:r-0,blob:g-0,blob:b-0 4 2")
    seats = []
    for _ in range(4):
        seats.append(state.turn)
        state = state.play("pass")
    assert seats == [2, 0, 1, 2]


def test_the_game_ends_when_all_turns_are_played():
    state = board("(rrby)", 1, "blob:r-0,blob:b-0 0 0", turns=2)
    for move in ("paint:r@2", "paint:b@3", "pass"):
        turn = {"name": seat_name(state.turn), "seat": state.turn}
        reason = rules.reason(state.position, 1 - state.turn, kernel.PASS)
        assert reason == Phrase("other_turn", turn)
        state = state.play(move)
        assert not state.over
        assert state.winners == ()
    state = state.play("vswap@")
    assert state.text == "(rbrr) blob:r-1,blob:b-1 4 0"
    assert (state.over, state.turn, state.moves()) == (True, None, [])
    assert state.scores == (2.0, 0.0)
    assert state.winners == (0,)
    assert state.status == "Player 1 wins with 2 points"
    assert rules.reason(state.position, 0, kernel.PASS) == Phrase("over")
    with pytest.raises(IllegalMove, match="the game is over"):
        state.play("pass")


def test_equal_scores_share_the_win():
    state = board("(rrbb)", 1, "blob:r-0,blob:b-0,blob:y-0 6 0", turns=2)
    assert state.scores == (2.0, 2.0, 0.0)
    assert state.winners == (0, 1)
    assert state.status == "Player 1 and Player 2 share the win with 2 points each"
    assert [state.evaluate(seat) for seat in range(3)] == [0.0, 0.0, -1.0]


def test_a_solo_game_has_no_winner():
    state = board("(rrbb)", 1, "blob:r-1 1 0", turns=1)
    assert (state.over, state.scores, state.winners) == (True, (1.0,), ())
    assert state.status == "Game over: 1 point"
    assert state.evaluate(0) == 0.25


def test_scores_can_be_negative():
    state = board("(ggbb)", 1, "blob:r-7,blob:b-0 6 0")
    assert state.scores == (-7.0, 2.0)


# Goals.


def test_blobs_are_connected_by_sides_not_corners():
    assert board("((rbbr)(bgrb)(ryyg)r)", 2, "blob:r-0,blob:b-0 0 0").scores == (6.0, 2.0)
    assert board("(rgbr)", 2).scores == (4.0, 4.0)
    assert board("((rrrr)(rgrg)bb)", 2).scores == (6.0, 8.0)


def test_blob_score_of_an_absent_colour_is_zero():
    assert board("(gggg)", 3).scores == (0.0, 0.0)


def test_only_the_first_of_two_equal_blobs_is_outlined():
    (outline,) = [shape for shape in board("(rgbr)").scene().shapes if shape.role == "blob"]
    assert isinstance(outline, Line)
    assert all(x < 4.2 and y < 4.2 for x, y in outline.points)


def test_size_of_a_winding_blob():
    rows = ["rrrrrrrr", "bbbbbbbr", "rrrrrrrr", "rbbbbbbb", "rrrrrrrr", "bbbbbbbr"]
    rows += ["rrrrrrrr", "rbbbbbbb"]
    text = "".join(rows)

    def block(x, y, size):
        if size == 1:
            return text[y * 8 + x]
        half = size // 2
        corners = ((x, y), (x + half, y), (x, y + half), (x + half, y + half))
        return "(" + "".join(block(*corner, half) for corner in corners) + ")"

    state = board(block(0, 0, 8), 3)
    assert unit_cells(state) == rows
    assert state.scores == (36.0, 7.0)


def test_border_cells_count_once_and_corner_cells_twice():
    goals = "perimeter:r-0,perimeter:b-0 0 0"
    assert board("(rrrr)", 1, goals).scores == (8.0, 0.0)
    assert board("(rbbb)", 1, goals).scores == (2.0, 6.0)
    assert board("(rrrr)", 2, goals).scores == (16.0, 0.0)
    assert board("((rbbg)(gbgg)(gggr)(rrrr))", 2, goals).scores == (7.0, 4.0)
    assert board("(rgby)", 4, "perimeter:r-2,perimeter:b-0 0 0").scores == (14.0, 16.0)


def test_same_goals_have_one_kind_and_different_colours():
    four = BLOCKY.configured(players=4)
    kinds, orders = set(), set()
    for seed in range(200):
        goals = re.findall(r"(\w+):(\w)-0", four.start(seed).text)
        assert len({kind for kind, _ in goals}) == 1
        assert len({colour for _, colour in goals}) == 4
        kinds.add(goals[0][0])
        orders.add("".join(colour for _, colour in goals))
    assert kinds == {"blob", "perimeter"}
    assert len(orders) == 24


def test_mixed_goals_are_drawn_independently():
    mixed = BLOCKY.configured(goals="mixed")
    combinations = {tuple(re.findall(r"\w+:\w", mixed.start(seed).text)) for seed in range(600)}
    assert len(combinations) == 64


# Texts.


def test_options():
    assert dict(BLOCKY.options) == {"depth": 4, "players": 2, "turns": 20, "goals": "same"}
    assert [BLOCKY.configured(depth=d).actions for d in (1, 2, 6)] == [51, 211, 54611]
    for bad, allowed in (
        ({"depth": 0}, "from 1 to 6"),
        ({"depth": 7}, "from 1 to 6"),
        ({"players": 5}, "from 1 to 4"),
        ({"turns": 0}, "from 1 to"),
        ({"goals": "none"}, "one of same, mixed"),
    ):
        with pytest.raises(BadOption, match=allowed):
            BLOCKY.configured(**bad)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "expected 4 fields, not 0"),
        ("(rgby)", "expected 4 fields, not 1"),
        (f"(rgb) {GOALS}", r"character 5 of the board is '\)'"),
        (f"(rgbyr) {GOALS}", r"expected \) after four blocks"),
        (f"(rgby {GOALS}", "ends too early"),
        (f"(rg {GOALS}", "ends too early"),
        (f"( {GOALS}", "ends too early"),
        (f"(rgby)) {GOALS}", "complete before its character 7"),
        (f"rgby {GOALS}", "complete before its character 2"),
        (f") {GOALS}", "expected a block"),
        (f"(rgbw) {GOALS}", "character 5 of the board is 'w'"),
        (f"(RGBY) {GOALS}", "character 2 of the board is 'R'"),
        (f"((((((rgby) {GOALS}", "divides a block of level 4, the maximum depth"),
        (f"{'(' * 100_000} {GOALS}", "character 5 of the board divides a block of level 4"),
        ("(rgby) blob:r-0 0 0", "each of the 2 players, not 1"),
        ("(rgby) blob:r-0,blob:b-0,blob:y-0 0 0", "not 3"),
        ("(rgby) blob:r-0,blib:b-0 0 0", "goal 2 must be blob or perimeter"),
        ("(rgby) blob:r-0,blob:w-0 0 0", "goal 2 must be blob or perimeter"),
        ("(rgby) blob:r--1,blob:b-0 0 0", "goal 1 must be blob or perimeter"),
        ("(rgby) blob:r-٣,blob:b-0 0 0", "goal 1 must be blob or perimeter"),
        (f"(rgby) blob:r-{'9' * 30},blob:b-0 0 0", "cost of goal 1 must be an integer from 0"),
        ("(rgby) blob:r-0,blob:b-0 41 0", "turns played must be an integer from 0 to 40"),
        ("(rgby) blob:r-0,blob:b-0 -1 0", "turns played must be an integer from 0 to 40"),
        ("(rgby) blob:r-0,blob:b-0 ٣ 0", "turns played must be an integer from 0 to 40"),
        (f"(rgby) blob:r-0,blob:b-0 {'1' * 10_000} 0", "turns played must be an integer"),
        ("(rgby) blob:r-0,blob:b-0 3 2", "seat to move must be an integer from 0 to 1"),
    ],
)
def test_invalid_position_texts(text, reason):
    with pytest.raises(BadPosition, match=reason):
        BLOCKY.read(text)


def test_costs_stay_readable_until_the_end_of_the_game():
    highest = 1_000_000 - 3 * 40
    state = BLOCKY.read(f"(rgby) blob:r-{highest},blob:b-{highest} 0 0")
    while not state.over:
        state = state.play(next(m for m in state.moves() if m[0] in "sp"))
        assert BLOCKY.read(state.text).text == state.text


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        ("", "pass, or an action"),
        ("rotate@0", "pass, or an action"),
        ("cww@0", "did you mean c?cw"),
        ("swap@0", "did you mean [hv]swap"),
        ("smsh@0", "did you mean smash"),
        ("combin@", "did you mean combine"),
        ("pant:r@0", "did you mean paint"),
        ("cw", "a block: cw@ for the whole board"),
        ("cw0", "did you mean cw"),
        ("cw@4", "a path of the digits 0 to 3"),
        ("cw@0 3", "a path of the digits 0 to 3"),
        ("cw@٣", "a path of the digits 0 to 3"),
        ("cw@0@1", "a path of the digits 0 to 3"),
        ("cw:r@0", "only paint takes a colour"),
        ("paint@0000", "a colour, one of r, g, b, y"),
        ("paint:rg@0000", "a colour, one of r, g, b, y"),
        ("paint:@0000", "a colour, one of r, g, b, y"),
        ("paint:w@0000", "a colour, one of r, g, b, y"),
        ("pass@", "pass alone"),
        ("pass@0", "pass alone"),
        ("pass:r", "pass alone"),
        ("x" * 10**6, "pass, or an action"),
        ("cw" + " " * 10**6 + "x@", "pass, or an action"),
    ],
)
def test_invalid_move_texts(move, expected):
    with pytest.raises(MoveSyntax, match=expected):
        board("(r(gbby)yb)").play(move)


def test_a_path_without_a_block():
    state = board("(r(gbby)yb)")
    with pytest.raises(
        IllegalMove, match="block 0 is an undivided red leaf, so there is no block 03"
    ):
        state.play("paint:g@03")
    with pytest.raises(IllegalMove, match="a path has at most 2 digits, the depth of the board"):
        state.play("cw@" + "0" * 10**6)
    whole = board("r", 2)
    with pytest.raises(
        IllegalMove, match="the whole board is an undivided red leaf, so there is no bl"
    ):
        whole.play("cw@1")


def test_move_texts_may_have_spaces_and_capitals():
    state = board("(r(gbby)yb)")
    for text in (" cw@1 ", "cw @ 1", "CW@1"):
        assert state.play(text) == state.play("cw@1")
    assert state.play(" paint : r @ 12 ") == state.play("paint:r@12")
    assert state.steps(" CW @ 1 ")[-1].svg()


def test_action_numbers_do_not_depend_on_the_depth():
    assert board("(rgby)", 1).action("cw@") == board("(rgby)", 6).action("cw@") == 1
    assert board("(r(gbby)yb)").action("vswap@1") == board("(r(gbby)yb)", 5).action("vswap@1") == 24
    assert board("(r(gbby)yb)").action("paint:y@10") == 1 + 9 * 10 + 9


# Steps, pictures, numbers.


@pytest.mark.parametrize(
    ("move", "event", "cells"),
    [
        ("cw@1", "rotate", ("1",)),
        ("ccw@", "rotate", ("top",)),
        ("hswap@1", "swap", ("1",)),
        ("smash@0", "smash", ("0",)),
        ("combine@1", "combine", ("1",)),
        ("paint:r@13", "paint", ("13",)),
        ("pass", "pass", ()),
    ],
)
def test_a_play_has_one_event(move, event, cells):
    state = board("(r(gbby)yb)")
    first, last = state.steps(move)
    assert (first.event, first.cells) == (event, cells)
    assert blocks(first) == blocks(last)
    assert last == state.play(move)


@pytest.mark.parametrize("depth", [1, 2, 4])
@pytest.mark.parametrize("flip", [False, True])
def test_every_click_of_a_legal_move_has_a_shape(depth, flip):
    state = BLOCKY.configured(depth=depth).start(seed=depth)
    clicks = [state.game.parts.layout.clicks(move) for move in state.moves()]
    assert ("top", "cw") in clicks

    def cells(**options):
        shapes = state.scene(ViewOptions(flip=flip, **options)).shapes
        return {name for shape in shapes for name in shape.cell.split()}

    assert {names[0] for names in clicks} <= cells(targets=True)
    for picked in {names[0] for names in clicks if len(names) > 1}:
        expected = {names[1] for names in clicks if names[0] == picked}
        added = cells(picked=picked) - cells()
        assert added == expected | {"pass"}, picked


@pytest.mark.parametrize("depth", range(1, 7))
def test_leaves_are_squares_that_do_not_overlap_and_ids_are_unique(depth):
    scene = BLOCKY.configured(depth=depth).start(seed=2).scene(ViewOptions(picked="0"))
    leaves = [shape for shape in scene.shapes if isinstance(shape, Rect) and shape.role == "cell"]
    assert all(shape.w == shape.h > 0.8 for shape in leaves)
    # The middle of each unit cell must be covered by exactly one leaf.
    side = max(2**depth, 8)
    covered = np.zeros((side, side), int)
    for leaf in leaves:
        middles = np.arange(side) + 0.5
        across = (leaf.x < middles) & (middles < leaf.x + leaf.w)
        down = (leaf.y < middles) & (middles < leaf.y + leaf.h)
        covered[np.ix_(down, across)] += 1
    assert (covered == 1).all()
    ids = [shape.id for shape in scene.shapes if shape.id]
    assert len(ids) == len(set(ids))


def test_a_picked_name_without_a_block_is_ignored():
    state = board("(r(gbby)yb)")
    assert (
        state.scene(ViewOptions(picked="03"))
        == state.scene(ViewOptions(picked="pass"))
        == state.scene()
    )


def test_the_terminal_shows_the_board():
    lines = [line[3:20].rstrip() for line in str(board("(r(gbby)yb)", 3)).splitlines()]
    assert lines[0] == "rrrrrrr ggg bbb"
    assert lines[7] == "yyyyyyy bbbbbbb"


def test_all_positions_of_a_game_can_be_drawn():
    rng = random.Random(5)
    for players in range(1, 5):
        state = BLOCKY.configured(players=players, goals="mixed", turns=3, depth=3).start(players)
        while not state.over:
            assert state.svg(targets=True, flip=bool(players % 2)).startswith("<svg")
            state = state.play(rng.choice(state.moves()))
        assert "game over" in state.svg(coordinates=False)


def test_observations():
    state = board("(r(gbby)yb)", 2, "perimeter:g-0,blob:b-2 10 1")
    planes = state.observe(1)
    assert planes.shape == state.game.planes == (19, 4, 4)
    rows = unit_cells(state)
    for plane, letter in enumerate("rgby"):
        assert planes[plane].tolist() == [[float(c == letter) for c in row] for row in rows]
    assert planes[4].tolist() == [
        [0.5, 0.5, 1, 1],
        [0.5, 0.5, 1, 1],
        [0.5] * 4,
        [0.5] * 4,
    ]
    assert (planes[5] == planes[2]).all()
    assert (planes[8] == planes[1]).all()
    constant = [6, 7, 9, 10, *range(11, 19)]
    assert all(len(np.unique(planes[p])) == 1 for p in constant)
    # Own: blob, 4 + 1 - 2 of 16; the other's: perimeter, 1 of 16; 30 of 40 turns left; to move.
    values = [0, (state.scores[1]) / 16, 1, 1 / 16, *[0] * 6, 0.75, 1]
    assert [float(planes[p, 0, 0]) for p in constant] == values


def test_evaluation_grows_with_the_lead():
    ahead, behind = board("(rrrb)").evaluate(0), board("(rrrb)").evaluate(1)
    assert 0 < ahead == -behind < 1
    mover, other = board("(rgby)").evaluate(0), board("(rgby)").evaluate(1)
    assert 0 < mover == -other < ahead, "the only difference is the side to move"
    won = board("(rrrb)", 2, "blob:r-0,blob:b-0 40 0")
    assert (won.evaluate(0), won.evaluate(1)) == (1, -1)


def test_the_evaluation_of_a_solo_game_is_the_fraction_of_the_highest_score():
    # Half of the 64 cells are red, and 16 of the 32 places on the border; 2 points are paid.
    assert board("(rrgb)", 3, "blob:r-2 0 0").evaluate(0) == (32 - 2) / 64
    assert board("(rrgb)", 3, "perimeter:r-2 0 0").evaluate(0) == (16 - 2) / 32
    assert board("r", 3, "blob:r-0 0 0").evaluate(0) == 1
    assert board("r", 3, "perimeter:r-0 0 0").evaluate(0) == 1
    assert board("r", 3, "perimeter:g-99 0 0").evaluate(0) == -1


def test_every_unit_cell_changes_the_key():
    game = BLOCKY.configured(depth=1)
    boards = ["".join(colours) for colours in product("rgby", repeat=4)]
    positions = [game.read(f"({board}) {GOALS}").position for board in boards]
    assert len({int(game.kernel.key(s)) for s in positions}) == 256


def test_different_positions_have_different_keys():
    texts = [
        "(r(gbby)yb) blob:r-0,blob:b-0 0 0",
        "(r(gbby)yb) blob:r-0,blob:b-0 0 1",
        "(r(gbby)yb) blob:r-0,blob:b-0 2 0",
        "(r(gbby)yb) blob:r-1,blob:b-0 0 0",
        "(r(gbby)yb) blob:r-0,blob:b-1 0 0",
        "(r(gbby)yb) blob:r-0,perimeter:b-0 0 0",
        "(r(gbby)yb) blob:r-0,blob:y-0 0 0",
        "(r(gbby)yy) blob:r-0,blob:b-0 0 0",
        "(r(gbby)y(bbbb)) blob:r-0,blob:b-0 0 0",
    ]
    keys = [int(BLOCKY.kernel.key(BLOCKY.read(text).position)) for text in texts]
    assert len(set(keys)) == len(texts)
    again = BLOCKY.read(texts[0]).play("cw@1").play("ccw@1")
    assert BLOCKY.kernel.key(again.position) == BLOCKY.kernel.key(BLOCKY.read(again.text).position)


def test_states_pickle_with_their_generator():
    state = BLOCKY.start(seed=3).play("cw@")
    copy = pickle.loads(pickle.dumps(state))
    smash = next(move for move in state.moves() if move.startswith("smash"))
    assert copy == state
    assert copy.play(smash) == state.play(smash)


# Against the naive implementation.


def assert_same(state, reference):
    """Fails, showing the board, if the kernel and the naive implementation differ."""
    for name, actual, expected in (
        ("text", state.text, reference.text),
        ("turn", state.turn, reference.turn),
        ("over", state.over, reference.over),
        ("scores", state.scores, reference.scores),
        ("winners", state.winners, reference.winners),
        ("moves", state.moves(), reference.moves()),
    ):
        assert actual == expected, f"{name}\n{state}\n{state.text}"
    assert state.actions() == sorted(state.actions()), state


def smash_outcome(state, move):
    """Returns the text of the block that a smash made, or None for other moves."""
    action, _, path = move.partition("@")
    block_by_path = dict(naive.walk(naive.read_block(blocks(state))))
    return naive.block_text(block_by_path[path]) if action == "smash" else None


def compare(game, games):
    """Plays random games and compares every position with the naive implementation."""
    rng = random.Random(repr(game))
    for seed in range(games):
        state = game.start(seed)
        reference = naive.read(state.text, **dict(game.options))
        assert_same(state, reference)
        while not state.over:
            # First choose the kind of action, so that every kind is played often.
            moves_by_action = {}
            for move in state.moves():
                moves_by_action.setdefault(move.split("@")[0].split(":")[0], []).append(move)
            move = rng.choice(moves_by_action[rng.choice(sorted(moves_by_action))])
            after = state.play(move)
            reference = reference.play(move, chance=smash_outcome(after, move))
            state = after
            assert_same(state, reference)
            assert game.read(state.text) == state


@pytest.mark.parametrize(
    ("options", "games"),
    [
        ({"depth": 1, "players": 1, "turns": 30}, 40),
        ({"depth": 1, "players": 2, "turns": 20}, 40),
        ({"depth": 2, "players": 3, "turns": 12, "goals": "mixed"}, 30),
        ({"depth": 3, "players": 2, "turns": 20}, 20),
        ({"depth": 3, "players": 4, "turns": 8, "goals": "mixed"}, 10),
        ({}, 12),
        ({"depth": 5, "players": 4, "turns": 4, "goals": "mixed"}, 3),
        ({"depth": 6, "players": 2, "turns": 4}, 2),
    ],
)
def test_random_games_against_the_naive_implementation(options, games):
    compare(qx.game("blocky", **options), games)


@pytest.mark.modes
def test_a_few_random_games_in_all_compiler_modes():
    compare(qx.game("blocky", depth=2, turns=8, goals="mixed"), 3)
    compare(qx.game("blocky", turns=4), 1)


def test_the_next_player_is_marked_after_the_animation_of_a_move():
    state = board("(rgby)", depth=1)
    animation = Animation(state)
    frames = animation.play(state.steps("cw@"))
    assert [frame["event"] for frame in frames] == ["rotate", ""]
    mover, following = (frame["picture"]["status"].split(" ")[1] for frame in frames)
    assert (mover, following) == ("1", "2")
    assert frames[1]["ways"] == {}
    final = Animation(state.play("cw@")).picture  # with the keys of shapes that have not moved
    assert [svg for _, svg in animation.picture["shapes"]] == [svg for _, svg in final["shapes"]]
