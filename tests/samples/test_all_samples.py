"""What holds for all packages in examples/: the check, guides, files and lines of code."""

import re
from importlib import import_module

import pytest

import quincunx as qx
from quincunx.guide import guide_text
from quincunx.testing import check_game
from quincunx.testing.guide import check_guide
from tests.samples.packages import EXAMPLES, NAMES, load

# At most this many lines of Python in all files of a package, blank lines included.
MAX_LINES = {"connect_four": 120, "reversi": 180, "twenty48": 180}
HEADINGS = ["Board", "Play", "End", "Options", "Texts", "Points the original rules leave open"]
CONTRIBUTING = (EXAMPLES.parent / "CONTRIBUTING.md").read_text()


@pytest.mark.heavy
def test_check_game_passes(sample):
    check_game(sample, games=2, plies=40)


def line_count(name, pattern="*.py"):
    files = (EXAMPLES / name).rglob(pattern)
    return sum(len(path.read_text().splitlines()) for path in files)


def test_the_packages_are_short():
    counts = {name: line_count(name) for name in NAMES}
    assert counts.keys() == MAX_LINES.keys()
    assert all(counts[name] <= MAX_LINES[name] for name in NAMES), counts


@pytest.mark.parametrize("name", NAMES)
def test_the_cost_of_a_game_in_contributing_is_true(name):
    files = len(list((EXAMPLES / name).rglob("*.py")))
    lines, kernel_lines = line_count(name), line_count(name, "kernel.py")
    row = f"| {load(name).title} | `examples/{name}` | {files} | {lines} | {kernel_lines} |"
    assert row in CONTRIBUTING
    assert f"`pyproject.toml`, of {line_count(name, 'pyproject.toml')} lines" in CONTRIBUTING


@pytest.mark.parametrize("name", NAMES)
def test_a_package_has_nothing_but_the_game(name):
    folder = EXAMPLES / name
    files = {
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    package = f"src/quincunx_{name}"
    modules = {f"{package}/{module}.py" for module in ("__init__", "kernel", "rules")}
    assert files == {"pyproject.toml", f"{package}/guide.md", *modules}


@pytest.mark.parametrize("name", NAMES)
def test_a_package_announces_its_game(name):
    project = (EXAMPLES / name / "pyproject.toml").read_text()
    assert f'[project.entry-points."quincunx.games"]\n{name} = "quincunx_{name}:GAME"\n' in project
    assert 'dependencies = ["quincunx"]\n' in project
    assert load(name).name == name


def test_the_guide_is_valid(sample):
    check_guide(sample)
    guide = guide_text(sample.name)
    assert re.findall("^## (.+)$", guide, re.MULTILINE) == HEADINGS
    assert guide.count("**Try it:**") >= 3
    state = sample.start(seed=0)
    for kind, text in re.findall("^- (position|move): `([^`]+)`", guide, re.MULTILINE):
        state = sample.read(text) if kind == "position" else state.play(text)
    assert state.ply == 1


def test_the_benchmark_measures_the_examples_from_their_folders(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES.parent / "benchmarks")
    benchmark = import_module("random_play")
    monkeypatch.setattr(qx.registry, "_registered", {})
    for name in NAMES:
        assert benchmark.game_named(name) == load(name)
        (budget,) = benchmark.BUDGETS[name]
        assert (budget.name.split()[0], budget.ratio) == ("OpenSpiel", 4)
