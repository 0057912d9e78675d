"""The command line as its user meets it: words in, text and exit codes out."""

import json
import os
import re
import subprocess
import sys

import pytest
from typer.testing import CliRunner

import quincunx as qx
from quincunx import cli
from quincunx.registry import GAMES

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
    "warm",
]


def run(*words, typed="", **environment):
    """What the command prints and its exit code, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "quincunx", *map(str, words)],
        input=typed,
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **environment},
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout, done.stderr


def test_alone_it_lists_the_games_and_what_one_can_do():
    result = CliRunner().invoke(cli.app, [])
    assert result.exit_code == 0
    for word in [*GAMES, *COMMANDS]:
        assert re.search(rf"\b{word}\b", result.output), word


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command):
    result = CliRunner().invoke(cli.app, [command, "--help"])
    assert result.exit_code == 0
    assert "Usage" in result.output
    assert not re.search(r"<bool>|<list|\[\[", result.output)


@pytest.mark.parametrize(
    ("words", "said"),
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
def test_misuse_ends_with_2_and_a_sentence(words, said, tmp_path):
    code, _, complaint = run(*words)
    assert code == 2, complaint
    assert said in complaint
    assert not list(tmp_path.iterdir())


def test_a_missing_file_is_a_failure():
    code, _, complaint = run("replay", "no-such-file.qx")
    assert code == 1
    assert "no-such-file.qx" in complaint


def test_perft_as_json():
    code, printed, _ = run("perft", "quorum", 3, "--json")
    assert code == 0
    found = json.loads(printed)
    assert found["leaves"] == 7763
    assert sum(found["moves"].values()) == 7763
    assert len(found["moves"]) == 19


@pytest.mark.parametrize("name", GAMES)
def test_rules_of_every_game(name):
    code, printed, _ = run("rules", name)
    assert code == 0
    assert "![" not in printed
    headings = re.findall(r"^## (.+)$", printed, re.MULTILINE)
    assert headings == ["Board", "Play", "End", "Options", "Texts", "Silent in the source"]


def test_draw_svg_png_and_terminal(tmp_path):
    for file in ("board.svg", "board.png"):
        code, printed, _ = run("draw", "quorum", "-o", tmp_path / file, "--size", 300)
        assert code == 0
        assert file in printed
    assert (tmp_path / "board.svg").read_text().startswith("<svg")
    assert (tmp_path / "board.png").read_bytes().startswith(b"\x89PNG")
    code, printed, _ = run("draw", "Quorum")
    assert "○ ○ ○ ○" in printed


def test_a_terminal_without_these_letters_gets_others():
    code, printed, _ = run("draw", "quorum", PYTHONIOENCODING="ascii")
    assert code == 0
    assert "1  O O O O . . . ." in printed


def test_what_cannot_be_picked_is_noted():
    assert "can be picked" in run("draw", "quorum", "--picked", "e5")[2]
    assert "can be picked" not in run("draw", "quorum", "--picked", "a1")[2]


def test_a_file_that_cannot_be_written_is_named_as_it_was_given(tmp_path):
    target = tmp_path / "nowhere" / "board.svg"
    code, _, complaint = run("draw", "quorum", "-o", target)
    assert code == 1
    assert f"{target}: No such file" in complaint.replace("\n", "")


def test_replay_a_file_in_text_and_as_gif(tmp_path):
    match = qx.Match(qx.game("onoro"), ["random"] * 2, seed=1)
    for _ in range(6):
        match.reply()
    path = tmp_path / "game.qx"
    match.record.save(path)
    code, printed, _ = run("replay", path)
    assert code == 0
    assert all(move in printed for move in match.moves)
    assert "Players: Black random, White random" in printed
    assert f"Date: {match.date}" in printed
    assert "Result: unfinished" in printed
    code, printed, _ = run("replay", path, "--gif", tmp_path / "game.gif", "--size", 200)
    assert code == 0
    assert (tmp_path / "game.gif").read_bytes().startswith(b"GIF8")
    code, _, complaint = run("replay", path, "--game", 2)
    assert code == 2
    assert "games 1 to 1" in complaint


def test_a_broken_file_is_replayed_as_far_as_it_is_sound(tmp_path):
    path = tmp_path / "broken.qx"
    path.write_text('[Game "quorum"]\n\na1e3 nonsense h8d6\n')
    code, printed, complaint = run("replay", path)
    assert code == 1
    assert "a1e3" in printed
    assert "line 3" in complaint


@pytest.mark.parametrize("name", GAMES)
def test_playing_at_the_prompt(name, tmp_path):
    saved = tmp_path / "saved.qx"
    move = qx.game(name).start(seed=4)
    move = move.moves(0 if move.turn is None else None)[0]
    words = ["help", "moves", "hint", "nonsense!", move, "undo", move, "undo", "redo", "text"]
    typed = "\n".join([*words, f"save {saved}", "quit", ""])
    code, printed, complaint = run("play", name, "--against", "random", "--seed", 4, typed=typed)
    assert code == 0, complaint
    assert "legal moves:" in printed
    assert "Hint:" in printed
    assert "invalid move" in printed
    assert "Goodbye" in printed
    record = qx.Record.read(saved.read_text())
    assert record.moves[0].endswith(move)


def test_a_saved_game_is_gone_on_with(tmp_path):
    saved = tmp_path / "my game.qx"
    typed = f'a1e3\nsave "{saved}"\nquit\n'
    run("play", "quorum", "--against", "random", "--seed", 4, typed=typed)
    before = qx.Record.load(saved)
    assert len(before.moves) == 2
    code, printed, complaint = run(
        "play", "--resume", saved, "--against", "random", typed="b2d2\nsave\nquit\n"
    )
    assert code == 0, complaint
    assert "Saved to" in printed
    after = qx.Record.load(saved)
    assert after.moves[:3] == (*before.moves, "b2d2")
    assert after.seed == before.seed == 4
    code, _, complaint = run("play", "onoro", "--resume", saved)
    assert code == 2
    assert "quorum" in complaint


def test_a_broken_file_is_gone_on_with_but_not_written_over(tmp_path):
    path = tmp_path / "broken.qx"
    path.write_text('[Game "quorum"]\n\na1e3 nonsense h8d6\n')
    code, printed, complaint = run("play", "--resume", path, typed=f"save\nsave {path}\n")
    assert code == 0
    assert "line 3" in complaint
    assert "needs a file name" in printed
    assert "exists already" in printed
    assert "nonsense" in path.read_text()


def test_bots_alone_play_to_the_end():
    code, printed, _ = run("play", "quorum", "--players", "random; greedy", "-s", 3)
    assert code == 0
    assert "over: save FILE" in printed


def test_a_bad_player_is_found_before_anything_is_compiled(tmp_path):
    words = ["play", "quorum", "--against", "deepblue"]
    code, _, complaint = run(*words, NUMBA_CACHE_DIR=str(tmp_path))
    assert code == 2
    assert "Compiling" not in complaint


# Interrupts itself one second after compiled code has begun to count.
INTERRUPTED = """
import os, signal, threading
from quincunx import cli
from quincunx.commands import measure
beside = measure.beside
def interrupted(work):
    threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
    return beside(work)
measure.beside = interrupted
signal.signal(signal.SIGINT, signal.default_int_handler)
cli.main()
"""


def test_ctrl_c_ends_a_count():
    words = [sys.executable, "-c", INTERRUPTED, "perft", "quorum", "12"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert "stopped" in done.stderr
    assert "Traceback" not in done.stderr


def test_play_asks_for_the_game():
    code, printed, _ = run("play", typed="tennis\n5\nquit\n")
    assert code == 0
    assert "Which game?" in printed
    assert "White" in printed


def test_no_input_at_all_is_a_goodbye():
    code, printed, _ = run("play")
    assert code == 0
    assert "Goodbye" in printed


def test_a_file_that_exists_is_not_written_over(tmp_path):
    path = tmp_path / "mine.qx"
    path.write_text("precious")
    code, printed, _ = run("play", "quorum", typed=f"save {path}\nsave\nquit\n")
    assert code == 0
    assert "exists already" in printed
    assert path.read_text() == "precious"


def test_bench_prints_a_figure_per_game():
    code, printed, _ = run("bench", "quorum", "--seconds", 0.1, "--json")
    assert code == 0
    one, every = json.loads(printed)
    assert one["moves_per_second"] > 0
    assert every["cores"] >= one["cores"] == 1
