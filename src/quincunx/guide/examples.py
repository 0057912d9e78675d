"""The examples of a guide that can be played: lessons as data.

An example is a block quotation: a caption, a position with its options, which commas or spaces
separate, and moves from there.

    > **Try it:** the leap of `a1` over `c2`, and one by Black. From
    > `4BBBB/5BBB/6BB/7B/W7/WW6/WWW5/WWWW4 w` (repetition=0) play `a1e3` and `h8d6`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from quincunx.game import State
from quincunx.guide import configured_game, guide_text
from quincunx.options import Value
from quincunx.registry import game as game_named

QUOTATION = re.compile(r"(?:^>.*\n?)+", re.MULTILINE)
EXAMPLE = re.compile(
    r"\*\*Try it:\*\* (?P<caption>.+?) From `(?P<position>[^`]+)`"
    r"(?: \((?P<options>[^)]*)\))? play (?P<moves>(?:`[^`]+`(?:, | and )?)+)\."
)


@dataclass(frozen=True)
class Example:
    """A position and moves from it, with a caption; options are those that are not the default."""

    caption: str
    game: str
    options: dict[str, Value]
    position: str
    moves: tuple[str, ...]

    def states(self) -> list[State]:
        """Plays the example and returns all positions; raises ValueError if it cannot be played."""
        states = [game_named(self.game, **self.options).read(self.position)]
        for move in self.moves:
            states.append(states[-1].play(move))
        return states


def examples(name: str) -> list[Example]:
    """Returns the examples of a game's guide, in order; raises ValueError for another form."""
    return parse_examples(name, guide_text(name) or "")


def parse_examples(name: str, text: str) -> list[Example]:
    """Returns the examples in a part of a game's guide."""
    return [parse_example(name, quotation) for quotation in QUOTATION.findall(text)]


def parse_example(name: str, quotation: str) -> Example:
    """Returns the example in a quotation; raises ValueError if it has another form."""
    text = " ".join(line.removeprefix(">").strip() for line in quotation.strip().splitlines())
    match = EXAMPLE.fullmatch(text)
    if not match:
        raise ValueError(
            f"not an example of {name}: {text!r}; expected '**Try it:** CAPTION From `POSITION` "
            "(OPTIONS) play `MOVE` and `MOVE`.'"
        )
    caption = re.sub(r"[`*]", "", match["caption"])
    try:
        game = configured_game(name, match["options"] or "")
    except ValueError as error:
        raise ValueError(f"the example {caption!r} of {name}: {error}") from error
    return Example(
        caption[0].upper() + caption[1:],
        name,
        dict(game.changed_options),
        match["position"],
        tuple(re.findall("`([^`]+)`", match["moves"])),
    )
