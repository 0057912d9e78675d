"""The files that digests cover: a change of any of them must not go unnoticed."""

import shutil

import pytest

from quincunx import registry, sources
from quincunx.arena.schedule import code_digest
from quincunx.registry import games


@pytest.fixture
def copied_game(tmp_path, monkeypatch):
    """Lets a game's sources be read from a copy; returns the directory of the copy."""

    def copy(game):
        directory = shutil.copytree(registry.directory(game), tmp_path / game)
        original = registry.directory
        monkeypatch.setattr(
            sources, "directory", lambda name: directory if name == game else original(name)
        )
        return directory

    return copy


def test_every_file_with_compiled_functions_is_covered():
    using = {
        path
        for path in sources.PACKAGE.rglob("*.py")
        if "@jit\n" in path.read_text() or "jit.specialise(" in path.read_text()
    }
    assert using <= set(sources.compiled_sources())


@pytest.mark.parametrize("name", ["weights.npy", "patterns.py", "evaluation.py", "kernel.py"])
def test_a_changed_file_of_wzlz_changes_both_digests(copied_game, name):
    directory = copied_game("wzlz")
    compiled = sources.digest(sources.compiled_sources())
    play = code_digest("wzlz", ["expectimax"])
    with open(directory / name, "ab") as file:
        file.write(b"\n")
    assert sources.digest(sources.compiled_sources()) != compiled
    assert code_digest("wzlz", ["expectimax"]) != play


@pytest.mark.parametrize("game", games())
def test_drawing_changes_neither_digest(copied_game, game):
    directory = copied_game(game)
    compiled = sources.digest(sources.compiled_sources())
    play = code_digest(game, ["random"])
    with open(directory / "layout.py", "ab") as file:
        file.write(b"\n")
    assert sources.digest(sources.compiled_sources()) == compiled
    assert code_digest(game, ["random"]) == play


def test_rules_change_the_digest_of_play_only(copied_game):
    directory = copied_game("onoro")
    compiled = sources.digest(sources.compiled_sources())
    play = code_digest("onoro", ["random"])
    with open(directory / "rules.py", "ab") as file:
        file.write(b"\n")
    assert sources.digest(sources.compiled_sources()) == compiled
    assert code_digest("onoro", ["random"]) != play


def test_the_solver_is_part_of_play():
    files = {path.relative_to(sources.PACKAGE).as_posix() for path in sources.play_sources("onoro")}
    assert {"solve/__init__.py", "solve/onoro/retrograde.py", "players/perfect.py"} <= files


def test_the_seeds_of_a_tournament_and_what_players_see_are_part_of_play():
    files = {path.relative_to(sources.PACKAGE).as_posix() for path in sources.play_sources("wzlz")}
    assert {"match.py", "arena/openings.py", "arena/referee.py", "arena/schedule.py"} <= files


def test_the_digest_depends_on_names_and_content(tmp_path):
    (tmp_path / "a").write_bytes(b"12")
    (tmp_path / "b").write_bytes(b"3")
    one = sources.digest([tmp_path / "a", tmp_path / "b"])
    (tmp_path / "a").write_bytes(b"1")
    (tmp_path / "b").write_bytes(b"23")
    assert sources.digest([tmp_path / "a", tmp_path / "b"]) != one
