import random
from functools import lru_cache
from math import atan2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quincunx as qx
from quincunx.draw.scene import Disc, Label, Piece, ViewOptions
from quincunx.errors import BadOption, BadPosition, IllegalMove, MoveSyntax
from quincunx.games.sphero import kernel, layout, rules
from tests.naive import sphero as twin

LETTERS = "RYBGPO"

# The boards of the seed, by the number of the example.
SEED = {
    4: "....S./SSSSAS",
    5: ".S.../.SS.S/.SSSS/SASSS/.S...",
    6: ("S..../ASSSS", "SSASS/..S.."),
    7: (
        ".SS..../S.S..../S.SSS../SSASSS./..S..SS/SSS..../.SSS.../..S....",
        "...S.../...S.../..SSS../...S.../SSSASSS/SSSS.SS/..SSS../...SS..",
    ),
}


def painted(shape: str) -> str:
    """The board with six colours in turn, so that no five of a colour come together."""
    colours = iter(LETTERS * len(shape))
    return "".join(next(colours) if letter == "S" else letter for letter in shape)


def shape(text: str) -> str:
    """The board without its colours."""
    return "".join("S" if letter in LETTERS else letter for letter in text)


def sphero(**options):
    return qx.game("sphero", **options)


def board(shape: str):
    return sphero(players=6).read(painted(shape))


def without(text: str, move: str) -> tuple[str, int]:
    """The text with one sphere taken off, and whose it was."""
    cells = twin.read_board(text)
    x, y = map(int, move.split(","))
    letter = cells.pop((x, y))
    return twin.board_text(cells), LETTERS.index(letter)


def worked_through(text: str, move: str):
    """The events and boards of the placement that completes a board, from the full board on."""
    rest, seat = without(text, move)
    steps = sphero(players=6).read(rest).steps(move, seat)
    assert steps[0].text == text, f"\n{steps[0]}"
    assert steps[-1].text == steps[-2].text
    return steps[:-1]


# The seed's examples.


def test_example_1_the_anchor_has_four_liberties():
    assert sphero().start().moves(0) == sorted(["0,1", "1,0", "0,-1", "-1,0"])


def test_example_2_a_sphere_beside_the_anchor():
    state = sphero().read("AR")
    assert state.moves(0) == sorted(["0,1", "1,1", "-1,0", "2,0", "0,-1", "1,-1"]), f"\n{state}"


def test_example_3_liberties_of_a_larger_board():
    state = board(".S.../.SS../.SSS./SASSS")
    below = ["-1,-1", "0,-1", "1,-1", "2,-1", "3,-1"]
    beside = ["-2,0", "4,0", "-1,1", "3,1", "-1,2", "2,2", "-1,3", "1,3", "0,4"]
    assert state.moves(0) == sorted(below + beside), f"\n{state}"


@pytest.mark.parametrize("text", ["A", "AR", painted(".S.../.SS../.SSS./SASSS")])
def test_examples_1_to_3_are_balanced(text):
    assert kernel.balanced(sphero(players=6).read(text)._s)


@pytest.mark.parametrize("number", [4, 5])
def test_examples_4_and_5_are_unbalanced(number):
    state = board(SEED[number])
    assert not kernel.balanced(state._s), f"\n{state}"


@pytest.mark.parametrize(("number", "move"), [(6, "4,0"), (6, "0,1"), (7, "4,-1"), (7, "3,0")])
def test_examples_6_and_7_are_rebalanced(number, move):
    unbalanced, rebalanced = SEED[number]
    steps = worked_through(painted(unbalanced), move)
    assert not kernel.balanced(steps[0]._s)
    assert kernel.balanced(steps[-1]._s)
    assert {step.event for step in steps} == {"place", "rotate", "slide"}
    assert shape(steps[-1].text) == rebalanced, f"\n{steps[-1]}"


@pytest.mark.parametrize("move", ["-4,0", "0,1", "1,0"])
def test_example_8_step_by_step(move):
    steps = worked_through(painted(SEED[4]), move)
    assert [(step.event, shape(step.text)) for step in steps] == [
        ("place", "....S./SSSSAS"),
        ("rotate", "SS.SASS/....S.."),
        ("slide", "S.SSASS/....S.."),
        ("slide", "SSSASS/...S.."),
    ]
    assert steps[1].cells == ("0,-1", "-1,0", "1,0", "2,0")
    assert steps[2].cells == ("-3,0", "-2,0")
    assert steps[3].cells == ("-4,0", "-3,0")


@pytest.mark.parametrize("move", ["1,0", "2,0", "3,0", "1,1", "2,1"])
def test_example_9_step_by_step(move):
    steps = worked_through("..BG./.BYYR/RAYYY/RYBG.", move)
    assert [(step.event, step.text) for step in steps[:6]] == [
        ("place", "..BG./.BYYR/RAYYY/RYBG."),
        ("chain", "..BG./.B..R/RA.../RYBG."),
        ("settle", "...G./.BB.R/RA.../RYBG."),
        ("settle", ".BBGR/RA.../RYBG."),
        ("settle", ".BBG./RA.../RYBGR"),
        ("rotate", "BYRG./.AR../BB.GR"),
    ]
    assert {step.event for step in steps[6:]} == {"slide"}
    assert steps[-1].text == "BYR./.ARG/BBGR", f"\n{steps[-1]}"
    assert steps[1].cells == ("1,0", "1,1", "2,0", "2,1", "3,0")
    assert [(step.cells[0], step.cells[-1]) for step in steps[2:5]] == [
        ("1,2", "1,1"),
        ("2,2", "2,1"),
        ("3,1", "3,-1"),
    ]


def test_golden_line_of_the_rulings():
    test_example_9_step_by_step("3,0")
    settled = sphero().read(".BBG./RA.../RYBGR")
    assert not kernel.balanced(settled._s)
    steps = worked_through(".BBG./RA.../RYBGR", "3,-1")
    assert steps[-1].text == "BYR./.ARG/BBGR", f"\n{steps[-1]}"


# The rulings.


def test_the_order_is_by_valence_then_by_angle():
    cells = [rules.place(cell) for cell in kernel.ORDER]
    assert cells == sorted(cells, key=lambda c: (abs(c[0]) + abs(c[1]), _turned(c)))
    assert len(set(cells)) == len(cells) == 2 * kernel.EDGE * (kernel.EDGE + 1) + 1


def _turned(cell):
    return round(atan2(*cell) % (2 * np.pi), 9)


def test_neighbours_are_in_the_order():
    rank = {int(cell): i for i, cell in enumerate(kernel.ORDER)}
    for cell in kernel.ORDER[: 2 * 28 * 29 + 1].tolist():
        steps = [kernel.STEPS[kernel.NEAR[cell] >> 2 * k & 3] for k in range(4)]
        ranks = [rank[cell + int(step)] for step in steps]
        assert ranks == sorted(set(ranks)), rules.name(cell)


def test_further_clockwise_by_exact_integers():
    dice = random.Random(5)
    cells = [rules.place(cell) for cell in kernel.ORDER[1:400]]
    for _ in range(5000):
        origin, a, b = dice.choices(cells, k=3)
        turns = [(twin.clockwise(origin, cell), -twin.valence(cell)) for cell in (a, b)]
        further = kernel._clockwise(*(rules.cell_at(*cell) for cell in (origin, a, b)))
        assert bool(further) == (turns[0] > turns[1]), (origin, a, b)


def test_a_chain_of_more_than_five_leaves_the_rest():
    steps = worked_through("RRR/RAR/RR.", "1,1")
    assert steps[1].event == "chain"
    assert steps[1].cells == ("0,1", "1,1", "-1,1", "1,0", "-1,0")
    assert steps[1].text == ".A/RR"
    assert steps[-1].scores[0] == 2


def test_of_several_chains_the_one_with_the_first_sphere_goes_first():
    state = sphero().read("YYYYY/..A../RRRR.")
    steps = state.steps("2,-1", seat=0)
    chains = [step.cells for step in steps if step.event == "chain"]
    assert chains[0][0] == "0,1"
    assert len(chains) == 2
    assert steps[-1].scores == (0, 0, 0, 0), f"\n{steps[-1]}"


def test_spheres_that_float_give_no_liberties():
    state = sphero().read("A..R")
    assert state.moves(0) == sorted(["0,1", "1,0", "0,-1", "-1,0"])
    with pytest.raises(IllegalMove, match="cut off from the anchor"):
        state.play("4,0", seat=0)


def long_arms(turn=""):
    """A balanced board with highest valence 20."""
    rows = []
    for y, across in ((1, range(-1, 20)), (0, range(-1, 21)), (-1, range(-1, 2))):
        rows.append("".join("A" if x == y == 0 else LETTERS[(x + 2 * y + 2) % 4] for x in across))
    return "/".join(rows) + turn


def test_the_game_ends_beyond_valence_20():
    state = sphero().read(long_arms())
    assert not state.over
    assert kernel.balanced(state._s)
    end = state.play("21,0", seat=2)
    assert end.over, f"\n{end}"
    assert end.moves(0) == []
    assert end.scores == tuple(map(float, twin.read(end.text).scores))
    assert end.winners == tuple(s for s in range(4) if end.scores[s] == max(end.scores))
    assert "exceeds 20" in end.status
    assert sphero().read(end.text) == end
    assert sphero().read(end.text).over
    with pytest.raises(IllegalMove, match="over"):
        end.play("0,2", seat=0)


def test_the_win_is_shared():
    game = sphero(players=3, order="turns", limit=3)
    state = game.start().play("0,1").play("1,0").play("0,-1")
    assert state.over
    assert state.winners == (0, 1, 2)
    assert state.status == (
        "Red, Yellow and Brown share the win with 1 sphere each: all 3 placements are made"
    )
    assert [round(state.evaluate(seat), 3) for seat in range(3)] == [-0.333] * 3


def test_the_limit_ends_the_game():
    game = sphero(players=2, order="turns", limit=1)
    state = game.start().play("0,1")
    assert (state.over, state.winners, state.turn, state.text) == (True, (0,), None, "R/A Y")
    assert (state.evaluate(0), state.evaluate(1)) == (1.0, -1.0)


# Against the slow twin.


@pytest.fixture(autouse=True)
def remembered_film(monkeypatch):
    """The twin works a placement through only once for its boards and for its end."""
    monkeypatch.setattr(twin.Position, "film", lru_cache(2)(twin.Position.film))


def compare(state, other, move, seat):
    """Plays a move in both, step by step, and compares everything that can be seen."""
    stages = other.stages(move, seat)
    steps = state.steps(move, seat)
    told = f"\n{state}\n{state!r} {move} by seat {seat}"
    assert [(step.event, step.text.split()[0]) for step in steps[:-1]] == stages, told
    for step, before in zip(steps[:-1], [state, *steps], strict=False):
        check_cells(before, step)
    return state.play(move, seat), told


def check_cells(before, step):
    old, new = (twin.read_board(s.text.split()[0]) for s in (before, step))
    if step.event in ("settle", "slide"):
        assert set(old) - set(new) == {tuple(map(int, step.cells[0].split(",")))}
        assert set(new) - set(old) == {tuple(map(int, step.cells[-1].split(",")))}
    if step.event == "chain":
        assert step.cells == tuple(f"{x},{y}" for x, y in twin.chain(old))
    if step.event == "rotate":
        inner = twin.highest_valence(old) - 2
        assert set(step.cells) == {f"{x},{y}" for x, y in new if twin.valence((x, y)) <= inner}


@pytest.mark.parametrize(
    ("players", "order", "plies", "games"),
    [
        (2, "anytime", 120, 5),
        (2, "turns", 120, 4),
        (3, "turns", 100, 3),
        (4, "anytime", 60, 3),
        (4, "turns", 70, 3),
        (5, "turns", 60, 2),
        (6, "anytime", 60, 2),
    ],
)
def test_random_games_like_the_twin(players, order, plies, games):
    options = {"players": players, "order": order, "limit": plies - 1}
    game = sphero(**options)
    for seed in range(games):
        dice = random.Random(seed)
        state, other = game.start(seed), twin.start(**options)
        while not other.over:
            seat = dice.randrange(players) if order == "anytime" else other.turn
            moves = other.moves(seat)
            assert state.moves(seat) == moves, f"\n{state}"
            move = dice.choice(moves)
            state, told = compare(state, other, move, seat)
            other = other.play(move, seat)
            for what in ("text", "over", "scores", "winners", "turn"):
                assert getattr(state, what) == getattr(other, what), what + told
            assert game.read(state.text).text == state.text, told
        assert state.over
        assert state.moves() == other.moves() == []


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_any_board_like_the_twin(players):
    # Boards that no game leads to: floating spheres, many chains, holes, far out of balance.
    dice = random.Random(players)
    game = sphero(players=players)
    for _ in range(12):
        size, density = dice.choice([1, 2, 2, 3]), dice.choice([0.3, 0.5, 0.7, 0.9])
        cells = {
            (x, y): LETTERS[dice.randrange(players)]
            for x in range(-size, size + 1)
            for y in range(-size, size + 1)
            if (x, y) != (0, 0) and dice.random() < density
        }
        text = twin.board_text(cells)
        state, other = game.read(text), twin.read(text, players=players)
        assert (state.text, state.moves(0)) == (text, other.moves(0)), f"\n{state}"
        for move in dice.sample(other.moves(0), min(2, len(other.moves(0)))):
            seat = dice.randrange(players)
            after, told = compare(state, other, move, seat)
            assert after.moves(0) == other.play(move, seat).moves(0), told


@pytest.mark.parametrize("players", [4, 5, 6])
def test_whole_games_stay_sound(players):
    # Too large for the twin to replay: sums and sets are compared with those of the text.
    game = sphero(players=players, order="turns", limit=2000)
    state, dice = game.start(1), random.Random(players)
    moves = np.empty(kernel.MAX_LEGAL, np.int32)
    s = state._copy()
    while not s.over:
        n = kernel.legal(s, s.turn, moves)
        kernel.apply(s, s.turn, int(moves[dice.randrange(n)]))
        if s.ply % 97 == 0 or s.over:
            state = qx.State(game, s.copy())
            other = twin.read(state.text, players=players, order="turns")
            assert game.read(state.text).text == state.text
            assert state.scores == other.scores
            assert not twin.chain(other.board), f"\n{state}"
            assert bool(kernel.balanced(s)) == twin.is_balanced(other.board), f"\n{state}"
            assert s.total == sum(map(twin.valence, other.board))
            assert s.highest == twin.highest_valence(other.board)
            if not s.over:
                assert state.moves() == other.moves(), f"\n{state}"
    assert s.highest > 20 or s.ply == 2000


# Texts.


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("A", "A"),
        (" A\n", "A"),
        ("..../.A../....", "A"),
        ("..BG/.BYYR/RAYYY/RYBG", "..BG./.BYYR/RAYYY/RYBG."),
        ("R//A", "R/./A"),
        ("A/", "A"),
        ("A" + "." * 28 + "R", "A" + "." * 28 + "R"),
    ],
)
def test_reading_is_generous_and_writing_is_tight(text, written):
    assert sphero().read(text).text == written


def test_the_player_to_move_follows_the_board():
    game = sphero(order="turns", players=3)
    state = game.read("RA B")
    assert (state.turn, state.text) == (2, "RA B")
    assert state.play("1,0").text == "RAB R"
    assert sphero().read("RA").turn is None


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "rows"),
        ("   ", "rows"),
        ("/", "one anchor A, here are 0"),
        ("...", "here are 0"),
        ("RAA", "here are 2"),
        ("RA R", "rows from the top"),
        ("RAP", "row 1 from the top has 'P' in column 3"),
        ("R/rA", "row 2 from the top has 'r' in column 1"),
        ("RA3", "'3'"),
        ("RA\x00", "x00"),
        ("A" + "." * 29 + "R", "valence 30"),
        ("R" + "/" * 40 + "A", "valence 40"),
        ("A" + "R" * 100_000, "valence 30"),
        ("Ä" * 1_000_000, "here are 0"),
        ("A" + "Ä" * 1_000_000, "'Ä'"),
        ("/" * 1_000_000 + "A/p", "row 1000002 from the top"),
    ],
)
def test_bad_positions(text, complaint):
    with pytest.raises(BadPosition, match=complaint):
        sphero().read(text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("RA", "player to move"), ("RA G", "not 'G'"), ("RA RY", "one of R, Y"), ("RA R R", "rows")],
)
def test_bad_positions_in_turns(text, complaint):
    with pytest.raises(BadPosition, match=complaint):
        sphero(players=3, order="turns").read(text)


@pytest.mark.parametrize(
    "text", ["0,1", " 0,1 ", "0 , 1", "+0,+1", "-0,01", "R:0,1", " R: 0,1", "R:0 ,1\n"]
)
def test_moves_are_read_generously(text):
    assert sphero().start().play(text, None if "R" in text else 0).text == "R/A"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "1,",
        ",",
        "1;0",
        "1,0,0",
        "a1",
        "--1,0",
        "1,0x",
        "١,٠",
        "1,²",
        "R:",
        "X:1,0",
        "−1,0",
    ],
)
def test_what_is_no_move(text):
    with pytest.raises(MoveSyntax, match="2,-1"):
        sphero().start().play(text, seat=0)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("0,0", "the anchor is on 0,0"),
        ("1,0", "an orange sphere on 1,0"),
        ("0,1", "a red sphere on 0,1"),
        ("5,5", "neither the anchor nor a sphere"),
        ("-21,21", "neither"),
        ("22,0", "more than 21 steps"),
        ("0,-22", "more than 21 steps"),
        ("9" * 1_000_000 + ",0", "more than 21 steps"),
        ("-" + "0" * 1_000_000 + "1,2", "neither"),
    ],
)
def test_moves_that_are_not_legal(text, complaint):
    with pytest.raises(IllegalMove, match=complaint):
        sphero(players=6).read("R./AO").play(text, seat=0)


def test_turns_are_kept():
    game = sphero(order="turns", players=2)
    with pytest.raises(IllegalMove, match="Red's turn"):
        game.start().play("0,1", seat=1)
    with pytest.raises(IllegalMove, match="say which seat"):
        sphero().start().play("0,1")


@settings(deadline=None, max_examples=100)
@given(st.text(alphabet="RYBGPOA./ \n0x", max_size=60) | st.text(max_size=20))
def test_reading_any_text_is_refused_or_round_trips(text):
    for game in (sphero(), sphero(order="turns", players=6)):
        try:
            state = game.read(text)
        except BadPosition:
            continue
        assert game.read(state.text).text == state.text


@settings(deadline=None, max_examples=100)
@given(st.text(alphabet="R:0123456789-+, ", max_size=10) | st.text(max_size=10))
def test_any_move_text_is_played_or_refused(text):
    state = sphero().read("RRYB/.A.G")
    try:
        after = state.play(text, seat=0)
    except (MoveSyntax, IllegalMove):
        return
    assert sum(after.scores) in (6, 1)


# Options and the rest of the contract.


@pytest.mark.parametrize(
    "options",
    [{"players": 1}, {"players": 7}, {"order": "random"}, {"limit": -1}, {"limit": 1_000_001}],
)
def test_bad_options(options):
    with pytest.raises(BadOption):
        sphero(**options)


@pytest.mark.parametrize("players", range(2, 7))
def test_observations_begin_with_the_own_spheres(players):
    game = sphero(players=players)
    state = game.read("RYA").play("1,0", seat=1)
    for seat in range(players):
        planes = state.observe(seat)
        assert planes.shape == game.planes == (players + 2, 43, 43)
        assert planes[(0 - seat) % players].nonzero() == (np.array([21]), np.array([19]))
        assert planes[(1 - seat) % players].sum() == 2
        assert planes[players].sum() == len(state.moves(seat))
        assert planes[players + 1].min() == 1.0
        assert planes.sum() == 3 + len(state.moves(seat)) + 43 * 43


def test_keys_tell_positions_apart_and_forget_how_they_came():
    game = sphero(order="turns", players=2)
    one = game.start().play("0,1").play("1,0").play("0,-1")
    other = game.start().play("0,-1").play("1,0").play("0,1")
    third = game.start().play("0,1").play("-1,0").play("0,-1")
    assert one == other
    keys = [kernel.key(state._s) for state in (one, other, third, game.read("R./AY/R. R"))]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3


def test_evaluation_follows_the_spheres():
    state = sphero(players=3).read("RRYA")
    values = [state.evaluate(seat) for seat in range(3)]
    assert values[0] > 0 > values[1] > values[2] > -1


def test_evaluation_fears_crowds():
    """Spheres that touch two of their colour are soon a chain."""
    row, corner, apart = (sphero(players=2).read(text) for text in ("RRRA", "RR/.A/R.", "RARYY"))
    assert row.evaluate(0) < corner.evaluate(0)
    assert row.evaluate(0) > apart.evaluate(0), "but they count"


def test_evaluation_counts_the_sphere_that_is_due():
    """In turns, whoever has not placed in this round is as good as whoever has."""
    state = sphero(players=2, order="turns").start().play("0,1")
    assert state.evaluate(0) == state.evaluate(1) == 0


def test_hiding_changes_no_board():
    state = sphero().read("RYA")
    assert state.hidden(0, seed=3) == state
    assert sphero().unpack(state.pack()) == state


def test_the_picture_names_what_can_be_clicked():
    state = sphero().read(long_arms()).play("0,2", seat=0)
    scene = state.scene()
    names = {shape.cell for shape in scene.shapes if shape.role == "liberty"}
    assert names == {layout.clicks(move)[0] for move in state.moves(0)}
    ids = [shape.id for shape in scene.shapes if isinstance(shape, Piece)]
    assert len(ids) == len(set(ids)) == sum(state.scores) + 1
    for shape in scene.shapes:
        if isinstance(shape, Disc | Piece | Label):
            assert scene.x <= shape.x <= scene.x + scene.w
            assert scene.y <= shape.y <= scene.y + scene.h


def test_a_sphere_keeps_its_id_as_it_slides():
    steps = worked_through(painted(SEED[4]), "0,1")
    before, after = ({s.id: s for s in step.scene().shapes if s.id} for step in steps[1:3])
    assert before.keys() == after.keys()
    moved = [id for id in before if (before[id].x, before[id].y) != (after[id].x, after[id].y)]
    assert len(moved) == 1
    assert (before[moved[0]].cell, after[moved[0]].cell) == ("-3,0", "-2,0")


def test_the_picture_can_be_flipped_and_shows_targets():
    state = sphero(order="turns").read("RA Y").play("1,0")
    plain, flipped = (
        state.scene(),
        state.scene(ViewOptions(flip=True, targets=True, coordinates=False)),
    )
    red = [next(s for s in scene.shapes if s.cell == "-1,0") for scene in (plain, flipped)]
    assert (red[0].x, red[1].x) == (-1, 1)
    assert {s.fill for s in flipped.shapes if s.role == "target"} == {"brown"}
    last = [s for s in flipped.shapes if s.role == "last"]
    assert [(s.x, s.y) for s in last] == [(-1, 0)]


def test_the_terminal_shows_letters_and_dots():
    assert [line.split() for line in str(sphero().read("RY/.A")).splitlines()[:4]] == [
        ["2", "·", "·"],
        ["·", "R", "Y", "·"],
        ["0", "·", "A", "·"],
        ["·"],
    ]
