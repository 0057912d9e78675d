"""Wzlz: every example of its rules, and random games compared with a naive implementation."""

import random
import re
from itertools import pairwise

import numpy as np
import pytest

import quincunx as qx
from quincunx.errors import BadOption, BadPosition, IllegalMove, MoveSyntax
from quincunx.games.wzlz import rules
from tests.naive import wzlz as naive

WZLZ = qx.game("wzlz")


def position(diagram, coming="GBN", score=0, **options):
    """Returns the position of a diagram; the board has its number of rows and columns."""
    rows = diagram.split("\n")
    rows = ["".join(row.split()) for row in rows if row.strip()]
    game = qx.game("wzlz", rows=len(rows), cols=len(rows[0]), **options)
    return game.read(f"{'/'.join(rows)} {coming} {score}")


def events(state, move):
    """Returns the events of a move."""
    return [step.event for step in state.steps(move)[:-1]]


def balls(state):
    """Returns the letters of the balls on the board by the names of their cells."""
    rows = state.text.split()[0].split("/")
    return {f"{r},{c}": x for r, row in enumerate(rows) for c, x in enumerate(row) if x != "."}


# The three scenarios of the source.


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
    # The board is empty now, so the next balls come.
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


# The eight tests listed in the source.


def test_horizontal_match():
    before = WZLZ.read("C......../.....R.../" + "........./" * 6 + "RR.RR...G GBN 0")
    assert events(before, "1,5>8,2") == ["move", "clear"]
    after = before.play("1,5>8,2")
    assert after.text == "C......../" + "........./" * 7 + "........G GBN 10"
    # Four balls are not a line, nor are five of different colours.
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
    # Lines of new balls score nothing.
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
    with pytest.raises(IllegalMove, match="the game is over"):
        after.play("0,1>0,2")
    # The game goes on if a line on the full board is removed.
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
    targets = {move.split(">")[1] for move in state.moves() if move.startswith("1,1>")}
    assert targets == set()
    state = position("""
        . . R . .
        G G . G G
        . B . B .
    """)
    targets = {move.split(">")[1] for move in state.moves() if move.startswith("0,2>")}
    assert targets == {"0,0", "0,1", "0,3", "0,4", "1,2", "2,2"}


def test_only_lines_through_the_moved_ball_score():
    before = position("R R R R R\n. . . . .\nG . . . .\n. G G G G\nB . . . .")
    after = before.play("2,0>3,0")
    assert after.scores == (10.0,)
    assert set(balls(after)) == {"0,0", "0,1", "0,2", "0,3", "0,4", "4,0"}
    # Without a match, every line on the board is removed and scores nothing.
    steps = before.steps("4,0>4,1")
    assert [step.event for step in steps] == ["move", "come", "fade", ""]
    assert {"0,0", "0,1", "0,2", "0,3", "0,4"} <= set(steps[2].cells)
    assert steps[-1].scores == (0.0,)


def test_the_preview_shows_the_next_balls():
    state = WZLZ.start(seed=4)
    for _ in range(12):
        coming = state.text.split()[1]
        came = state.steps(state.moves()[0])[1]
        assert came.event == "come"
        assert "".join(balls(came)[cell] for cell in came.cells) == coming, f"\n{came}"
        state = state.play(state.moves()[0])


def test_a_match_keeps_the_preview():
    before = position("R R . R R\n. . R . C", "YCM")
    assert before.play("1,2>0,2").text == "...../....C YCM 10"


def test_new_balls_are_limited_by_the_empty_cells():
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
    # A text may contain them: they come, but are not shown.
    state = game.read(state.text.replace("-", "YYY"))
    assert state.text.split()[1] == "-"
    after = state.play(state.moves()[0])
    assert sorted(balls(after).values()) == sorted([*balls(state).values(), "Y", "Y", "Y"])


def test_hidden_keeps_the_shown_next_balls():
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
def test_the_first_balls_do_not_form_a_line(options):
    game = qx.game("wzlz", **options)
    starts = {game.start(seed).text for seed in range(20)}
    for text in starts:
        reference = naive.read(text, **game.options)
        assert len(reference.balls) == game.options["initial_balls"], text
        assert reference.all_lines() == set(), text
    assert len(starts) > 10


def test_lines98_starts_with_three_balls_and_announces_cells():
    game = qx.game("wzlz", variant="lines98")
    assert len(balls(game.start(seed=1))) == 3
    assert re.fullmatch(r"[RGBNMYC]{3}@([0-8],[0-8];?){3}", game.start(seed=1).text.split()[1])
    # Balls come on their announced cells, or on another one if that is taken.
    before = position(
        "R . . .\n. . . .\n. . B .", "RGB@2,3;0,1;2,0", variant="lines98", initial_balls=3
    )
    assert before.steps("0,0>0,3")[1].cells == ("2,3", "0,1", "2,0")
    red, green, blue = before.steps("0,0>0,1")[1].cells
    assert (red, blue) == ("2,3", "2,0")
    assert green not in ("0,1", "2,3", "2,2")


@pytest.mark.parametrize(("length", "points"), [(5, 5), (6, 12), (7, 21), (9, 45)])
def test_lines98_scores_more_per_ball_for_longer_lines(length, points):
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


def test_lines98_announces_at_most_as_many_balls_as_empty_cells():
    before = position("R G . .\nN M Y C", "RG@0,2;0,3", variant="lines98", initial_balls=3)
    assert before.play("0,1>0,2").text == f"{before.play('0,1>0,2').text.split()[0]} - 0"
    before = position("R . . B\n. . G B\nN M Y C", "R@0,1", variant="lines98", initial_balls=3)
    assert len(before.play("0,0>1,0").text.split()[1].split(";")) == 3


def test_a_ball_moves_along_a_shortest_path():
    state = position("""
        R . G . .
        . . G . .
        . . G . B
        G . . . B
    """)
    path = state.steps("0,0>0,4")[0].cells
    assert (path[0], path[-1], len(path)) == ("0,0", "0,4", 11)
    assert {"3,1", "3,2", "3,3"} <= set(path)


def test_the_score_has_a_maximum():
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
def test_a_seed_and_moves_reproduce_the_same_game(options, text):
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
    ("option", "invalid", "allowed"),
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
def test_invalid_options_are_refused_with_the_allowed_values(option, invalid, allowed):
    with pytest.raises(BadOption, match=allowed):
        qx.game("wzlz", **{option: invalid})


def test_contradicting_options_are_refused():
    with pytest.raises(BadOption, match="from 1 to 3 on a board of 2 x 2"):
        qx.game("wzlz", rows=2, cols=2)
    with pytest.raises(BadOption, match="one cell has no legal moves"):
        qx.game("wzlz", rows=1, cols=1, initial_balls=1)
    assert qx.game("wzlz", rows=2, cols=1, initial_balls=1).start(seed=1).moves()


# Position and move texts.


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "expected the rows"),
        ("R.../.... RGB", "expected the rows"),
        ("R.../.... RGB 0 0", "expected the rows"),
        ("R... RGB 0", "expected 2 rows separated by /, found 1"),
        ("R.../..../.... RGB 0", "expected 2 rows separated by /, found 3"),
        ("R.../..... RGB 0", "row 1 has 5 cells, expected 4"),
        ("R.../... RGB 0", "row 1 has 3 cells, expected 4"),
        ("R.../..4. RGB 0", r"invalid character '4' in row 1: expected . or a ball \(R G B N\)$"),
        ("r.../.... RGB 0", "invalid character 'r' in row 0"),
        ("M.../.... RGB 0", "invalid character 'M' in row 0"),
        ("..../.... RGB 0", "at least one ball"),
        ("R.../.... RG 0", "expected 3 next balls, found 2"),
        ("R.../.... RGBN 0", "expected 3 next balls, found 4"),
        ("R.../.... RGY 0", "invalid next ball 'Y': expected R G B N, or -"),
        ("R.../.... RGB@0,1;0,2;0,3 0", "only in the variant lines98"),
        ("R.../.... RGB x", "invalid score 'x'"),
        ("R.../.... RGB -1", "0 to 1000000000"),
        ("R.../.... RGB 1000000001", "0 to 1000000000"),
        ("R.../.... RGB " + "9" * 5000, "invalid score"),
        ("R.../.... RGB ٣", "invalid score"),
        ("R.../.... RGB 1_0", "invalid score"),
        ("R" * 10**6, "expected the rows"),
        ("/" * 10**6 + " RGB 0", "found 1000001"),
        ("R.../.... " + "R" * 10**6 + " 0", "found 1000000"),
        ("R.../...\x00 RGB 0", "in row 1"),
    ],
)
def test_invalid_positions_are_refused_with_the_reason(text, reason):
    game = qx.game("wzlz", rows=2, cols=4, colors_count=4, initial_balls=3)
    with pytest.raises(BadPosition) as caught:
        game.read(text)
    assert re.search(reason, caught.value.reason), caught.value


@pytest.mark.parametrize(
    ("coming", "reason"),
    [
        ("RGBN", "expected 1 to 3 next balls, found 4"),
        ("@", "expected 1 to 3 next balls, found 0"),
        ("RGB@0,1;0,2", "expected 3 cells of next balls, separated by ;, found 2"),
        ("RGB@0,1;0,2;0,3;1,1", "expected 3 cells .* found 4"),
        ("RGB@0,1;0,2;0,2", "same cell"),
        (
            "RGB@0,1;0,2;2,0",
            "invalid cell '2,0' of a next ball: expected row,column from 0,0 to 1,3",
        ),
        ("RGB@0,1;0,2;0,4", "from 0,0 to 1,3"),
        ("RGB@0,1;0,2;0", "from 0,0 to 1,3"),
        ("RGB@0,1;0,2;-1,0", "from 0,0 to 1,3"),
        ("RGB@0,1;0,2;٠,٠", "from 0,0 to 1,3"),
        ("RGB@0,1;0,2;0," + "0" * 10**5, "from 0,0 to 1,3"),
        ("RGB@" + ";" * 10**6, "found 1000001"),
    ],
)
def test_invalid_announced_cells_are_refused_with_the_reason(coming, reason):
    game = qx.game("wzlz", rows=2, cols=4, variant="lines98")
    with pytest.raises(BadPosition) as caught:
        game.read(f"R.../.... {coming} 0")
    assert re.search(reason, caught.value.reason), caught.value


def test_next_balls_missing_from_a_text_are_drawn():
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
    with pytest.raises(BadPosition, match="too few empty cells for 3 next balls"):
        lines98.read("RGBN/RGBN/R..N RGB 0")
    assert lines98.read("RGBN/RGBN/R..N - 0").text.split()[1].count(";") == 1
    assert lines98.read("RGBN/RGBN/RGBN - 0").text == "RGBN/RGBN/RGBN - 0"


INVALID_MOVES = """
    3 ; 3,4 ; 3,4> ; 3,4>4,4, ; a,b>c,d ; 3,4-4,4 ; ٣,4>4,4 ; -1,0>0,0 ; 3.0,4>4,4 ; 3,4>4,4>5,4
"""


@pytest.mark.parametrize("move", ["", "3,4\x00>4,4", ">" * 10**6, *INVALID_MOVES.split(" ; ")])
def test_invalid_move_texts_are_refused(move):
    with pytest.raises(MoveSyntax, match="such as 3,4>4,4"):
        WZLZ.start(seed=1).play(move)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("0,1>0,2", "no ball on 0,1"),
        ("0,0>0,0", "already on 0,0"),
        ("0,0>1,1", "already a ball on 1,1"),
        ("0,0>0,3", "no path .* from 0,0 to 0,3"),
        ("0,0>0,4", "no column 4: expected 0 to 3"),
        ("3,0>0,0", "no row 3: expected 0 to 2"),
        ("0,0>0," + "9" * 10**5, "no column 999999999999: expected"),
    ],
)
def test_illegal_moves_are_refused_with_the_reason(move, reason):
    state = position("R . G .\n. B G .\n. . G N")
    with pytest.raises(IllegalMove, match=reason):
        state.play(move)


def test_move_texts_may_have_spaces_and_leading_zeros():
    state = position("R . G .\n. B G .\n. . G N")
    assert state.play(" 0,0 > 0 , 1\n") == state.play("0,0>0,1") == state.play("00,0>0,01")
    assert state.move(state.action("0, 0> 0,1")) == "0,0>0,1"


# Comparison with the naive implementation.

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
    "many balls per turn": {"rows": 4, "cols": 5, "balls_per_turn": 16, **SHORT},
    "large": {"rows": 16, "cols": 16, "initial_balls": 100, "balls_per_turn": 16},
    "wide": {"rows": 3, "cols": 16, "match_length": 4, "colors_count": 4, "initial_balls": 12},
}


@pytest.mark.parametrize("name", GAMES)
def test_random_games_agree_with_the_naive_implementation(name):
    game = qx.game("wzlz", **GAMES[name])
    plies = {"large": 10, "standard": 150, "hidden": 60, "lines98": 100}.get(name, 250)
    events_seen = compare(game, plies)
    assert {"move", "come"} <= events_seen
    if "short" in name or name == "many balls per turn":
        assert {"clear", "fade"} <= events_seen


@pytest.mark.modes
@pytest.mark.parametrize(
    ("name", "plies"),
    [("standard", 4), ("hidden", 2), ("short lines", 20), ("lines98, short lines", 20)],
)
def test_short_games_agree_in_all_modes(name, plies):
    assert {"move", "come"} <= compare(qx.game("wzlz", **GAMES[name]), plies)


def compare(game, plies):
    """Compares games with the naive implementation; returns the events that occurred."""
    events_seen = set()
    played = seed = 0
    while played < plies:
        rng = random.Random(seed)
        state = game.start(seed)
        reference = naive.read(state.text, **game.options)
        seed += 1
        while not state.over and played < plies:
            assert_same(state, reference)
            move = random_or_good_move(state, rng)
            steps = state.steps(move)
            events_seen |= {step.event for step in steps}
            assert list(steps[0].cells) == shortest(reference, move, steps[0].cells), (
                f"{move}\n{state}"
            )
            reference = reference.play(move, chance=random_outcomes(steps))
            for step in steps:
                if balls(step):
                    assert game.read(step.text).text == step.text
            state = state.play(move)
            played += 1
        assert_same(state, reference)
    return events_seen


def test_boards_with_lines_agree_with_the_naive_implementation():
    game = qx.game("wzlz", rows=5, cols=5, match_length=3, colors_count=3)
    rng = random.Random(5)
    sequences = set()
    for seed in range(150):
        board = "/".join("".join(rng.choices("RGB...", k=5)) for _ in range(5))
        if not set(board) & set("RGB"):
            continue
        state = game.read(f"{board} RGB 0", seed)
        reference = naive.read(state.text, **game.options)
        for _ in range(4):
            if state.over:
                break
            assert_same(state, reference)
            move = rng.choice(state.moves())
            steps = state.steps(move)
            sequences.add(" ".join(step.event for step in steps).strip())
            state, reference = state.play(move), reference.play(move, chance=random_outcomes(steps))
        assert_same(state, reference)
    assert {"move clear", "move come", "move come fade"} <= sequences


def test_positions_with_the_most_moves_and_the_most_regions():
    # Columns of balls between columns of empty cells, which are connected by the last row.
    rows = ["R.G.B.N.R.G.B.N."] * 15 + ["." * 16]
    game = qx.game("wzlz", rows=16, cols=16)
    state = game.read("/".join(rows) + " RGB 0")
    assert len(state.moves()) == 120 * 136
    assert state.moves() == naive.read(state.text, **game.options).moves()
    # A checkerboard has the most regions: no two empty cells touch.
    rows = ["R." * 8, ".R" * 8] * 8
    state = game.read("/".join(rows) + " RGB 0")
    assert state.moves() == naive.read(state.text, **game.options).moves()


@pytest.mark.modes
@pytest.mark.parametrize("variant", ["wzlz", "lines98"])
@pytest.mark.parametrize("shown", [True, False])
def test_observations(variant, shown):
    game = qx.game("wzlz", rows=3, cols=4, variant=variant, show_next_balls=shown)
    state = game.start(seed=5)
    planes = state.observe(0)
    assert planes.shape == (14, 3, 4)
    expected = np.zeros(planes.shape, np.float32)
    for cell, letter in naive.read(state.text, **game.options).balls.items():
        expected[(rules.BALL_LETTERS.index(letter), *cell)] = 1
    for each in preview(state.position) if shown else ():
        if variant == "lines98":
            (row, col), letter = each
            expected[7 + rules.BALL_LETTERS.index(letter), row, col] += 1
        else:
            expected[7 + rules.BALL_LETTERS.index(each)] += np.float32(1 / 12)
    assert planes == pytest.approx(expected), f"\n{state}"


def random_or_good_move(state, rng):
    """Returns a random move or the best of ten, since random moves rarely clear a line."""
    moves = state.moves()
    if rng.random() < 0.5:
        return rng.choice(moves)
    candidates = rng.sample(moves, min(10, len(moves)))
    return max(candidates, key=lambda move: state.play(move).evaluate(0))


def shortest(reference, move, path):
    """Returns the path itself if it is a shortest one for the move, otherwise the naive path."""
    cells = [naive.read_cell(name) for name in path]
    connected = all(
        step in naive.neighbours(cell) and step in reference.empty for cell, step in pairwise(cells)
    )
    ends = [cells[0], cells[-1]] == list(naive.read_move(move))
    expected = reference.path(move)
    return list(path) if connected and ends and len(cells) == len(expected) else expected


def random_outcomes(steps):
    """Returns what chance decided in a move: the balls that came, the next preview, and so on."""
    outcomes = []
    for i, step in enumerate(steps):
        if step.event != "come":
            continue
        outcomes.append([(naive.read_cell(cell), balls(step)[cell]) for cell in step.cells])
        # The preview is unchanged until the next balls come.
        last = next(after for after in steps[i + 1 :] if after.event in ("come", ""))
        outcomes.append(preview(last.position))
    return outcomes


def preview(s):
    """Returns the next balls, shown or not, in the form that the naive `with_preview` takes."""
    letters = [rules.BALL_LETTERS[colour - 1] for colour in s.coming_colour[: s.coming]]
    if not s.lines98:
        return letters
    cells = [divmod(int(number), int(s.cols)) for number in s.coming_cell[: s.coming]]
    return list(zip(cells, letters, strict=True))


def assert_same(state, reference):
    """Fails with a diagram if the state and the naive position differ."""
    assert state.text == reference.text, f"\n{state}"
    for name in ("turn", "over", "scores", "winners"):
        assert getattr(state, name) == getattr(reference, name), f"{name}\n{state}"
    assert state.moves() == reference.moves(), f"\n{state}"
