"""The pages of the games: rules, options, texts."""

from __future__ import annotations

from pathlib import Path


def page(name: str) -> str:
    """The page of a game, as Markdown."""
    package = Path(__file__).parent
    # In the wheel the pages lie in the package, in a checkout beside the sources.
    for folder in (package / "docs", package.parents[1] / "docs" / "games"):
        path = folder / f"{name}.md"
        if path.is_file():
            return path.read_text(encoding="utf-8")
    raise FileNotFoundError(2, "missing from the installation", f"{name}.md")
