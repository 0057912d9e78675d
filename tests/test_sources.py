"""The files that the play of bots depends on: a change of any of them must not go unnoticed."""

from pathlib import Path

import pytest

from quincunx import jit, module_sources, registry, sources
from quincunx.arena.schedule import code_digest
from quincunx.registry import InstalledGame, games
from quincunx.warm import is_warm
from tests import toy_game


def play_files(game):
    return {
        path.relative_to(module_sources.PACKAGE).as_posix() for path in sources.play_sources(game)
    }


def compiled_files(game):
    files = module_sources.compiled_sources(sources.kernel_source(game))
    return {path.relative_to(module_sources.PACKAGE).as_posix() for path in files}


@pytest.mark.parametrize("name", ["weights.npy", "patterns.py", "evaluation.py", "kernel.py"])
def test_weights_and_patterns_of_wzlz_are_compiled(name):
    assert f"games/wzlz/{name}" in compiled_files("wzlz")
    assert f"games/wzlz/{name}" in play_files("wzlz")


@pytest.mark.parametrize("game", games())
def test_play_depends_on_rules_and_not_on_drawing(game):
    own = {f"games/{game}/{name}" for name in ("rules.py", "layout.py", "kernel.py")}
    assert own & compiled_files(game) == {f"games/{game}/kernel.py"}
    assert own & play_files(game) == {f"games/{game}/kernel.py", f"games/{game}/rules.py"}


@pytest.mark.parametrize("game", games())
def test_a_game_does_not_depend_on_others(game):
    others = {f"games/{other}" for other in games() if other != game}
    files = play_files(game) | compiled_files(game)
    assert not {file for file in files if file.rpartition("/")[0] in others}


def test_the_solver_is_part_of_play():
    solver = {"solve/__init__.py", "solve/onoro/retrograde.py", "players/perfect.py"}
    assert solver <= play_files("onoro")
    assert "solve/onoro/retrograde.py" not in play_files("wzlz")


def test_the_seeds_of_a_tournament_and_what_players_see_are_part_of_play():
    files = {"match.py", "arena/openings.py", "arena/referee.py", "arena/schedule.py"}
    assert files <= play_files("wzlz")


@pytest.fixture
def installed_game(tmp_path, monkeypatch):
    """A package with a game, which is never imported; its folder."""
    folder = tmp_path / "somewhere" / "games" / "heap"
    (folder / "tables").mkdir(parents=True)
    monkeypatch.syspath_prepend(tmp_path / "somewhere")
    for package in (folder.parent, folder):
        (package / "__init__.py").write_text("raise RuntimeError")
    for name in ("kernel", "rules", "notation", "layout", "guide"):
        (folder / f"{name}.py").write_text("from games import numbers\nraise RuntimeError")
    (folder.parent / "numbers.py").touch()
    (folder / "tables" / "rows.txt").touch()
    entry = InstalledGame("heap", "some-games", "games.heap:GAME")
    monkeypatch.setattr(registry, "installed", lambda: {"heap": entry})
    return folder


@pytest.mark.parametrize("name", ["kernel.py", "rules.py", "../numbers.py", "tables/rows.txt"])
def test_play_depends_on_the_files_of_an_installed_game(installed_game, name):
    before = code_digest("heap", ["random"])
    (installed_game / name).write_text("CHANGED = 1")
    assert code_digest("heap", ["random"]) != before


@pytest.mark.parametrize("name", ["layout.py", "guide.py", "__init__.py", "guide.md"])
def test_play_does_not_depend_on_the_look_of_an_installed_game(installed_game, name):
    before = code_digest("heap", ["random"])
    (installed_game / name).write_text("CHANGED = 1")
    assert code_digest("heap", ["random"]) == before


def test_the_digest_of_an_installed_game_does_not_depend_on_its_place(installed_game, monkeypatch):
    before = code_digest("heap", ["random"])
    elsewhere = installed_game.parents[2] / "a" / "games"
    elsewhere.parent.mkdir()
    installed_game.parent.rename(elsewhere)
    monkeypatch.syspath_prepend(elsewhere.parent)
    assert sources.kernel_source("heap").file == elsewhere / "heap" / "kernel.py"
    assert code_digest("heap", ["random"]) == before


def test_play_depends_on_the_module_of_a_registered_game(monkeypatch):
    monkeypatch.setattr(registry, "_registered", {})
    registry.register(toy_game.make_game("stones", module="tests.toy_game"))
    assert sources.kernel_source("stones") == ("tests.toy_game", Path(toy_game.__file__))
    assert Path(toy_game.__file__) in sources.play_sources("stones")


def test_a_registered_game_without_a_file_has_no_sources_of_its_own(monkeypatch):
    monkeypatch.setattr(registry, "_registered", {})
    registry.register(toy_game.make_game("stones", module="notebook_without_file"))
    assert sources.kernel_source("stones") is None
    assert is_warm("stones") == jit.UNCOMPILED
    assert {path.parts[-3] for path in sources.play_sources("stones")} <= {"src", "quincunx"}
