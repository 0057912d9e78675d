"""The files that the play of bots depends on: a change of any of them must not go unnoticed."""

import pytest

from quincunx import module_sources, sources
from quincunx.registry import games


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
