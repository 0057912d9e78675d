"""A game's page as a lesson: its words as HTML, and its examples as moves to be played.

An example stands in the page as a quotation that begins with "Try it", with a position, its
options and the moves from there. It takes the place of the drawings right before it, and of
the pictures, which are left out. Of Markdown this knows what the pages use, and no more:
headings, paragraphs, lists, tables, drawings in fences, code and bold letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html import escape
from itertools import groupby
from typing import Any

from quincunx.game import Game
from quincunx.pages import page
from quincunx.registry import game as game_named

# What only those ask who know the game's source.
LEFT_OUT = ("Silent in the source",)

TRY = re.compile(
    r"\*\*Try it:\*\* (?P<caption>.+?) From `(?P<position>[^`]+)`"
    r"(?: \((?P<options>[^)]*)\))? play (?P<moves>(?:`[^`]+`(?:, | and )?)+)\."
)
FENCE = "```"


def lesson(game: Game) -> dict[str, Any]:
    """The game's title, and sections that each have a heading, HTML, and examples that follow it.

    A section without a heading goes on with the one before.
    """
    return _lesson(game.name)


@cache
def _lesson(name: str) -> dict[str, Any]:
    title, *parts = re.split(r"^#{1,2} (.+)\n", page(name), flags=re.MULTILINE)[1:]
    first, chapters = parts[0], zip(parts[1::2], parts[2::2], strict=True)
    sections = list(_sections(name, "", first))
    for heading, text in chapters:
        if heading not in LEFT_OUT:
            sections += _sections(name, heading, text)
    return {"title": title, "sections": sections}


def example(name: str, quotation: str) -> dict[str, Any]:
    """What a quotation of a game's page says is to be tried; ValueError if it does not say."""
    found = TRY.fullmatch(quotation)
    if not found:
        raise ValueError(f"no example of {name}, but a quotation: {quotation}")
    given = dict(option.split("=") for option in (found["options"] or "").split())
    caption = re.sub(r"[`*]", "", found["caption"])
    return {
        "caption": caption[0].upper() + caption[1:],
        "game": name,
        "options": dict(game_named(name, **given).changed_options),
        "position": found["position"],
        "moves": re.findall("`([^`]+)`", found["moves"]),
    }


def _sections(name: str, heading: str, text: str) -> Iterator[dict[str, Any]]:
    """A chapter in sections: each ends with its examples, if it has any."""
    blocks = [block for block in _blocks(text) if not block.startswith("![")]
    html: list[str] = []
    for quoted, run in groupby(blocks, key=lambda block: block.startswith("> ")):
        if not quoted:
            html = list(run)
            continue
        while html and html[-1].startswith(FENCE):
            html.pop()
        tried = [example(name, re.sub(r"\n?^> ", " ", block, flags=re.M).strip()) for block in run]
        yield {"heading": heading, "html": _html(html), "examples": tried}
        html, heading = [], ""
    if html:
        yield {"heading": heading, "html": _html(html), "examples": []}


def _blocks(text: str) -> Iterator[str]:
    """The parts of a text that blank lines separate; a fence is one part."""
    for part in re.split(rf"^({FENCE}\n.*?^{FENCE})$", text, flags=re.MULTILINE | re.DOTALL):
        if part.startswith(FENCE):
            yield part
        else:
            yield from (block for block in re.split(r"\n\s*\n", part.strip("\n")) if block.strip())


def _html(blocks: list[str]) -> str:
    return "\n".join(map(_element, blocks))


def _element(block: str) -> str:
    """A block as an element."""
    if block.startswith(FENCE):
        return f"<pre>{escape(block.removeprefix(FENCE).removesuffix(FENCE).strip(chr(10)))}</pre>"
    if block.startswith("### "):
        return f"<h3>{_inline(block[4:])}</h3>"
    if block.startswith("|"):
        return _table(block)
    for mark, tag in ((r"- ", "ul"), (r"\d+\. ", "ol")):
        if re.match(mark, block):
            items = re.split(rf"^{mark}", block, flags=re.MULTILINE)[1:]
            return f"<{tag}>{''.join(f'<li>{_inline(item)}</li>' for item in items)}</{tag}>"
    return f"<p>{_inline(block)}</p>"


def _table(block: str) -> str:
    head, _, *rows = (line.strip().strip("|").split("|") for line in block.splitlines())

    def row(cells: list[str], tag: str) -> str:
        return f"<tr>{''.join(f'<{tag}>{_inline(cell)}</{tag}>' for cell in cells)}</tr>"

    body = "".join(row(cells, "td") for cells in rows)
    return f"<table><thead>{row(head, 'th')}</thead><tbody>{body}</tbody></table>"


def _inline(text: str) -> str:
    """Words with their code and bold letters, escaped."""
    words = escape(" ".join(text.split()), quote=False)
    parts = re.split("(`[^`]+`)", words)
    return "".join(
        f"<code>{part[1:-1]}</code>"
        if part.startswith("`")
        else re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", part)
        for part in parts
    )
