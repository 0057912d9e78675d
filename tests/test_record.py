import pytest
from hypothesis import given
from hypothesis import strategies as st

import quincunx as qx
from quincunx.errors import BadRecord
from quincunx.record import Record, load, read_all

TWO_GAMES = """\
[Game "quorum"]
[Players "ada; greedy"]
[Date "2026-01-02"]
[Event "the \\"first\\" one"]
[Result "*"]

{off we go} a1e3 {a long leap}
h8d6
[Game "onoro"] [Options "pawns=4"]

1,0 *
"""


def random_match(game, plies=30, seed=0):
    match = qx.Match(game, ["random"] * game.seats, seed=seed)
    while not match.state.over and len(match.moves) < plies:
        match.reply(len(match.moves) % game.seats if match.state.turn is None else None)
    return match


def test_many_games_to_a_file(tmp_path):
    path = tmp_path / "two.qx"
    path.write_text(TWO_GAMES)
    (first, second), problems = load(path)
    assert problems == []
    assert first.moves == ("a1e3", "h8d6")
    assert first.players == ("ada", "greedy")
    assert dict(first.comments) == {0: "off we go", 1: "a long leap"}
    assert first.tags == {"Event": 'the "first" one'}
    assert second.game == qx.game("onoro", pawns=4)
    assert second.moves == ("1,0",)
    assert second.result is None


def test_a_record_reads_back(any_game):
    record = random_match(any_game).record
    again = Record.read(record.text)
    assert again == record
    assert again.text == record.text
    assert again.states()[-1].pack() == random_match(any_game).state.pack()


def test_anyone_may_move_so_the_seat_is_written():
    record = random_match(qx.game("sphero"), plies=5).record
    assert [move[0] for move in record.moves] == ["R", "Y", "B", "G", "R"]
    assert all(move[1] == ":" for move in record.moves)


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "no game"),
        ("a1e3", 1, r'\[Game "name"\] is missing'),
        ('[Game "quorom"]\n\n', 1, "did you mean quorum"),
        ('[Game "quorum"]\n[Options "depth=4"]', 2, "no such option"),
        ('[Game "quorum"]\n[Options "depth"]', 1, "name=value"),
        ('[Game "quorum"]\n[Seed "x"]', 2, "not an integer"),
        ('[Game "quorum"]\n[Result "1"]', 2, "2 numbers"),
        ('[Game "quorum"]\n[Start "8/8 w"]', 2, "8 ranks"),
        ('[Game "quorum"]\n[Game quorum]', 2, "is no tag"),
        ('[Game "quorum"]\n[Game "quorum"]', 2, "stands twice"),
        ('[Game "quorum"]\n\na1e3\n\nh8d6 a1e3', 5, "move 3.*no stone"),
        ('[Game "quorum"]\n\na1e3\n{open', 4, "brace"),
        ('[Game "quorum"]\n\na1e3 }', 3, "brace"),
    ],
)
def test_bad_input_is_reported_with_line_and_reason(text, line, reason):
    with pytest.raises(BadRecord, match=reason) as caught:
        Record.read(text)
    assert caught.value.line == line


def test_what_is_sound_is_still_read():
    records, problems = read_all('[Game "quorum"]\n\na1e3 h8d6 zz a1a5\n' + TWO_GAMES)
    assert [record.moves for record in records] == [("a1e3", "h8d6"), ("a1e3", "h8d6"), ("1,0",)]
    assert [problem.line for problem in problems] == [3]


def test_a_false_result_is_reported():
    match = random_match(qx.game("quorum"), plies=10_000)
    text = match.record.text.replace('[Result "0 1"]', '[Result "1 0"]')
    text = (
        match.record.text.replace('[Result "1 0"]', '[Result "0 1"]')
        if text == match.record.text
        else text
    )
    records, problems = read_all(text)
    assert "the result is" in str(problems[0])
    assert records[0].result == match.state.scores


def test_saving_is_whole(tmp_path):
    record = random_match(qx.game("wzlz"), plies=5).record
    record.save(tmp_path / "game.qx")
    assert [path.name for path in tmp_path.iterdir()] == ["game.qx"]
    assert load(tmp_path / "game.qx") == ([record], [])


@given(
    st.dictionaries(st.integers(0, 2), st.text().map(lambda t: " ".join(t.split())).filter(bool))
)
def test_any_comment_reads_back(comments):
    record = Record(qx.game("quorum"), ("a1e3", "h8d6"), comments=comments)
    assert Record.read(record.text).comments == comments


@given(st.text())
def test_any_text_is_read_or_reported(text):
    records, problems = read_all(text)
    assert records or problems or not text.strip()
    read_all('[Game "quorum"]\n' + text)
