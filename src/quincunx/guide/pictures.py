"""The pictures of a guide, drawn from what the guide says of them.

A picture is an image line and, on the next line, a comment that says what it shows, which readers
of the guide do not see:

    ![The leap over c2, then the conversion of c5](pictures/leap.svg)
    <!-- picture with coordinates:
    from `8/8/BW1W4/BWB5/W7/1BW5/3W4/8 w` (repetition=0) play `d2b4` "the leap"
    step 3 of `d2b4`, ring `c5` "the conversion"
    -->

After the colon every line is a board. Its words, all of which may be missing:

from `POSITION` (OPTIONS)  the position; by default that of the board before, or the first one
seed NUMBER                what the text of the position leaves to chance
play `MOVE` `MOVE`         moves that are played
step NUMBER of `MOVE`      the board after this step of a move, with an arrow if a piece moves
pick `CELL`                marks the targets of the piece on a cell
targets                    marks all cells that a move can start from, or that are a move alone
ring `CELL` `CELL`         draws rings on cells
"TEXT"                     the caption

Before the colon are the words for the whole picture:

columns NUMBER             the number of boards in a row; by default all are in one row
margin NUMBER              shows this number of cells around the pieces, instead of the whole board
coordinates                writes coordinates beside the boards
without ROLE ROLE          leaves out the shapes of some roles, such as liberty
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import reduce

from quincunx.draw import composition
from quincunx.draw.scene import Scene, ViewOptions
from quincunx.draw.svg import svg
from quincunx.game import State
from quincunx.guide import PICTURE, configured_game, guide_path, guide_text

BOARD_PX = 360  # the width of a board
SMALL_BOARD_PX = 280  # in rows of more than two
CAPTION_PX = 16

TOKEN = re.compile(
    r'`(?P<code>[^`]*)`|"(?P<caption>[^"]*)"|\((?P<options>[^)]*)\)|(?P<word>[\w.]+)'
)
PICTURE_WORDS = ("columns", "margin", "coordinates", "without")
BOARD_WORDS = ("from", "seed", "play", "step", "pick", "targets", "ring")
IGNORED_WORDS = ("with", "of", "and")

Words = dict[str, list[str]]


@dataclass(frozen=True)
class GuidePicture:
    """A picture of a guide: its file, its description, and what it shows."""

    game: str
    file: str
    description: str
    settings: Words = field(default_factory=dict)
    boards: tuple[Words, ...] = ()

    @property
    def columns(self) -> int:
        """The number of boards in a row."""
        return int(self.settings["columns"][0]) if "columns" in self.settings else len(self.boards)

    @property
    def board_px(self) -> int:
        """The width of a board in pixels."""
        return SMALL_BOARD_PX if self.columns > 2 else BOARD_PX

    def scene(self) -> Scene:
        """Draws the picture; raises ValueError if a position, move or cell is wrong."""
        scenes = list(self._scenes())
        captions = [board.get("caption", [""])[0] for board in self.boards]
        if "margin" in self.settings:
            scenes = composition.cropped(scenes, float(self.settings["margin"][0]))
        if len(scenes) == 1 and not captions[0]:
            return composition.in_square(scenes[0])
        return composition.in_rows(scenes, captions, self.columns, CAPTION_PX / self.board_px)

    def svg(self) -> str:
        """Returns the content of the file: light or dark as the reader's system prefers."""
        scene = self.scene()
        longer_side = self.columns * self.board_px * max(1.0, scene.h / scene.w)
        return svg(scene, theme="auto", size=round(longer_side), title=False)

    def _scenes(self) -> Iterator[Scene]:
        """Yields the board of each line; a line without a position continues the line before."""
        first: State | None = None
        for board in self.boards:
            if first is None or "from" in board or "options" in board or "seed" in board:
                first = _first_position(self.game, board)
            scene = _scene(reduce(State.play, board.get("play", ()), first), board, self.settings)
            scene = composition.without_roles(scene, self.settings.get("without", ()))
            yield composition.with_rings(scene, board.get("ring", ()))


def pictures(name: str) -> list[GuidePicture]:
    """Returns the pictures of a game's guide, in order; raises ValueError for an unknown word."""
    return parse_pictures(name, guide_text(name) or "")


def parse_pictures(name: str, text: str) -> list[GuidePicture]:
    """Returns the pictures in a part of a game's guide."""
    return [_picture(name, match) for match in PICTURE.finditer(text)]


def write_pictures(name: str) -> list[str]:
    """Writes the pictures of a game into its folder and returns their paths."""
    guide, written = guide_path(name), []
    for picture in pictures(name):
        if guide is not None and picture.boards:
            path = guide.parent / picture.file
            path.parent.mkdir(exist_ok=True)
            path.write_text(picture.svg(), encoding="utf-8")
            written.append(str(path))
    return written


def _picture(name: str, match: re.Match[str]) -> GuidePicture:
    file, description, boards = match["file"], match["description"], match["boards"]
    if boards is None:
        return GuidePicture(name, file, description)
    where = f"{file} of {name}"
    lines = tuple(_words(line, BOARD_WORDS, where) for line in boards.splitlines())
    return GuidePicture(
        name, file, description, _words(match["settings"], PICTURE_WORDS, where), lines
    )


def _words(text: str, allowed: tuple[str, ...], where: str) -> Words:
    """Returns the words of a line, each with the values that follow it."""
    words: Words = {}
    current = ""
    for token in TOKEN.finditer(text):
        word = token["word"]
        if token["caption"] is not None or token["options"] is not None:
            kind = "options" if token["caption"] is None else "caption"
            words[kind] = [token[kind]]
        elif word in allowed:
            current = word
            words[current] = []
        elif word in IGNORED_WORDS:
            continue
        elif not current or word in (*PICTURE_WORDS, *BOARD_WORDS):
            raise ValueError(f"{where}: unknown word {word!r}; expected {', '.join(allowed)}")
        else:
            words[current].append(token["code"] if word is None else word)
    return words


def _first_position(name: str, board: Words) -> State:
    game = configured_game(name, " ".join(board.get("options", ())))
    seed = int(board.get("seed", ["0"])[0])
    return game.read(board["from"][0], seed) if "from" in board else game.start(seed)


def _scene(state: State, board: Words, settings: Words) -> Scene:
    """Returns the board of a position, or after a step of a move from there."""
    view = ViewOptions(
        coordinates="coordinates" in settings,
        targets="targets" in board,
        picked=board.get("pick", [""])[0],
        side_panel=False,
    )
    if "step" not in board:
        return state.scene(view)
    number, move = int(board["step"][0]), board["step"][1]
    steps = state.steps(move)
    if not 1 <= number <= len(steps):
        raise ValueError(f"step {number} of {move}: expected a step from 1 to {len(steps)}")
    before, step = [state, *steps][number - 1], steps[number - 1]
    paths = state.game.parts.layout.paths(before, step, view.flip)
    if number == 1 or len(paths) != 1:  # the first step is what the marks of the last move show
        return step.scene(view)
    return composition.with_arrow(step.scene(replace(view, last=False)), paths[0])
