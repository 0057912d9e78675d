"""Draws the pictures of the README and of the games' pages anew: `make pictures`.

Every position is written here as text, and all chance comes from fixed seeds, so that a
picture changes only when rules or layouts do. The theme is auto: light or dark as the
reader's system prefers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import quincunx as qx
from quincunx.draw.scene import Disc, Label, Line, Piece, Rect, Scene, Shape, ViewOptions
from quincunx.draw.svg import svg
from quincunx.game import State

FOLDER = Path(__file__).parent
SQUARE = 360  # pixels: the README's pictures stand in one row
WIDTH = 840  # pixels of the pages' widest pictures
CAPTION = 16  # pixels

Picture: TypeAlias = tuple[str, Scene, int]  # name, scene, pixels of its longer side

PLAIN = ViewOptions(coordinates=False)
BOARD = ("cell", "block")  # the roles of Blocky's squares


def main() -> None:
    """Writes every picture and says which."""
    for name, scene, size in pictures():
        path = FOLDER / f"{name}.svg"
        path.write_text(drawn(scene, size), encoding="utf-8")
        print(path.name)


def drawn(scene: Scene, size: int) -> str:
    """A picture as its file has it."""
    return svg(scene, theme="auto", size=size, title=False)


def pictures() -> Iterator[Picture]:
    """Every picture there is."""
    for draw in (sphero, onoro, blocky, wzlz, quorum):
        yield from draw()


# The five games.


def sphero() -> Iterator[Picture]:
    """A cluster of six colours; a rebalancing and a chain, step by step."""
    six = qx.game("sphero", players=6, order="turns")
    cluster = six.read(
        "...RO..../...OYG.../..BPYBG../.BGBBORPR/ORBGARGOR/OYPYPYOY./G.BGRPPG./...RBP.../....YY..."
        " P"
    )
    yield "sphero", squared(cluster.play("1,4").scene(PLAIN)), SQUARE
    four = qx.game("sphero")
    captions = [
        "balanced: valences up to 3",
        "Brown is placed on 4,0",
        "the inner board turns by half",
        "1,2 slides to 1,1",
        "3,0 slides to 2,0",
        "4,0 slides to 3,0: balanced",
    ]
    boards = unfolded(four.read("..G/.YB/RARYG"), "B:4,0")
    yield "sphero-rebalance", strip(boards, captions, 3), WIDTH
    captions = [
        "four yellow spheres",
        "Yellow is placed on 2,1: a chain",
        "the five go, three are cut off",
        "1,2 settles on 1,0",
        "3,0 settles on 2,0",
        "2,-1 settles on 1,-1",
    ]
    yield (
        "sphero-chain",
        strip(unfolded(four.read("..G/..Y/RAYYB/.GYR"), "Y:2,1"), captions, 3),
        WIDTH,
    )


def onoro() -> Iterator[Picture]:
    """A won game; where a pawn can be placed, and where one can move."""
    game = qx.game("onoro")
    before = game.read(".BWWWB/.W.BW./B..B../BWWB../.WB... w -2,-3")
    won = before.play("0,0>-1,-1").scene(PLAIN)
    yield "onoro", squared(close([won], 1.75)[0]), SQUARE
    targets = replace(PLAIN, targets=True)
    boards = [game.read(text).scene(targets) for text in (".W/BB w -1,0", ".WB/BBW/.WB w -1,0")]
    captions = ["White's first placing: three cells", "a later one: six cells"]
    yield "onoro-placing", strip(close(boards, 2.2), captions), 640
    boards = [before.scene(replace(PLAIN, picked=pawn)) for pawn in ("0,0", "-1,-2")]
    captions = ["this white pawn can go far", "this one has a neighbour that needs it"]
    yield "onoro-moving", strip(close(boards, 1.8), captions), 720


def blocky() -> Iterator[Picture]:
    """A board with its blob; what can be done to blocks; the two goals on one board."""
    deep = qx.game("blocky").read(
        "((y(bbyy)((yryy)r(bbgy)(rgrr))(rby(yggb)))((bbgr)((yrgr)(rggr)(yygb)(rryb))gb)"
        "((b(brgy)(byby)(rgrg))((brbg)(yggb)(yyry)g)b((rybr)(ygrg)yg))"
        "(g(rbgb)((grgg)(bgyr)b(brbr))((bgyy)ggg))) blob:r-4,blob:g-4 14 0",
    )
    yield "blocky", only(deep.play("paint:r@2100"), *BOARD, "border", "blob", "last"), SQUARE
    small = qx.game("blocky", depth=2).read("((rgbb)y(gyrr)b) blob:r-0,blob:g-0 0 0", seed=5)
    moves = {
        "cw@0": "clockwise",
        "ccw@0": "counterclockwise",
        "hswap@0": "left and right",
        "vswap@0": "upper and lower",
        "combine@0": "most are blue",
        "paint:y@00": "one unit cell",
        "smash@1": "new blocks by chance",
        "cw@": "the whole board",
    }
    boards = [only(small, *BOARD), *(only(small.play(move), *BOARD, "last") for move in moves)]
    captions = ["before", *(f"{move}  {words}" for move, words in moves.items())]
    yield "blocky-actions", strip(boards, captions, 3), 720
    middle = qx.game("blocky", depth=3, players=1)
    board = "((g(bgyg)r(ggbr))((rbyg)bgy)(r(ggyb)y(gbgg))(gg(rgbb)(yggr)))"
    boards = [
        only(middle.read(f"{board} {goal}:g-0 0 0"), *BOARD, "border", "blob")
        for goal in ("blob", "perimeter")
    ]
    captions = ["blob goal in green: 21 points", "perimeter goal in green: 11 points"]
    yield "blocky-goals", strip(boards, captions), 720


def wzlz() -> Iterator[Picture]:
    """A board in the middle of the game; where a ball can go; two lines at once."""
    game = qx.game("wzlz")
    middle = game.read(
        ".B.G...../...R..YM./.YG.R..N./........./BRC....C./N.N..MMM./R..Y...N./Y.......C/C....YY.."
        " BCR 42",
        seed=1,
    )
    yield "wzlz", squared(middle.play("1,7>5,4").scene(PLAIN)), SQUARE
    walls = game.read(
        "....M..G./...M....G/...G.R.../...Y...../CBGN...../........./........./........./........."
        " YCM 12"
    )
    yield "wzlz-path", walls.scene(ViewOptions(picked="2,5")), 420
    crossing = game.read(
        "R......../..Y...Y../...Y.Y.../........./...Y.Y.../..Y...Y../G......../....Y...B/........."
        " RGB 10"
    )
    rolled, cleared = crossing.steps("7,4>3,4")[:2]
    boards = [ringed(rolled.scene(), cleared.cells), cleared.scene()]
    captions = ["7,4 rolls to 3,4, where two lines cross", "nine balls vanish, for 18 points"]
    yield "wzlz-cross", strip(boards, captions), 760


def quorum() -> Iterator[Picture]:
    """A leap into the middle; one stone's targets; a movement with both effects."""
    game = qx.game("quorum")
    middle = game.read("8/3BBBB1/2B1BB2/3BWB1B/W2WBB2/8/WWW5/WWWW4 w").play("a1e3")
    yield "quorum", squared(middle.scene(PLAIN)), SQUARE
    yield "quorum-movement", game.start(0).scene(ViewOptions(picked="a1")), 400
    steps = game.read("8/8/BW1W4/BWB5/W7/1BW5/3W4/8 w").steps("d2b4")[:-1]
    boards = [ringed(step.scene(), step.cells if step.event != "move" else ()) for step in steps]
    captions = ["d2 leaps over c3 to b4", "a5 is suffocated", "c5 is converted"]
    yield "quorum-effects", strip(boards, captions), WIDTH


# How a play is shown step by step.


def unfolded(state: State, move: str) -> list[Scene]:
    """The boards of a Sphero play: a chain ringed before it goes, an arrow along every slide."""
    steps = state.steps(move)[:-1]
    scenes = [state.scene(PLAIN)]
    for i, step in enumerate(steps):
        scene = step.scene(replace(PLAIN, last=step.event == "place"))
        if step.event in ("settle", "slide"):
            scene = added(scene, *_slide([_spot(cell) for cell in step.cells]))
        if i + 1 < len(steps) and steps[i + 1].event == "chain":
            chain = [_spot(cell) for cell in steps[i + 1].cells]
            scene = added(scene, *(Disc(*spot, 0.49, "", "ink", 0.08) for spot in chain))
        scenes.append(scene)
    return close([without(scene, "liberty") for scene in scenes], 1.0)


def _spot(cell: str) -> tuple[float, float]:
    """Where Sphero's layout draws a cell."""
    x, y = cell.split(",")
    return int(x), -int(y)


def _slide(way: list[tuple[float, float]]) -> list[Shape]:
    """A slide to the rim of the sphere at its end."""
    (ax, ay), (bx, by) = way[-2:]
    rim = (bx + 0.52 * (ax - bx), by + 0.52 * (ay - by))
    return [
        Disc(*way[0], 0.4, "", "accent", 0.04, opacity=0.5),
        Line((*way[:-1], rim), "accent", 0.09, arrow=True),
        Disc(*way[-1], 0.49, "", "accent", 0.07),
    ]


def only(state: State, *roles: str) -> Scene:
    """Blocky's board with nothing but shapes of these roles, so nothing beside it."""
    scene = state.scene(PLAIN)
    return replace(scene, w=scene.h, shapes=tuple(s for s in scene.shapes if s.role in roles))


# Scenes put together.


def added(scene: Scene, *shapes: Shape) -> Scene:
    """The scene with more shapes on top."""
    return replace(scene, shapes=(*scene.shapes, *shapes))


def without(scene: Scene, role: str) -> Scene:
    """The scene without the shapes of a role."""
    return replace(scene, shapes=tuple(shape for shape in scene.shapes if shape.role != role))


def ringed(scene: Scene, cells: Iterable[str]) -> Scene:
    """The scene with a ring on some cells."""
    return added(scene, *(Disc(*centre(scene, cell), 0.44, "", "bad", 0.07) for cell in cells))


def centre(scene: Scene, cell: str) -> tuple[float, float]:
    """The middle of the first shape that stands for a cell."""
    shape = next(shape for shape in scene.shapes if shape.cell == cell)
    if isinstance(shape, Rect):
        return shape.x + shape.w / 2, shape.y + shape.h / 2
    assert not isinstance(shape, Line)
    return shape.x, shape.y


def squared(scene: Scene) -> Scene:
    """The scene in a square, as far as it was too wide or too high."""
    side = max(scene.w, scene.h)
    x, y = scene.x - (side - scene.w) / 2, scene.y - (side - scene.h) / 2
    return grounded(replace(scene, x=x, y=y, w=side, h=side))


def close(scenes: Sequence[Scene], margin: float) -> list[Scene]:
    """The scenes in one box that leaves this much room around the centres of all pieces."""
    pieces = [shape for scene in scenes for shape in scene.shapes if isinstance(shape, Piece)]
    xs, ys = [p.x for p in pieces], [p.y for p in pieces]
    box = {
        "x": min(xs) - margin,
        "y": min(ys) - margin,
        "w": max(xs) - min(xs) + 2 * margin,
        "h": max(ys) - min(ys) + 2 * margin,
    }
    return [replace(scene, **box) for scene in scenes]


def grounded(scene: Scene) -> Scene:
    """The scene with its ground, if it has one, as large as its box allows."""
    x, y, w, h = scene.x + 0.2, scene.y + 0.2, scene.w - 0.4, scene.h - 0.4
    shapes = (
        replace(s, x=x, y=y, w=w, h=h) if isinstance(s, Rect) and s.role == "ground" else s
        for s in scene.shapes
    )
    return replace(scene, shapes=tuple(shapes))


def strip(scenes: Sequence[Scene], captions: Sequence[str], across: int = 0) -> Scene:
    """Scenes side by side in rows, each in a box that would hold any of them, with captions."""
    across = across or len(scenes)
    x, y = min(s.x for s in scenes), min(s.y for s in scenes)
    w, h = max(s.x + s.w for s in scenes) - x, max(s.y + s.h for s in scenes) - y
    gap = 0.04 * w
    width = across * w + (across + 1) * gap
    size = CAPTION * width / WIDTH
    shapes: list[Shape] = []
    for i, (scene, caption) in enumerate(zip(scenes, captions, strict=True)):
        left, top = gap + i % across * (w + gap), gap + i // across * (h + 2.6 * size)
        scene = grounded(replace(scene, x=x, y=y, w=w, h=h))
        shapes += [shifted(shape, left - x, top - y) for shape in scene.shapes]
        shapes.append(Label(left + w / 2, top + h + 1.1 * size, caption, size, "ink"))
    height = gap + -(-len(scenes) // across) * (h + 2.6 * size)
    return Scene(0, 0, width, height, tuple(shapes), scenes[0].title, "; ".join(captions))


def shifted(shape: Shape, dx: float, dy: float) -> Shape:
    """The shape somewhere else."""
    if isinstance(shape, Line):
        return replace(shape, points=tuple((x + dx, y + dy) for x, y in shape.points))
    return replace(shape, x=shape.x + dx, y=shape.y + dy)


if __name__ == "__main__":
    main()
