"""Lessons: pages as valid HTML, and examples that can be played."""

import re
from xml.etree import ElementTree

import pytest

import quincunx as qx
from quincunx.draw.animation import Animation
from quincunx.registry import BUILT_IN
from quincunx.web import lessons
from quincunx.web.lessons import example, lesson

TAGS = r"div|p|ul|ol|li|pre|code|strong|h3|table|thead|tbody|tr|th|td"

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
            events |= {frame["event"] for frame in frames}
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
        "examples": [
            {
                "caption": "A leap.",
                "game": "quorum",
                "options": {"repetition": 0},
                "position": "4BBBB/5BBB/6BB/7B/W7/WW6/WWW5/WWWW4 w",
                "moves": ["a1e3", "h8d6"],
            }
        ],
    }
    assert second == {"heading": "", "html": "<p>More.</p>", "examples": []}


def test_a_quotation_that_is_not_an_example_is_rejected():
    with pytest.raises(ValueError, match="not an example of onoro"):
        example("onoro", "**Try it:** something.")
