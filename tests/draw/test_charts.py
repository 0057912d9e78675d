"""Charts: marks stand where the scale puts them, and any text gives valid XML."""

from xml.etree import ElementTree

import pytest

from quincunx.draw.charts import (
    PLOT_WIDTH,
    IntervalRow,
    curve_chart,
    interval_chart,
    round_scale,
)
from quincunx.errors import BadOption

SVG = "{http://www.w3.org/2000/svg}"


def labels(root):
    return [element.text for element in root.iter(f"{SVG}text")]


@pytest.mark.parametrize(
    ("values", "scale"),
    [
        ((0, 100), (0, 100, 20)),
        ((-37, 41), (-40, 60, 20)),
        ((0.2, 0.9), (0.2, 1.0, 0.2)),
        ((5, 5), (5, 5.001, 0.001)),
    ],
)
def test_axes_have_round_ends_and_ticks(values, scale):
    assert round_scale(*values) == pytest.approx(scale)


def test_rows_are_drawn_on_one_scale():
    rows = [IntervalRow("ada", 100, 50, 150, "+100"), IntervalRow("bob", 0, -50, 50, "+0")]
    root = ElementTree.fromstring(interval_chart("Title", "ratings", rows))
    assert labels(root)[:2] == ["Title", "ratings"]
    assert {"ada", "bob", "+100", "+0", "-50", "0", "150"} <= set(labels(root))
    first, second = (float(circle.get("cx")) for circle in root.iter(f"{SVG}circle"))
    assert first - second == pytest.approx(PLOT_WIDTH / 2)  # of a scale from -50 to 150
    bars = [line for line in root.iter(f"{SVG}line") if line.get("stroke-width") == "3"]
    for bar, circle in zip(bars, root.iter(f"{SVG}circle"), strict=True):
        middle = (float(bar.get("x1")) + float(bar.get("x2"))) / 2
        assert middle == pytest.approx(float(circle.get("cx")))


def test_a_curve_rises_with_its_values():
    root = ElementTree.fromstring(curve_chart("Title", "scores", [1.0, 5.0, 3.0], ("0", "9 games")))
    assert {"Title", "scores", "0", "9 games"} <= set(labels(root))
    (line,) = root.iter(f"{SVG}polyline")
    points = [tuple(map(float, point.split(","))) for point in line.get("points").split()]
    (x1, y1), (x2, y2), (x3, y3) = points
    assert x1 < x2 < x3
    assert y2 < y3 < y1  # up is a smaller y
    assert y1 - y2 == pytest.approx(2 * (y1 - y3), abs=0.1)


def test_the_axis_of_a_curve_includes_zero():
    root = ElementTree.fromstring(curve_chart("Title", "scores", [-30.0, -20.0], ("", "")))
    assert {"-30", "0"} <= set(labels(root))


def test_charts_without_values_have_only_headings():
    for chart in (interval_chart("Title", "nothing", []), curve_chart("Title", "x", [], ("", ""))):
        assert labels(ElementTree.fromstring(chart))[0] == "Title"


def test_any_text_gives_valid_xml():
    rows = [IntervalRow("<&\x00" + "long" * 20, 1, 0, 2, '"')]
    root = ElementTree.fromstring(interval_chart('"<&>\x0b', "]]>", rows))
    (name,) = (label for label in labels(root) if label.startswith("<&?"))
    assert len(name) == 40
    assert name.endswith("…")


def test_an_unknown_theme_is_rejected():
    with pytest.raises(BadOption, match="theme='neon'"):
        interval_chart("Title", "x", [], "neon")
    with pytest.raises(BadOption, match="theme='neon'"):
        curve_chart("Title", "x", [], ("", ""), "neon")
