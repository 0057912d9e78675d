"""The command line: arguments in, text and exit codes out."""

import io
import json
import os
import re
import subprocess
import sys
import warnings
from contextlib import redirect_stderr, redirect_stdout
from unittest.mock import patch

import pytest
from rich.console import Console
from typer.testing import CliRunner

import quincunx as qx
from quincunx import cli
from quincunx.commands.console import print_games
from quincunx.registry import BUILT_IN

COMMANDS = [
    "play",
    "rules",
    "draw",
    "replay",
    "perft",
    "match",
    "tournament",
    "solve",
    "probe",
    "bench",
    "tune",
    "check",
    "warm",
]


def run(*arguments, stdin=""):
    """Runs a command in this process; returns its exit code, stdout and stderr."""
    texts = [io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2)]
    command = ["quincunx", *map(str, arguments)]
    typed = io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8")
    with (
        patch.multiple(sys, argv=command, stdin=typed),
        patch.object(warnings, "showwarning", warnings.showwarning),
        redirect_stdout(texts[0]),
        redirect_stderr(texts[1]),
        pytest.raises(SystemExit) as ended,
    ):
        cli.main()
    return (ended.value.code or 0, *(text.buffer.getvalue().decode() for text in texts))


def run_process(*arguments, stdin="", **environment):
    """Runs a command in a process; returns its exit code, stdout and stderr."""
    process = subprocess.run(
        [sys.executable, "-m", "quincunx", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **environment},
    )
    assert "Traceback" not in process.stderr, process.stderr
    return process.returncode, process.stdout, process.stderr


def test_without_arguments_it_lists_games_and_commands():
    result = CliRunner().invoke(cli.app, [])
    assert result.exit_code == 0
    for name in [*BUILT_IN, *COMMANDS]:
        assert re.search(rf"\b{name}\b", result.output), name


@pytest.mark.parametrize("is_terminal", [True, False])
def test_games_with_long_names_and_summaries_are_listed_in_columns(
    is_terminal, twelve_games, capsys, monkeypatch
):
    console = Console(file=sys.stdout, width=70, force_terminal=is_terminal, color_system=None)
    console.soft_wrap = not is_terminal
    monkeypatch.setattr("quincunx.commands.console.out", console)
    print_games(qx.games(), numbered=True)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "   1 sphero Build around an anchor that rights itself."
    assert lines[5].startswith(
        "   6 copy6  Cross the mountains with all of your elephants before the"
    )
    if is_terminal:
        assert lines[6] == "            snow falls, or else build a winter camp that is large"
        assert max(map(len, lines)) <= 70
        assert len(lines) == 12 + 3 * 2
    else:
        assert len(lines) == 12


def test_the_rules_of_a_game_without_a_guide(game_without_guide):
    result = CliRunner().invoke(cli.app, ["rules", game_without_guide])
    assert result.exit_code == 0, result.output
    assert "This game has no guide." in result.output
    assert "| `rule` | one of last, first | last | who wins |" in result.output


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command):
    result = CliRunner().invoke(cli.app, [command, "--help"])
    assert result.exit_code == 0
    assert "Usage" in result.output
    assert not re.search(r"<bool>|<list|\[\[", result.output)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["plya"], "play"),
        (["perft", "quorom", "3"], "did you mean quorum"),
        (["quorum"], "quincunx play quorum"),
        (["perft", "quorum", "0"], "1"),
        (["perft", "quorum", "2", "-p", "8/8 w"], "8 ranks"),
        (["perft", "onoro", "2", "-O", "pawns"], "name=value"),
        (["perft", "onoro", "2", "-O", "pawns=9"], "from 3 to 8"),
        (["draw", "quorum", "-o", "x.bmp"], ".svg or .png"),
        (["draw", "quorum", "-o", "x.svg", "--theme", "pink"], "light"),
        (["rules", "chess"], "the games are"),
        (["play", "quorum", "--against", "deepblue"], "the players are"),
        (["play", "quorum", "--players", "human"], "needs 2"),
        (["play", "quorum", "--against", "mcts:tims=3"], "no such option"),
        (["play", "--resume", "game.qx", "-s", "3"], "leave out"),
        (["replay", "game.qx", "--gif", "game.png"], ".gif"),
        (["replay", "game.qx", "--delay", "-1"], "--delay"),
    ],
)
def test_wrong_arguments_exit_with_2_and_a_message(arguments, message, tmp_path):
    code, _, stderr = run(*arguments)
    assert code == 2, stderr
    assert message in stderr
    assert not list(tmp_path.iterdir())


def test_the_exit_code_of_a_process():
    assert run_process("plya")[0] == 2
    assert run_process("rules", "quorum")[:2] == (0, run("rules", "quorum")[1])


def test_a_missing_file_exits_with_1():
    code, _, stderr = run("replay", "no-such-file.qx")
    assert code == 1
    assert "no-such-file.qx" in stderr


def test_perft_as_json():
    code, stdout, _ = run("perft", "quorum", 3, "--json")
    assert code == 0
    result = json.loads(stdout)
    assert result["leaves"] == 7763
    assert sum(result["moves"].values()) == 7763
    assert len(result["moves"]) == 19


@pytest.mark.parametrize("name", BUILT_IN)
def test_rules_of_every_game(name):
    code, stdout, _ = run("rules", name)
    assert code == 0
    assert "![" not in stdout
    headings = re.findall(r"^## (.+)$", stdout, re.MULTILINE)
    assert headings == [
        "Board",
        "Play",
        "End",
        "Options",
        "Texts",
        "Points the original rules leave open",
    ]


def test_draw_svg_png_and_terminal(tmp_path):
    for file in ("board.svg", "board.png"):
        code, stdout, _ = run("draw", "quorum", "-o", tmp_path / file, "--size", 300)
        assert code == 0
        assert file in stdout
    assert (tmp_path / "board.svg").read_text().startswith("<svg")
    assert (tmp_path / "board.png").read_bytes().startswith(b"\x89PNG")
    code, stdout, _ = run("draw", "Quorum")
    assert "○ ○ ○ ○" in stdout


def test_characters_missing_in_the_encoding_are_replaced():
    code, stdout, _ = run_process("draw", "quorum", PYTHONIOENCODING="ascii")
    assert code == 0
    assert "1  O O O O . . . ." in stdout


def test_a_cell_that_cannot_be_picked_is_reported():
    assert "cannot be picked" in run("draw", "quorum", "--picked", "e5")[2]
    assert "cannot be picked" not in run("draw", "quorum", "--picked", "a1")[2]


def test_a_file_that_cannot_be_written_is_named_in_the_error(tmp_path):
    target = tmp_path / "nowhere" / "board.svg"
    code, _, stderr = run("draw", "quorum", "-o", target)
    assert code == 1
    assert f"{target}: No such file" in stderr.replace("\n", "")


def test_replay_as_text_and_as_gif(tmp_path):
    match = qx.Match(qx.game("onoro"), ["random"] * 2, seed=1)
    for _ in range(6):
        match.reply()
    path = tmp_path / "game.qx"
    match.record.save(path)
    code, stdout, _ = run("replay", path)
    assert code == 0
    assert all(move in stdout for move in match.moves)
    assert "Players: Black random, White random" in stdout
    assert f"Date: {match.date}" in stdout
    assert "Result: unfinished" in stdout
    code, stdout, _ = run("replay", path, "--gif", tmp_path / "game.gif", "--size", 200)
    assert code == 0
    assert (tmp_path / "game.gif").read_bytes().startswith(b"GIF8")
    code, _, stderr = run("replay", path, "--game", 2)
    assert code == 2
    assert "games 1 to 1" in stderr


def test_the_valid_part_of_a_broken_file_is_replayed(tmp_path):
    path = tmp_path / "broken.qx"
    path.write_text('[Game "quorum"]\n\na1e3 nonsense h8d6\n')
    code, stdout, stderr = run("replay", path)
    assert code == 1
    assert "a1e3" in stdout
    assert "line 3" in stderr


@pytest.mark.parametrize("name", BUILT_IN)
def test_playing_at_the_plain_prompt(name, tmp_path):
    saved = tmp_path / "saved.qx"
    state = qx.game(name).start(seed=4)
    move = state.moves(0 if state.turn is None else None)[0]
    lines = ["help", "moves", "hint", "nonsense!", move, "undo", move, "undo", "redo", "text"]
    stdin = "\n".join([*lines, f"save {saved}", "quit", ""])
    code, stdout, stderr = run("play", name, "--against", "random", "--seed", 4, stdin=stdin)
    assert code == 0, stderr
    assert "legal moves:" in stdout
    assert "Hint:" in stdout
    assert "invalid move" in stdout
    assert "Goodbye" in stdout
    record = qx.Record.read(saved.read_text())
    assert record.moves[0].endswith(move)


def test_a_saved_game_is_resumed(tmp_path):
    saved = tmp_path / "my game.qx"
    stdin = f'a1e3\nsave "{saved}"\nquit\n'
    run("play", "quorum", "--against", "random", "--seed", 4, stdin=stdin)
    before = qx.Record.load(saved)
    assert len(before.moves) == 2
    code, stdout, stderr = run(
        "play", "--resume", saved, "--against", "random", stdin="b2d2\nsave\nquit\n"
    )
    assert code == 0, stderr
    assert "Saved to" in stdout
    after = qx.Record.load(saved)
    assert after.moves[:3] == (*before.moves, "b2d2")
    assert after.seed == before.seed == 4
    code, _, stderr = run("play", "onoro", "--resume", saved)
    assert code == 2
    assert "quorum" in stderr


def test_a_broken_file_is_resumed_but_not_overwritten(tmp_path):
    path = tmp_path / "broken.qx"
    path.write_text('[Game "quorum"]\n\na1e3 nonsense h8d6\n')
    code, stdout, stderr = run("play", "--resume", path, stdin=f"save\nsave {path}\n")
    assert code == 0
    assert "line 3" in stderr
    assert "needs a file name" in stdout
    assert "already exists" in stdout
    assert "nonsense" in path.read_text()


def test_bots_play_a_game_to_its_end():
    code, stdout, _ = run("play", "quorum", "--players", "random; greedy", "-s", 3)
    assert code == 0
    assert "over: save FILE" in stdout


def test_a_wrong_player_is_reported_before_compiling(tmp_path):
    arguments = ["play", "quorum", "--against", "deepblue"]
    code, _, stderr = run_process(*arguments, NUMBA_CACHE_DIR=str(tmp_path))
    assert code == 2
    assert "Compiling" not in stderr


# Sends itself SIGINT a moment after compiled code started to count.
INTERRUPTED_COMMAND = """
import os, signal, threading
from quincunx import cli
from quincunx.commands import measure
run_interruptible = measure.run_interruptible
def interrupted(work):
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    return run_interruptible(work)
measure.run_interruptible = interrupted
signal.signal(signal.SIGINT, signal.default_int_handler)
cli.main()
"""


def test_ctrl_c_interrupts_perft():
    command = [sys.executable, "-c", INTERRUPTED_COMMAND, "perft", "quorum", "12"]
    process = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert process.returncode == 130
    assert "interrupted" in process.stderr
    assert "Traceback" not in process.stderr


def test_play_asks_for_the_game():
    code, stdout, _ = run_process("play", stdin="tennis\n5\nquit\n")
    assert code == 0
    assert "Which game?" in stdout
    assert "White" in stdout


def test_end_of_input_quits():
    code, stdout, _ = run("play")
    assert code == 0
    assert "Goodbye" in stdout


def test_an_existing_file_is_not_overwritten(tmp_path):
    path = tmp_path / "mine.qx"
    path.write_text("content")
    code, stdout, _ = run("play", "quorum", stdin=f"save {path}\nsave\nquit\n")
    assert code == 0
    assert "already exists" in stdout
    assert path.read_text() == "content"


def test_bench_prints_moves_per_second():
    code, stdout, _ = run("bench", "quorum", "--seconds", 0.1, "--json")
    assert code == 0
    one_core, all_cores = json.loads(stdout)
    assert one_core["moves_per_second"] > 0
    assert all_cores["cores"] >= one_core["cores"] == 1
