"""Ctrl-C ends every command at once, with exit code 130."""

import os
import signal
import sys
from concurrent import futures
from threading import Event
from types import SimpleNamespace

import pytest
import typer
from typer.testing import CliRunner

import quincunx as qx
from quincunx import bench, cli
from quincunx.commands import arguments, console, measure
from quincunx.commands.plain_prompt import PlainPrompt


@pytest.fixture(autouse=True)
def handled_interrupt():
    """A process that a shell starts in the background ignores SIGINT."""
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, former)


def interrupt(*args, **kwargs):
    raise KeyboardInterrupt


def test_random_play_stops_its_threads(monkeypatch):
    """They played on until the time of the measurement was up."""
    stop, seeds = Event(), []

    def play(seed, min_moves, max_game_moves):
        if seed >> 32:  # not the call before the measurement
            seeds.append(seed)
            os.kill(os.getpid(), signal.SIGINT)
            assert stop.wait(60)
        return 1, 1

    games = SimpleNamespace(play=play)
    monkeypatch.setattr(bench.search, "RandomGames", lambda game: games)
    monkeypatch.setattr(bench, "Event", lambda: stop)
    with pytest.raises(KeyboardInterrupt):
        bench.random_play(qx.game("quorum"), seconds=600)
    assert len(seeds) == 1


def test_warm_ends_its_processes_and_starts_no_others(monkeypatch, tmp_path):
    """The processes of the other games were started one after another."""
    started, all_submitted = tmp_path / "started", tmp_path / "all_submitted"
    os.mkfifo(all_submitted)
    program = tmp_path / "compiler"
    program.write_text(
        f"#!/bin/sh\necho $$ >> {started}\ncat {all_submitted}\n"
        f"kill -INT {os.getpid()}\nexec sleep 60\n"
    )
    program.chmod(0o755)

    def as_completed(tasks):
        all_submitted.write_text("")  # waits for the reader
        return futures.wait(tasks).done

    monkeypatch.setattr(futures, "as_completed", as_completed)
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.setattr(console, "cores", lambda: 1)
    done = run_command(measure.warm, [])
    assert done.exit_code == 130, done.output
    assert "interrupted" in done.output
    (process,) = map(int, started.read_text().split())
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def run_command(function, words):
    app = typer.Typer()
    app.command(cls=arguments.Command)(function)
    return CliRunner().invoke(app, words)


def test_an_interrupted_measurement_has_exit_code_130(monkeypatch):
    monkeypatch.setattr(measure, "compile_game", lambda game: None)
    monkeypatch.setattr(bench, "random_play", interrupt)
    done = run_command(measure.bench, ["quorum"])
    assert (done.exit_code, "interrupted after 0 of 1 game" in done.output) == (130, True)


def test_any_other_command_has_exit_code_130(monkeypatch):
    assert run_command(interrupt_command, []).exit_code == 130
    monkeypatch.setattr("builtins.input", interrupt)
    monkeypatch.setattr(PlainPrompt, "_prompt", interrupt)
    for words in (["play"], ["play", "quorum", "--plain", "--against", "random"]):
        done = CliRunner().invoke(cli.app, words)
        assert (done.exit_code, "Goodbye" in done.output) == (130, True), done.output


def interrupt_command() -> None:
    interrupt()
