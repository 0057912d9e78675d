"""Lessons: guides as valid HTML, and examples that can be played."""

import re
from xml.etree import ElementTree

import pytest

import quincunx as qx
from quincunx.draw.animation import Animation
from quincunx.errors import BadOption
from quincunx.registry import BUILT_IN
from quincunx.web import lessons
from quincunx.web.lessons import guide_picture, lesson

TAGS = r"div|p|ul|ol|li|pre|code|strong|em|h3|table|thead|tbody|tr|th|td"

each_game = pytest.mark.parametrize("name", BUILT_IN)


def examples(name):
    sections = lesson(qx.game(name))["sections"]
    return [item for section in sections for item in section["examples"]]


@each_game
def test_every_example_can_be_played(name):
    events, ends = set(), 0
    for item in examples(name):
        assert item["game"] == name
        assert item["caption"][0].isupper()
        assert item["caption"].endswith(".")
        state = qx.game(name, **item["options"]).read(item["position"])
        animation = Animation(state)
        for move in item["moves"]:
            frames = animation.play(state.steps(move))
            assert frames
            events |= {frame["event"] for frame in frames if frame["event"]}
            state = state.play(move)
        ends += state.over
    assert len(examples(name)) >= 5
    assert ends >= 1, "no example shows the end of the game"
    rare = {"pass", "fade"}
    assert events == set(qx.game(name).kernel.EVENTS[1:]) - rare, (
        "an event is not shown by any example"
    )


@each_game
def test_the_html_is_valid_and_has_no_attributes(name):
    page = lesson(qx.game(name))
    assert page["title"] == qx.game(name).title
    headings = [section["heading"] for section in page["sections"] if section["heading"]]
    assert headings == ["Board", "Play", "End", "Options", "Texts"]
    for section in page["sections"]:
        root = ElementTree.fromstring(f"<div>{section['html']}</div>")
        assert all(re.fullmatch(TAGS, element.tag) for element in root.iter())
        assert not any(element.attrib for element in root.iter())
        for element in root.iter():
            if element.tag in ("pre", "code"):
                continue
            text = (element.text or "") + "".join(child.tail or "" for child in element)
            assert not re.search(r"[`|]|\*\*|^\s*(#|>|- |!\[)", text), text


def test_markup_in_the_text_is_escaped():
    assert lessons._element("a < b & `x<y>` is **bold > it**") == (
        "<p>a &lt; b &amp; <code>x&lt;y&gt;</code> is <strong>bold &gt; it</strong></p>"
    )
    assert lessons._element("an *italic word*, 2 * 3 * 4, ***both***") == (
        "<p>an <em>italic word</em>, 2 * 3 * 4, <strong><em>both</em></strong></p>"
    )
    assert lessons._element("```\n<b>\n```") == "<pre>&lt;b&gt;</pre>"
    assert lessons._element("- one\n  goes on\n- `**two**`") == (
        "<ul><li>one goes on</li><li><code>**two**</code></li></ul>"
    )


def test_an_example_replaces_the_drawing_before_it():
    drawing = "```\na drawing\n```\n\n![a picture](x.svg)"
    quotation = "> **Try it:** a leap. From `4BBBB/5BBB/6BB/7B/W7/WW6/WWW5/WWWW4 w`\n"
    quotation += "> (repetition=0) play `a1e3` and\n> `h8d6`."
    text = f"Words.\n\n{drawing}\n\n{quotation}\n\nMore."
    first, second = lessons._sections("quorum", "Play", text)
    assert first == {
        "heading": "Play",
        "html": "<p>Words.</p>",
        "pictures": [],
        "examples": [
            {
                "caption": "A leap.",
                "game": "quorum",
                "options": {"repetition": 0},
                "position": "4BBBB/5BBB/6BB/7B/W7/WW6/WWW5/WWWW4 w",
                "moves": ("a1e3", "h8d6"),
            }
        ],
    }
    assert second == {"heading": "", "html": "<p>More.</p>", "pictures": [], "examples": []}


def test_a_picture_is_shown_where_the_guide_has_it():
    sections = lesson(qx.game("sphero"))["sections"]
    shown = {p["name"]: (s["heading"], p) for s in sections for p in s["pictures"]}
    assert list(shown) == ["board", "chain", "rebalance"]
    description = "The same chain in six pictures, with an arrow for every slide"
    assert shown["chain"][1] == {
        "name": "chain",
        "description": description,
        "columns": 3,
        "rows": 2,
    }


@each_game
def test_every_picture_of_a_lesson_can_be_drawn(name):
    for section in lesson(qx.game(name))["sections"]:
        for picture in section["pictures"]:
            drawn = guide_picture(name, picture["name"])
            assert drawn["shapes"]
            assert len({key for key, _ in drawn["shapes"]}) == len(drawn["shapes"])
            assert "data-cell" not in str(drawn["shapes"])  # nothing can be clicked


def test_an_unknown_picture_is_named_in_the_error():
    with pytest.raises(BadOption, match="the guide of quorum has board, movement, effects"):
        guide_picture("quorum", "castling")


def test_a_game_without_a_guide_has_a_picture_of_its_first_position(game_without_guide):
    page = lesson(qx.game(game_without_guide))
    introduction, options = page["sections"]
    assert page["title"] == "Stones"
    assert introduction["html"].endswith("<p>This game has no guide.</p>")
    assert introduction["examples"] == [
        {
            "caption": "The first position.",
            "game": game_without_guide,
            "options": {},
            "position": "",  # the page asks for the first one
            "moves": (),
        }
    ]
    assert options["heading"] == "Options"
    assert "<td><code>rule</code></td>" in options["html"]


@pytest.fixture
def guide_of_quorum(monkeypatch, tmp_path):
    """Returns a function that replaces the guide of Quorum for a test."""
    monkeypatch.setattr("quincunx.guide.directory", lambda name: tmp_path)
    lessons._lesson.cache_clear()
    yield (tmp_path / "guide.md").write_bytes
    lessons._lesson.cache_clear()


@pytest.mark.parametrize(
    ("guide", "title", "html"),
    [
        (b"", "Quorum", []),
        (b"No title.\n", "Quorum", ["<p>No title.</p>"]),
        (b"\xef\xbb\xbf# Leaps\n\nWords.\n", "Leaps", ["<p>Words.</p>"]),
        (b"# Leaps", "Leaps", []),
        (b"# Leaps\n\nwrong: \xff\n", "Leaps", ["<p>wrong: \ufffd</p>"]),
        (b"# Leaps\n\n| one row |\n", "Leaps", ["<p>| one row |</p>"]),
        (b"# Leaps\n\n> A <quotation>.\n", "Leaps", ["<p>A &lt;quotation&gt;.</p>"]),
        (b"# Leaps\n\nOne.\n\n![a](x.svg)\n<!-- picture: fly -->\n", "Leaps", ["<p>One.</p>"]),
        (
            b"# Leaps\n\nOne.\n\n![a](x.svg)\n<!-- picture columns 0: play `a1e3` -->\n",
            "Leaps",
            ["<p>One.</p>"],
        ),
    ],
)
def test_what_a_guide_has_in_a_wrong_form_does_not_hide_the_rest(
    guide_of_quorum, guide, title, html
):
    guide_of_quorum(guide)
    page = lesson(qx.game("quorum"))
    assert page["title"] == title
    assert [section["html"] for section in page["sections"]] == html
    assert not any(section["pictures"] + section["examples"] for section in page["sections"])
