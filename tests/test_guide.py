"""The guides: fixed headings, correct options, valid examples and up-to-date pictures.

Under "Texts" a guide has examples, one per line: `- position: `...`` is a valid position, with
options as in `- position (pawns=4): `...``, and every `- move: `...`` is legal in the position
above it.
"""

import re
import runpy
from pathlib import Path

import pytest

import quincunx as qx
from quincunx.guide import guide_path, guide_text, rules_text
from quincunx.registry import GAMES

ROOT = Path(__file__).parents[1]
HEADINGS = ["Board", "Play", "End", "Options", "Texts", "Points the original rules leave open"]
EXAMPLE_LINE = re.compile(r"^- (position|move)(?: \(([^)]*)\))?: `([^`]+)`", re.MULTILINE)
OPTION_ROW = re.compile(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| [^|]+ \|$", re.MULTILINE)


def section(name, heading):
    """Returns the section of a game's guide under a heading."""
    return guide_text(name).split(f"\n## {heading}\n")[1].split("\n## ")[0]


@pytest.mark.parametrize("name", GAMES)
def test_every_guide_has_the_fixed_headings(name):
    text = guide_text(name)
    assert text.startswith(f"# {qx.game(name).title}\n")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == HEADINGS


@pytest.mark.parametrize("name", GAMES)
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


@pytest.mark.parametrize("name", GAMES)
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


@pytest.mark.parametrize("name", GAMES)
def test_every_guide_describes_its_pictures(name):
    links = re.findall(r"!\[([^\]]+)\]\(([^)]+)\)", guide_text(name))
    assert links[0][1] == "pictures/board.svg"
    for description, link in links:
        assert len(description) > 20, "screen readers need a description of the picture"
        assert (guide_path(name).parent / link).is_file(), link


def test_every_picture_is_up_to_date_and_linked():
    script = runpy.run_path(str(ROOT / "docs" / "pictures" / "draw.py"))
    drawn = {name: script["to_svg"](scene, size) for name, scene, size in script["pictures"]()}
    games = ROOT / "src" / "quincunx" / "games"
    files = {str(path.relative_to(games)): path.read_text() for path in games.rglob("*.svg")}
    assert set(files) == set(drawn)
    outdated = [name for name in drawn if files[name] != drawn[name]]
    assert not outdated, "run `make pictures` and check the pictures: rules or layouts changed"


def test_a_game_without_a_guide_has_summary_first_position_and_options(game_without_guide):
    name = game_without_guide
    assert guide_path(name) is None
    text = rules_text(name)
    assert text.startswith(f"# Quorum 7\n\n{GAMES[name].summary}\n\nThis game has no guide.\n\n")
    assert "4  ○ · · + + · · ·" in text
    assert "| `repetition` | 0 or an integer from 2 to 33 | 3 | number of times" in text
    assert "```" not in rules_text(name, drawing=False)


def test_wheel_and_sdist_contain_every_file_of_a_game():
    configuration = (ROOT / "pyproject.toml").read_text()
    wheel, sdist = configuration.split("[tool.hatch.build.targets.")[1:3]
    assert wheel.split() == ["wheel]", "packages", "=", '["src/quincunx"]']  # nothing is excluded
    assert re.match(r'sdist\]\ninclude = \["/src", ', sdist)
    # Builds leave out what git ignores.
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    assert not [line for line in ignored if line.startswith(("*.md", "*.svg", "guide", "pictures"))]
