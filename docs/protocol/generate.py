"""Writes what is generated from the types of the protocol: `make protocol`."""

from __future__ import annotations

from pathlib import Path

from typescript import declarations

ROOT = Path(__file__).parents[2]


def generated() -> dict[Path, str]:
    """Returns the text of each generated file."""
    return {ROOT / "src/quincunx/web/static/protocol.d.ts": declarations()}


if __name__ == "__main__":
    for path, text in generated().items():
        path.write_text(text, encoding="utf-8")
