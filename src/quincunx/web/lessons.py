"""Lessons: a game's guide converted to HTML, with examples that can be played.

An example is a block quotation in the guide that begins with "Try it" and gives a position, its
options and the moves from there. It replaces the code blocks right before it, which show the
same as text; images are left out. Of Markdown only what the guides use is supported: headings,
paragraphs, lists, tables, fenced code blocks, inline code and bold text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html import escape
from itertools import groupby
from typing import Any

from quincunx.game import Game
from quincunx.guide import NO_GUIDE, guide_text, option_section
from quincunx.registry import GAMES
from quincunx.registry import game as game_named

# Headings that matter only to readers of the game's original rules.
OMITTED_HEADINGS = ("Points the original rules leave open",)

EXAMPLE = re.compile(
    r"\*\*Try it:\*\* (?P<caption>.+?) From `(?P<position>[^`]+)`"
    r"(?: \((?P<options>[^)]*)\))? play (?P<moves>(?:`[^`]+`(?:, | and )?)+)\."
)
FENCE = "```"


def lesson(game: Game) -> dict[str, Any]:
    """Returns the game's title and its sections, each with heading, HTML and examples.

    A section without a heading continues the one before.
    """
    return _lesson(game.name)


@cache
def _lesson(name: str) -> dict[str, Any]:
    text = guide_text(name)
    if text is None:
        return _lesson_without_guide(game_named(name))
    title, *texts = re.split(r"^#{1,2} (.+)\n", text, flags=re.MULTILINE)[1:]
    introduction, chapters = texts[0], zip(texts[1::2], texts[2::2], strict=True)
    sections = list(_sections(name, "", introduction))
    for heading, text in chapters:
        if heading not in OMITTED_HEADINGS:
            sections += _sections(name, heading, text)
    return {"title": title, "sections": sections}


def _lesson_without_guide(game: Game) -> dict[str, Any]:
    """Returns what is known of a game without a guide: summary, first position and options."""
    first = {
        "caption": "The first position.",
        "game": game.name,
        "options": {},
        "position": game.start(seed=0).text,
        "moves": [],
    }
    introduction = _html([GAMES[game.name].summary, NO_GUIDE])
    sections = [{"heading": "", "html": introduction, "examples": [first]}]
    heading, _, table = option_section(game.name).partition("\n\n")
    if table:
        sections += _sections(game.name, heading.removeprefix("## "), table)
    return {"title": game.title, "sections": sections}


def example(name: str, quotation: str) -> dict[str, Any]:
    """Parses the example in a quotation; raises ValueError if it has another form."""
    match = EXAMPLE.fullmatch(quotation)
    if not match:
        raise ValueError(f"not an example of {name}: {quotation}")
    options = dict(option.split("=") for option in (match["options"] or "").split())
    caption = re.sub(r"[`*]", "", match["caption"])
    return {
        "caption": caption[0].upper() + caption[1:],
        "game": name,
        "options": dict(game_named(name, **options).changed_options),
        "position": match["position"],
        "moves": re.findall("`([^`]+)`", match["moves"]),
    }


def _sections(name: str, heading: str, text: str) -> Iterator[dict[str, Any]]:
    """Splits a chapter into sections; each ends with its examples, if it has any."""
    blocks = [block for block in _blocks(text) if not block.startswith("![")]
    content: list[str] = []
    for quoted, run in groupby(blocks, key=lambda block: block.startswith("> ")):
        if not quoted:
            content = list(run)
            continue
        while content and content[-1].startswith(FENCE):
            content.pop()
        quotations = (re.sub(r"\n?^> ", " ", block, flags=re.M).strip() for block in run)
        examples = [example(name, quotation) for quotation in quotations]
        yield {"heading": heading, "html": _html(content), "examples": examples}
        content, heading = [], ""
    if content:
        yield {"heading": heading, "html": _html(content), "examples": []}


def _blocks(text: str) -> Iterator[str]:
    """Yields the blocks of a text, separated by blank lines; a fenced block is one block."""
    for part in re.split(rf"^({FENCE}\n.*?^{FENCE})$", text, flags=re.MULTILINE | re.DOTALL):
        if part.startswith(FENCE):
            yield part
        else:
            yield from (block for block in re.split(r"\n\s*\n", part.strip("\n")) if block.strip())


def _html(blocks: list[str]) -> str:
    return "\n".join(map(_element, blocks))


def _element(block: str) -> str:
    """Returns a block as an HTML element."""
    if block.startswith(FENCE):
        return f"<pre>{escape(block.removeprefix(FENCE).removesuffix(FENCE).strip(chr(10)))}</pre>"
    if block.startswith("### "):
        return f"<h3>{_inline(block[4:])}</h3>"
    if block.startswith("|"):
        return _table(block)
    for marker, tag in ((r"- ", "ul"), (r"\d+\. ", "ol")):
        if re.match(marker, block):
            items = re.split(rf"^{marker}", block, flags=re.MULTILINE)[1:]
            return f"<{tag}>{''.join(f'<li>{_inline(item)}</li>' for item in items)}</{tag}>"
    return f"<p>{_inline(block)}</p>"


def _table(block: str) -> str:
    head, _, *rows = (line.strip().strip("|").split("|") for line in block.splitlines())

    def row(cells: list[str], tag: str) -> str:
        return f"<tr>{''.join(f'<{tag}>{_inline(cell)}</{tag}>' for cell in cells)}</tr>"

    body = "".join(row(cells, "td") for cells in rows)
    return f"<table><thead>{row(head, 'th')}</thead><tbody>{body}</tbody></table>"


def _inline(text: str) -> str:
    """Returns text as HTML with inline code and bold text, everything else escaped."""
    escaped = escape(" ".join(text.split()), quote=False)
    parts = re.split("(`[^`]+`)", escaped)
    return "".join(
        f"<code>{part[1:-1]}</code>"
        if part.startswith("`")
        else re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", part)
        for part in parts
    )
