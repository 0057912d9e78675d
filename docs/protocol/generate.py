"""Writes what is generated from the types of the protocol: `make protocol`."""

from __future__ import annotations

from pathlib import Path

from tables import with_tables
from typescript import declarations

ROOT = Path(__file__).parents[2]


def generated() -> dict[Path, str]:
    """Returns the text of each generated file."""
    page = ROOT / "docs/protocol.md"
    return {
        ROOT / "src/quincunx/web/static/protocol.d.ts": declarations(),
        page: with_tables(page.read_text(encoding="utf-8")),
    }


if __name__ == "__main__":
    for path, text in generated().items():
        path.write_text(text, encoding="utf-8")
