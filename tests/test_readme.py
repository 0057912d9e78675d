"""Runs the examples of the README, docs/players.md and docs/boards.md as doctests."""

import doctest
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_examples_of_the_readme():
    failures, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried > 10
    assert failures == 0


def test_the_examples_of_the_players_page():
    failures, tried = doctest.testfile(str(ROOT / "docs/players.md"), module_relative=False)
    assert tried > 5
    assert failures == 0


def test_the_examples_of_the_boards_page():
    failures, tried = doctest.testfile(str(ROOT / "docs/boards.md"), module_relative=False)
    assert tried > 15
    assert failures == 0


def test_links_in_the_readme_exist():
    import re

    for link in re.findall(r"\]\(([^)]+)\)", (ROOT / "README.md").read_text()):
        assert link.startswith("http") or (ROOT / link.partition("#")[0]).exists(), link
