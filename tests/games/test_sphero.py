"""Sphero: every example of its rules, and random games compared with a naive implementation."""

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
from quincunx.games.sphero.sliding import is_further_clockwise
from tests.naive import sphero as naive

LETTERS = "RYBGPO"

# The boards of the source, by the number of the example; S is a sphere of any colour.
EXAMPLES = {
    4: "....S./SSSSAS",
    5: ".S.../.SS.S/.SSSS/SASSS/.S...",
    6: ("S..../ASSSS", "SSASS/..S.."),
    7: (
        ".SS..../S.S..../S.SSS../SSASSS./..S..SS/SSS..../.SSS.../..S....",
        "...S.../...S.../..SSS../...S.../SSSASSS/SSSS.SS/..SSS../...SS..",
    ),
}


def coloured(shape: str) -> str:
    """Returns the board with alternating colours, so that it has no chain."""
    colours = iter(LETTERS * len(shape))
    return "".join(next(colours) if char == "S" else char for char in shape)


def uncoloured(text: str) -> str:
    """Returns the board with S for every sphere."""
    return "".join("S" if char in LETTERS else char for char in text)


def sphero(**options):
    return qx.game("sphero", **options)


def board(shape: str):
    """Returns the state with the board in alternating colours."""
    return sphero(players=6).read(coloured(shape))


def without_sphere(text: str, cell: str) -> tuple[str, int]:
    """Returns the text with one sphere removed, and the seat that it belonged to."""
    spheres = naive.read_board(text)
    x, y = map(int, cell.split(","))
    letter = spheres.pop((x, y))
    return naive.board_text(spheres), LETTERS.index(letter)


def completion_steps(text: str, move: str):
    """Returns the steps of the placement that completes the board, without the final one."""
    rest, seat = without_sphere(text, move)
    steps = sphero(players=6).read(rest).steps(move, seat)
    assert steps[0].text == text, f"\n{steps[0]}"
    assert steps[-1].text == steps[-2].text
    return steps[:-1]


# The examples of the source.


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


@pytest.mark.parametrize("text", ["A", "AR", coloured(".S.../.SS../.SSS./SASSS")])
def test_examples_1_to_3_are_balanced(text):
    assert kernel.is_balanced(sphero(players=6).read(text).position)


@pytest.mark.parametrize("number", [4, 5])
def test_examples_4_and_5_are_unbalanced(number):
    state = board(EXAMPLES[number])
    assert not kernel.is_balanced(state.position), f"\n{state}"


@pytest.mark.parametrize(("number", "move"), [(6, "4,0"), (6, "0,1"), (7, "4,-1"), (7, "3,0")])
def test_examples_6_and_7_are_rebalanced(number, move):
    unbalanced, rebalanced = EXAMPLES[number]
    steps = completion_steps(coloured(unbalanced), move)
    assert not kernel.is_balanced(steps[0].position)
    assert kernel.is_balanced(steps[-1].position)
    assert {step.event for step in steps} == {"place", "rotate", "slide"}
    assert uncoloured(steps[-1].text) == rebalanced, f"\n{steps[-1]}"


@pytest.mark.parametrize("move", ["-4,0", "0,1", "1,0"])
def test_example_8_step_by_step(move):
    steps = completion_steps(coloured(EXAMPLES[4]), move)
    assert [(step.event, uncoloured(step.text)) for step in steps] == [
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
    steps = completion_steps("..BG./.BYYR/RAYYY/RYBG.", move)
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


def test_board_of_example_9_settled_and_rebalanced():
    test_example_9_step_by_step("3,0")
    settled = sphero().read(".BBG./RA.../RYBGR")
    assert not kernel.is_balanced(settled.position)
    steps = completion_steps(".BBG./RA.../RYBGR", "3,-1")
    assert steps[-1].text == "BYR./.ARG/BBGR", f"\n{steps[-1]}"


# Rules that the source leaves open.


def test_the_order_is_by_valence_then_by_angle():
    cells = [rules.coordinates(cell) for cell in kernel.ORDER]
    assert cells == sorted(cells, key=lambda c: (abs(c[0]) + abs(c[1]), _angle(c)))
    assert len(set(cells)) == len(cells) == 2 * kernel.MAX_VALENCE * (kernel.MAX_VALENCE + 1) + 1


def _angle(cell):
    return round(atan2(*cell) % (2 * np.pi), 9)


def test_neighbours_are_listed_in_the_order():
    rank = {int(cell): i for i, cell in enumerate(kernel.ORDER)}
    # The cells of valence 28 or less: all their neighbours are in ORDER too.
    for cell in kernel.ORDER[: 2 * 28 * 29 + 1].tolist():
        steps = [kernel.STEPS[kernel.NEIGHBOUR_ORDER[cell] >> 2 * k & 3] for k in range(4)]
        ranks = [rank[cell + int(step)] for step in steps]
        assert ranks == sorted(set(ranks)), rules.cell_name(cell)


def test_is_further_clockwise_agrees_with_angles():
    rng = random.Random(5)
    cells = [rules.coordinates(cell) for cell in kernel.ORDER[1:400]]
    for _ in range(5000):
        origin, a, b = rng.choices(cells, k=3)
        angles = [(naive.clockwise_degrees(origin, cell), -naive.valence(cell)) for cell in (a, b)]
        further = is_further_clockwise(*(rules.cell_at(*cell) for cell in (origin, a, b)))
        assert bool(further) == (angles[0] > angles[1]), (origin, a, b)


def test_only_five_spheres_of_a_larger_group_are_removed():
    steps = completion_steps("RRR/RAR/RR.", "1,1")
    assert steps[1].event == "chain"
    assert steps[1].cells == ("0,1", "1,1", "-1,1", "1,0", "-1,0")
    assert steps[1].text == ".A/RR"
    assert steps[-1].scores[0] == 2


def test_the_chain_with_the_first_sphere_in_the_order_is_removed_first():
    state = sphero().read("YYYYY/..A../RRRR.")
    steps = state.steps("2,-1", seat=0)
    chains = [step.cells for step in steps if step.event == "chain"]
    assert chains[0][0] == "0,1"
    assert len(chains) == 2
    assert steps[-1].scores == (0, 0, 0, 0), f"\n{steps[-1]}"


def test_floating_spheres_have_no_liberties():
    state = sphero().read("A..R")
    assert state.moves(0) == sorted(["0,1", "1,0", "0,-1", "-1,0"])
    with pytest.raises(IllegalMove, match="cut off from the anchor"):
        state.play("4,0", seat=0)


def long_board(turn=""):
    """Returns the text of a balanced board with highest valence 20."""
    rows = []
    for y, xs in ((1, range(-1, 20)), (0, range(-1, 21)), (-1, range(-1, 2))):
        rows.append("".join("A" if x == y == 0 else LETTERS[(x + 2 * y + 2) % 4] for x in xs))
    return "/".join(rows) + turn


def test_the_game_ends_beyond_valence_20():
    state = sphero().read(long_board())
    assert not state.over
    assert kernel.is_balanced(state.position)
    end = state.play("21,0", seat=2)
    assert end.over, f"\n{end}"
    assert end.moves(0) == []
    assert end.scores == tuple(map(float, naive.read(end.text).scores))
    assert end.winners == tuple(s for s in range(4) if end.scores[s] == max(end.scores))
    assert "exceeds 20" in end.status
    assert sphero().read(end.text) == end
    assert sphero().read(end.text).over
    with pytest.raises(IllegalMove, match="the game is over"):
        end.play("0,2", seat=0)


def test_equal_counts_share_the_win():
    game = sphero(players=3, order="turns", limit=3)
    state = game.start().play("0,1").play("1,0").play("0,-1")
    assert state.over
    assert state.winners == (0, 1, 2)
    assert state.status == (
        "Red, Yellow and Brown share the win with 1 sphere each: all 3 placements have been made"
    )
    assert [round(state.evaluate(seat), 3) for seat in range(3)] == [-0.333] * 3


def test_the_game_ends_at_the_placement_limit():
    game = sphero(players=2, order="turns", limit=1)
    state = game.start().play("0,1")
    assert (state.over, state.winners, state.turn, state.text) == (True, (0,), None, "R/A Y")
    assert (state.evaluate(0), state.evaluate(1)) == (1.0, -1.0)


# Comparison with the naive implementation.


@pytest.fixture(autouse=True)
def cached_naive_steps(monkeypatch):
    """Caches the naive steps, which `step_texts` and `play` both need."""
    monkeypatch.setattr(naive.Position, "steps", lru_cache(2)(naive.Position.steps))


def play_and_compare(state, reference, move, seat):
    """Compares the steps of a move in both; returns the state after it and a failure message."""
    expected = reference.step_texts(move, seat)
    steps = state.steps(move, seat)
    message = f"\n{state}\n{state!r} {move} by seat {seat}"
    assert [(step.event, step.text.split()[0]) for step in steps[:-1]] == expected, message
    for step, before in zip(steps[:-1], [state, *steps], strict=False):
        check_cells(before, step)
    return state.play(move, seat), message


def check_cells(before, step):
    """Checks that the cells of a step are those that its event changed."""
    old, new = (naive.read_board(s.text.split()[0]) for s in (before, step))
    if step.event in ("settle", "slide"):
        assert set(old) - set(new) == {tuple(map(int, step.cells[0].split(",")))}
        assert set(new) - set(old) == {tuple(map(int, step.cells[-1].split(",")))}
    if step.event == "chain":
        assert step.cells == tuple(f"{x},{y}" for x, y in naive.chain(old))
    if step.event == "rotate":
        inner = naive.highest_valence(old) - 2
        assert set(step.cells) == {f"{x},{y}" for x, y in new if naive.valence((x, y)) <= inner}


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
def test_random_games_agree_with_the_naive_implementation(players, order, plies, games):
    compare(players, order, plies, games)


@pytest.mark.modes
@pytest.mark.parametrize(("players", "order"), [(2, "turns"), (3, "anytime")])
def test_short_games_agree_in_all_modes(players, order):
    compare(players, order, plies=24, games=1)


@pytest.mark.parametrize(("players", "order"), [(2, "turns"), (4, "anytime")])
def test_random_games_of_rules_1_agree_with_the_naive_implementation(players, order):
    compare(players, order, plies=60, games=2, version=1)


def compare(players, order, plies, games, version=2):
    """Compares random games with the naive implementation."""
    options = {"players": players, "order": order, "limit": plies - 1}
    game = sphero(**options).with_rules(version)
    for seed in range(games):
        rng = random.Random(seed)
        state, reference = game.start(seed), naive.start(**options, version=version)
        while not reference.over:
            seat = rng.randrange(players) if order == "anytime" else reference.turn
            moves = reference.moves(seat)
            assert state.moves(seat) == moves, f"\n{state}"
            move = rng.choice(moves)
            state, message = play_and_compare(state, reference, move, seat)
            reference = reference.play(move, seat)
            for name in ("text", "over", "scores", "winners", "turn"):
                assert getattr(state, name) == getattr(reference, name), name + message
            assert game.read(state.text).text == state.text, message
        assert state.over
        assert state.moves() == reference.moves() == []


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_random_boards_agree_with_the_naive_implementation(players):
    # Boards that do not occur in games: floating spheres, many chains, holes, unbalanced.
    rng = random.Random(players)
    game = sphero(players=players)
    for _ in range(12):
        size, density = rng.choice([1, 2, 2, 3]), rng.choice([0.3, 0.5, 0.7, 0.9])
        cells = {
            (x, y): LETTERS[rng.randrange(players)]
            for x in range(-size, size + 1)
            for y in range(-size, size + 1)
            if (x, y) != (0, 0) and rng.random() < density
        }
        text = naive.board_text(cells)
        state, reference = game.read(text), naive.read(text, players=players)
        assert (state.text, state.moves(0)) == (text, reference.moves(0)), f"\n{state}"
        for move in rng.sample(reference.moves(0), min(2, len(reference.moves(0)))):
            seat = rng.randrange(players)
            after, message = play_and_compare(state, reference, move, seat)
            assert after.moves(0) == reference.play(move, seat).moves(0), message


@pytest.mark.parametrize("players", [4, 5, 6])
def test_fields_stay_consistent_in_long_games(players):
    # The naive implementation is too slow to replay these: it only reads some of the positions.
    game = sphero(players=players, order="turns", limit=2000)
    state, rng = game.start(1), random.Random(players)
    moves = np.empty(kernel.MAX_LEGAL, np.int32)
    s = state.position.copy()
    while not s.over:
        n = kernel.legal(s, int(s.turn), moves)
        kernel.apply(s, int(s.turn), int(moves[rng.randrange(n)]))
        if s.ply % 97 == 0 or s.over:
            state = qx.State(game, s.copy())
            reference = naive.read(state.text, players=players, order="turns")
            assert game.read(state.text).text == state.text
            assert state.scores == reference.scores
            assert not naive.chain(reference.board), f"\n{state}"
            assert bool(kernel.is_balanced(s)) == naive.is_balanced(reference.board), f"\n{state}"
            assert s.total == sum(map(naive.valence, reference.board))
            assert s.highest == naive.highest_valence(reference.board)
            if not s.over:
                assert state.moves() == reference.moves(), f"\n{state}"
    assert s.highest > 20 or s.ply == 2000


# Position and move texts.


@pytest.mark.parametrize(
    ("text", "canonical"),
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
def test_reading_is_lenient_and_writing_is_canonical(text, canonical):
    assert sphero().read(text).text == canonical


def test_in_turns_the_text_ends_with_the_player_to_move():
    game = sphero(order="turns", players=3)
    state = game.read("RA B")
    assert (state.turn, state.text) == (2, "RA B")
    assert state.play("1,0").text == "RAB R"
    assert sphero().read("RA").turn is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "rows"),
        ("   ", "rows"),
        ("/", "expected one anchor A, found 0"),
        ("...", "found 0"),
        ("RAA", "found 2"),
        ("RA R", "rows from the top"),
        ("RAP", "invalid character 'P' in row 1 from the top, column 3"),
        ("R/rA", "invalid character 'r' in row 2 from the top, column 1"),
        ("RA3", "'3'"),
        ("RA\x00", "x00"),
        ("A" + "." * 29 + "R", "valence 30"),
        ("R" + "/" * 40 + "A", "valence 40"),
        ("A" + "R" * 100_000, "valence 30"),
        ("Ä" * 1_000_000, "found 0"),
        ("A" + "Ä" * 1_000_000, "'Ä'"),
        ("/" * 1_000_000 + "A/p", "row 1000002 from the top"),
    ],
)
def test_invalid_positions_are_refused_with_the_reason(text, reason):
    with pytest.raises(BadPosition, match=reason):
        sphero().read(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("RA", "player to move"),
        ("RA G", "invalid player to move 'G'"),
        ("RA RY", "one of R, Y"),
        ("RA R R", "rows"),
    ],
)
def test_invalid_positions_in_turns_are_refused_with_the_reason(text, reason):
    with pytest.raises(BadPosition, match=reason):
        sphero(players=3, order="turns").read(text)


@pytest.mark.parametrize(
    "text", ["0,1", " 0,1 ", "0 , 1", "+0,+1", "-0,01", "R:0,1", " R: 0,1", "R:0 ,1\n"]
)
def test_move_texts_may_have_spaces_signs_zeros_and_a_seat_letter(text):
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
def test_invalid_move_texts_are_refused(text):
    with pytest.raises(MoveSyntax, match="2,-1"):
        sphero().start().play(text, seat=0)


@pytest.mark.parametrize(
    ("text", "reason"),
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
def test_illegal_moves_are_refused_with_the_reason(text, reason):
    with pytest.raises(IllegalMove, match=reason):
        sphero(players=6).read("R./AO").play(text, seat=0)


def test_only_the_seat_to_move_may_place_in_turns():
    game = sphero(order="turns", players=2)
    with pytest.raises(IllegalMove, match="Red's turn"):
        game.start().play("0,1", seat=1)
    with pytest.raises(IllegalMove, match="name the seat"):
        sphero().start().play("0,1")


@settings(deadline=None, max_examples=100)
@given(st.text(alphabet="RYBGPOA./ \n0x", max_size=60) | st.text(max_size=20))
def test_any_position_text_is_refused_or_round_trips(text):
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
    ("options", "reason"),
    [
        ({"players": 1}, "from 2 to 6"),
        ({"players": 7}, "from 2 to 6"),
        ({"order": "random"}, "one of anytime, turns"),
        ({"limit": -1}, "from 0 to 1000000"),
        ({"limit": 1_000_001}, "from 0 to 1000000"),
    ],
)
def test_invalid_options_are_refused(options, reason):
    with pytest.raises(BadOption, match=reason):
        sphero(**options)


@pytest.mark.parametrize("players", range(2, 7))
def test_observations_begin_with_the_seats_own_spheres(players):
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


def test_keys_depend_on_the_position_but_not_on_the_order_of_moves():
    game = sphero(order="turns", players=2)
    first = game.start().play("0,1").play("1,0").play("0,-1")
    transposed = game.start().play("0,-1").play("1,0").play("0,1")
    different = game.start().play("0,1").play("-1,0").play("0,-1")
    assert first == transposed
    states = (first, transposed, different, game.read("R./AY/R. R"))
    keys = [kernel.key(state.position) for state in states]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3


def test_evaluation_grows_with_the_number_of_spheres():
    state = sphero(players=3).read("RRYA")
    values = [state.evaluate(seat) for seat in range(3)]
    assert values[0] > 0 > values[1] > values[2] > -1


def test_evaluation_penalises_crowded_spheres():
    """Spheres that touch two of their colour are likely to become a chain."""
    row, corner, apart = (sphero(players=2).read(text) for text in ("RRRA", "RR/.A/R.", "RARYY"))
    assert row.evaluate(0) < corner.evaluate(0)
    assert row.evaluate(0) > apart.evaluate(0), "crowded spheres still count"


def test_evaluation_counts_the_sphere_still_to_be_placed_in_this_round():
    """In turns, seats that have not placed in this round yet are not behind."""
    state = sphero(players=2, order="turns").start().play("0,1")
    assert state.evaluate(0) == state.evaluate(1) == 0


def test_hiding_and_packing_keep_the_position():
    state = sphero().read("RYA")
    assert state.hidden(0, seed=3) == state
    assert sphero().unpack(state.pack()) == state


def test_the_scene_has_a_clickable_shape_for_every_move():
    state = sphero().read(long_board()).play("0,2", seat=0)
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
    steps = completion_steps(coloured(EXAMPLES[4]), "0,1")
    before, after = ({s.id: s for s in step.scene().shapes if s.id} for step in steps[1:3])
    assert before.keys() == after.keys()
    moved = [id for id in before if (before[id].x, before[id].y) != (after[id].x, after[id].y)]
    assert len(moved) == 1
    assert (before[moved[0]].cell, after[moved[0]].cell) == ("-3,0", "-2,0")


def test_the_scene_can_be_flipped_and_shows_targets():
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


def test_the_diagram_has_letters_and_dots():
    assert [line.split() for line in str(sphero().read("RY/.A")).splitlines()[:4]] == [
        ["2", "·", "·"],
        ["·", "R", "Y", "·"],
        ["0", "·", "A", "·"],
        ["·"],
    ]


@pytest.mark.parametrize(
    ("limit", "progress"),
    [
        (0, "height 2 of 20"),
        (400, "height 2 of 20, 1 of 200 placements each"),
        (401, "height 2 of 20, 2 of 401 placements"),
    ],
)
def test_progress_names_the_height_and_the_placements(limit, progress):
    state = sphero(players=2, order="turns", limit=limit).start()
    assert state.play("1,0").play("2,0").progress == progress


def test_presets_are_lengths_and_the_default_is_without_a_limit():
    presets = {preset.name: preset.values(4) for preset in rules.PRESETS.presets}
    assert presets == {"quick": {"limit": 240}, "normal": {"limit": 800}, "full": {"limit": 0}}
    assert rules.PRESETS.presets[rules.PRESETS.selected].name == "normal"
    assert sphero().options["limit"] == 0
