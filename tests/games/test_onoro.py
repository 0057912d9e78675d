"""Onoro: the examples of its rules, and random games against the naive twin."""

import random
from itertools import combinations

import numpy as np
import pytest

import quincunx as qx
from quincunx.draw.scene import Disc, Line, Piece, ViewOptions
from quincunx.errors import BadOption, BadPosition, IllegalMove, MoveSyntax
from quincunx.games.onoro import kernel, rules
from quincunx.search import compiled
from tests.naive import onoro as naive

ONORO = qx.game("onoro")
START = ".W/BB w -1,0"

# Two groups on their way: each side's hindmost pawn goes to the front.
CONVEYOR = ".WWW/BBB. b"

# A group that is as long as it can be: two triangles joined by a straight path.
LONGEST = {
    "along q": "BWBWBWBWBWBWBW/W...........B. b",
    "along r": "/".join(["BW", *("B.", "W.") * 5, "B.", "WB", "W."]) + " b",
    "along both": "/".join(
        "." * (13 - i) + {1: "WB", 13: "WW"}.get(i, "BW"[i % 2]) for i in range(14)
    )
    + " b",
}


@pytest.mark.modes
def test_the_start():
    state = ONORO.start()
    assert state.text == START
    assert state == ONORO.read(START)
    assert state.turn == 1
    assert state.game.parts.rules.SEAT_NAMES[1] == "White"
    assert not state.over


@pytest.mark.modes
def test_the_three_first_moves():
    assert ONORO.start().moves() == ["-1,0", "-1,2", "1,0"]


def test_the_neighbours_of_a_cell():
    around = {(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)}
    assert set(rules.neighbours((0, 0))) == around
    assert rules.touching((0, 0), around) == 6


def test_placing_is_shown_in_one_step():
    placed, done = ONORO.start().steps("1,0")
    assert (placed.event, placed.cells, placed.text) == ("place", ("1,0",), ".WW/BB. w -1,0")
    assert (done.event, done.text) == ("", ".WW/BB. b -1,0")


def test_black_moves_first_in_phase_two():
    state = ONORO.start()
    dice = random.Random(1)
    for _ in range(13):
        assert all(">" not in move for move in state.moves())
        quiet = [move for move in state.moves() if not state.play(move).over]
        state = state.play(dice.choice(quiet))
    assert state.turn == 0
    assert state.text.count("B") == state.text.count("W") == 8
    assert state.moves()
    assert all(">" in move for move in state.moves())


# The seed's phase 2, with three pawns each: 2,1 touches 2,0 and 1,1 only.
#
#       W W
#      B B B
#       W
PHASE_TWO = ".WW/BBB/W.. w"


@pytest.mark.modes
def test_a_legal_move_of_phase_two():
    state = qx.game("onoro", pawns=3).read(PHASE_TWO)
    assert state.play("0,2>0,0").text == "WWW/BBB b"


@pytest.mark.modes
def test_an_illegal_move_strands_a_pawn():
    state = qx.game("onoro", pawns=3).read(PHASE_TWO)
    with pytest.raises(IllegalMove, match="leave the pawn on 2,1 touching only one other"):
        state.play("2,0>0,0")


@pytest.mark.modes
def test_a_stranded_pawn_may_touch_the_moved_one_again():
    state = qx.game("onoro", pawns=3).read(PHASE_TWO)
    assert state.play("2,0>1,2").text == ".W./BBB/WW. b"


def test_moving_is_shown_in_two_steps_and_may_break_the_rules_in_between():
    lifted, landed, done = qx.game("onoro", pawns=3).read(PHASE_TWO).steps("2,0>1,2")
    assert (lifted.event, lifted.cells, lifted.text) == ("lift", ("2,0",), ".W./BBB/W.. w")
    assert (landed.event, landed.cells, landed.text) == ("land", ("1,2",), ".W./BBB/WW. w")
    assert lifted.moves() == landed.moves() == []
    assert done.text == ".W./BBB/WW. b"
    assert (str(lifted).count("W"), str(landed).count("W")) == (2, 3)
    assert lifted.svg() != landed.svg()


# Two triangles that hang together by the pawn on 0,0 alone.
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


def test_the_third_standing_is_a_draw_wherever_the_group_is():
    state = qx.game("onoro", pawns=3).read(CONVEYOR)
    for move in ("0,1>3,1", "1,0>4,0", "1,1>4,1", "2,0>5,0"):
        assert not state.over, f"{move}\n{state}"
        state = state.play(move)
    assert state.text == ".WWW/BBB. b 2,0"
    assert (state.over, state.scores, state.winners) == (True, (0.5, 0.5), ())
    assert state.status == "Draw: the same position has stood 3 times"
    assert not state.game.read(state.text).over


def test_the_draw_comes_as_often_as_the_option_says():
    for repetition, standing in ((2, 2), (4, 6)):
        state = qx.game("onoro", pawns=3, repetition=repetition).read(CONVEYOR)
        assert wander(state, 100).ply == standing


def wander(state, plies):
    """The conveyor on its way, until the plies are played or the game is over."""
    for ply in range(plies):
        if state.over:
            break
        at = ply // 2
        state = state.play(f"{at},1>{at + 3},1" if ply % 2 == 0 else f"{at + 1},0>{at + 4},0")
    return state


def test_a_group_may_wander_and_coordinates_never_shift():
    state = wander(qx.game("onoro", pawns=3, repetition=0).read(CONVEYOR), 3000)
    assert state.text == ".WWW/BBB. b 1500,0"
    assert state.moves() == sorted(state.moves())
    assert "1500,1>1503,1" in state.moves()


def test_repetition_looks_back_64_plies():
    # The conveyor stands again every second ply: 33 times from ply 0 to 64, and no more after.
    game = qx.game("onoro", pawns=3, repetition=33)
    assert wander(game.read(CONVEYOR), 200).ply == 64
    with pytest.raises(BadOption, match="2 to 33"):
        qx.game("onoro", pawns=3, repetition=34)


def test_back_to_the_same_cell_is_no_move():
    state = qx.game("onoro", pawns=3).read(PHASE_TWO)
    with pytest.raises(IllegalMove, match="another cell than its own"):
        state.play("0,2>0,2")


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("0,0", "0,0 is taken"),
        ("2,0", "a pawn on 2,0 touches no other pawn"),
        ("1,1", "a pawn on 1,1 touches only one other pawn"),
        ("999,-999", "a pawn on 999,-999 touches no other pawn"),
        ("-1,1>1,0", "still to be placed"),
        ("99,99>1,0", "still to be placed"),
    ],
)
def test_illegal_placings_say_why(move, reason):
    with pytest.raises(IllegalMove, match=reason):
        ONORO.start().play(move)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("0,0", "all pawns are placed"),
        ("50,50", "all pawns are placed"),
        ("0,1>0,0", "on 0,1 is not yours but Black's"),
        ("0,0>1,2", "no pawn on 0,0"),
        ("70,70>1,2", "no pawn on 70,70"),
        ("0,2>1,1", "1,1 is taken"),
        ("0,2>-1,2", "-1,2 touches only one other pawn"),
        ("0,2>5,5", "5,5 touches no other pawn"),
        ("0,2>-50,5", "-50,5 touches no other pawn"),
    ],
)
def test_illegal_movings_say_why(move, reason):
    with pytest.raises(IllegalMove, match=reason):
        qx.game("onoro", pawns=3).read(PHASE_TWO).play(move)


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "1", "1,", ",1", "1;0", "1,0>", ">1,0", "1,0>2,0>3,0", "1.0", "a1", "1,0 2,0"),
        *("+1,0", "--1,0", "1,0\0", "١,0", "1,²", "10000000000000001,0", "0,-" + "9" * 5000),
    ],
)
def test_bad_move_texts(text):
    with pytest.raises(MoveSyntax, match=r"1,-1|10\^15"):
        ONORO.start().play(text)


def test_moves_may_have_blanks_and_zeros():
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
def test_texts_of_the_start(text):
    assert ONORO.read(text) == ONORO.start()


def test_a_text_without_coordinates_begins_at_the_origin():
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
        (".w/bb w", "row 1 has 'w'"),
        (".W/xB w", "row 2 has 'x'"),
        (".W/2B w", "row 2 has '2'"),
        (".W/BB w -1", "not '-1'"),
        (".W/BB w -1,0,0", "coordinates of the top left cell"),
        (".W/BB w 1,²", "coordinates of the top left cell"),
        (".W/BB w b", "not 'b'"),
        (". w/b b w", "coordinates of the top left cell"),
        (".W/BB w 1000000000000001,0", "10\\^15"),
        (".W/BB w 0,-" + "9" * 10000, "10\\^15"),
        (".W/BB b", "Black has 2 and White 1, but with Black to move Black has as many"),
        (".W/BW w", "Black has 1 and White 2"),
        (".B/BB w", "Black has 3 and White 0"),
        ("WW/BB w", "but with White to move Black has one more"),
        ("WW/BB/BB w", "Black has 4 and White 2"),
        ("W/B b", "Black has 1 and White 1"),
        ("BBBBB/BBBB w", "Black has 9 pawns, and each side has 8"),
        ("W.BB w", "0,0 touches no other"),
        ("BWB w 3,3", "3,3 touches only one other"),
        (".W/BB/.....B/....WW b", "groups"),
        (".W./BB./..W/..B w -5,0", "the pawn on -3,2 touches only one other"),
        ("BBBB/WWWW b", "both sides have four in a row"),
    ],
)
def test_bad_positions(text, reason):
    with pytest.raises(BadPosition, match=reason):
        ONORO.read(text)


def test_only_who_moved_last_can_have_won():
    game = qx.game("onoro", pawns=4)
    assert game.read("BBBB/WWW./W... w").winners == (0,)
    with pytest.raises(BadPosition, match="Black, to move, has four in a row"):
        game.read("BBBB/WWW./W... b")


def test_two_groups_are_refused():
    with pytest.raises(BadPosition, match="the pawns are 2 groups"):
        ONORO.read(".W..B/BB.WW b")


def test_the_counts_of_each_side_to_move():
    game = qx.game("onoro", pawns=3)
    for text in (".W/BB w", "WW/BB b", ".WW/BBB w", "WWW/BBB b", "WWW/BBB w"):
        assert game.read(text).text == text
    for text in (".W/BB b", "WW/BB w", ".WW/BBB b"):
        with pytest.raises(BadPosition, match="Black has"):
            game.read(text)
    with pytest.raises(BadPosition, match="Black has 4 pawns, and each side has 3"):
        game.read("WWWW/BBBB b")


def test_the_plane_closes_where_nobody_gets():
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
    "option", [{"pawns": 2}, {"pawns": 9}, {"repetition": 61}, {"repetition": 1}, {"size": 3}]
)
def test_bad_options(option):
    with pytest.raises(BadOption):
        qx.game("onoro", **option)


@pytest.mark.modes
@pytest.mark.parametrize("text", LONGEST.values(), ids=LONGEST)
def test_the_longest_groups_fit_into_the_window(text):
    state, twin = ONORO.read(text), naive.read(text)
    dice = random.Random(5)
    for _ in range(3):
        assert_same(state, twin)
        move = dice.choice(state.moves())
        state, twin = state.play(move), twin.play(move)
    assert_same(state, twin)


@pytest.mark.parametrize(("pawns", "games"), [(3, 30), (4, 16), (5, 10), (6, 8), (7, 6), (8, 8)])
def test_random_games_against_the_twin(pawns, games):
    for seed in range(games):
        dice = random.Random(seed)
        options = {"pawns": pawns, "repetition": (3, 2, 0)[seed % 3]}
        state, twin = qx.game("onoro", **options).start(), naive.start(**options)
        for _ in range(60):
            assert_same(state, twin)
            if state.over:
                break
            # Half of the games go on for long: they end only when every try ends them.
            tries = [dice.choice(state.moves()) for _ in range(1 + 4 * (seed % 2))]
            move = next((move for move in tries if not state.play(move).over), tries[0])
            state, twin = state.play(move), twin.play(move)


@pytest.mark.modes
def test_a_short_game_against_the_twin():
    state, twin = ONORO.start(), naive.start()
    dice = random.Random(0)
    for _ in range(16):
        assert_same(state, twin)
        move = dice.choice([move for move in state.moves() if not state.play(move).over])
        state, twin = state.play(move), twin.play(move)


def assert_same(state, twin):
    """Fails with a picture if kernel and twin see different positions."""
    # The twin asks for its choices again and again, which takes nearly all of its time.
    choices = twin.choices()
    object.__setattr__(twin, "choices", lambda: choices)
    result = twin.result
    assert state.text == twin.text, f"\n{state}"
    assert state.game.read(state.text).text == state.text
    assert state.over == (result is not None), f"\n{state}"
    assert state.scores == (result or (0.0, 0.0)), f"\n{state}"
    assert state.winners == tuple(seat for seat in (0, 1) if state.scores[seat] == 1.0)
    assert state.turn == (None if result else twin.next_seat), f"\n{state}"
    moves = [] if result else sorted(choices)
    assert state.moves() == moves, f"{sorted(set(moves) ^ set(state.moves()))}\n{state}"


def test_perft_of_the_start_against_the_twin():
    def count(position, depth):
        moves = position.moves()
        if depth == 1:
            return len(moves)
        return sum(count(position.play(move), depth - 1) for move in moves)

    assert [count(naive.start(), depth) for depth in (1, 2, 3)] == [3, 12, 60]
    assert [perft(ONORO, depth) for depth in (1, 2, 3, 4, 5)] == [3, 12, 60, 336, 2036]


def perft(game, depth):
    """How many ways there are to play so many plies from the start."""
    room, moves = game.empty_positions(depth), np.empty((depth, kernel.MAX_LEGAL), np.int32)
    kernel.start(room[0], game.kernel_options, 0)
    return compiled(kernel).perft(room, 2, moves, depth)


def diagram(group, turn):
    """The text of pawns given as letters by coordinates."""
    left, top = min(q for q, _ in group), min(r for _, r in group)
    rows = [
        "".join(group.get((q, r), ".") for q in range(left, 1 + max(q for q, _ in group)))
        for r in range(top, 1 + max(r for _, r in group))
    ]
    return f"{'/'.join(rows)} {turn} {left},{top}"


def canonical(cells):
    """The first of the 12 ways to turn and mirror a shape, moved to the origin."""
    ways = []
    for turned in (cells, [(r, q) for q, r in cells]):
        for _ in range(6):
            turned = [(-r, q + r) for q, r in turned]
            left, top = min(q for q, _ in turned), min(r for _, r in turned)
            ways.append(sorted((q - left, r - top) for q, r in turned))
    return tuple(min(ways))


@pytest.mark.parametrize(("pawns", "shapes"), [(3, 7), (4, 54)])
def test_how_many_shapes_are_read(pawns, shapes):
    every = {((0, 0),)}
    for _ in range(2 * pawns - 1):
        every = {
            canonical([*shape, near])
            for shape in every
            for near in naive.empty_cells_beside(frozenset(shape))
        }
    game = qx.game("onoro", pawns=pawns)
    assert sum(is_read(game, shape) for shape in every) == shapes


def is_read(game, shape):
    """Whether a shape is accepted, coloured so that nobody has four in a row."""
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
def test_how_many_shapes_are_reached_by_moving(pawns, shapes):
    # All pawns are Black's, and nobody wins: what is left of the rules is how groups move.
    s = ONORO.empty_positions()[0]
    moves = np.empty(kernel.MAX_LEGAL, np.int32)
    compact = canonical([(i % 2, i // 2) for i in range(pawns)])
    reached, new = {compact}, [compact]
    while new:
        shape = new.pop()
        write_shape(s, shape)
        for action in moves[: kernel.legal(s, 0, moves)].tolist():
            (x, y), target = rules.spots(action)
            moved = canonical([*(set(rules.pawns(s)) - {(x, y)}), target])
            if moved not in reached:
                reached.add(moved)
                new.append(moved)
    assert len(reached) == shapes


def write_shape(s, shape):
    """Writes a shape of black pawns into a record, with Black to move."""
    s.pawns[:] = 0
    for q, r in shape:
        cell = (r + 1) * kernel.WIDTH + q + 1
        s.pawns[0, cell >> 6] |= np.uint64(1) << np.uint64(cell & 63)
    s.turn, s.each, s.repetition, s.ply = 0, len(shape) // 2, 0, 0
    kernel.restore(s)
    s.over = 0


def test_the_evaluation_sees_three_in_a_row():
    # Black is to place the fourth.
    ahead = ONORO.read("BBB/WWW b")
    assert ahead.evaluate(0) > 0.5
    assert ahead.evaluate(1) == -ahead.evaluate(0)
    assert ONORO.start().evaluate(0) == -ONORO.start().evaluate(1)


def test_the_key_forgets_where_the_group_is():
    here, there = ONORO.read(START), ONORO.read(".W/BB w 12,-7")
    assert kernel.key(here._s) == kernel.key(there._s)
    assert here != there
    others = {kernel.key(here.play(move)._s) for move in here.moves()}
    assert len(others | {kernel.key(here._s)}) == 4


def test_observations():
    planes = ONORO.start().observe(1)
    assert planes.shape == (5, 16, 16)
    assert planes.sum(axis=(1, 2)).tolist() == [1, 2, 3, 256, 256]
    assert planes[0, 1, 2] == 1
    assert ONORO.start().observe(0).sum(axis=(1, 2)).tolist() == [2, 1, 3, 256, 0]


def test_the_terminal_picture():
    assert str(ONORO.start()).splitlines()[2].split() == ["0", "·", "·", "W", "·", "·"]
    assert str(ONORO.start()).splitlines()[3].split() == ["1", "·", "·", "B", "B", "·", "·"]


@pytest.mark.parametrize("flip", [False, True])
def test_the_picture(flip):
    state = qx.game("onoro", pawns=3).read(PHASE_TWO)
    shapes = state.scene(ViewOptions(picked="2,0", flip=flip)).shapes
    assert {s.cell for s in shapes if isinstance(s, Disc) and s.role == "target"} == {"1,2"}
    assert len([s for s in shapes if isinstance(s, Piece)]) == 6
    movable = {s.cell for s in state.scene(ViewOptions(targets=True)).shapes if s.role == "start"}
    assert movable == {"0,2", "1,0", "2,0"}
    placings = {
        s.cell for s in ONORO.start().scene(ViewOptions(targets=True)).shapes if s.role == "target"
    }
    assert placings == {"-1,0", "-1,2", "1,0"}
    won = ONORO.read("BBBB/WWW. w").scene(ViewOptions(flip=flip)).shapes
    assert [s.role for s in won if isinstance(s, Line)] == ["win"]
    for scene in (
        state.scene(ViewOptions(flip=flip)),
        state.scene(ViewOptions(coordinates=False, flip=flip)),
    ):
        for shape in scene.shapes:
            assert scene.x <= shape.x <= scene.x + scene.w
            assert scene.y <= shape.y <= scene.y + scene.h


def test_every_cell_a_move_may_name_can_be_clicked():
    state = ONORO.start()
    dice = random.Random(2)
    for _ in range(20):
        names = {shape.cell for shape in state.scene().shapes}
        for move in state.moves():
            assert set(ONORO.parts.layout.clicks(move)) <= names, f"{move}\n{state}"
        state = state.play(dice.choice(state.moves()))
        if state.over:
            break
