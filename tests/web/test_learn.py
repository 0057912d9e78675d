"""Lessons: the words of the pages as sound HTML, and examples that can be played through."""

import re
from xml.etree import ElementTree

import pytest

import quincunx as qx
from quincunx.draw.animation import Animation
from quincunx.registry import GAMES
from quincunx.web import learn
from quincunx.web.learn import example, lesson

TAGS = r"div|p|ul|ol|li|pre|code|strong|h3|table|thead|tbody|tr|th|td"

each_game = pytest.mark.parametrize("name", GAMES)


def examples(name):
    return [one for part in lesson(qx.game(name))["sections"] for one in part["examples"]]


@each_game
def test_every_example_can_be_played_through(name):
    events, ends = set(), 0
    for one in examples(name):
        assert one["game"] == name
        assert one["caption"][0].isupper()
        assert one["caption"].endswith(".")
        state = qx.game(name, **one["options"]).read(one["position"])
        animation = Animation(state)
        for move in one["moves"]:
            told = animation.play(state.steps(move))
            assert told
            events |= {frame["event"] for frame in told}
            state = state.play(move)
        ends += state.over
    assert len(examples(name)) >= 5
    assert ends >= 1, "how the game ends is shown"
    rare = {"pass", "fade"}
    assert events == set(qx.game(name).kernel.EVENTS[1:]) - rare, "all that can happen is shown"


@each_game
def test_the_html_is_sound_and_plain(name):
    page = lesson(qx.game(name))
    assert page["title"] == qx.game(name).title
    headings = [part["heading"] for part in page["sections"] if part["heading"]]
    assert headings == ["Board", "Play", "End", "Options", "Texts"]
    for part in page["sections"]:
        root = ElementTree.fromstring(f"<div>{part['html']}</div>")
        assert all(re.fullmatch(TAGS, element.tag) for element in root.iter())
        assert not any(element.attrib for element in root.iter())
        for element in root.iter():
            if element.tag in ("pre", "code"):
                continue
            words = (element.text or "") + "".join(child.tail or "" for child in element)
            assert not re.search(r"[`|]|\*\*|^\s*(#|>|- |!\[)", words), words


def test_markup_in_the_words_is_escaped():
    assert learn._element("a < b & `x<y>` is **bold > it**") == (
        "<p>a &lt; b &amp; <code>x&lt;y&gt;</code> is <strong>bold &gt; it</strong></p>"
    )
    assert learn._element("```\n<b>\n```") == "<pre>&lt;b&gt;</pre>"
    assert learn._element("- one\n  goes on\n- `**two**`") == (
        "<ul><li>one goes on</li><li><code>**two**</code></li></ul>"
    )


def test_an_example_takes_the_place_of_the_drawing_before_it():
    drawn = "```\na drawing\n```\n\n![a picture](x.svg)"
    tried = "> **Try it:** a leap. From `4BBBB/5BBB/6BB/7B/W7/WW6/WWW5/WWWW4 w`\n"
    tried += "> (repetition=0) play `a1e3` and\n> `h8d6`."
    text = f"Words.\n\n{drawn}\n\n{tried}\n\nMore."
    one, other = learn._sections("quorum", "Play", text)
    assert one == {
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
    assert other == {"heading": "", "html": "<p>More.</p>", "examples": []}


def test_a_quotation_that_is_no_example_is_found():
    with pytest.raises(ValueError, match="no example of onoro"):
        example("onoro", "**Try it:** something.")
