"""The guides: fixed headings, correct options, valid examples and up-to-date pictures.

Under "Texts" a guide has examples, one per line: `- position: `...`` is a valid position, with
options as in `- position (pawns=4): `...``, and every `- move: `...`` is legal in the position
above it.
"""

import re
from pathlib import Path

import pytest

import quincunx as qx
from quincunx.draw.scene import Label, Line
from quincunx.guide import guide_path, guide_text, rules_text
from quincunx.guide.examples import parse_examples
from quincunx.guide.pictures import parse_pictures, pictures, write_pictures
from quincunx.registry import BUILT_IN
from quincunx.testing import Fault
from quincunx.testing.guide import check_guide

ROOT = Path(__file__).parents[1]
HEADINGS = ["Board", "Play", "End", "Options", "Texts", "Points the original rules leave open"]
EXAMPLE_LINE = re.compile(r"^- (position|move)(?: \(([^)]*)\))?: `([^`]+)`", re.MULTILINE)
OPTION_ROW = re.compile(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| [^|]+ \|$", re.MULTILINE)


def section(name, heading):
    """Returns the section of a game's guide under a heading."""
    return guide_text(name).split(f"\n## {heading}\n")[1].split("\n## ")[0]


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_guide_has_the_fixed_headings(name):
    text = guide_text(name)
    assert text.startswith(f"# {qx.game(name).title}\n")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == HEADINGS


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_option_table_matches_the_rules(name):
    def values(option):
        if option.choices:
            return ", ".join(option.choices)
        if isinstance(option.default, bool):
            return "true, false"
        return (
            "".join(f"{value}, " for value in option.extra_values)
            + f"{option.low} to {option.high}"
        )

    rules = qx.game(name).parts.rules
    expected = [(o.name, values(o), str(o.default).lower()) for o in rules.OPTIONS]
    assert OPTION_ROW.findall(section(name, "Options")) == expected


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_example_positions_and_moves_are_valid(name):
    state, kinds = None, []
    for kind, options, text in EXAMPLE_LINE.findall(section(name, "Texts")):
        kinds.append(kind)
        if kind == "position":
            given = dict(option.split("=") for option in options.split())
            state = qx.game(name, **given).read(text)
            assert state.game.read(state.text) == state
        else:
            assert state.play(text).ply == state.ply + 1
    assert kinds.count("position") >= 2
    assert kinds.count("move") >= 2


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_guide_describes_its_pictures(name):
    links = re.findall(r"!\[([^\]]+)\]\(([^)]+)\)", guide_text(name))
    assert links[0][1] == "pictures/board.svg"
    for description, link in links:
        assert len(description) > 20, "screen readers need a description of the picture"
        assert (guide_path(name).parent / link).is_file(), link


def test_every_example_and_picture_of_a_guide_is_valid(any_game):
    check_guide(any_game)


def test_every_picture_is_up_to_date(any_game):
    folder = guide_path(any_game.name).parent
    drawn = {picture.file: picture.svg() for picture in pictures(any_game.name)}
    outdated = [name for name in drawn if (folder / name).read_text() != drawn[name]]
    assert not outdated, "run `make pictures` and check the pictures: rules or layouts changed"


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_picture_file_belongs_to_the_guide(name):
    files = {f"pictures/{path.name}" for path in (guide_path(name).parent / "pictures").iterdir()}
    assert files == {picture.file for picture in pictures(name) if picture.boards}


TITLE = "# Quorum\n\n"
FIRST = "4BBBB/5BBB/6BB/7B/W7/WW6/WWW5/WWWW4 w"


def picture_of(comment):
    """Returns the picture of Quorum that a comment describes."""
    (picture,) = parse_pictures("quorum", f"![a board](x.svg)\n<!-- picture{comment} -->\n")
    return picture


@pytest.fixture
def guide_of_quorum(monkeypatch, tmp_path):
    """Returns a function that replaces the guide of Quorum for a test."""

    def replace(text):
        (tmp_path / "guide.md").write_text(text)

    monkeypatch.setattr("quincunx.guide.directory", lambda name: tmp_path)
    return replace


def test_a_picture_without_words_is_the_first_position():
    explicit = picture_of(f": from `{FIRST}` targets").scene()
    assert picture_of(": targets").scene() == explicit


def test_boards_continue_from_the_position_of_the_board_before():
    text = f', columns 2:\nfrom `{FIRST}` (repetition=0) "before"\nplay `a1e3` and `h8d6` "after"\n'
    picture = picture_of(text + "pick `a1`")
    assert picture.settings == {"columns": ["2"]}
    assert picture.boards == (
        {"from": [FIRST], "options": ["repetition=0"], "caption": ["before"]},
        {"play": ["a1e3", "h8d6"], "caption": ["after"]},
        {"pick": ["a1"]},
    )
    scene = picture.scene()
    labels = [shape.text for shape in scene.shapes if isinstance(shape, Label) and shape.text]
    assert labels == ["before", "after"]
    targets = [shape for shape in scene.shapes if shape.role == "target"]
    assert len(targets) == 5  # of the stone on a1 in the first position
    assert scene.w < scene.h * 2  # two columns, two rows


def test_a_step_has_an_arrow_if_one_piece_moves():
    def arrows(comment):
        scene = parse_pictures("sphero", f"![x](x.svg)\n<!-- picture{comment} -->\n")[0].scene()
        return [shape for shape in scene.shapes if isinstance(shape, Line) and shape.arrow]

    position = "from `..G/.YB/RARYG`"
    assert not arrows(f": {position} step 2 of `B:4,0`")  # many spheres turn
    (arrow,) = arrows(f": {position} step 3 of `B:4,0`")
    assert arrow.points[0] == (1, -2)


def test_a_margin_leaves_out_what_is_beside_the_board():
    position = "from `((rgbb)y(gyrr)b) blob:r-0,blob:g-0 0 0` (depth=2)"
    whole, cropped = (
        parse_pictures("blocky", f"![x](x.svg)\n<!-- picture{settings}: {position} -->")[0].scene()
        for settings in ("", ", margin 0.5")
    )
    assert "player" in {shape.role for shape in whole.shapes}
    assert "player" not in {shape.role for shape in cropped.shapes}


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        (": from `8/8 w`", "8 ranks"),
        (": play `a1a2`", "a1a2"),
        (": ring `z9`", "no cell 'z9' in the picture"),
        (": step 9 of `a1e3`", "step 9 of a1e3: expected a step from 1 to 2"),
    ],
)
def test_a_wrong_picture_is_reported(comment, message):
    with pytest.raises(ValueError, match=message):
        picture_of(comment).scene()


def test_an_unknown_word_of_a_picture_is_reported():
    with pytest.raises(ValueError, match=r"x.svg of quorum: unknown word 'paly'; expected from"):
        picture_of(": paly `a1e3`")
    with pytest.raises(ValueError, match=r"unknown word 'rows'; expected columns"):
        picture_of(", rows 2: play `a1e3`")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# Quarum\n", "does not begin with the title of the game.\nFound:    '# Quarum'."),
        (f"{TITLE}> **Try it:** something.\n", "not an example of quorum"),
        (
            f"{TITLE}> **Try it:** a leap. From `{FIRST}` (repetition) play `a1e3`.\n",
            "the example 'a leap.' of quorum: repetition='': expected an option as name=value",
        ),
        (
            f"{TITLE}> **Try it:** a leap. From `{FIRST}` (size=5) play `a1e3`.\n",
            "the example 'a leap.' of quorum: size=",
        ),
        (f"{TITLE}> **Try it:** a leap. From `{FIRST}`\n> play `a1a2`.\n", "played ('A leap.')"),
        (f"{TITLE}![A board](x.svg)\n", "a picture that does not exist (x.svg)"),
        (f"{TITLE}![](x.svg)\n", "a picture without description"),
        (f"{TITLE}![A board](x.svg)\n<!-- picture: paly `a1e3` -->\n", "unknown word 'paly'"),
        (f"{TITLE}![A board](x.svg)\n<!-- picture: step 1 -->\n", "cannot be drawn (x.svg)"),
    ],
)
def test_the_check_of_a_guide_says_what_is_wrong(guide_of_quorum, text, message):
    guide_of_quorum(text)
    with pytest.raises(Fault, match=re.escape(message)) as caught:
        check_guide(qx.game("quorum"))
    assert caught.value.function == "guide.md"


@pytest.mark.parametrize("options", ["rows=5 cols=6", "rows=5, cols=6", "rows=5,cols=6"])
def test_options_are_separated_by_commas_or_spaces(options):
    first = qx.game("wzlz", rows=5, cols=6).start(seed=1)
    quotation = f"> **Try it:** a move. From `{first.text}` ({options}) play `{first.moves()[0]}`."
    (example,) = parse_examples("wzlz", quotation)
    assert example.options == {"rows": 5, "cols": 6}
    assert example.states()[0].text == first.text
    (picture,) = parse_pictures(
        "wzlz", f"![a board](x.svg)\n<!-- picture: from `{first.text}` ({options}) -->\n"
    )
    assert picture.scene().shapes


def test_the_check_of_a_guide_reports_another_encoding(guide_of_quorum, tmp_path):
    guide_of_quorum("")
    (tmp_path / "guide.md").write_bytes(b"# Quorum\n\n\xff\n")
    with pytest.raises(Fault, match=r"`guide\.md` is not UTF-8"):
        check_guide(qx.game("quorum"))


def test_pictures_are_drawn_into_the_folder_of_the_game(guide_of_quorum, tmp_path):
    guide_of_quorum("# Quorum\n\n![A board](pictures/board.svg)\n<!-- picture: play `a1e3` -->\n")
    assert write_pictures("quorum") == [str(tmp_path / "pictures" / "board.svg")]
    assert (tmp_path / "pictures" / "board.svg").read_text().startswith("<svg")
    check_guide(qx.game("quorum"))


def test_the_rules_have_no_pictures(any_game):
    text = rules_text(any_game.name)
    assert "![" not in text
    assert "<!--" not in text
    assert "\n\n\n" not in text


def test_a_game_without_a_guide_has_summary_first_position_and_options(game_without_guide):
    name = game_without_guide
    assert guide_path(name) is None
    text = rules_text(name)
    assert text == (
        "# Stones\n\nTake the last stone.\n\nThis game has no guide.\n\nThe first position:\n\n"
        "```\n· · · · · · ·\n```\n\n## Options\n\n"
        "| name | values | default | what it does |\n|---|---|---|---|\n"
        "| `rule` | one of last, first | last | who wins |\n"
    )
    assert "```" not in rules_text(name, drawing=False)


def test_wheel_and_sdist_contain_every_file_of_a_game():
    configuration = (ROOT / "pyproject.toml").read_text()
    wheel, sdist = configuration.split("[tool.hatch.build.targets.")[1:3]
    assert wheel.split() == ["wheel]", "packages", "=", '["src/quincunx"]']  # nothing is excluded
    assert re.match(r'sdist\]\ninclude = \["/src", ', sdist)
    # Builds leave out what git ignores.
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    assert not [line for line in ignored if line.startswith(("*.md", "*.svg", "guide", "pictures"))]
