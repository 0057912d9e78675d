"""The rules pages: fixed headings, correct options, valid examples and up-to-date pictures.

Under "Texts" a page has examples, one per line: `- position: `...`` is a valid position, with
options as in `- position (pawns=4): `...``, and every `- move: `...`` is legal in the position
above it.
"""

import re
import runpy
from pathlib import Path

import pytest

import quincunx as qx
from quincunx.pages import page
from quincunx.registry import BUILT_IN

DOCS = Path(__file__).parents[1] / "docs"
DRAWN_BY_HAND = {"architecture.svg"}  # not by docs/pictures/draw.py
HEADINGS = ["Board", "Play", "End", "Options", "Texts", "Points the original rules leave open"]
EXAMPLE_LINE = re.compile(r"^- (position|move)(?: \(([^)]*)\))?: `([^`]+)`", re.MULTILINE)
OPTION_ROW = re.compile(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| [^|]+ \|$", re.MULTILINE)


def section(name, heading):
    """Returns the section of a game's page under a heading."""
    return page(name).split(f"\n## {heading}\n")[1].split("\n## ")[0]


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_page_has_the_fixed_headings(name):
    text = page(name)
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
def test_every_page_links_to_existing_pictures(name):
    links = re.findall(r"!\[([^\]]+)\]\(\.\./pictures/([^)]+)\)", page(name))
    assert links[0][1] == f"{name}.svg"
    for description, link in links:
        assert len(description) > 20, "screen readers need a description of the picture"
        assert (DOCS / "pictures" / link).is_file(), link


def test_every_picture_is_up_to_date_and_linked():
    script = runpy.run_path(str(DOCS / "pictures" / "draw.py"))
    drawn = {
        f"{name}.svg": script["to_svg"](scene, size) for name, scene, size in script["pictures"]()
    }
    assert set(re.findall(r"pictures/([\w-]+\.svg)", "".join(map(page, BUILT_IN)))) == set(drawn)
    files = {path.name: path.read_text() for path in (DOCS / "pictures").glob("*.svg")}
    assert set(files) == set(drawn) | DRAWN_BY_HAND
    outdated = [name for name in drawn if files[name] != drawn[name]]
    assert not outdated, "run `make pictures` and check the pictures: rules or layouts changed"
