"""Legal moves as a prefix tree of clicks, from which a page knows what can be clicked next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

# The moves that begin with some clicks: the name of each possible next click leads to the moves
# that begin with it too, and "" to the text of the move that these clicks complete, if any:
# {"a1": {"e3": {"": "a1e3"}}, "place": {"": "place"}}.
ClickTree: TypeAlias = "dict[str, ClickTree | str]"

COMPLETE = ""  # no name of a click is empty


def click_tree(moves: Iterable[tuple[str, Sequence[str]]]) -> ClickTree:
    """Returns the prefix tree of moves, each given as its text and its clicks."""
    root: ClickTree = {}
    for text, clicks in moves:
        node = root
        for name in clicks:
            child = node.setdefault(name, {})
            assert isinstance(child, dict), f"{text}: the name of a click is empty"
            node = child
        assert COMPLETE not in node, f"{text} and {node[COMPLETE]} have the same clicks"
        node[COMPLETE] = text
    return root
