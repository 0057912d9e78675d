"""Keeps words out of the repository that readers from outside do not understand.

The code base once had a private vocabulary (a search tree had promises and worths, a server had
a hall and ears). The field has its own words for all of it; see CONTRIBUTING.md.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SUFFIXES = {".py", ".js", ".mjs", ".ts", ".css", ".tcss", ".html", ".md", ".toml"}
DIRECTORIES = ("src", "tests", "benchmarks", "examples", "docs")
GENERATED = {"__pycache__", "build", "node_modules"}

# Rejected pattern, matched as whole words in any case, and what to write instead.
REJECTED = {
    "anew": "again",
    "glances?": "static evaluation, one-ply value",
    "transplant": "copy_subtree",
    "asks_little": "is_null_window",
    "outlook": "evaluation",
    "dice": "rng, random_bits",
    "bed": "target, buffer",
    "desk": "scratch",
    "weigh": "afterstate_values",
    "hall": "lobby",
    "ears?": "subscriber",
    "crew": "ThinkingPool, ThreadTeam",
    "gatekeeper": "middleware",
    "sitting": "LocalGame",
    "entrants?": "participants",
    "thinkers?": "AnalysingPlayer",
    "judged": "ScoredMove, evaluated",
    "films?": "animation",
    "tells?": "broadcast, send, show",
    "told": "sent, reported",
    "said": "printed, shown",
    "happened": "event, room_events",
    "keeping": "autosave, stored",
    "(?<!there )(is|are) no (?!longer|more|less|fewer|other)": "is not a",
    "so many": "a number",
    "; how many": "Returns the number of",
    "mend(s|ed|ing)?": "fix",
}


def source_files() -> list[Path]:
    """Returns the texts of the repository, without what builds and installations leave there."""
    inside = (path for name in DIRECTORIES for path in (ROOT / name).rglob("*"))
    return sorted(
        path
        for path in (ROOT / "Makefile", ROOT / "pyproject.toml", *ROOT.glob("*.md"), *inside)
        if (path.suffix in SUFFIXES or path.name == "Makefile")
        and GENERATED.isdisjoint(path.relative_to(ROOT).parts)
        and path != Path(__file__).resolve()
    )


@pytest.mark.parametrize("word", REJECTED)
def test_rejected_words_do_not_return(word):
    boundary = r"\b" if word[0].isalpha() else ""
    pattern = re.compile(rf"{boundary}{word}(?!\w)", re.IGNORECASE)
    hits = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in source_files()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if pattern.search(line)
    ]
    assert not hits, f"write {REJECTED[word]!r} instead:\n" + "\n".join(hits)
