"""The plain prompt, driven by lines that are typed in advance."""

import io

import pytest
from rich.console import Console

import quincunx as qx
from quincunx.terminal import local_game
from quincunx.terminal.plain_prompt import PlainPrompt, colour_mode


class Typist:
    """Types lines one after the other, and remembers how it was asked for them."""

    def __init__(self, *lines):
        self.lines = list(lines)
        self.asked = []

    def __call__(self, prompt):
        self.asked.append(prompt)
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)


def prompted(match, *lines, **more):
    """What is printed when these lines are typed, how it was asked for, and the prompt."""
    printed, typist = io.StringIO(), Typist(*lines)
    console = Console(file=printed, soft_wrap=True)
    prompt = PlainPrompt(local_game.LocalGame(match, **more), console, read=typist)
    prompt.run()
    return printed.getvalue(), typist.asked, prompt


def quorum(*players, **more):
    return qx.Match(qx.game("quorum"), players, seed=1, **more)


def finished():
    """A match that random players have played to its end, now with persons on both seats."""
    played = quorum("random", "random")
    while not played.state.over:
        played.reply()
    match = quorum()
    for move in played.moves:
        match.play(move)
    return match


def test_it_says_who_is_who():
    assert "You are White; Black is greedy." in prompted(quorum("human", "greedy"))[0]
    assert "White is ada; Black is bo." in prompted(quorum("human:ada", "human:bo"))[0]
    assert "You are White and Black." in prompted(quorum())[0]
    wzlz = qx.Match(qx.game("wzlz"), seed=1)
    assert "You are" not in prompted(wzlz)[0]


def test_a_name_is_shown_in_prompt_and_lines():
    printed, asked, _ = prompted(quorum("human:ada", "human"), "a1e3")
    assert asked == ["White (ada)> ", "Black> "]
    assert "White (ada): a1e3" in printed


def test_help_has_a_line_for_every_word():
    printed, _, prompt = prompted(quorum(), "help")
    for word in prompt._words:
        assert f"\n  {word}" in printed


def test_rules_are_shown_without_pictures():
    printed, _, _ = prompted(quorum(), "rules")
    assert "## Board" in printed
    assert "![" not in printed


@pytest.mark.parametrize("word", ["hint", "moves", "help", "a1e3"])
def test_words_after_the_end(word):
    printed, asked, _ = prompted(finished(), word)
    assert printed.count("The game is over.") == 2
    assert len(asked) == 2


def test_the_end_is_told_once_and_can_be_taken_back():
    match = finished()
    end, last = match.state.status, match.moves[-1]
    match.undo()
    printed, asked, _ = prompted(match, last, "undo")
    assert printed.count(end) == 1
    assert asked[1].startswith("over")
    assert not asked[2].startswith("over")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("undo", "There is nothing to take back."),
        ("redo", "There is nothing to play again."),
        ("save", "save needs a file name"),
        ("save a b", "needs quotes"),
        ('save "a b', "a quote is not closed"),
        ("save /no/such/folder/x.qx", "/no/such/folder/x.qx: No such file or directory."),
        ("xyz", "Type help for the words"),
        ("h8d8", "h8d8 is not legal"),
    ],
)
def test_what_cannot_be_done_is_said_and_the_game_goes_on(typed, said):
    printed, asked, _ = prompted(quorum("human", "random"), typed)
    assert said in printed
    assert len(asked) == 2


def test_a_bot_that_fails_does_not_lose_the_game(monkeypatch, tmp_path):
    match = quorum("human", "random")
    monkeypatch.setattr(match, "reply", lambda seat: match.play("nonsense", seat))
    file = tmp_path / "saved.qx"
    printed, _, _ = prompted(match, "a1e3", f"save {file}")
    assert "invalid move" in printed
    assert qx.Record.load(file).moves == ("a1e3",)


def test_undo_and_redo_are_of_the_persons_move():
    match = quorum("human", "random")
    _, _, prompt = prompted(match, "a1e3")
    both = match.moves
    assert len(both) == 2
    prompt.undo([])
    assert match.moves == ()
    prompt.redo([])
    assert match.moves == both


def test_a_file_is_written_over_only_by_the_game_that_is_in_it(tmp_path):
    mine, other = tmp_path / "my game.qx", tmp_path / "other.qx"
    other.write_text("precious")
    lines = [f'save "{mine}"', "a1e3", f'save "{mine}"', f"save {other}", "h8d8", "save"]
    printed, _, _ = prompted(quorum(), *lines)
    assert printed.count("Saved to") == 3
    assert f"{other} exists already" in printed
    assert other.read_text() == "precious"
    assert qx.Record.load(mine).moves == ("a1e3", "h8d8")


def test_comments_and_tags_of_a_resumed_game_are_kept(tmp_path):
    text = '[Game "quorum"]\n[Event "test"]\n\n{first} a1e3 {good} h8d8 {bad}\n'
    record, file = qx.Record.read(text), tmp_path / "game.qx"
    match = quorum()
    for move in record.moves:
        match.play(move)
    prompted(match, "undo", "h8d6", "save", record=record, file=file)
    saved = qx.Record.load(file)
    assert saved.tags == {"Event": "test"}
    assert saved.comments == {0: "first", 1: "good"}


class TestAnyone:
    """Sphero, where anyone may place at any time."""

    def match(self, *players):
        game = qx.game("sphero", players=len(players), order="anytime")
        return qx.Match(game, players, seed=1)

    def test_one_person_needs_no_letter_and_bots_answer(self):
        match = self.match("random", "human", "random")
        _, asked, _ = prompted(match, "1,0")
        assert asked == ["Yellow> "] * 2
        assert match.moves[0] == "Y:1,0"
        assert [move[0] for move in match.moves] == ["Y", "R", "B"]

    def test_nobody_places_for_a_bot(self):
        match = self.match("human", "random")
        printed, _, _ = prompted(match, "Y:1,0")
        assert "Yellow is played by random." in printed
        assert not match.moves

    def test_letters_in_any_case_and_wrong_ones(self):
        match = self.match("human", "human:bo")
        printed, asked, _ = prompted(match, "y:1,0", "z:0,1", "0,1")
        assert asked[0] == "anyone> "
        assert match.moves == ("Y:1,0",)
        assert printed.count("R for Red, Y for Yellow (bo)") == 2

    def test_undo_goes_back_before_the_persons_own_move(self):
        match = self.match("human", "random", "random")
        _, _, prompt = prompted(match, "1,0", "0,1")
        assert len(match.moves) == 6
        prompt.undo([])
        assert len(match.moves) == 3
        prompt.redo([])
        assert len(match.moves) == 6

    def test_bots_alone_stop_somewhere(self, monkeypatch):
        monkeypatch.setattr(local_game, "LONGEST", 8)
        match = self.match("random", "random")
        printed, asked, _ = prompted(match, "R:1,0", "undo")
        assert len(match.moves) == 8
        assert asked[0].startswith("stopped after 8 moves")
        assert "Red is played by random." in printed
        assert "nothing to take back" in printed


def test_colours_only_where_they_are_shown_as_they_are():
    def console(**more):
        return Console(file=io.StringIO(), force_terminal=True, **more)

    assert colour_mode(console(color_system="truecolor", no_color=False)) == "truecolor"
    assert colour_mode(console(color_system="truecolor", no_color=True)) == "none"
    assert colour_mode(console(color_system="256")) == "none"
    assert colour_mode(Console(file=io.StringIO())) == "none"


def test_rules_wrap_at_words_on_a_terminal():
    printed = io.StringIO()
    console = Console(file=printed, force_terminal=True, width=50, height=10_000, color_system=None)
    PlainPrompt(local_game.LocalGame(quorum()), console).rules([])
    lines = printed.getvalue().splitlines()
    assert max(map(len, lines)) <= 50
    assert lines[2].strip() == "Two players leap with their stones over their own"
