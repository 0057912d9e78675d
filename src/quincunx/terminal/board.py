"""The board as a widget: a picture that fits the room, a focus, touches by mouse and keys."""

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
from quincunx.terminal.focus import INNERMOST, at_level, focused, stepped

RIGHT = 3  # the number of the mouse's right button
LETTERS = 99  # a scale that no blocks have
SPARE = 3  # letters

ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


@dataclass(frozen=True)
class Look:
    """How boards are drawn: theme, strength of the marks, whether in letters, and in colours."""

    theme: str = "dark"
    marks: str = "faint"
    letters: bool = False
    colours: bool = True


class Board(Widget, can_focus=True):
    """A scene, drawn as large as its room allows; it says which names are touched."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, f"step('{key}')", "focus", show=False) for key in ARROWS),
        Binding("enter,space", "touch", "pick, put", show=False),
        Binding("minus", "level(-1)", "larger block", show=False),
        Binding("plus,equals_sign", "level(1)", "smaller block", show=False),
    ]

    @dataclass
    class Touched(Message):
        """A name on the board was touched."""

        name: str

    @dataclass
    class Grabbed(Message):
        """The mouse took a name and carries it somewhere else."""

        name: str

    class PutDown(Message):
        """The hand lets go of what it holds."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.picture = TerminalPicture()
        self.name_focused = ""
        self.level = INNERMOST
        self._grabbed = ""
        self._scene = Scene(0, 0, 1, 1, (), "")
        self._room = Size(80, 24)
        self._look = Look()
        self._starts: frozenset[str] = frozenset()
        self._fitting = Fitting()

    def show(self, scene: Scene, room: Size, look: Look, starts: Collection[str] = ()) -> None:
        """Draws a scene; a hand that is nowhere begins at one of the `starts`."""
        self._scene, self._room, self._look = scene, room, look
        self._starts = frozenset(starts)
        self._draw()

    def _draw(self) -> None:
        shown = focused(self._scene, self.name_focused)
        before = self.picture.width, self.picture.height
        self.picture = self._fitting.fitted(shown, self._room, self._look)
        if self.name_focused and self.name_focused not in self.picture.boxes:
            self.name_focused = ""
        changed = before != (self.picture.width, self.picture.height)
        self.refresh(layout=changed)

    def point(self, name: str) -> None:
        """Moves the focus to a name."""
        if name == self.name_focused:
            return
        self.name_focused = name
        self._draw()
        place = self.picture.boxes.get(name)
        if place is not None:
            left, top, right, bottom = (round(side) for side in place)
            region = Region(left, top, max(1, right - left), max(1, bottom - top))
            self.scroll_visible_region(region)

    def scroll_visible_region(self, region: Region) -> None:
        """Scrolls what holds the board so far that a part of it is seen."""
        parent = self.parent
        if isinstance(parent, Widget):
            parent.scroll_to_region(region, animate=False)

    def action_step(self, key: str) -> None:
        """Moves the focus by an arrow key."""
        step = ARROWS[key]
        self.point(stepped(self.picture, self.name_focused, self.level, step, self._starts))

    def action_touch(self) -> None:
        """Touches what has the focus."""
        if self.name_focused:
            self.post_message(self.Touched(self.name_focused))
        else:
            self.action_step("right")

    def action_level(self, deeper: int) -> None:
        """Reaches deeper into what lies in each other, or less deep."""
        stacks = [stack for stack in self.picture.nested_names if self.name_focused in stack]
        if not stacks:
            self.action_step("right")
            return
        stack = max(stacks, key=lambda names: (len(names), names))
        depth = len(stack) - 1 - stack.index(self.name_focused)
        self.level = min(max(depth + deeper, 0), INNERMOST)
        self.point(at_level(stack, self.level))

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """As wide as the picture."""
        return self.picture.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As high as the picture."""
        return self.picture.height

    def render_line(self, y: int) -> Strip:
        """One row of the picture."""
        if y >= self.picture.height:
            return Strip.blank(self.size.width, self.rich_style)
        row = self.picture.rows[y]
        segments = [Segment(cell.char, _style(cell.foreground, cell.background)) for cell in row]
        strip = Strip(segments, len(segments)).simplify()
        return strip.adjust_cell_length(self.size.width, self.rich_style)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """What the mouse is on has the focus."""
        name = at_level(self.picture.names(event.x, event.y), self.level)
        if name:
            self.point(name)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Where the button goes down, a drag may begin."""
        self._grabbed = at_level(self.picture.names(event.x, event.y), self.level)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """A click touches, and so does the end of a drag; the right button puts down."""
        begun, self._grabbed = self._grabbed, ""
        if event.button == RIGHT:
            self.post_message(self.PutDown())
            return
        name = at_level(self.picture.names(event.x, event.y), self.level)
        if begun and name:
            self.point(name)
            if begun != name:
                self.post_message(self.Grabbed(begun))
            self.post_message(self.Touched(name))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel changes the level where there are several."""
        self._wheel(event, -1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel changes the level where there are several."""
        self._wheel(event, 1)

    def _wheel(self, event: events.MouseEvent, deeper: int) -> None:
        if len(self.picture.names(event.x, event.y)) > 1:
            event.stop()
            self.action_level(deeper)


class Fitting:
    """Draws scenes as large as a room allows: in blocks, or where they have no room, in letters."""

    def __init__(self) -> None:
        self._known: dict[object, int] = {}  # the scale that fitted a room and a size of scene

    def fitted(self, scene: Scene, room: Size, look: Look) -> TerminalPicture:
        """The scene as it fits."""
        size = (scene.w, scene.h, room, look.letters)
        largest = self._known.get(size, SCALES[0])
        least = LETTERS if look.letters else min_scale(scene)
        for scale in SCALES:
            if least <= scale <= largest and _may_fit(scene, scale, room):
                picture = draw_half_blocks(scene, scale, look.theme, look.marks)
                if picture.width <= room.width and picture.height <= room.height:
                    self._known[size] = scale
                    return picture
        self._known[size] = 0
        picture = draw_characters(scene, look.theme)
        return picture if look.colours else _uncoloured(picture, look.theme)


def _may_fit(scene: Scene, scale: int, room: Size) -> bool:
    """False when there is no need to try; empty paper at the sides will be left out."""
    wide, high = (scene.w - 1) * scale - SPARE, (scene.h - 1) * scale / 2 - SPARE
    return wide <= room.width and high <= room.height


def _uncoloured(picture: TerminalPicture, theme: str) -> TerminalPicture:
    """The picture with all letters in ink, for those who see no colours."""
    ink = palette.colour("ink", theme)
    return replace(
        picture,
        rows=tuple(tuple(cell._replace(foreground=ink) for cell in row) for row in picture.rows),
    )


@lru_cache(maxsize=4096)
def _style(ink: str, ground: str) -> Style:
    return Style(color=ink, bgcolor=ground)
