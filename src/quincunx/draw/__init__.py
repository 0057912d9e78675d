"""Pictures of positions: from a Scene to SVG, terminal text, PNG and GIF."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from inspect import signature
from typing import TYPE_CHECKING, Any, Literal, overload

from quincunx.draw.scene import ViewOptions
from quincunx.errors import BadOption

if TYPE_CHECKING:
    from quincunx.game import State

KINDS = ("svg", "text", "png")


@overload
def picture(state: State, kind: Literal["svg", "text"], **options: Any) -> str: ...
@overload
def picture(state: State, kind: Literal["png"], **options: Any) -> bytes: ...
def picture(state: State, kind: str, **options: Any) -> str | bytes:
    """A position drawn as svg, text or png, with the options of `ViewOptions` and of the drawer."""
    draw = _drawer(kind)
    view = {field.name: type(field.default) for field in fields(ViewOptions)}
    allowed = [*list(signature(draw).parameters)[1:], *view]
    for name, value in options.items():
        if name not in allowed:
            raise BadOption(name, value, f"no option of {kind}; it has {', '.join(allowed)}")
        if name in view and not isinstance(value, view[name]):
            word = "true or false" if view[name] is bool else "a text"
            raise BadOption(name, value, f"must be {word}")
    scene = state.scene(ViewOptions(**_only(options, view)))
    return draw(scene, **_only(options, allowed[: -len(view)]))


def _drawer(kind: str) -> Callable[..., str | bytes]:
    """The function that draws this kind, loaded when it is needed."""
    if kind == "svg":
        from quincunx.draw.svg import svg

        return svg
    if kind == "text":
        from quincunx.draw.text import text

        return text
    if kind == "png":
        from quincunx.draw.image import png

        return png
    raise BadOption("kind", kind, f"must be one of {', '.join(KINDS)}")


def _only(options: Mapping[str, Any], names: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name in names}
