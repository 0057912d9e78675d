"""The plain prompt, with scripted input lines."""

import io
import re

import pytest
from rich.console import Console

import quincunx as qx
from quincunx.commands.console import colour_mode
from quincunx.commands.plain_prompt import PlainPrompt
from quincunx.terminal import local_game


class ScriptedInput:
    """Replaces `input`: returns the given lines in order and collects the prompts."""

    def __init__(self, *lines):
        self.lines = list(lines)
        self.prompts = []

    def __call__(self, prompt):
        self.prompts.append(prompt)
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)


def run_prompt(match, *lines, **settings):
    """Runs the prompt with these lines; returns its output, its prompts and the PlainPrompt."""
    output, scripted_input = io.StringIO(), ScriptedInput(*lines)
    console = Console(file=output, soft_wrap=True)
    prompt = PlainPrompt(local_game.LocalGame(match, **settings), console, read=scripted_input)
    prompt.run()
    return output.getvalue(), scripted_input.prompts, prompt


def quorum_match(*players):
    return qx.Match(qx.game("quorum"), players, seed=1)


def finished_match():
    """Returns a match between people with the moves of a finished game of random bots."""
    bot_match = quorum_match("random", "random")
    while not bot_match.state.over:
        bot_match.reply()
    match = quorum_match()
    for move in bot_match.moves:
        match.play(move)
    return match


def test_the_introduction_names_the_players():
    assert "You are White; Black is greedy." in run_prompt(quorum_match("human", "greedy"))[0]
    assert "White is ada; Black is bo." in run_prompt(quorum_match("human:ada", "human:bo"))[0]
    assert "You are White and Black." in run_prompt(quorum_match())[0]
    wzlz = qx.Match(qx.game("wzlz"), seed=1)
    assert "You are" not in run_prompt(wzlz)[0]


def test_the_name_of_a_person_is_shown_in_the_prompt_and_with_moves():
    printed, prompts, _ = run_prompt(quorum_match("human:ada", "human"), "a1e3")
    assert prompts == ["White (ada)> ", "Black> "]
    assert "White (ada): a1e3" in printed


def test_help_lists_every_command():
    printed, _, prompt = run_prompt(quorum_match(), "help")
    for name in prompt._commands:
        assert f"\n  {name}" in printed


def test_rules_are_shown_without_pictures():
    printed, _, _ = run_prompt(quorum_match(), "rules")
    assert "## Board" in printed
    assert "![" not in printed


@pytest.mark.parametrize("line", ["hint", "moves", "help", "a1e3"])
def test_commands_after_the_end_of_the_game(line):
    printed, prompts, _ = run_prompt(finished_match(), line)
    assert printed.count("The game is over.") == 2
    assert len(prompts) == 2


def test_the_result_is_printed_once_and_the_last_move_can_be_undone():
    match = finished_match()
    status, last_move = match.state.status, match.moves[-1]
    match.undo()
    printed, prompts, _ = run_prompt(match, last_move, "undo")
    assert printed.count(status) == 1
    assert prompts[1].startswith("game over")
    assert not prompts[2].startswith("game over")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("undo", "Nothing to undo."),
        ("redo", "Nothing to redo."),
        ("save", "save needs a file name"),
        ("save a b", "needs quotes"),
        ('save "a b', "a quotation mark is not closed"),
        ("save /no/such/folder/x.qx", "/no/such/folder/x.qx: No such file or directory."),
        ("xyz", "Type help for a list of commands"),
        ("h8d8", "h8d8 is not legal"),
    ],
)
def test_an_error_is_printed_and_the_game_goes_on(line, message):
    printed, prompts, _ = run_prompt(quorum_match("human", "random"), line)
    assert message in printed
    assert len(prompts) == 2


def test_the_game_can_be_saved_after_a_bot_fails(monkeypatch, tmp_path):
    match = quorum_match("human", "random")
    monkeypatch.setattr(match, "reply", lambda seat: match.play("nonsense", seat))
    file = tmp_path / "saved.qx"
    printed, _, _ = run_prompt(match, "a1e3", f"save {file}")
    assert "invalid move" in printed
    assert qx.Record.load(file).moves == ("a1e3",)


def test_undo_and_redo_include_the_replies_of_bots():
    match = quorum_match("human", "random")
    _, _, prompt = run_prompt(match, "a1e3")
    both = match.moves
    assert len(both) == 2
    prompt.undo([])
    assert match.moves == ()
    prompt.redo([])
    assert match.moves == both


def test_save_overwrites_only_the_file_of_the_same_game(tmp_path):
    own, other = tmp_path / "my game.qx", tmp_path / "other.qx"
    other.write_text("precious")
    lines = [f'save "{own}"', "a1e3", f'save "{own}"', f"save {other}", "h8d8", "save"]
    printed, _, _ = run_prompt(quorum_match(), *lines)
    assert printed.count("Saved to") == 3
    assert f"{other} already exists" in printed
    assert other.read_text() == "precious"
    assert qx.Record.load(own).moves == ("a1e3", "h8d8")


def test_saving_a_resumed_game_preserves_comments_and_tags(tmp_path):
    text = '[Game "quorum"]\n[Event "test"]\n\n{first} a1e3 {good} h8d8 {bad}\n'
    record, file = qx.Record.read(text), tmp_path / "game.qx"
    match = quorum_match()
    for move in record.moves:
        match.play(move)
    run_prompt(match, "undo", "h8d6", "save", record=record, file=file)
    saved = qx.Record.load(file)
    assert saved.tags == {"Event": "test"}
    assert saved.comments == {0: "first", 1: "good"}


class TestAnytime:
    """Sphero, where anyone may place at any time."""

    def match(self, *players):
        game = qx.game("sphero", players=len(players), order="anytime")
        return qx.Match(game, players, seed=1)

    def test_a_single_person_types_no_seat_letter_and_bots_reply(self):
        match = self.match("random", "human", "random")
        _, prompts, _ = run_prompt(match, "1,0")
        assert prompts == ["Yellow> "] * 2
        assert match.moves[0] == "Y:1,0"
        assert [move[0] for move in match.moves] == ["Y", "R", "B"]

    def test_people_cannot_move_for_a_bot(self):
        match = self.match("human", "random")
        printed, _, _ = run_prompt(match, "Y:1,0")
        assert "Yellow is played by random." in printed
        assert not match.moves

    def test_seat_letters_in_any_case_and_invalid_ones(self):
        match = self.match("human", "human:bo")
        printed, prompts, _ = run_prompt(match, "y:1,0", "z:0,1", "0,1")
        assert prompts[0] == "any player> "
        assert match.moves == ("Y:1,0",)
        assert printed.count("R for Red, Y for Yellow (bo)") == 2

    def test_undo_goes_back_to_before_the_move_of_the_person(self):
        match = self.match("human", "random", "random")
        _, _, prompt = run_prompt(match, "1,0", "0,1")
        assert len(match.moves) == 6
        prompt.undo([])
        assert len(match.moves) == 3
        prompt.redo([])
        assert len(match.moves) == 6

    def test_bots_stop_after_the_maximum_number_of_moves(self, monkeypatch):
        monkeypatch.setattr(local_game, "MAX_BOT_MOVES", 8)
        match = self.match("random", "random")
        printed, prompts, _ = run_prompt(match, "R:1,0", "undo")
        assert len(match.moves) == 8
        assert prompts[0].startswith("stopped after 8 moves")
        assert "Red is played by random." in printed
        assert "Nothing to undo" in printed


def test_colours_need_a_truecolor_terminal():
    def console(**settings):
        return Console(file=io.StringIO(), force_terminal=True, **settings)

    assert colour_mode(console(color_system="truecolor", no_color=False)) == "truecolor"
    assert colour_mode(console(color_system="truecolor", no_color=True)) == "none"
    assert colour_mode(console(color_system="256")) == "none"
    assert colour_mode(Console(file=io.StringIO())) == "none"


def test_rules_wrap_at_words_on_a_terminal():
    output = io.StringIO()
    console = Console(file=output, force_terminal=True, width=50, height=10_000, color_system=None)
    PlainPrompt(local_game.LocalGame(quorum_match()), console).rules([])
    lines = output.getvalue().splitlines()
    assert max(map(len, lines)) <= 50
    assert lines[2].strip() == "Two players move stones by leaping over their own"


def test_moves_are_listed_in_the_order_of_their_numbers():
    match = qx.Match(qx.game("wzlz", rows=3, cols=12), seed=1)
    printed, _, _ = run_prompt(match, "moves")
    (line,) = (line for line in printed.splitlines() if " legal moves: " in line)
    listed = line.partition(": ")[2].split()
    assert sorted(listed) == match.state.moves()
    numbers = [tuple(map(int, re.findall("[0-9]+", move))) for move in listed]
    assert numbers == sorted(numbers)
    assert listed != match.state.moves()
