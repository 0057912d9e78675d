"""Onoro: the examples of its rules, and random games against the naive implementation."""

import random
from itertools import combinations

import numpy as np
import pytest

import quincunx as qx
from quincunx.draw.scene import Disc, Line, Piece, ViewOptions
from quincunx.errors import BadOption, BadPosition, IllegalMove, MoveSyntax
from quincunx.games.onoro import kernel, rules
from quincunx.search import count_leaves
from tests.naive import onoro as naive

ONORO = qx.game("onoro")
START = ".W/BB w -1,0"

# A group that moves to the right: at each ply the last pawn of a side goes to the front.
CONVEYOR = ".WWW/BBB. b"

# The longest possible groups: two triangles joined by a straight path.
LONGEST_GROUPS = {
    "along q": "BWBWBWBWBWBWBW/W...........B. b",
    "along r": "/".join(["BW", *("B.", "W.") * 5, "B.", "WB", "W."]) + " b",
    "along both": "/".join(
        "." * (13 - i) + {1: "WB", 13: "WW"}.get(i, "BW"[i % 2]) for i in range(14)
    )
    + " b",
}


@pytest.mark.modes
def test_start_position():
    state = ONORO.start()
    assert state.text == START
    assert state == ONORO.read(START)
    assert state.turn == 1
    assert state.game.parts.rules.SEAT_NAMES[1] == "White"
    assert not state.over


def test_the_status_of_the_start_position_is_addressed_to_the_side_to_move():
    state = ONORO.start()
    assert state.status_for(state.turn) == "Your turn: place a pawn that touches two others"
    assert state.status_for(1 - state.turn) == state.status


@pytest.mark.modes
def test_moves_of_the_start_position():
    assert ONORO.start().moves() == ["-1,0", "-1,2", "1,0"]


def test_neighbours_of_a_cell():
    expected = {(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)}
    assert set(rules.neighbours((0, 0))) == expected
    assert rules.count_neighbours((0, 0), expected) == 6


def test_placing_has_one_event():
    placed, done = ONORO.start().steps("1,0")
    assert (placed.event, placed.cells, placed.text) == ("place", ("1,0",), ".WW/BB. w -1,0")
    assert (done.event, done.text) == ("", ".WW/BB. b -1,0")


def test_black_moves_first_in_phase_two():
    state = ONORO.start()
    rng = random.Random(1)
    for _ in range(13):
        assert all(">" not in move for move in state.moves())
        continuing = [move for move in state.moves() if not state.play(move).over]
        state = state.play(rng.choice(continuing))
    assert state.turn == 0
    assert state.text.count("B") == state.text.count("W") == 8
    assert state.moves()
    assert all(">" in move for move in state.moves())


# The phase 2 example of the rules, with three pawns each: 2,1 touches only 2,0 and 1,1.
#
#       W W
#      B B B
#       W
PHASE_TWO = ".WW/BBB/W.. w"


@pytest.mark.modes
def test_legal_move_in_phase_two():
    state = qx.game("onoro", pawns=3).read(PHASE_TWO)
    assert state.play("0,2>0,0").text == "WWW/BBB b"


@pytest.mark.modes
def test_a_move_must_not_leave_a_pawn_with_one_neighbour():
    state = qx.game("onoro", pawns=3).read(PHASE_TWO)
    with pytest.raises(IllegalMove, match="the pawn on 2,1 would touch only one other"):
        state.play("2,0>0,0")


@pytest.mark.modes
def test_a_pawn_may_regain_the_moved_pawn_as_neighbour():
    state = qx.game("onoro", pawns=3).read(PHASE_TWO)
    assert state.play("2,0>1,2").text == ".W./BBB/WW. b"


def test_moving_has_two_events_and_an_illegal_group_in_between():
    lifted, landed, done = qx.game("onoro", pawns=3).read(PHASE_TWO).steps("2,0>1,2")
    assert (lifted.event, lifted.cells, lifted.text) == ("lift", ("2,0",), ".W./BBB/W.. w")
    assert (landed.event, landed.cells, landed.text) == ("land", ("1,2",), ".W./BBB/WW. w")
    assert lifted.moves() == landed.moves() == []
    assert done.text == ".W./BBB/WW. b"
    assert (str(lifted).count("W"), str(landed).count("W")) == (2, 3)
    assert lifted.svg() != landed.svg()


# Two triangles that are connected only by the pawn on 0,0.
#
#        W B
#     W B W
#    B B
#     W
TRIANGLES = "...WB/.WBW./BB.../W.... b -2,-1"


@pytest.mark.modes
def test_the_group_must_not_split():
    state = qx.game("onoro", pawns=4).read(TRIANGLES)
    with pytest.raises(IllegalMove, match="split the group"):
        state.play("0,0>2,-2")
    assert [move for move in state.moves() if move.startswith("0,0>")] == ["0,0>0,-1", "0,0>0,1"]


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("BBB/WWW b", "3,0"),
        ("BW/BW/BW b", "0,3"),
        ("..BW/.BW./BW.. b", "3,-1"),
        # Five in a row.
        (".W.../BB.BB/.WWW. b 0,-1", "2,0"),
    ],
)
def test_four_in_a_row_wins_in_every_direction(text, move):
    after = ONORO.read(text).play(move)
    assert after.over, f"\n{after}"
    assert (after.turn, after.winners, after.scores) == (None, (0,), (1.0, 0.0))
    assert after.status == "Black wins: four in a row"
    assert after.moves() == []
    assert ONORO.read(after.text).winners == (0,)
    for late in ("0,0", "100,100"):
        with pytest.raises(IllegalMove, match="the game is over"):
            after.play(late)


def test_no_legal_move_loses():
    game = qx.game("onoro", pawns=3)
    after = game.read(".WB/WBB/.W. w -1,0").play("-1,1>2,0")
    assert after.text == "WBW/BB./W.. b"
    assert (after.over, after.winners, after.moves()) == (True, (1,), [])
    assert after.status == "White wins: Black has no legal move"
    assert game.read(after.text).winners == (1,)


def test_third_occurrence_is_a_draw_wherever_the_group_is():
    state = qx.game("onoro", pawns=3).read(CONVEYOR)
    for move in ("0,1>3,1", "1,0>4,0", "1,1>4,1", "2,0>5,0"):
        assert not state.over, f"{move}\n{state}"
        state = state.play(move)
    assert state.text == ".WWW/BBB. b 2,0"
    assert (state.over, state.scores, state.winners) == (True, (0.5, 0.5), ())
    assert state.status == "Draw: the same position has occurred 3 times"
    assert not state.game.read(state.text).over


def test_the_repetition_option_sets_the_number_of_occurrences():
    for repetition, expected_ply in ((2, 2), (4, 6)):
        state = qx.game("onoro", pawns=3, repetition=repetition).read(CONVEYOR)
        assert play_conveyor(state, 100).ply == expected_ply


def play_conveyor(state, plies):
    """Plays up to `plies` moves from the CONVEYOR position, stopping when the game is over."""
    for ply in range(plies):
        if state.over:
            break
        q = ply // 2
        state = state.play(f"{q},1>{q + 3},1" if ply % 2 == 0 else f"{q + 1},0>{q + 4},0")
    return state


def test_coordinates_stay_fixed_while_the_group_moves():
    state = play_conveyor(qx.game("onoro", pawns=3, repetition=0).read(CONVEYOR), 3000)
    assert state.text == ".WWW/BBB. b 1500,0"
    assert state.moves() == sorted(state.moves())
    assert "1500,1>1503,1" in state.moves()


def test_repetition_counts_the_last_64_plies():
    # The CONVEYOR position occurs at every second ply: 33 times from ply 0 to ply 64.
    game = qx.game("onoro", pawns=3, repetition=33)
    assert play_conveyor(game.read(CONVEYOR), 200).ply == 64
    with pytest.raises(BadOption, match="2 to 33"):
        qx.game("onoro", pawns=3, repetition=34)


def test_a_pawn_cannot_move_to_its_own_cell():
    state = qx.game("onoro", pawns=3).read(PHASE_TWO)
    with pytest.raises(IllegalMove, match="must move to a different cell"):
        state.play("0,2>0,2")


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("0,0", "0,0 is occupied"),
        ("2,0", "a pawn on 2,0 would touch no other pawn"),
        ("1,1", "a pawn on 1,1 would touch only one other pawn"),
        ("999,-999", "a pawn on 999,-999 would touch no other pawn"),
        ("-1,1>1,0", "still to be placed"),
        ("99,99>1,0", "still to be placed"),
    ],
)
def test_illegal_placements_give_a_reason(move, reason):
    with pytest.raises(IllegalMove, match=reason):
        ONORO.start().play(move)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("0,0", "all pawns are placed"),
        ("50,50", "all pawns are placed"),
        ("0,1>0,0", "on 0,1 belongs to Black"),
        ("0,0>1,2", "no pawn on 0,0"),
        ("70,70>1,2", "no pawn on 70,70"),
        ("0,2>1,1", "1,1 is occupied"),
        ("0,2>-1,2", "-1,2 would touch only one other pawn"),
        ("0,2>5,5", "5,5 would touch no other pawn"),
        ("0,2>-50,5", "-50,5 would touch no other pawn"),
    ],
)
def test_illegal_pawn_moves_give_a_reason(move, reason):
    with pytest.raises(IllegalMove, match=reason):
        qx.game("onoro", pawns=3).read(PHASE_TWO).play(move)


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "1", "1,", ",1", "1;0", "1,0>", ">1,0", "1,0>2,0>3,0", "1.0", "a1", "1,0 2,0"),
        *("+1,0", "--1,0", "1,0\0", "١,0", "1,²", "10000000000000001,0", "0,-" + "9" * 5000),
    ],
)
def test_invalid_move_texts(text):
    with pytest.raises(MoveSyntax, match=r"1,-1|10\^15"):
        ONORO.start().play(text)


def test_move_texts_may_have_spaces_and_leading_zeros():
    assert ONORO.start().play("  1 , -0\n") == ONORO.start().play("01,000")
    state = qx.game("onoro", pawns=3).read(PHASE_TWO)
    assert state.play(" 0,2 > 0, 0 ") == state.play("0,2>0,0")


@pytest.mark.parametrize(
    "text",
    [
        ".W/BB w -1,0",
        ".W\nBB w -1,0",
        ". W\nB B\nw -1,0",
        "  .W /\n  BB  w  -1 , 0 ",
        ".W/BB.. w -1,0",
        "....\n..W.\r\n.BB\nw -2,-1",
        "/.W/BB w -1,-1",
        ".W/BB\tw\t-01,-0",
    ],
)
def test_equivalent_texts_of_the_start_position(text):
    assert ONORO.read(text) == ONORO.start()


def test_a_text_without_coordinates_starts_at_the_origin():
    assert ONORO.read(".W/BB w").text == ".W/BB w"
    assert ONORO.read(".W/BB w").moves() == ["0,0", "0,2", "2,0"]
    assert ONORO.read("...../..W/.BB w").text == ".W/BB w 1,1"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "side to move"),
        (".W/BB", "side to move"),
        (".W/BBw", "side to move"),
        (".W/BB x", "side to move"),
        ("w", "Black has 0 and White 0"),
        ("b", "Black has 0 and White 0"),
        (".w/bb w", "row 1 contains 'w'"),
        (".W/xB w", "row 2 contains 'x'"),
        (".W/2B w", "row 2 contains '2'"),
        (".W/BB w -1", "not '-1'"),
        (".W/BB w -1,0,0", "coordinates of the top left cell"),
        (".W/BB w 1,²", "coordinates of the top left cell"),
        (".W/BB w b", "not 'b'"),
        (". w/b b w", "coordinates of the top left cell"),
        (".W/BB w 1000000000000001,0", "10\\^15"),
        (".W/BB w 0,-" + "9" * 10000, "10\\^15"),
        (".W/BB b", "Black has 2 and White 1, but with Black to move Black must have as many"),
        (".W/BW w", "Black has 1 and White 2"),
        (".B/BB w", "Black has 3 and White 0"),
        ("WW/BB w", "but with White to move Black must have one more"),
        ("WW/BB/BB w", "Black has 4 and White 2"),
        ("W/B b", "Black has 1 and White 1"),
        ("BBBBB/BBBB w", "Black has 9 pawns, but each side has only 8"),
        ("W.BB w", "0,0 touches no other"),
        ("BWB w 3,3", "3,3 touches only one other"),
        (".W/BB/.....B/....WW b", "groups"),
        (".W./BB./..W/..B w -5,0", "the pawn on -3,2 touches only one other"),
        ("BBBB/WWWW b", "both sides have four in a row"),
    ],
)
def test_invalid_position_texts(text, reason):
    with pytest.raises(BadPosition, match=reason):
        ONORO.read(text)


def test_only_the_side_that_moved_last_can_have_won():
    game = qx.game("onoro", pawns=4)
    assert game.read("BBBB/WWW./W... w").winners == (0,)
    with pytest.raises(BadPosition, match="Black, to move, has four in a row"):
        game.read("BBBB/WWW./W... b")


def test_two_groups_are_rejected():
    with pytest.raises(BadPosition, match="the pawns form 2 groups"):
        ONORO.read(".W..B/BB.WW b")


def test_pawn_counts_for_each_side_to_move():
    game = qx.game("onoro", pawns=3)
    for text in (".W/BB w", "WW/BB b", ".WW/BBB w", "WWW/BBB b", "WWW/BBB w"):
        assert game.read(text).text == text
    for text in (".W/BB b", "WW/BB w", ".WW/BBB b"):
        with pytest.raises(BadPosition, match="Black has"):
            game.read(text)
    with pytest.raises(BadPosition, match="Black has 4 pawns, but each side has only 3"):
        game.read("WWWW/BBBB b")


def test_the_plane_wraps_around_at_the_maximum_coordinate():
    end = 10**15
    state = qx.game("onoro", pawns=3, repetition=0).read(f"{CONVEYOR} {end},{-end}")
    for _ in range(6):
        assert state.game.read(state.text).text == state.text
        assert state.svg()
        steps = state.steps(state.moves()[-1])
        assert [step.text for step in steps]
        state = steps[-1]
    moved = state.game.read(f"{CONVEYOR} {end},0").play(f"{end},1>{2 - end},1")
    assert moved.text == f"WWW/BBB w {-end},0"
    assert moved.play(f"{-end},0>{3 - end},0").text == f".WWW/BBB. b {-end},0"


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ({"pawns": 2}, "must be an integer from 3 to 8"),
        ({"pawns": 9}, "must be an integer from 3 to 8"),
        ({"repetition": 61}, "0 or an integer from 2 to"),
        ({"repetition": 1}, "0 or an integer from 2 to"),
        ({"size": 3}, "no such option"),
    ],
)
def test_invalid_options(option, reason):
    with pytest.raises(BadOption, match=reason):
        qx.game("onoro", **option)


@pytest.mark.modes
@pytest.mark.parametrize("text", LONGEST_GROUPS.values(), ids=LONGEST_GROUPS)
def test_the_longest_groups_fit_in_the_window(text):
    state, reference = ONORO.read(text), naive.read(text)
    rng = random.Random(5)
    for _ in range(3):
        assert_same(state, reference)
        move = rng.choice(state.moves())
        state, reference = state.play(move), reference.play(move)
    assert_same(state, reference)


@pytest.mark.parametrize(("pawns", "games"), [(3, 30), (4, 16), (5, 10), (6, 8), (7, 6), (8, 8)])
def test_random_games_against_the_naive_implementation(pawns, games):
    for seed in range(games):
        rng = random.Random(seed)
        options = {"pawns": pawns, "repetition": (3, 2, 0)[seed % 3]}
        state, reference = qx.game("onoro", **options).start(), naive.start(**options)
        for _ in range(60):
            assert_same(state, reference)
            if state.over:
                break
            # In half of the games a move that ends the game is played only if all of five do.
            candidates = [rng.choice(state.moves()) for _ in range(1 + 4 * (seed % 2))]
            move = next((move for move in candidates if not state.play(move).over), candidates[0])
            state, reference = state.play(move), reference.play(move)


@pytest.mark.modes
def test_a_short_game_against_the_naive_implementation():
    state, reference = ONORO.start(), naive.start()
    rng = random.Random(0)
    for _ in range(16):
        assert_same(state, reference)
        move = rng.choice([move for move in state.moves() if not state.play(move).over])
        state, reference = state.play(move), reference.play(move)


def assert_same(state, reference):
    """Fails, showing the board, if the kernel and the naive implementation differ."""
    # The naive implementation spends nearly all of its time in choices(), so it is cached here.
    choices = reference.choices()
    object.__setattr__(reference, "choices", lambda: choices)
    result = reference.result
    assert state.text == reference.text, f"\n{state}"
    assert state.game.read(state.text).text == state.text
    assert state.over == (result is not None), f"\n{state}"
    assert state.scores == (result or (0.0, 0.0)), f"\n{state}"
    assert state.winners == tuple(seat for seat in (0, 1) if state.scores[seat] == 1.0)
    assert state.turn == (None if result else reference.next_seat), f"\n{state}"
    moves = [] if result else sorted(choices)
    assert state.moves() == moves, f"{sorted(set(moves) ^ set(state.moves()))}\n{state}"


def test_perft_of_the_start_position():
    def count(position, depth):
        moves = position.moves()
        if depth == 1:
            return len(moves)
        return sum(count(position.play(move), depth - 1) for move in moves)

    assert [count(naive.start(), depth) for depth in (1, 2, 3)] == [3, 12, 60]
    assert [count_leaves(ONORO.start(), depth) for depth in (1, 2, 3, 4, 5)] == [
        3,
        12,
        60,
        336,
        2036,
    ]


def diagram(group, turn):
    """Returns the position text of a group given as a letter for each q, r."""
    left, top = min(q for q, _ in group), min(r for _, r in group)
    rows = [
        "".join(group.get((q, r), ".") for q in range(left, 1 + max(q for q, _ in group)))
        for r in range(top, 1 + max(r for _, r in group))
    ]
    return f"{'/'.join(rows)} {turn} {left},{top}"


def canonical(cells):
    """Returns the smallest of the 12 rotations and reflections of a shape, moved to the origin."""
    variants = []
    for variant in (cells, [(r, q) for q, r in cells]):
        for _ in range(6):
            variant = [(-r, q + r) for q, r in variant]
            left, top = min(q for q, _ in variant), min(r for _, r in variant)
            variants.append(sorted((q - left, r - top) for q, r in variant))
    return tuple(min(variants))


@pytest.mark.parametrize(("pawns", "shapes"), [(3, 7), (4, 54)])
def test_number_of_legal_shapes(pawns, shapes):
    connected = {((0, 0),)}
    for _ in range(2 * pawns - 1):
        connected = {
            canonical([*shape, cell])
            for shape in connected
            for cell in naive.empty_neighbours(frozenset(shape))
        }
    game = qx.game("onoro", pawns=pawns)
    assert sum(is_accepted(game, shape) for shape in connected) == shapes


def is_accepted(game, shape):
    """Returns whether a shape is read as a position when no side has four in a row."""
    for black in combinations(shape, len(shape) // 2):
        group = {cell: "B" if cell in black else "W" for cell in shape}
        try:
            game.read(diagram(group, "b"))
        except BadPosition as error:
            if "four in a row" not in error.reason:
                return False
        else:
            return True
    return False


@pytest.mark.parametrize(("pawns", "shapes"), [(6, 7), (8, 54), (10, 724)])
def test_number_of_shapes_reached_by_moving(pawns, shapes):
    # All pawns are black and the result is ignored: only the rules for moving matter.
    s = ONORO.empty_positions()[0]
    moves = np.empty(kernel.MAX_LEGAL, np.int32)
    compact = canonical([(i % 2, i // 2) for i in range(pawns)])
    reached, queue = {compact}, [compact]
    while queue:
        shape = queue.pop()
        write_shape(s, shape)
        for action in moves[: kernel.legal(s, 0, moves)].tolist():
            origin, target = rules.action_cells(action)
            moved = canonical([*(set(rules.pawns(s)) - {origin}), target])
            if moved not in reached:
                reached.add(moved)
                queue.append(moved)
    assert len(reached) == shapes


def write_shape(s, shape):
    """Writes a shape of black pawns into a record, with Black to move."""
    s.pawns[:] = 0
    for q, r in shape:
        cell = (r + 1) * kernel.WINDOW_WIDTH + q + 1
        s.pawns[0, cell >> 6] |= np.uint64(1) << np.uint64(cell & 63)
    s.turn, s.each, s.repetition, s.ply = 0, len(shape) // 2, 0, 0
    kernel.restore(s)
    s.over = 0


def test_evaluation_of_three_in_a_row():
    # Black is to move and can place the fourth.
    ahead = ONORO.read("BBB/WWW b")
    assert ahead.evaluate(0) > 0.5
    assert ahead.evaluate(1) == -ahead.evaluate(0)
    assert ONORO.start().evaluate(0) == -ONORO.start().evaluate(1)


def test_key_does_not_depend_on_where_the_group_is():
    start, shifted = ONORO.read(START), ONORO.read(".W/BB w 12,-7")
    assert kernel.key(start.position) == kernel.key(shifted.position)
    assert start != shifted
    others = {kernel.key(start.play(move).position) for move in start.moves()}
    assert len(others | {kernel.key(start.position)}) == 4


def test_observations():
    planes = ONORO.start().observe(1)
    assert planes.shape == (5, 16, 16)
    assert planes.sum(axis=(1, 2)).tolist() == [1, 2, 3, 256, 256]
    assert planes[0, 1, 2] == 1
    assert ONORO.start().observe(0).sum(axis=(1, 2)).tolist() == [2, 1, 3, 256, 0]


@pytest.mark.modes
def test_observations_agree_with_the_naive_implementation():
    state, reference = ONORO.start(), naive.start()
    rng = random.Random(3)
    for _ in range(18):
        planes = [state.observe(seat) for seat in (0, 1)]
        pawns = reference.all_pawns
        touched = naive.empty_neighbours(pawns)
        assert planes[0][2].sum() == sum(naive.count_neighbours(c, pawns) >= 2 for c in touched)
        assert (planes[0][0] == planes[1][1]).all()
        assert (planes[0][1] == planes[1][0]).all()
        assert (planes[0][2] == planes[1][2]).all()
        assert {float(p[3].min()) for p in planes} == {float(state.ply < 13)}
        assert [float(p[4].max()) for p in planes] == [float(state.turn == seat) for seat in (0, 1)]
        # The pawns in the window have the same shape as in the text.
        rows = shape_of(planes[0])
        assert rows == state.text.split()[0].split("/"), f"\n{state}"
        move = rng.choice([move for move in state.moves() if not state.play(move).over])
        state, reference = state.play(move), reference.play(move)


def shape_of(planes):
    """Returns the rows of the group, as in a position text."""
    black, white = planes[0], planes[1]
    rows, columns = (black + white).nonzero()
    return [
        "".join(
            "B" if black[r, q] else "W" if white[r, q] else "."
            for q in range(columns.min(), columns.max() + 1)
        )
        for r in range(rows.min(), rows.max() + 1)
    ]


def test_terminal_diagram():
    assert str(ONORO.start()).splitlines()[2].split() == ["0", "·", "·", "W", "·", "·"]
    assert str(ONORO.start()).splitlines()[3].split() == ["1", "·", "·", "B", "B", "·", "·"]


@pytest.mark.parametrize("flip", [False, True])
def test_scene_marks_targets_and_stays_within_its_box(flip):
    state = qx.game("onoro", pawns=3).read(PHASE_TWO)
    shapes = state.scene(ViewOptions(picked="2,0", flip=flip)).shapes
    assert {s.cell for s in shapes if isinstance(s, Disc) and s.role == "target"} == {"1,2"}
    assert len([s for s in shapes if isinstance(s, Piece)]) == 6
    movable = {s.cell for s in state.scene(ViewOptions(targets=True)).shapes if s.role == "start"}
    assert movable == {"0,2", "1,0", "2,0"}
    placements = {
        s.cell for s in ONORO.start().scene(ViewOptions(targets=True)).shapes if s.role == "target"
    }
    assert placements == {"-1,0", "-1,2", "1,0"}
    won = ONORO.read("BBBB/WWW. w").scene(ViewOptions(flip=flip)).shapes
    assert [s.role for s in won if isinstance(s, Line)] == ["win"]
    for scene in (
        state.scene(ViewOptions(flip=flip)),
        state.scene(ViewOptions(coordinates=False, flip=flip)),
    ):
        for shape in scene.shapes:
            assert scene.x <= shape.x <= scene.x + scene.w
            assert scene.y <= shape.y <= scene.y + scene.h


def test_every_cell_of_a_legal_move_can_be_clicked():
    state = ONORO.start()
    rng = random.Random(2)
    for _ in range(20):
        names = {shape.cell for shape in state.scene().shapes}
        for move in state.moves():
            assert set(ONORO.parts.layout.clicks(move)) <= names, f"{move}\n{state}"
        state = state.play(rng.choice(state.moves()))
        if state.over:
            break


def test_the_notes_count_the_pawns_that_are_left():
    state = qx.game("onoro", pawns=3).read(START)
    assert state.notes == ("1 pawn left", "2 pawns left")
    while ">" not in state.moves()[0]:
        state = state.play(state.moves()[0])
    assert state.notes == ("no pawns left", "no pawns left")
