"""Whether `quincunx play` runs the app or the plain prompt, and the reason it prints."""

import io
import os
from types import SimpleNamespace

import pytest

from quincunx.commands import play as command
from quincunx.registry import BUILT_IN
from quincunx.terminal import autosave


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def printed_lines(monkeypatch):
    """Simulates a terminal; returns the lines printed to standard error."""
    lines = []
    monkeypatch.setattr(command, "sys", SimpleNamespace(stdin=Terminal(), stdout=Terminal()))
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(command.err, "print", lambda text, **options: lines.append(str(text)))
    return lines


@pytest.fixture
def app_calls(monkeypatch):
    """Returns the arguments with which the app would have been run."""
    calls = []
    monkeypatch.setattr(
        command, "_run_app", lambda local_game, *more: calls.append((local_game, *more))
    )
    monkeypatch.setattr(command, "compile_game", lambda game: None)
    return calls


def test_the_app_runs_in_a_terminal(printed_lines, app_calls):
    command.play("quorum", against="random", seed=3)
    (local_game, theme) = app_calls[0]
    assert local_game.match.players == ("human", "random")
    assert theme == "dark"
    assert printed_lines == []


def test_without_a_game_the_app_shows_the_setup_screen(printed_lines, app_calls):
    command.play(against="random", theme="light")
    assert app_calls == [(None, "light", "random")]


def test_a_record_is_resumed_in_the_app(printed_lines, app_calls, tmp_path):
    path = tmp_path / "game.qx"
    path.write_text('[Game "quorum"]\n\na1e3\n')
    command.play(resume=path, against="random")
    assert app_calls[0][0].move_count == 1
    assert app_calls[0][0].file == path


@pytest.mark.parametrize(
    ("stream", "term", "missing", "reason"),
    [
        ("stdin", "xterm", False, "is not a terminal"),
        ("stdout", "xterm", False, "is not a terminal"),
        ("", "dumb", False, "does not support cursor positioning"),
        ("", "xterm", True, "quincunx[terminal]"),
    ],
)
def test_without_the_app_one_line_gives_the_reason(
    printed_lines, monkeypatch, stream, term, missing, reason
):
    if stream:
        monkeypatch.setattr(command.sys, stream, io.StringIO())
    monkeypatch.setenv("TERM", term)
    if missing:
        monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert not command._app_can_run()
    assert len(printed_lines) == 1
    assert reason in printed_lines[0]


def test_the_option_plain_runs_the_prompt(printed_lines, app_calls, monkeypatch):
    prompts = []
    monkeypatch.setattr(
        "quincunx.commands.plain_prompt.PlainPrompt.run", lambda prompt: prompts.append(prompt)
    )
    command.play("quorum", against="random", plain=True)
    assert app_calls == printed_lines == []
    assert len(prompts) == 1


def test_the_latest_autosave_is_found():
    assert autosave.latest_autosave() == ""
    for i, name in enumerate(BUILT_IN[:3]):
        path = autosave.autosave_path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        os.utime(path, (i % 2, i % 2))
    assert autosave.latest_autosave() == BUILT_IN[1]
