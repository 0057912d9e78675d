"""The games' pages: fixed headings, options as they are, examples that read and can be played.

Under "Texts" a page has examples, one to a line: `- position: `...`` is read by the game,
with options as in `- position (pawns=4): `...``, and every `- move: `...`` can be played in
the position above it.
"""

import re
import runpy
from pathlib import Path

import pytest

import quincunx as qx
from quincunx.pages import page
from quincunx.registry import GAMES

DOCS = Path(__file__).parents[1] / "docs"
HEADINGS = ["Board", "Play", "End", "Options", "Texts", "Silent in the source"]
EXAMPLE = re.compile(r"^- (position|move)(?: \(([^)]*)\))?: `([^`]+)`", re.MULTILINE)
ROW = re.compile(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| [^|]+ \|$", re.MULTILINE)


def section(name, heading):
    """The part of a game's page under a heading."""
    return page(name).split(f"\n## {heading}\n")[1].split("\n## ")[0]


@pytest.mark.parametrize("name", GAMES)
def test_headings(name):
    text = page(name)
    assert text.startswith(f"# {qx.game(name).title}\n")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == HEADINGS


@pytest.mark.parametrize("name", GAMES)
def test_the_table_of_options_is_that_of_the_rules(name):
    def shown(value):
        return str(value).lower()

    def values(option):
        if option.choices:
            return ", ".join(option.choices)
        if isinstance(option.default, bool):
            return "true, false"
        return "".join(f"{one}, " for one in option.extra_values) + f"{option.low} to {option.high}"

    rules = qx.game(name).parts.rules
    expected = [(o.name, values(o), shown(o.default)) for o in rules.OPTIONS]
    assert ROW.findall(section(name, "Options")) == expected


@pytest.mark.parametrize("name", GAMES)
def test_the_examples_of_texts(name):
    state, kinds = None, []
    for kind, options, text in EXAMPLE.findall(section(name, "Texts")):
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
def test_the_pictures_of_the_pages_are_there(name):
    links = re.findall(r"!\[([^\]]+)\]\(\.\./pictures/([^)]+)\)", page(name))
    assert links[0][1] == f"{name}.svg"
    for words, link in links:
        assert len(words) > 20, "the words stand for the picture where it is not seen"
        assert (DOCS / "pictures" / link).is_file(), link


def test_every_picture_is_drawn_anew_as_it_is_and_shown_somewhere():
    draw = runpy.run_path(str(DOCS / "pictures" / "draw.py"))
    drawn = {f"{name}.svg": draw["drawn"](scene, size) for name, scene, size in draw["pictures"]()}
    assert set(re.findall(r"pictures/([\w-]+\.svg)", "".join(map(page, GAMES)))) == set(drawn)
    files = {path.name: path.read_text() for path in (DOCS / "pictures").glob("*.svg")}
    assert sorted(files) == sorted(drawn)
    old = [name for name in files if files[name] != drawn[name]]
    assert not old, "rules or layouts have changed: look at the pictures after `make pictures`"
