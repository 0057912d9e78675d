"""Wzlz: every example of its rules, and random games against the naive twin."""

import random
import re
from itertools import pairwise

import pytest

import quincunx as qx
from quincunx.errors import BadOption, BadPosition, IllegalMove, MoveSyntax
from quincunx.games.wzlz import rules
from tests.naive import wzlz as naive

WZLZ = qx.game("wzlz")


def position(diagram, coming="GBN", score=0, **options):
    """The position of a diagram as the seed draws it: a board with as many rows and columns."""
    rows = diagram.split("\n")
    rows = ["".join(row.split()) for row in rows if row.strip()]
    game = qx.game("wzlz", rows=len(rows), cols=len(rows[0]), **options)
    return game.read(f"{'/'.join(rows)} {coming} {score}")


def events(state, move):
    """What happens in a play, one word after the other."""
    return [step.event for step in state.steps(move)[:-1]]


def balls(state):
    """The letter of the ball on each cell that has one, by the cell's name."""
    rows = state.text.split()[0].split("/")
    return {f"{r},{c}": x for r, row in enumerate(rows) for c, x in enumerate(row) if x != "."}


# The seed's three scenarios.


def test_scenario_1_simple_horizontal_match():
    before = position("""
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . R . . . .
        R R R R . . . . .
    """)
    moved, cleared, came, done = before.steps("3,4>4,4")
    assert (moved.event, moved.cells) == ("move", ("3,4", "4,4"))
    assert (cleared.event, cleared.scores) == ("clear", (10.0,))
    assert cleared.cells == ("4,0", "4,1", "4,2", "4,3", "4,4")
    assert balls(cleared) == {}
    # The board as drawn is empty now, so that the next balls come.
    assert came.event == "come"
    assert sorted(balls(done).values()) == ["B", "G", "N"]
    assert done == before.play("3,4>4,4")
    assert done.scores == (10.0,)


def test_scenario_2_cross_pattern():
    before = position("""
        . . Y . . . . . .
        . . Y . . . . . .
        . . Y . . . . . .
        . . Y . . . . . .
        Y Y . Y Y . . . .
        . . . . . Y . . .
    """)
    cleared = before.steps("5,5>4,2")[1]
    assert (cleared.event, cleared.scores, len(cleared.cells)) == ("clear", (18.0,), 9)
    assert balls(cleared) == {}


def test_scenario_3_auto_match_no_points():
    diagram = """
        . . . . . . . . .
        B . . . . . . . .
        . . . . . . . . .
        R R R R . . . . .
    """
    game = position(diagram).game
    text = position(diagram, "RGB").text
    for seed in range(1000):
        steps = game.read(text, seed).steps("1,0>1,1")
        if steps[1].cells[0] == "3,4":
            break
    moved, came, faded, done = steps
    assert (moved.event, came.event, faded.event) == ("move", "come", "fade")
    assert faded.cells == ("3,0", "3,1", "3,2", "3,3", "3,4")
    assert done.scores == (0.0,)
    assert sorted(balls(done).values()) == ["B", "B", "G"]
    assert balls(done)["1,1"] == "B"


# The seed's list of eight tests.


def test_horizontal_match():
    before = WZLZ.read("C......../.....R.../" + "........./" * 6 + "RR.RR...G GBN 0")
    assert events(before, "1,5>8,2") == ["move", "clear"]
    after = before.play("1,5>8,2")
    assert after.text == "C......../" + "........./" * 7 + "........G GBN 10"
    # Four are not enough, and the colour counts.
    assert events(before, "1,5>7,2") == events(before, "8,8>8,2") == ["move", "come"]


def test_vertical_match():
    after = position("R .\nR .\n. R\nR .\nR C").play("2,1>2,0")
    assert (balls(after), after.scores) == ({"4,1": "C"}, (10.0,))


def test_diagonal_match():
    after = position("R . . . .\n. R . . .\n. . . R .\n. . . R .\nC . . . R").play("2,3>2,2")
    assert (balls(after), after.scores) == ({"4,0": "C"}, (10.0,))
    after = position("C . . . R\n. . . R .\n. . . R .\n. R . . .\nR . . . .").play("2,3>2,2")
    assert (balls(after), after.scores) == ({"0,0": "C"}, (10.0,))


@pytest.mark.parametrize(("length", "points"), [(5, 10), (6, 12), (7, 14), (8, 16), (9, 18)])
def test_scoring(length, points):
    row = "R" * (length - 1) + "."
    after = position(f"{row:.<9}\n{'R':.>{length}}{'':.<{9 - length}}\nC........").play(
        f"1,{length - 1}>0,{length - 1}"
    )
    assert (balls(after), after.scores) == ({"2,0": "C"}, (float(points),))


def test_auto_match():
    # Whatever the balls that come do, they score nothing.
    before = position("R R . R .\n. . . . .\nG . . . .", "R", balls_per_turn=1, match_length=4)
    faded = 0
    for seed in range(60):
        state = before.game.read(before.text, seed)
        after = state.play("2,0>2,1")
        faded += events(state, "2,0>2,1") == ["move", "come", "fade"]
        assert after.scores == (0.0,)
    assert faded


def test_longer_match():
    after = position("R R R . R R R\n. . . R . . C").play("1,3>0,3")
    assert (balls(after), after.scores) == ({"1,6": "C"}, (14.0,))


def test_multiple_match():
    before = WZLZ.read(
        "........./..Y...Y../...Y.Y.../........./...Y.Y.../..Y...Y../........./....Y..../"
        "........C RGB 10"
    )
    after = before.play("7,4>3,4")
    assert (balls(after), after.scores) == ({"8,8": "C"}, (28.0,))


def test_game_over():
    before = position("R G . B\nN M Y C", coming="R", balls_per_turn=1)
    after = before.play("0,1>0,2")
    assert after.over
    assert (after.turn, after.moves(), after.winners) == (None, [], ())
    assert "board is full" in after.status
    with pytest.raises(IllegalMove, match="over"):
        after.play("0,1>0,2")
    # A full board with a line is not over, because the line goes.
    before = position("R B R\nG . Y", "R", match_length=3, balls_per_turn=1)
    assert events(before, "0,1>1,1") == ["move", "come", "fade"]
    after = before.play("0,1>1,1")
    assert not after.over
    assert after.text.startswith(".../GBY ")


# The rulings.


def test_a_ball_reaches_all_empty_regions_it_touches():
    state = position("""
        . G . . B
        G R G B .
        . G . B .
        B B . B .
    """)
    reached = {move.split(">")[1] for move in state.moves() if move.startswith("1,1>")}
    assert reached == set()
    state = position("""
        . . R . .
        G G . G G
        . B . B .
    """)
    reached = {move.split(">")[1] for move in state.moves() if move.startswith("0,2>")}
    assert reached == {"0,0", "0,1", "0,3", "0,4", "1,2", "2,2"}


def test_only_lines_through_the_moved_ball_score():
    before = position("R R R R R\n. . . . .\nG . . . .\n. G G G G\nB . . . .")
    after = before.play("2,0>3,0")
    assert after.scores == (10.0,)
    assert set(balls(after)) == {"0,0", "0,1", "0,2", "0,3", "0,4", "4,0"}
    # Without a match, every line on the whole board goes, for nothing.
    steps = before.steps("4,0>4,1")
    assert [step.event for step in steps] == ["move", "come", "fade", ""]
    assert {"0,0", "0,1", "0,2", "0,3", "0,4"} <= set(steps[2].cells)
    assert steps[-1].scores == (0.0,)


def test_the_preview_shows_the_balls_that_come():
    state = WZLZ.start(seed=4)
    for _ in range(12):
        coming = state.text.split()[1]
        came = state.steps(state.moves()[0])[1]
        assert came.event == "come"
        assert "".join(balls(came)[cell] for cell in came.cells) == coming, f"\n{came}"
        state = state.play(state.moves()[0])


def test_after_a_match_the_preview_stays():
    before = position("R R . R R\n. . R . C", "YCM")
    assert before.play("1,2>0,2").text == "...../....C YCM 10"


def test_as_many_balls_come_as_fit():
    before = position("R G . .\nN M Y C", "RGB")
    after = before.play("0,1>0,2")
    assert after.over
    assert sorted(balls(after).values()) == sorted("RGNMYC" + "RG")


def test_the_next_balls_can_be_hidden():
    game = qx.game("wzlz", show_next_balls=False)
    state = game.start(seed=3)
    assert state.text.split()[1] == "-"
    move = state.moves()[0]
    assert len(balls(state.play(move))) == 8
    came = {
        tuple(balls(state.hidden(0, seed).play(move))[cell] for cell in cells)
        for seed in range(9)
        for cells in [state.hidden(0, seed).steps(move)[1].cells]
    }
    assert len(came) > 1
    # A text may know them; they come, but are not shown.
    state = game.read(state.text.replace("-", "YYY"))
    assert state.text.split()[1] == "-"
    after = state.play(state.moves()[0])
    assert sorted(balls(after).values()) == sorted([*balls(state).values(), "Y", "Y", "Y"])


def test_shown_balls_stay_when_the_future_is_hidden():
    state = WZLZ.start(seed=3)
    move = state.moves()[0]
    hidden = [state.hidden(0, seed) for seed in range(9)]
    assert {h.text for h in hidden} == {state.text}
    assert len({h.play(move).text for h in hidden}) > 1


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"rows": 3, "cols": 1, "initial_balls": 2, "match_length": 3},
        {"rows": 4, "cols": 4, "initial_balls": 15, "match_length": 3, "colors_count": 3},
        {"rows": 16, "cols": 16, "initial_balls": 255, "match_length": 3, "colors_count": 3},
        {"rows": 1, "cols": 16, "initial_balls": 15, "match_length": 3, "colors_count": 3},
        {"rows": 9, "cols": 5, "initial_balls": 30, "match_length": 3, "colors_count": 7},
        {"variant": "lines98", "initial_balls": 80, "match_length": 4, "colors_count": 4},
    ],
)
def test_the_first_balls_form_no_line(options):
    game = qx.game("wzlz", **options)
    starts = {game.start(seed).text for seed in range(20)}
    for text in starts:
        twin = naive.read(text, **game.options)
        assert len(twin.balls) == game.options["initial_balls"], text
        assert twin.all_lines() == set(), text
    assert len(starts) > 10


def test_lines98():
    game = qx.game("wzlz", variant="lines98")
    assert len(balls(game.start(seed=1))) == 3
    assert re.fullmatch(r"[RGBNMYC]{3}@([0-8],[0-8];?){3}", game.start(seed=1).text.split()[1])
    # Balls come on their announced cells, and elsewhere where one has been taken.
    before = position(
        "R . . .\n. . . .\n. . B .", "RGB@2,3;0,1;2,0", variant="lines98", initial_balls=3
    )
    assert before.steps("0,0>0,3")[1].cells == ("2,3", "0,1", "2,0")
    red, green, blue = before.steps("0,0>0,1")[1].cells
    assert (red, blue) == ("2,3", "2,0")
    assert green not in ("0,1", "2,3", "2,2")


@pytest.mark.parametrize(("length", "points"), [(5, 5), (6, 12), (7, 21), (9, 45)])
def test_lines98_scores_more_for_more(length, points):
    row = "R" * (length - 1) + "."
    before = position(
        f"{row:.<9}\n{'R':.>{length}}{'':.<{9 - length}}\nC........", "R@2,8", variant="lines98"
    )
    after = before.play(f"1,{length - 1}>0,{length - 1}")
    assert after.scores == (float(points),)
    assert after.text.split()[1] == "R@2,8"


def test_lines98_scores_lines_of_new_balls():
    before = position("R R R R .\n. . . . .\n. . B . .", "RGB@0,4;1,0;2,0", variant="lines98")
    steps = before.steps("2,2>2,3")
    assert [step.event for step in steps] == ["move", "come", "fade", ""]
    assert steps[-1].scores == (5.0,)


def test_lines98_with_short_lines_can_cost_points():
    before = position("R R . R\n. . . B", "R@1,0", variant="lines98", match_length=3)
    after = before.play("0,3>0,2")
    assert after.text == "..../...B R@1,0 -3"
    assert after.game.read(after.text) == after


def test_lines98_announces_no_more_balls_than_there_are_empty_cells():
    before = position("R G . .\nN M Y C", "RG@0,2;0,3", variant="lines98", initial_balls=3)
    assert before.play("0,1>0,2").text == f"{before.play('0,1>0,2').text.split()[0]} - 0"
    before = position("R . . B\n. . G B\nN M Y C", "R@0,1", variant="lines98", initial_balls=3)
    assert len(before.play("0,0>1,0").text.split()[1].split(";")) == 3


def test_the_way_of_a_ball_is_a_shortest_one():
    state = position("""
        R . G . .
        . . G . .
        . . G . B
        G . . . B
    """)
    way = state.steps("0,0>0,4")[0].cells
    assert (way[0], way[-1], len(way)) == ("0,0", "0,4", 11)
    assert {"3,1", "3,2", "3,3"} <= set(way)


def test_a_score_has_an_end():
    state = position("R R . R R\n. . R . C", score=10**9 - 1).play("1,2>0,2")
    assert state.text.split()[2] == "1000000000"
    assert state.game.read(state.text) == state


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (
            {},
            "CNMC.C..B/...BYG..M/NM.MYCM.N/CC.R.R.G./BC.GY..../.NCCMC.../..C..R.CB/B.NY.MGMY/"
            "NRGNBRB.B BRY 0",
        ),
        (
            {"variant": "lines98", "show_next_balls": False, "rows": 7, "cols": 11},
            "BMN.G...N.M/RRR..G.RCMN/B....CGN..B/G.N.B..CGC./M.G..N...BY/Y..B.RBRYYR/CMYYG.YBNBM"
            " - 0",
        ),
    ],
)
def test_a_seed_and_the_moves_give_the_same_game_everywhere(options, text):
    state = qx.game("wzlz", **options).start(seed=2026)
    for i in range(15):
        actions = state.actions()
        state = state.act(actions[i * 97 % len(actions)])
    assert state.text == text


# Options.


def test_defaults():
    assert dict(WZLZ.options) == {
        "rows": 9,
        "cols": 9,
        "colors_count": 7,
        "match_length": 5,
        "balls_per_turn": 3,
        "initial_balls": 5,
        "show_next_balls": True,
        "variant": "wzlz",
    }
    assert qx.game("wzlz", variant="lines98").options["initial_balls"] == 3
    assert qx.game("wzlz", variant="lines98", initial_balls=5).options["initial_balls"] == 5
    state = WZLZ.start(seed=1)
    assert (len(balls(state)), len(state.text.split()[1]), state.turn) == (5, 3, 0)


@pytest.mark.parametrize(
    ("option", "wrong", "allowed"),
    [
        *[("rows", value, "from 1 to 16") for value in (0, 17, -1, "nine", 9.0, None, True)],
        *[("cols", value, "from 1 to 16") for value in (0, 17, "", 1e9)],
        *[("colors_count", value, "from 3 to 7") for value in (2, 8, "7.0")],
        *[("match_length", value, "from 3 to 16") for value in (2, 17)],
        *[("balls_per_turn", value, "from 1 to 16") for value in (0, 17)],
        *[("initial_balls", value, "from 1 to 255") for value in (0, 256)],
        *[("initial_balls", value, "from 1 to 80 on a board of 9 x 9") for value in (81, 255)],
        *[("show_next_balls", value, "true or false") for value in ("maybe", 2, None)],
        *[("variant", value, "wzlz, lines98") for value in ("lines99", "", 1)],
        ("color_count", 7, "did you mean colors_count"),
    ],
)
def test_wrong_options_say_what_is_right(option, wrong, allowed):
    with pytest.raises(BadOption, match=allowed):
        qx.game("wzlz", **{option: wrong})


def test_options_must_fit_each_other():
    with pytest.raises(BadOption, match="from 1 to 3 on a board of 2 x 2"):
        qx.game("wzlz", rows=2, cols=2)
    with pytest.raises(BadOption, match="one cell has no room to move"):
        qx.game("wzlz", rows=1, cols=1, initial_balls=1)
    assert qx.game("wzlz", rows=2, cols=1, initial_balls=1).start(seed=1).moves()


# Texts.


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "write the rows"),
        ("R.../.... RGB", "write the rows"),
        ("R.../.... RGB 0 0", "write the rows"),
        ("R... RGB 0", "2 rows with / between, here are 1"),
        ("R.../..../.... RGB 0", "2 rows with / between, here are 3"),
        ("R.../..... RGB 0", "row 1 has 5 cells instead of 4"),
        ("R.../... RGB 0", "row 1 has 3 cells instead of 4"),
        ("R.../..4. RGB 0", "row 1 has '4': use . and the balls R G B N$"),
        ("r.../.... RGB 0", "row 0 has 'r'"),
        ("M.../.... RGB 0", "row 0 has 'M'"),
        ("..../.... RGB 0", "at least one ball"),
        ("R.../.... RG 0", "3 balls come next, here are 2"),
        ("R.../.... RGBN 0", "3 balls come next, here are 4"),
        ("R.../.... RGY 0", "next balls have 'Y': use R G B N, or -"),
        ("R.../.... RGB@0,1;0,2;0,3 0", "only in the variant lines98"),
        ("R.../.... RGB x", "the score is 'x'"),
        ("R.../.... RGB -1", "0 to 1000000000"),
        ("R.../.... RGB 1000000001", "0 to 1000000000"),
        ("R.../.... RGB " + "9" * 5000, "the score is"),
        ("R.../.... RGB ٣", "the score is"),
        ("R.../.... RGB 1_0", "the score is"),
        ("R" * 10**6, "write the rows"),
        ("/" * 10**6 + " RGB 0", "here are 1000001"),
        ("R.../.... " + "R" * 10**6 + " 0", "here are 1000000"),
        ("R.../...\x00 RGB 0", "row 1 has"),
    ],
)
def test_bad_positions_say_why(text, reason):
    game = qx.game("wzlz", rows=2, cols=4, colors_count=4, initial_balls=3)
    with pytest.raises(BadPosition) as caught:
        game.read(text)
    assert re.search(reason, caught.value.reason), caught.value


@pytest.mark.parametrize(
    ("coming", "reason"),
    [
        ("RGBN", "1 to 3 balls come next, here are 4"),
        ("@", "1 to 3 balls come next, here are 0"),
        ("RGB@0,1;0,2", "3 next balls have 2 cells"),
        ("RGB@0,1;0,2;0,3;1,1", "3 next balls have 4 cells"),
        ("RGB@0,1;0,2;0,2", "same cell"),
        ("RGB@0,1;0,2;2,0", "'2,0': write row and column, from 0,0 to 1,3"),
        ("RGB@0,1;0,2;0,4", "from 0,0 to 1,3"),
        ("RGB@0,1;0,2;0", "from 0,0 to 1,3"),
        ("RGB@0,1;0,2;-1,0", "from 0,0 to 1,3"),
        ("RGB@0,1;0,2;٠,٠", "from 0,0 to 1,3"),
        ("RGB@0,1;0,2;0," + "0" * 10**5, "from 0,0 to 1,3"),
        ("RGB@" + ";" * 10**6, "3 next balls have 1000001 cells"),
    ],
)
def test_bad_announced_cells_say_why(coming, reason):
    game = qx.game("wzlz", rows=2, cols=4, variant="lines98")
    with pytest.raises(BadPosition) as caught:
        game.read(f"R.../.... {coming} 0")
    assert re.search(reason, caught.value.reason), caught.value


def test_what_a_text_leaves_open_is_drawn():
    text = "R.../..../.... - 4"
    game = qx.game("wzlz", rows=3, cols=4)
    drawn = {game.read(text, seed).text.split()[1] for seed in range(20)}
    assert len(drawn) > 10
    assert all(re.fullmatch("[RGBNMYC]{3}", coming) for coming in drawn)
    assert game.read(text, 5) == game.read(text, 5)
    lines98 = game.configured(variant="lines98")
    drawn = {lines98.read(text.replace("-", "RGB"), seed).text.split()[1] for seed in range(20)}
    assert len(drawn) > 10
    for coming in drawn:
        letters, cells = coming.split("@")
        assert letters == "RGB"
        assert len({*cells.split(";")} - {"0,0"}) == 3
    with pytest.raises(BadPosition, match="not 3 empty cells"):
        lines98.read("RGBN/RGBN/R..N RGB 0")
    assert lines98.read("RGBN/RGBN/R..N - 0").text.split()[1].count(";") == 1
    assert lines98.read("RGBN/RGBN/RGBN - 0").text == "RGBN/RGBN/RGBN - 0"


NO_MOVES = """
    3 ; 3,4 ; 3,4> ; 3,4>4,4, ; a,b>c,d ; 3,4-4,4 ; ٣,4>4,4 ; -1,0>0,0 ; 3.0,4>4,4 ; 3,4>4,4>5,4
"""


@pytest.mark.parametrize("move", ["", "3,4\x00>4,4", ">" * 10**6, *NO_MOVES.split(" ; ")])
def test_what_is_not_a_move(move):
    with pytest.raises(MoveSyntax, match="as in 3,4>4,4"):
        WZLZ.start(seed=1).play(move)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("0,1>0,2", "no ball on 0,1"),
        ("0,0>0,0", "already"),
        ("0,0>1,1", "ball on 1,1 already"),
        ("0,0>0,3", "no way from 0,0 to 0,3"),
        ("0,0>0,4", "no column 4, only 0 to 3"),
        ("3,0>0,0", "no row 3, only 0 to 2"),
        ("0,0>0," + "9" * 10**5, "no column 999999999999, only"),
    ],
)
def test_illegal_moves_say_why(move, reason):
    state = position("R . G .\n. B G .\n. . G N")
    with pytest.raises(IllegalMove, match=reason):
        state.play(move)


def test_moves_may_have_blanks():
    state = position("R . G .\n. B G .\n. . G N")
    assert state.play(" 0,0 > 0 , 1\n") == state.play("0,0>0,1") == state.play("00,0>0,01")
    assert state.move(state.action("0, 0> 0,1")) == "0,0>0,1"


# Against the twin.

SHORT = {"match_length": 3, "colors_count": 3}
GAMES = {
    "standard": {},
    "hidden": {"show_next_balls": False},
    "lines98": {"variant": "lines98"},
    "lines98, hidden": {"variant": "lines98", "show_next_balls": False},
    "short lines": {"rows": 5, "cols": 6, **SHORT},
    "lines98, short lines": {
        "rows": 6,
        "cols": 5,
        "variant": "lines98",
        "balls_per_turn": 2,
        **SHORT,
    },
    "tiny": {"rows": 1, "cols": 4, "initial_balls": 2, **SHORT},
    "lines98, tiny": {"rows": 2, "cols": 3, "variant": "lines98", **SHORT},
    "a flood": {"rows": 4, "cols": 5, "balls_per_turn": 16, **SHORT},
    "large": {"rows": 16, "cols": 16, "initial_balls": 100, "balls_per_turn": 16},
    "wide": {"rows": 3, "cols": 16, "match_length": 4, "colors_count": 4, "initial_balls": 12},
}


@pytest.mark.parametrize("name", GAMES)
def test_random_games_against_the_twin(name):
    game = qx.game("wzlz", **GAMES[name])
    plies = {"large": 10, "standard": 150, "hidden": 60, "lines98": 100}.get(name, 250)
    seen = set()
    played = seed = 0
    while played < plies:
        dice = random.Random(seed)
        state = game.start(seed)
        twin = naive.read(state.text, **game.options)
        seed += 1
        while not state.over and played < plies:
            assert_same(state, twin)
            move = some_move(state, dice)
            steps = state.steps(move)
            seen |= {step.event for step in steps}
            assert list(steps[0].cells) == shortest(twin, move, steps[0].cells), f"{move}\n{state}"
            twin = twin.play(move, chance=chance(steps))
            for step in steps:
                if balls(step):
                    assert game.read(step.text).text == step.text
            state = state.play(move)
            played += 1
        assert_same(state, twin)
    assert {"move", "come"} <= seen
    if "short" in name or name == "a flood":
        assert {"clear", "fade"} <= seen


def test_boards_with_lines_against_the_twin():
    game = qx.game("wzlz", rows=5, cols=5, match_length=3, colors_count=3)
    dice = random.Random(5)
    seen = set()
    for seed in range(150):
        board = "/".join("".join(dice.choices("RGB...", k=5)) for _ in range(5))
        if not set(board) & set("RGB"):
            continue
        state = game.read(f"{board} RGB 0", seed)
        twin = naive.read(state.text, **game.options)
        for _ in range(4):
            if state.over:
                break
            assert_same(state, twin)
            move = dice.choice(state.moves())
            steps = state.steps(move)
            seen.add(" ".join(step.event for step in steps).strip())
            state, twin = state.play(move), twin.play(move, chance=chance(steps))
        assert_same(state, twin)
    assert {"move clear", "move come", "move come fade"} <= seen


def test_most_moves_a_position_can_have():
    # Columns of balls between columns of empty cells, which meet in the last row.
    rows = ["R.G.B.N.R.G.B.N."] * 15 + ["." * 16]
    game = qx.game("wzlz", rows=16, cols=16)
    state = game.read("/".join(rows) + " RGB 0")
    assert len(state.moves()) == 120 * 136
    assert state.moves() == naive.read(state.text, **game.options).moves()
    # No cell is beside another: as many regions as there can be.
    rows = ["R." * 8, ".R" * 8] * 8
    state = game.read("/".join(rows) + " RGB 0")
    assert state.moves() == naive.read(state.text, **game.options).moves()


def some_move(state, dice):
    """A random move, or the best of some: random games alone seldom clear a line."""
    moves = state.moves()
    if dice.random() < 0.5:
        return dice.choice(moves)
    some = dice.sample(moves, min(10, len(moves)))
    return max(some, key=lambda move: state.play(move).evaluate(0))


def shortest(twin, move, way):
    """The way itself if it is as short as the twin's and goes from empty cell to empty cell."""
    cells = [naive.read_cell(name) for name in way]
    sound = all(step in naive.sides(cell) and step in twin.empty for cell, step in pairwise(cells))
    ends = [cells[0], cells[-1]] == list(naive.read_move(move))
    return list(way) if sound and ends and len(cells) == len(twin.path(move)) else twin.path(move)


def chance(steps):
    """What the twin must be told: the balls that came, then the next preview, and so on."""
    told = []
    for i, step in enumerate(steps):
        if step.event != "come":
            continue
        told.append([(naive.read_cell(cell), balls(step)[cell]) for cell in step.cells])
        # A preview stands until the balls of the next one have come.
        later = next(after for after in steps[i + 1 :] if after.event in ("come", ""))
        told.append(preview(later._s))
    return told


def preview(s):
    """The next balls of a record, hidden or not, as the twin takes them."""
    letters = [rules.BALLS[colour - 1] for colour in s.coming_colour[: s.coming]]
    if not s.lines98:
        return letters
    cells = [divmod(int(number), int(s.cols)) for number in s.coming_cell[: s.coming]]
    return list(zip(cells, letters, strict=True))


def assert_same(state, twin):
    """Fails with a picture if kernel and twin see different positions."""
    assert state.text == twin.text, f"\n{state}"
    for name in ("turn", "over", "scores", "winners"):
        assert getattr(state, name) == getattr(twin, name), f"{name}\n{state}"
    assert state.moves() == twin.moves(), f"\n{state}"
