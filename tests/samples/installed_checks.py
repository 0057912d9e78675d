"""Checks of installed example games; test_installation.py runs them in a fresh environment."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import numpy as np
import pytest

import quincunx as qx
from quincunx.default_rules import UNTUNED_LEVELS
from quincunx.draw.palette import THEMES
from quincunx.record import Record
from quincunx.registry import installed
from quincunx.search import count_leaves
from quincunx.testing import check_game
from tests.browser.conftest import chromium, new_page, page, server  # noqa: F401
from tests.browser.room_driver import open_room, play_random_move, visible_choices
from tests.samples.packages import EXAMPLES, LEAVES, NAMES
from tests.terminal.driver import new_game, run_app

every_sample = pytest.mark.parametrize("name", NAMES)


def quincunx(*arguments):
    """Runs the command; returns its output."""
    done = subprocess.run(
        [sys.executable, "-m", "quincunx", *map(str, arguments)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Warning" not in done.stderr
    return done.stdout


@every_sample
def test_the_game_comes_from_the_installed_package(name):
    assert installed()[name].package == f"quincunx-{name}".replace("_", "-")
    folder = Path(sys.modules[qx.game(name).kernel.__name__].__file__).parent
    assert EXAMPLES not in folder.parents
    assert sorted(path.name for path in folder.iterdir() if path.is_file()) == [
        *("__init__.py", "guide.md", "kernel.py", "rules.py"),
    ]


@every_sample
def test_check_game(name):
    check_game(qx.game(name))


@every_sample
def test_a_record_round_trips(name, tmp_path):
    game = qx.game(name)
    match = qx.Match(game, ["random"] * game.seats, seed=4)
    while not match.state.over:
        match.reply()
    record = Record.read(match.record.text)
    assert (record, record.states()[-1]) == (match.record, match.state)
    (tmp_path / "game.qx").write_text(record.text)
    assert record.moves[-1] in quincunx("replay", tmp_path / "game.qx")


@every_sample
@pytest.mark.parametrize("theme", [*THEMES, "auto"])
def test_drawing_in_every_theme(name, theme, tmp_path):
    state = qx.game(name).start(seed=1)
    state = state.act(state.actions()[0])
    ElementTree.fromstring(state.svg(theme=theme, targets=True))
    if theme != "auto":
        file = tmp_path / "board.png"
        quincunx("draw", name, state.text, "--theme", theme, "-o", file)
        assert file.read_bytes().startswith(b"\x89PNG")


@every_sample
def test_rules_are_shown(name):
    assert "Try it" in quincunx("rules", name)


@every_sample
def test_a_match_and_a_tournament(name, tmp_path):
    players = ["greedy", "random"][: qx.game(name).seats]
    played = json.loads(quincunx("match", name, *players, "-n", 2, "-o", tmp_path / "m", "--json"))
    assert played["complete"]
    arena = tmp_path / "tournament"
    quincunx("tournament", name, "greedy", "random", "level:1", "-n", 2, "-o", arena)
    assert json.loads((arena / "results.json").read_text())["complete"]


@every_sample
def test_all_levels_choose_legal_moves(name):
    game = qx.game(name)
    assert game.parts.rules.LEVELS == UNTUNED_LEVELS
    state = game.start(seed=2)
    for level in range(1, 9):
        action = qx.player(f"level:{level}", game, seed=level).choose(state)
        assert action in state.actions()
        state = game.start(seed=level) if state.act(action).over else state.act(action)


@every_sample
def test_a_batch_plays_to_the_end(name):
    batch = qx.game(name).batch(50, seed=1)
    while not batch.over.all():
        batch.step(batch.sample())
    assert np.isfinite(batch.scores).all()


@pytest.mark.parametrize("name", LEAVES)
def test_leaves_are_counted(name):
    state = qx.game(name).start()
    assert [count_leaves(state, plies) for plies in range(1, 8)] == LEAVES[name]
    assert json.loads(quincunx("perft", name, 7, "--json"))["leaves"] == LEAVES[name][-1]


@every_sample
def test_the_terminal_app(name, tmp_path, monkeypatch):
    monkeypatch.setenv("QUINCUNX_DATA", str(tmp_path / "data"))

    async def scenario(driver):
        for play in (driver.type_move, driver.play_by_mouse, driver.play_by_keys):
            count, move = driver.move_count, driver.simple_move()
            await play(move)
            assert driver.match.states[count + 1].last[1] == move

    run_app(scenario, new_game(name))


@every_sample
def test_a_room_in_the_browser(name, server, page):  # noqa: F811
    open_room(page, server, name)
    rng = Random(name)
    for _ in range(6):
        assert play_random_move(page, rng)
    page.wait_for_function("() => document.querySelectorAll('.move-list li').length >= 6")


@every_sample
def test_an_analysis_in_the_browser(name, server, page):  # noqa: F811
    page.goto(f"/analysis?game={name}&seed=3")
    page.wait_for_selector(".best-moves li")
    choices = visible_choices(page)
    assert choices["one_click_moves"] or choices["buttons"]


def test_the_front_page_and_the_lessons_show_all_games(page, server):  # noqa: F811
    page.goto("/")
    for name in NAMES:
        page.get_by_role("button", name=f"Play {qx.game(name).title}", exact=True).wait_for()
        page.goto(f"/learn/{name}")
        page.get_by_role("heading", name=qx.game(name).title).first.wait_for()
        page.goto("/")
