"""The structure of SVG pictures that browsers and readers of the file rely on."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from quincunx.draw import palette, picture
from quincunx.draw.palette import MARK_OPACITIES
from quincunx.draw.scene import Disc, Label, Line, Piece, Rect, Scene, Shape, ViewOptions
from quincunx.draw.svg import FINISHES, PIXELS_PER_CELL, page_element, page_gradients, svg
from quincunx.errors import BadOption
from quincunx.registry import game

THEMES = (*palette.THEMES, "auto")
TEXT_TO_ESCAPE = '<b> & "quoted" \x00\x1b\ud800 ●'
NAMESPACE = "{http://www.w3.org/2000/svg}"


def scene_of_all_shapes() -> Scene:
    """Returns a scene with every shape, colour, finish and kind of line."""
    shapes: list[Shape] = []
    for row, finish in enumerate(FINISHES):
        for column, colour in enumerate(palette.PIECES):
            cell = f"{column},{row}"
            shapes.append(Rect(column, row, 1, 1, "board", role="cell", cell=cell, glyph="·"))
            shapes.append(
                Piece(column + 0.5, row + 0.5, colour, finish=finish, cell=cell, id=f"p{cell}")
            )
    for column, colour in enumerate(palette.PIECES):
        shapes.append(
            Rect(column, 3, 0.9, 0.9, colour, radius=0.1, mark=colour, title=TEXT_TO_ESCAPE)
        )
    shapes += [
        Line(((0, 5), (3, 5)), "accent", 0.08, arrow=True, opacity=0.5, role="path"),
        Line(((4, 5), (5, 5), (6, 5.333)), "good", dashed=True),
        Line(((7, 4), (8, 4), (8, 5)), "bad", fill="shade", closed=True, cell="corner"),
        Disc(9, 4.5, 0.4, "", "accent", 0.05, role="target last", cell="there", title="here"),
        Label(0.2, 5.6, TEXT_TO_ESCAPE, fill="ink", anchor="start", bold=True, cell=TEXT_TO_ESCAPE),
        Label(5, 5.6, "middle"),
        Label(10.8, 5.6, "end", 0.3, "accent", "end"),
    ]
    return Scene(-0.25, -0.25, 11.5, 6.5, tuple(shapes), "Everything", TEXT_TO_ESCAPE)


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def tag_names(root: ElementTree.Element) -> list[str]:
    return [element.tag.removeprefix(NAMESPACE) for element in root.iter()]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("marks", MARK_OPACITIES)
def test_an_svg_is_xml_with_a_description(theme: str, marks: str) -> None:
    root = parsed(svg(scene_of_all_shapes(), theme, marks))
    assert root.tag == NAMESPACE + "svg"
    assert root.get("role") == "img"
    assert root.get("aria-label") == 'Everything. <b> & "quoted" \ufffd\ufffd\ufffd ●'
    assert root.findtext(NAMESPACE + "title") == root.get("aria-label")
    assert root.get("viewBox") == "-12 -12 552 312"


def test_equal_scenes_give_equal_svg() -> None:
    assert svg(scene_of_all_shapes()) == svg(scene_of_all_shapes())


def test_every_named_shape_has_its_name_in_drawing_order() -> None:
    scene = scene_of_all_shapes()
    root = parsed(svg(scene))
    expected = [shape.cell for shape in scene.shapes if shape.cell]
    names = [e.get("data-cell") for e in root.iter() if e.get("data-cell")]
    assert [name.replace(TEXT_TO_ESCAPE, "label") for name in expected] == [
        name if name[0] != "<" else "label" for name in names
    ]
    assert [e.get("data-id") for e in root.iter() if e.get("data-id")] == [
        shape.id for shape in scene.shapes if shape.id
    ]
    target = root.find(".//*[@data-cell='there']")
    assert target is not None
    assert target.get("class") == "target last"
    assert target.findtext(NAMESPACE + "title") == "here"


def test_shapes_without_a_name_let_clicks_through() -> None:
    root = parsed(svg(scene_of_all_shapes()))
    path = root.find(".//*[@class='path']")
    assert path is not None
    assert path.get("pointer-events") == "none"
    assert not [e for e in root.iter() if e.get("data-cell") and e.get("pointer-events")]


@pytest.mark.parametrize("theme", palette.THEMES)
def test_fixed_themes_contain_plain_colours(theme: str) -> None:
    text = svg(scene_of_all_shapes(), theme)
    assert "var(" not in text
    gradients = set(re.findall(r'<radialGradient id="([^"]+)"', text))
    colours = re.findall(r'(?:fill|stroke|stop-color)="([^"]+)"', text)
    assert colours
    for value in colours:
        assert re.fullmatch(r"none|#[0-9a-f]{6}", value) or value[5:-1] in gradients, value


def test_the_auto_theme_defines_every_colour_that_it_uses() -> None:
    text = svg(scene_of_all_shapes(), "auto")
    light, dark = re.findall(r"svg\.quincunx\{([^}]*)\}", text)
    assert "@media (prefers-color-scheme: dark)" in text
    used = set(re.findall(r"var\((--[\w-]+)\)", text))
    assert used >= {"--paper", "--ink", "--black", "--black-rim"}
    assert all(f"{name}:#" in light for name in used)
    assert f"--paper:{palette.DARK['paper']};" in dark


@pytest.mark.parametrize("theme", THEMES)
def test_numbers_are_finite_and_short(theme: str) -> None:
    text = svg(scene_of_all_shapes(), theme)
    assert not re.search(r"nan|inf|\d\.\d{3}|\.\d*0[\" ]|-0[\" ]", text)


def test_marks_are_strong_faint_or_none() -> None:
    def opacities(marks: str) -> list[str]:
        scene = Scene(0, 0, 1, 1, (Piece(0.5, 0.5, "red"),), "")
        return re.findall(r'opacity="([^"]+)"', svg(scene, marks=marks))

    assert opacities("strong") > opacities("faint") > opacities("none") == []


def test_every_colour_has_a_different_mark() -> None:
    def last_element(colour: str) -> str:
        root = parsed(svg(Scene(0, 0, 1, 1, (Piece(0.5, 0.5, colour),), ""), marks="strong"))
        return " ".join(
            f"{e.tag} {e.get('d')} {e.get('r')} {e.get('fill') == 'none'}"
            for e in list(root.iter())[-1:]
        )

    plain = {last_element("white"), last_element("black")}
    marked = {last_element(colour) for colour, paint in palette.PIECES.items() if paint.mark}
    assert len(plain) == 1  # without a mark, the disc of the piece is the last element
    assert len(marked) == len({paint.mark for paint in palette.PIECES.values()} - {""})


def test_gradients_are_defined_once_for_each_colour_and_finish() -> None:
    twice = (*scene_of_all_shapes().shapes, *scene_of_all_shapes().shapes)
    text = svg(replace(scene_of_all_shapes(), shapes=twice))
    names = re.findall(r'<radialGradient id="([^"]+)"', text)
    assert len(names) == len(set(names)) == 2 * len(palette.PIECES) + 1
    assert "<defs>" not in svg(Scene(0, 0, 1, 1, (Piece(0.5, 0.5, "red"),), ""))


def test_an_arrow_ends_at_its_tip() -> None:
    line = Line(((0, 0), (2, 0)), "accent", 0.08, arrow=True)
    paths = re.findall(r'd="([^"]+)"', svg(Scene(0, 0, 2, 2, (line,), "")))
    assert len(paths) == 2
    ends = [max(float(x) for x in re.findall(r"[ML](-?[\d.]+)", path)) for path in paths]
    assert ends[0] < ends[1] == 2 * PIXELS_PER_CELL


def test_an_arrow_of_length_zero_has_finite_coordinates() -> None:
    line = Line(((1, 1), (1, 1)), "accent", arrow=True)
    assert "nan" not in svg(Scene(0, 0, 2, 2, (line,), ""))


def test_size_is_the_length_of_the_longer_side() -> None:
    root = parsed(svg(scene_of_all_shapes(), size=230))
    assert (root.get("width"), root.get("height")) == ("230", "130")


def test_titles_can_be_left_out() -> None:
    text = svg(scene_of_all_shapes(), title=False)
    assert "<title>" not in text
    assert "aria-label" in text


@pytest.mark.parametrize(
    ("option", "value", "allowed"),
    [
        ("theme", "blue", "light, dark, contrast, auto"),
        ("theme", None, "light, dark"),
        ("marks", "loud", "strong, faint, none"),
        ("size", 0, "from 16 to 8192"),
        ("size", True, "from 16 to 8192"),
        ("size", "big", "from 16 to 8192"),
        ("title", "yes", "true, false"),
    ],
)
def test_errors_of_wrong_options_list_the_allowed_values(
    option: str, value: object, allowed: str
) -> None:
    with pytest.raises(BadOption, match=allowed):
        svg(scene_of_all_shapes(), **{option: value})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "shape",
    [
        Piece(0, 0, "accent"),
        Piece(0, 0, "red", finish="matt"),
        Rect(0, 0, 1, 1, "beige"),
        Rect(0, 0, 1, 1, mark="ink"),
        Label(0, 0, "x", anchor="left"),
    ],
)
def test_unknown_colours_finishes_and_anchors_are_refused(shape: Shape) -> None:
    with pytest.raises(BadOption, match="must be one of"):
        svg(Scene(0, 0, 1, 1, (shape,), ""))


@pytest.mark.parametrize(
    "shape", scene_of_all_shapes().shapes, ids=lambda shape: type(shape).__name__
)
def test_a_page_element_is_one_element_styled_by_the_page(shape: Shape) -> None:
    root = parsed(page_element(shape))
    assert root.get("class") == (shape.role or None)
    assert (root.get("data-cell") is None) == (not shape.cell)
    assert (root.get("aria-label") is None) == (not shape.title)
    assert (root.get("pointer-events") == "none") == (not shape.cell)
    assert root.get("data-id") is None
    assert "title" not in tag_names(root)
    if isinstance(shape, Piece) and palette.PIECES[shape.colour].mark:
        assert len(root.findall("./g[@class='mark']")) == 1


def test_the_style_sheet_declares_everything_that_page_elements_refer_to() -> None:
    elements = "".join(map(page_element, scene_of_all_shapes().shapes))
    rules = dict(re.findall(r'^(:root|\[data-theme="\w+"\])\{(.*)\}$', palette.css(), re.MULTILINE))
    assert set(rules) == {":root", *(f'[data-theme="{theme}"]' for theme in palette.THEMES)}
    used = set(re.findall(r"var\((--[\w-]+)\)", elements))
    assert {"--board", "--red-rim", "--edge"} <= used
    for declarations in rules.values():
        assert all(f"{name}:" in declarations for name in used)
    assert f"--paper:{palette.DARK['paper']};" in rules['[data-theme="dark"]']
    assert "--edge:#000000;" in rules['[data-theme="contrast"]']
    assert set(re.findall(r"url\(#([^)]+)\)", elements)) <= set(
        re.findall(r'id="([^"]+)"', page_gradients())
    )


def test_the_start_of_quorum_has_all_cells_pieces_and_targets() -> None:
    state = game("quorum").start()
    root = parsed(state.svg(picked="a1"))
    tags = tag_names(root)
    assert len(root.findall(".//*[@class='cell']")) == 64
    assert len(root.findall(".//*[@class='piece']")) == 20
    assert {e.get("data-cell") for e in root.findall(".//*[@class='target']")} == {
        move[2:] for move in state.moves() if move.startswith("a1")
    }
    assert tags.count("text") == 16


def test_picture_refuses_unknown_options() -> None:
    state = game("quorum").start()
    with pytest.raises(BadOption, match="theme, marks, size, title, coordinates, last, targets"):
        state.svg(colour="red")
    with pytest.raises(BadOption, match="colour, theme, coordinates"):
        picture(state, "text", size=3)
    with pytest.raises(BadOption, match="must be true or false"):
        state.svg(flip="no")
    with pytest.raises(BadOption, match="svg, text, png"):
        picture(state, "pdf")  # type: ignore[call-overload]
    assert state.svg(flip=True) == svg(state.scene(ViewOptions(flip=True)))


@pytest.mark.parametrize("theme", palette.THEMES)
@pytest.mark.parametrize("name", ["ink", "quiet", "accent", "good", "bad"])
def test_text_has_enough_contrast(theme: str, name: str) -> None:
    colours = palette.THEMES[theme]
    for background in ("paper", "board", "shade"):
        assert palette.contrast(colours[name], colours[background]) >= 4.5, background


@pytest.mark.parametrize("theme", palette.THEMES)
@pytest.mark.parametrize("colour", palette.PIECES)
def test_pieces_and_their_marks_have_enough_contrast(theme: str, colour: str) -> None:
    paint = palette.paint(colour, theme)
    assert palette.contrast(paint.fill, paint.on) >= 3
    for background in ("paper", "board", "shade"):
        contrasts = [
            palette.contrast(c, palette.THEMES[theme][background]) for c in (paint.fill, paint.rim)
        ]
        assert max(contrasts) >= 3, background


def test_contrast_follows_wcag() -> None:
    assert palette.contrast("#000000", "#ffffff") == pytest.approx(21)
    assert palette.contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
