"""Draws the pictures of the README and of the rules pages: `make pictures`.

Every position is written here as text, and all seeds are fixed, so that a picture changes only
when rules or layouts do. The theme is auto: light or dark as the reader's system prefers.
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

GAMES = Path(__file__).parents[2] / "src" / "quincunx" / "games"
SQUARE_PX = 360  # so that the pictures of the README fit in one row
WIDTH_PX = 840  # of the widest pictures
CAPTION_PX = 16

Picture: TypeAlias = tuple[str, Scene, int]  # name, scene, length of its longer side in pixels

PLAIN = ViewOptions(coordinates=False)
BOARD_ROLES = ("cell", "block")  # of Blocky's squares


def main() -> None:
    """Writes every picture and prints its file name."""
    for name, scene, size in pictures():
        path = GAMES / name
        path.write_text(to_svg(scene, size), encoding="utf-8")
        print(path)


def to_svg(scene: Scene, size: int) -> str:
    """Returns the content of a picture file."""
    return svg(scene, theme="auto", size=size, title=False)


def pictures() -> Iterator[Picture]:
    """Yields all pictures."""
    for draw in (sphero, onoro, blocky, wzlz, quorum):
        for name, scene, size in draw():
            game, _, rest = name.partition("-")
            yield f"{game}/pictures/{rest or 'board'}.svg", scene, size


# The five games.


def sphero() -> Iterator[Picture]:
    """Yields a cluster of six colours, and a rebalancing and a chain step by step."""
    six = qx.game("sphero", players=6, order="turns")
    cluster = six.read(
        "...RO..../...OYG.../..BPYBG../.BGBBORPR/ORBGARGOR/OYPYPYOY./G.BGRPPG./...RBP.../....YY..."
        " P"
    )
    yield "sphero", in_square(cluster.play("1,4").scene(PLAIN)), SQUARE_PX
    four = qx.game("sphero")
    captions = [
        "balanced: valences up to 3",
        "Brown is placed on 4,0",
        "the inner board turns by half",
        "1,2 slides to 1,1",
        "3,0 slides to 2,0",
        "4,0 slides to 3,0: balanced",
    ]
    boards = step_scenes(four.read("..G/.YB/RARYG"), "B:4,0")
    yield "sphero-rebalance", in_rows(boards, captions, 3), WIDTH_PX
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
        in_rows(step_scenes(four.read("..G/..Y/RAYYB/.GYR"), "Y:2,1"), captions, 3),
        WIDTH_PX,
    )


def onoro() -> Iterator[Picture]:
    """Yields a won game, the targets of a placing, and the targets of a movement."""
    game = qx.game("onoro")
    before = game.read(".BWWWB/.W.BW./B..B../BWWB../.WB... w -2,-3")
    won = before.play("0,0>-1,-1").scene(PLAIN)
    yield "onoro", in_square(cropped([won], 1.75)[0]), SQUARE_PX
    targets = replace(PLAIN, targets=True)
    boards = [game.read(text).scene(targets) for text in (".W/BB w -1,0", ".WB/BBW/.WB w -1,0")]
    captions = ["White's first placing: three cells", "a later one: six cells"]
    yield "onoro-placing", in_rows(cropped(boards, 2.2), captions), 640
    boards = [before.scene(replace(PLAIN, picked=pawn)) for pawn in ("0,0", "-1,-2")]
    captions = ["this white pawn can go far", "this one has a neighbour that needs it"]
    yield "onoro-moving", in_rows(cropped(boards, 1.8), captions), 720


def blocky() -> Iterator[Picture]:
    """Yields a board with its blob, the actions on blocks, and both goals on one board."""
    deep = qx.game("blocky").read(
        "((y(bbyy)((yryy)r(bbgy)(rgrr))(rby(yggb)))((bbgr)((yrgr)(rggr)(yygb)(rryb))gb)"
        "((b(brgy)(byby)(rgrg))((brbg)(yggb)(yyry)g)b((rybr)(ygrg)yg))"
        "(g(rbgb)((grgg)(bgyr)b(brbr))((bgyy)ggg))) blob:r-4,blob:g-4 14 0",
    )
    yield (
        "blocky",
        with_roles(deep.play("paint:r@2100"), *BOARD_ROLES, "border", "blob", "last"),
        SQUARE_PX,
    )
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
    boards = [
        with_roles(small, *BOARD_ROLES),
        *(with_roles(small.play(move), *BOARD_ROLES, "last") for move in moves),
    ]
    captions = ["before", *(f"{move}  {description}" for move, description in moves.items())]
    yield "blocky-actions", in_rows(boards, captions, 3), 720
    middle = qx.game("blocky", depth=3, players=1)
    board = "((g(bgyg)r(ggbr))((rbyg)bgy)(r(ggyb)y(gbgg))(gg(rgbb)(yggr)))"
    boards = [
        with_roles(middle.read(f"{board} {goal}:g-0 0 0"), *BOARD_ROLES, "border", "blob")
        for goal in ("blob", "perimeter")
    ]
    captions = ["blob goal in green: 21 points", "perimeter goal in green: 11 points"]
    yield "blocky-goals", in_rows(boards, captions), 720


def wzlz() -> Iterator[Picture]:
    """Yields a middle game, the targets of a ball, and two lines that are completed at once."""
    game = qx.game("wzlz")
    middle = game.read(
        ".B.G...../...R..YM./.YG.R..N./........./BRC....C./N.N..MMM./R..Y...N./Y.......C/C....YY.."
        " BCR 42",
        seed=1,
    )
    yield "wzlz", in_square(middle.play("1,7>5,4").scene(PLAIN)), SQUARE_PX
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
    boards = [with_rings(rolled.scene(), cleared.cells), cleared.scene()]
    captions = ["7,4 rolls to 3,4, where two lines cross", "nine balls vanish, for 18 points"]
    yield "wzlz-cross", in_rows(boards, captions), 760


def quorum() -> Iterator[Picture]:
    """Yields a middle game, the targets of a stone, and a movement with both effects."""
    game = qx.game("quorum")
    middle = game.read("8/3BBBB1/2B1BB2/3BWB1B/W2WBB2/8/WWW5/WWWW4 w").play("a1e3")
    yield "quorum", in_square(middle.scene(PLAIN)), SQUARE_PX
    yield "quorum-movement", game.start(0).scene(ViewOptions(picked="a1")), 400
    steps = game.read("8/8/BW1W4/BWB5/W7/1BW5/3W4/8 w").steps("d2b4")[:-1]
    boards = [
        with_rings(step.scene(), step.cells if step.event != "move" else ()) for step in steps
    ]
    captions = ["d2 leaps over c3 to b4", "a5 is suffocated", "c5 is converted"]
    yield "quorum-effects", in_rows(boards, captions), WIDTH_PX


# Scenes of the steps of a move.


def step_scenes(state: State, move: str) -> list[Scene]:
    """Returns the boards of a Sphero move, with rings on a chain and arrows along slides."""
    steps = state.steps(move)[:-1]
    scenes = [state.scene(PLAIN)]
    for i, step in enumerate(steps):
        scene = step.scene(replace(PLAIN, last=step.event == "place"))
        if step.event in ("settle", "slide"):
            scene = with_shapes(scene, *_slide_arrow([_position(cell) for cell in step.cells]))
        if i + 1 < len(steps) and steps[i + 1].event == "chain":
            chain = [_position(cell) for cell in steps[i + 1].cells]
            scene = with_shapes(
                scene, *(Disc(*position, 0.49, "", "ink", 0.08) for position in chain)
            )
        scenes.append(scene)
    return cropped([without_role(scene, "liberty") for scene in scenes], 1.0)


def _position(cell: str) -> tuple[float, float]:
    """Returns the coordinates of a cell in Sphero's layout."""
    x, y = cell.split(",")
    return int(x), -int(y)


def _slide_arrow(path: list[tuple[float, float]]) -> list[Shape]:
    """Returns an arrow along a slide, which ends at the rim of the sphere."""
    (ax, ay), (bx, by) = path[-2:]
    rim = (bx + 0.52 * (ax - bx), by + 0.52 * (ay - by))
    return [
        Disc(*path[0], 0.4, "", "accent", 0.04, opacity=0.5),
        Line((*path[:-1], rim), "accent", 0.09, arrow=True),
        Disc(*path[-1], 0.49, "", "accent", 0.07),
    ]


def with_roles(state: State, *roles: str) -> Scene:
    """Returns Blocky's board with only the shapes of these roles, without its side panel."""
    scene = state.scene(PLAIN)
    return replace(scene, w=scene.h, shapes=tuple(s for s in scene.shapes if s.role in roles))


# Composition of scenes.


def with_shapes(scene: Scene, *shapes: Shape) -> Scene:
    """Returns the scene with more shapes on top."""
    return replace(scene, shapes=(*scene.shapes, *shapes))


def without_role(scene: Scene, role: str) -> Scene:
    """Returns the scene without the shapes of a role."""
    return replace(scene, shapes=tuple(shape for shape in scene.shapes if shape.role != role))


def with_rings(scene: Scene, cells: Iterable[str]) -> Scene:
    """Returns the scene with rings on some cells."""
    return with_shapes(
        scene, *(Disc(*centre(scene, cell), 0.44, "", "bad", 0.07) for cell in cells)
    )


def centre(scene: Scene, cell: str) -> tuple[float, float]:
    """Returns the middle of the first shape of a cell."""
    shape = next(shape for shape in scene.shapes if shape.cell == cell)
    if isinstance(shape, Rect):
        return shape.x + shape.w / 2, shape.y + shape.h / 2
    assert not isinstance(shape, Line)
    return shape.x, shape.y


def in_square(scene: Scene) -> Scene:
    """Returns the scene centred in a square box."""
    side = max(scene.w, scene.h)
    x, y = scene.x - (side - scene.w) / 2, scene.y - (side - scene.h) / 2
    return with_full_ground(replace(scene, x=x, y=y, w=side, h=side))


def cropped(scenes: Sequence[Scene], margin: float) -> list[Scene]:
    """Returns the scenes in one box, with a margin around the centres of all pieces."""
    pieces = [shape for scene in scenes for shape in scene.shapes if isinstance(shape, Piece)]
    xs, ys = [p.x for p in pieces], [p.y for p in pieces]
    box = {
        "x": min(xs) - margin,
        "y": min(ys) - margin,
        "w": max(xs) - min(xs) + 2 * margin,
        "h": max(ys) - min(ys) + 2 * margin,
    }
    return [replace(scene, **box) for scene in scenes]


def with_full_ground(scene: Scene) -> Scene:
    """Returns the scene with its ground shape, if it has one, as large as its box allows."""
    x, y, w, h = scene.x + 0.2, scene.y + 0.2, scene.w - 0.4, scene.h - 0.4
    shapes = (
        replace(s, x=x, y=y, w=w, h=h) if isinstance(s, Rect) and s.role == "ground" else s
        for s in scene.shapes
    )
    return replace(scene, shapes=tuple(shapes))


def in_rows(scenes: Sequence[Scene], captions: Sequence[str], columns: int = 0) -> Scene:
    """Returns one scene with these scenes in rows, in boxes of equal size, with captions."""
    columns = columns or len(scenes)
    x, y = min(s.x for s in scenes), min(s.y for s in scenes)
    w, h = max(s.x + s.w for s in scenes) - x, max(s.y + s.h for s in scenes) - y
    gap = 0.04 * w
    width = columns * w + (columns + 1) * gap
    size = CAPTION_PX * width / WIDTH_PX
    shapes: list[Shape] = []
    for i, (scene, caption) in enumerate(zip(scenes, captions, strict=True)):
        left, top = gap + i % columns * (w + gap), gap + i // columns * (h + 2.6 * size)
        scene = with_full_ground(replace(scene, x=x, y=y, w=w, h=h))
        shapes += [shifted(shape, left - x, top - y) for shape in scene.shapes]
        shapes.append(Label(left + w / 2, top + h + 1.1 * size, caption, size, "ink"))
    height = gap + -(-len(scenes) // columns) * (h + 2.6 * size)
    return Scene(0, 0, width, height, tuple(shapes), scenes[0].title, "; ".join(captions))


def shifted(shape: Shape, dx: float, dy: float) -> Shape:
    """Returns the shape moved by dx, dy."""
    if isinstance(shape, Line):
        return replace(shape, points=tuple((x + dx, y + dy) for x, y in shape.points))
    return replace(shape, x=shape.x + dx, y=shape.y + dy)


if __name__ == "__main__":
    main()
