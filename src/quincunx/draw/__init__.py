"""Drawing: a Scene as SVG, text for a terminal, PNG or GIF."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import fields
from inspect import signature
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from quincunx.draw.scene import ViewOptions
from quincunx.errors import BadOption

if TYPE_CHECKING:
    from quincunx.game import State

T = TypeVar("T")

KINDS = ("svg", "text", "png")


@overload
def picture(state: State, kind: Literal["svg", "text"], **options: object) -> str: ...
@overload
def picture(state: State, kind: Literal["png"], **options: object) -> bytes: ...
def picture(state: State, kind: str, **options: Any) -> str | bytes:
    """Returns a position as svg, text or png; raises BadOption.

    The options are those of `ViewOptions` and of the function that draws this kind.
    """
    draw = _drawing_function(kind)
    view_types = {field.name: type(field.default) for field in fields(ViewOptions)}
    allowed = [*list(signature(draw).parameters)[1:], *view_types]
    for name, value in options.items():
        if name not in allowed:
            raise BadOption(name, value, f"unknown option of {kind}; allowed: {', '.join(allowed)}")
        if name in view_types and not isinstance(value, view_types[name]):
            expected = "true or false" if view_types[name] is bool else "a text"
            raise BadOption(name, value, f"must be {expected}")
    scene = state.scene(ViewOptions(**_only(options, view_types)))
    return draw(scene, **_only(options, allowed[: -len(view_types)]))


def _drawing_function(kind: str) -> Callable[..., str | bytes]:
    """Returns the function that draws this kind, imported when it is needed."""
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


def _only(options: Mapping[str, T], names: Collection[str]) -> dict[str, T]:
    return {name: value for name, value in options.items() if name in names}
