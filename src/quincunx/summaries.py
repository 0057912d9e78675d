"""What can be said about the games without loading them: sentences, rule pages."""

from __future__ import annotations

from pathlib import Path

# As in each game's rules.SENTENCE, which a test compares.
SENTENCES = {
    "sphero": "Place spheres around an anchor; the board turns itself back into balance.",
    "onoro": "Place pawns, then move them, until four of yours stand in a row.",
    "blocky": "Turn, swap, smash and paint the blocks of a square to reach your own goal.",
    "wzlz": "Move balls to line up five of a colour before the board is full.",
    "quorum": "Leap over your own stones to hold the four squares in the middle.",
}

COMMANDS = (
    ("play quorum", "play in the terminal, against a bot"),
    ("rules onoro", "read the rules"),
    ("draw wzlz -o board.svg", "draw a position (svg or png)"),
    ("replay game.qx --gif game.gif", "play a recorded game again"),
    ("perft quorum 4", "count positions, to check the rules"),
    ("bench", "measure random play"),
    ("warm", "compile everything now"),
)


def page(name: str) -> str:
    """The page of a game: rules, options, texts."""
    package = Path(__file__).parent
    # In the wheel the pages lie in the package, in a checkout beside the sources.
    for folder in (package / "docs", package.parents[1] / "docs" / "games"):
        path = folder / f"{name}.md"
        if path.is_file():
            return path.read_text(encoding="utf-8")
    raise FileNotFoundError(2, "the page of this game is missing from the installation", f"{name}.md")
