"""The rules pages of the games."""

from __future__ import annotations

import re
from pathlib import Path

IMAGE = re.compile(r"^!\[.*\]\(.*\)\n\n?", re.MULTILINE)


def page(name: str) -> str:
    """Returns the rules page of a game as Markdown; raises FileNotFoundError."""
    package = Path(__file__).parent
    # A wheel has the pages in the package, a checkout in its docs.
    for directory in (package / "docs", package.parents[1] / "docs" / "games"):
        path = directory / f"{name}.md"
        if path.is_file():
            return path.read_text(encoding="utf-8")
    raise FileNotFoundError(2, "missing from the installation", f"{name}.md")
