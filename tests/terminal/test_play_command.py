"""Whether `quincunx play` shows the app or the plain prompt, and what it says of it."""

import io
import os
from types import SimpleNamespace

import pytest

from quincunx.commands import play as command
from quincunx.terminal import autosave


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def said(monkeypatch):
    """What is said in a real terminal."""
    lines = []
    monkeypatch.setattr(command, "sys", SimpleNamespace(stdin=Terminal(), stdout=Terminal()))
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(command.err, "print", lambda text, **more: lines.append(str(text)))
    return lines


@pytest.fixture
def shown(monkeypatch):
    """What was shown, instead of showing it."""
    seen = []
    monkeypatch.setattr(
        command, "_run_app", lambda local_game, *more: seen.append((local_game, *more))
    )
    monkeypatch.setattr(command, "compile_game", lambda game: None)
    return seen


def test_a_terminal_gets_the_app(said, shown):
    command.play("quorum", against="random", seed=3)
    (local_game, theme) = shown[0]
    assert local_game.match.players == ("human", "random")
    assert theme == "dark"
    assert said == []


def test_without_a_game_the_app_asks_for_it(said, shown):
    command.play(against="random", theme="light")
    assert shown == [(None, "light", "random")]


def test_a_record_goes_on_in_the_app(said, shown, tmp_path):
    path = tmp_path / "game.qx"
    path.write_text('[Game "quorum"]\n\na1e3\n')
    command.play(resume=path, against="random")
    assert shown[0][0].played == 1
    assert shown[0][0].file == path


@pytest.mark.parametrize(
    ("stream", "term", "missing", "reason"),
    [
        ("stdin", "xterm", False, "Not a terminal"),
        ("stdout", "xterm", False, "Not a terminal"),
        ("", "dumb", False, "does not support cursor positioning"),
        ("", "xterm", True, "quincunx[terminal]"),
    ],
)
def test_elsewhere_one_line_says_why_not(said, monkeypatch, stream, term, missing, reason):
    if stream:
        monkeypatch.setattr(command.sys, stream, io.StringIO())
    monkeypatch.setenv("TERM", term)
    if missing:
        monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert not command._app_can_run()
    assert len(said) == 1
    assert reason in said[0]


def test_the_plain_prompt_is_there_when_asked_for(said, shown, monkeypatch):
    printed = []
    monkeypatch.setattr(
        "quincunx.terminal.plain_prompt.PlainPrompt.run", lambda prompt: printed.append(prompt)
    )
    command.play("quorum", against="random", plain=True)
    assert shown == said == []
    assert len(printed) == 1


def test_the_game_kept_last_is_found(tmp_path):
    assert autosave.latest_autosave() == ""
    for i, name in enumerate(("onoro", "wzlz", "blocky")):
        path = autosave.autosave_path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        os.utime(path, (i % 2, i % 2))
    assert autosave.latest_autosave() == "wzlz"
