"""The console's parts of several commands."""

from contextlib import nullcontext
from types import SimpleNamespace

import pytest
import typer

from quincunx.commands import console


def ended_process(code=0, errors=""):
    """Returns what `Popen` would return for a process that has ended."""
    process = SimpleNamespace(returncode=code, communicate=lambda: ("", errors))
    return nullcontext(process)


def test_games_that_cannot_be_compiled_are_reported_after_the_others(monkeypatch, capsys):
    compiled = []

    def run(command, **settings):
        name = command[-1]
        compiled.append(name)
        return ended_process(name != "good", f"Compiling ...\nKeyError: {name!r}\n")

    monkeypatch.setattr(console.subprocess, "Popen", run)
    with pytest.raises(typer.Exit) as stopped:
        console.compile_games(["worse", "bad", "good"])
    assert stopped.value.exit_code == console.EXIT_FAILED
    assert sorted(compiled) == ["bad", "good", "worse"]
    assert capsys.readouterr().err.splitlines() == [
        "error: bad cannot be compiled: KeyError: 'bad'; see quincunx warm bad",
        "worse cannot be compiled: KeyError: 'worse'; see quincunx warm worse",
    ]


def test_games_that_can_be_compiled_are_not_mentioned(monkeypatch, capsys):
    monkeypatch.setattr(console.subprocess, "Popen", lambda command, **_: ended_process())
    console.compile_games(["good", "better"])
    assert capsys.readouterr().err == ""
