"""Lessons: a game's guide converted to HTML, with its pictures and its examples.

An example (`guide.examples`) replaces the code blocks right before it, which show the same as
text. A picture (`guide.pictures`) is drawn again, in the colours of the page; images that the
guide does not describe are left out. Of Markdown only what the guides use is supported: headings,
paragraphs, lists, tables, fenced code blocks, inline code, bold and italic text. What else a guide
from outside contains is shown as text: `check_game` reports it, and readers still get the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from functools import cache
from html import escape
from itertools import groupby
from pathlib import PurePosixPath
from typing import Any

from quincunx.draw.animation import Picture, still_picture
from quincunx.errors import BadOption
from quincunx.game import Game
from quincunx.guide import NO_GUIDE, guide_text, option_section
from quincunx.guide.examples import Example, parse_example
from quincunx.guide.pictures import GuidePicture, parse_pictures, pictures
from quincunx.registry import game as game_named

# Headings that matter only to readers of the game's original rules.
OMITTED_HEADINGS = ("Points the original rules leave open",)

FENCE = "```"


def lesson(game: Game) -> dict[str, Any]:
    """Returns the game's title and its sections, each with heading, HTML, pictures and examples.

    A section without a heading continues the one before.
    """
    return _lesson(game.name)


@cache
def _lesson(name: str) -> dict[str, Any]:
    text = guide_text(name)
    if text is None:
        return _lesson_without_guide(game_named(name))
    introduction, *texts = re.split(r"^#{1,2} (.+)$", text, flags=re.MULTILINE)
    chapters = list(zip(texts[::2], texts[1::2], strict=True))
    title = game_named(name).title
    if chapters and not introduction.strip():
        title, introduction = chapters.pop(0)
    sections = list(_sections(name, "", introduction))
    for heading, text in chapters:
        if heading not in OMITTED_HEADINGS:
            sections += _sections(name, heading, text)
    return {"title": title, "sections": sections}


def _lesson_without_guide(game: Game) -> dict[str, Any]:
    """Returns what is known of a game without a guide: summary, first position and options."""
    first = Example("The first position.", game.name, {}, "", ())
    introduction = _section("", [game.parts.rules.SUMMARY, NO_GUIDE])
    sections = [{**introduction, "examples": [asdict(first)]}]
    heading, _, table = option_section(game.name).partition("\n\n")
    if table:
        sections += _sections(game.name, heading.removeprefix("## "), table)
    return {"title": game.title, "sections": sections}


@cache
def guide_picture(name: str, stem: str) -> Picture:
    """Draws a picture of a game's guide, given its file name without ending; raises BadOption."""
    drawn = {_stem(picture): picture for picture in pictures(name) if picture.boards}
    if stem not in drawn:
        raise BadOption("picture", stem, f"the guide of {name} has {', '.join(drawn) or 'none'}")
    return still_picture(drawn[stem].scene())


def _stem(picture: GuidePicture) -> str:
    return PurePosixPath(picture.file).stem


def _picture_fields(picture: GuidePicture) -> dict[str, Any]:
    """Returns what a page needs to show a picture, and the number of its columns and rows."""
    columns = picture.columns
    return {
        "name": _stem(picture),
        "description": picture.description,
        "columns": columns,
        "rows": -(-len(picture.boards) // columns),
    }


def _sections(name: str, heading: str, text: str) -> Iterator[dict[str, Any]]:
    """Splits a chapter into sections; each ends with its pictures and examples, if it has any."""
    content: list[str] = []
    for is_prose, run in groupby(
        _blocks(text), key=lambda block: not block.startswith(("> ", "!["))
    ):
        if is_prose:
            content = list(run)
            continue
        pictures, examples, others = _figures(name, run)
        while examples and content and content[-1].startswith(FENCE):
            content.pop()
        yield {
            **_section(heading, content + others),
            "pictures": pictures,
            "examples": examples,
        }
        content, heading = [], ""
    if content:
        yield _section(heading, content)


def _figures(
    name: str, blocks: Iterable[str]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[str]]:
    """Returns the pictures, the examples, and the quotations that are not examples."""
    pictures: list[dict[str, Any]] = []
    examples: list[dict[str, Any]] = []
    others: list[str] = []
    for block in blocks:
        try:
            if block.startswith("> "):
                examples.append(asdict(parse_example(name, block)))
            else:
                drawn = [picture for picture in parse_pictures(name, block) if picture.boards]
                pictures += map(_picture_fields, drawn)
        except (ValueError, ArithmeticError):
            if block.startswith("> "):
                others.append(re.sub("^> ?", "", block, flags=re.MULTILINE))
    return pictures, examples, others


def _section(heading: str, content: list[str]) -> dict[str, Any]:
    return {"heading": heading, "html": _html(content), "pictures": [], "examples": []}


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
    if block.startswith("|") and "\n" in block:
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
    """Returns text as HTML with inline code, bold and italic text, everything else escaped."""
    escaped = escape(" ".join(text.split()), quote=False)
    parts = re.split("(`[^`]+`)", escaped)
    return "".join(
        f"<code>{part[1:-1]}</code>" if part.startswith("`") else _emphasis(part) for part in parts
    )


def _emphasis(text: str) -> str:
    """Returns text with the HTML elements of bold and italic text; a single asterisk stays."""
    bold = re.sub(r"\*\*(.+?)\*\*(?!\*)", r"<strong>\1</strong>", text)
    return re.sub(r"\*(?! )([^*]+?)(?<! )\*", r"<em>\1</em>", bold)
