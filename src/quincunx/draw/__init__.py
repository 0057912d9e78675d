"""Pictures of positions: from a Scene to SVG, terminal text, PNG and GIF."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from quincunx.draw.scene import Show

if TYPE_CHECKING:
    from quincunx.game import State

SHOW = {field.name for field in fields(Show)}


def picture(state: State, kind: str, **options: Any) -> str:
    """A position drawn as svg or text; options are those of `Show` and of the drawer."""
    show = Show(**{name: options.pop(name) for name in SHOW & options.keys()})
    scene = state.scene(show)
    if kind == "svg":
        from quincunx.draw.svg import svg

        return svg(scene, **options)
    from quincunx.draw.text import text

    return text(scene, **options)
