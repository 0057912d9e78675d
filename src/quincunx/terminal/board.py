"""The board widget: a picture as large as it fits, a keyboard focus, clicks and drags."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from quincunx.draw import palette
from quincunx.draw.half_blocks import SCALES, draw_half_blocks, min_scale
from quincunx.draw.scene import Scene
from quincunx.draw.terminal_cells import TerminalPicture
from quincunx.draw.text import draw_characters
from quincunx.terminal.focus import INNERMOST_LEVEL, name_at_level, next_focus, with_focus

RIGHT_BUTTON = 3  # Textual's number of the right mouse button
TEXT_ONLY_SCALE = 99  # as the minimum scale: larger than all SCALES, so that no blocks are drawn
MAX_TRIMMED_CELLS = 3  # columns or rows of empty margin that are trimmed at most

ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


@dataclass(frozen=True)
class BoardStyle:
    """How boards are drawn: theme, marks of the pieces, as text instead of blocks, in colour."""

    theme: str = "dark"
    marks: str = "faint"
    text_only: bool = False
    colours: bool = True


class BoardWidget(Widget, can_focus=True):
    """A board that posts the names of the areas that the user clicks or drags."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, f"move_focus('{key}')", "move the focus", show=False) for key in ARROWS),
        Binding("enter,space", "click", "pick or place", show=False),
        Binding("minus", "change_level(-1)", "larger block", show=False),
        Binding("plus,equals_sign", "change_level(1)", "smaller block", show=False),
    ]

    @dataclass
    class Clicked(Message):
        """A named area was clicked, chosen with Enter, or dropped on."""

        name: str

    @dataclass
    class Dragged(Message):
        """A named area was dragged onto another one; Clicked follows for that one."""

        name: str

    class Cancelled(Message):
        """The right button was clicked, to cancel the selection."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.picture = TerminalPicture()
        self.focused_name = ""
        self.level = INNERMOST_LEVEL
        self._drag_start = ""
        self._scene = Scene(0, 0, 1, 1, (), "")
        self._max_size = Size(80, 24)
        self._board_style = BoardStyle()
        self._starts: frozenset[str] = frozenset()
        self._fitter = PictureFitter()

    def show_scene(
        self, scene: Scene, max_size: Size, style: BoardStyle, starts: Collection[str] = ()
    ) -> None:
        """Draws a scene; the first arrow key moves the focus to one of the `starts`."""
        self._scene, self._max_size, self._board_style = scene, max_size, style
        self._starts = frozenset(starts)
        self._redraw()

    def _redraw(self) -> None:
        scene = with_focus(self._scene, self.focused_name)
        old_size = self.picture.width, self.picture.height
        self.picture = self._fitter.fit(scene, self._max_size, self._board_style)
        if self.focused_name and self.focused_name not in self.picture.boxes:
            self.focused_name = ""
        self.refresh(layout=old_size != (self.picture.width, self.picture.height))

    def focus_name(self, name: str) -> None:
        """Moves the focus to a name and scrolls there."""
        if name == self.focused_name:
            return
        self.focused_name = name
        self._redraw()
        box = self.picture.boxes.get(name)
        if box is not None:
            left, top, right, bottom = (round(side) for side in box)
            region = Region(left, top, max(1, right - left), max(1, bottom - top))
            if isinstance(self.parent, Widget):
                self.parent.scroll_to_region(region, animate=False)

    def action_move_focus(self, key: str) -> None:
        """Moves the focus in the direction of an arrow key."""
        step = ARROWS[key]
        self.focus_name(next_focus(self.picture, self.focused_name, self.level, step, self._starts))

    def action_click(self) -> None:
        """Clicks the focused name; without one, focuses the first."""
        if self.focused_name:
            self.post_message(self.Clicked(self.focused_name))
        else:
            self.action_move_focus("right")

    def action_change_level(self, delta: int) -> None:
        """Moves the focus inwards (1) or outwards (-1) among nested names."""
        nestings = [
            nesting for nesting in self.picture.nested_names if self.focused_name in nesting
        ]
        if not nestings:
            self.action_move_focus("right")
            return
        nesting = max(nestings, key=lambda names: (len(names), names))
        level = len(nesting) - 1 - nesting.index(self.focused_name)
        self.level = min(max(level + delta, 0), INNERMOST_LEVEL)
        self.focus_name(name_at_level(nesting, self.level))

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Returns the width of the picture."""
        return self.picture.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Returns the height of the picture."""
        return self.picture.height

    def render_line(self, y: int) -> Strip:
        """Returns one row of the picture."""
        if y >= self.picture.height:
            return Strip.blank(self.size.width, self.rich_style)
        row = self.picture.rows[y]
        segments = [Segment(cell.char, _style(cell.foreground, cell.background)) for cell in row]
        strip = Strip(segments, len(segments)).simplify()
        return strip.adjust_cell_length(self.size.width, self.rich_style)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Focuses the name under the mouse."""
        name = name_at_level(self.picture.names(event.x, event.y), self.level)
        if name:
            self.focus_name(name)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Remembers where a drag may start."""
        self._drag_start = name_at_level(self.picture.names(event.x, event.y), self.level)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Posts a click or a drag; the right button cancels."""
        start, self._drag_start = self._drag_start, ""
        if event.button == RIGHT_BUTTON:
            self.post_message(self.Cancelled())
            return
        name = name_at_level(self.picture.names(event.x, event.y), self.level)
        if start and name:
            self.focus_name(name)
            if start != name:
                self.post_message(self.Dragged(start))
            self.post_message(self.Clicked(name))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Moves the focus outwards where names are nested."""
        self._scroll_level(event, -1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Moves the focus inwards where names are nested."""
        self._scroll_level(event, 1)

    def _scroll_level(self, event: events.MouseEvent, delta: int) -> None:
        if len(self.picture.names(event.x, event.y)) > 1:
            event.stop()
            self.action_change_level(delta)


class PictureFitter:
    """Draws scenes with the largest blocks that fit, or as text where no blocks fit."""

    def __init__(self) -> None:
        # The scale used last, by size of scene and widget: larger ones did not fit.
        self._used_scales: dict[object, int] = {}

    def fit(self, scene: Scene, max_size: Size, style: BoardStyle) -> TerminalPicture:
        """Returns the picture of a scene, no larger than `max_size` unless even text is."""
        key = (scene.w, scene.h, max_size, style.text_only)
        max_scale = self._used_scales.get(key, SCALES[0])
        smallest_scale = TEXT_ONLY_SCALE if style.text_only else min_scale(scene)
        for scale in SCALES:
            if smallest_scale <= scale <= max_scale and _may_fit(scene, scale, max_size):
                picture = draw_half_blocks(scene, scale, style.theme, style.marks)
                if picture.width <= max_size.width and picture.height <= max_size.height:
                    self._used_scales[key] = scale
                    return picture
        self._used_scales[key] = 0
        picture = draw_characters(scene, style.theme)
        return picture if style.colours else _without_colours(picture, style.theme)


def _may_fit(scene: Scene, scale: int, max_size: Size) -> bool:
    """Returns False if the picture is too large even after its empty margin is trimmed."""
    width = (scene.w - 1) * scale - MAX_TRIMMED_CELLS
    height = (scene.h - 1) * scale / 2 - MAX_TRIMMED_CELLS
    return width <= max_size.width and height <= max_size.height


def _without_colours(picture: TerminalPicture, theme: str) -> TerminalPicture:
    """Returns the picture with all characters in the theme's text colour."""
    foreground = palette.colour("ink", theme)
    return replace(
        picture,
        rows=tuple(
            tuple(cell._replace(foreground=foreground) for cell in row) for row in picture.rows
        ),
    )


@lru_cache(maxsize=4096)
def _style(foreground: str, background: str) -> Style:
    return Style(color=foreground, bgcolor=background)
