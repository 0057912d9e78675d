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


def test_many_games_in_one_file(tmp_path):
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


def test_a_record_round_trips(any_game):
    record = random_match(any_game).record
    again = Record.read(record.text)
    assert again == record
    assert again.text == record.text
    assert again.states()[-1].pack() == random_match(any_game).state.pack()


def test_moves_have_a_seat_prefix_where_anyone_may_move():
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
        ('[Game "quorum"]\n[Options "depth"]', 2, "name=value"),
        ('[Game "quorum"]\n\n[Seed "1"]\n\na1e3 zz', 5, "move 2"),
        ('[Game "quorum"]\n[Seed "x"]', 2, "expected an integer"),
        ('[Game "quorum"]\n[Result "1"]', 2, "2 numbers"),
        ('[Game "quorum"]\n[Start "8/8 w"]', 2, "8 ranks"),
        ('[Game "quorum"]\n[Game quorum]', 2, "invalid tag"),
        ('[Game "quorum"]\n[Seed "1"][Seed "2"]', 2, "duplicate tag"),
        ('nonsense\n[Game "quorum"]\n', 1, "is missing"),
        ('[Game "quorum"]\n\na1e3\n\nh8d6 a1e3', 5, "move 3.*no stone"),
        ('[Game "quorum"]\n\na1e3\n{open', 4, "without closing"),
        ('[Game "quorum"]\n\na1e3 }', 3, "without opening"),
    ],
)
def test_bad_input_is_reported_with_line_and_reason(text, line, reason):
    with pytest.raises(BadRecord, match=reason) as caught:
        Record.read(text)
    assert caught.value.line == line


def test_valid_games_are_read_despite_errors():
    records, problems = read_all('[Game "quorum"]\n\na1e3 h8d6 zz a1a5\n' + TWO_GAMES)
    assert [record.moves for record in records] == [("a1e3", "h8d6"), ("a1e3", "h8d6"), ("1,0",)]
    assert [problem.line for problem in problems] == [3]


def test_a_game_without_moves_ends_at_the_next_game_tag():
    empty = Record(qx.game("quorum"), date="2026-01-01")
    records, problems = read_all(empty.text + TWO_GAMES)
    assert problems == []
    assert [len(record.moves) for record in records] == [0, 2, 1]


def test_an_unclosed_comment_affects_one_game_only():
    records, problems = read_all('[Game "quorum"]\n\na1e3 {open\nh8d6\n' + TWO_GAMES)
    assert [record.moves for record in records] == [("a1e3",), ("a1e3", "h8d6"), ("1,0",)]
    assert [problem.line for problem in problems] == [3]


def test_records_hash_and_load(tmp_path):
    record = random_match(qx.game("onoro"), plies=8).record
    record.save(tmp_path / "one.qx")
    assert Record.load(tmp_path / "one.qx") == record
    assert hash(Record.load(tmp_path / "one.qx")) == hash(record)


def test_the_start_position_of_a_match_round_trips():
    match = qx.Match(qx.game("onoro"), start=".W\nBB w -1,0")
    assert Record.read(match.record.text).initial_state() == match.state


def test_a_wrong_result_is_reported():
    match = random_match(qx.game("quorum"), plies=10_000)
    winner = match.state.winners[0]
    right, wrong = ("1 0", "0 1") if winner == 0 else ("0 1", "1 0")
    text = match.record.text.replace(f'[Result "{right}"]', f'[Result "{wrong}"]')
    records, problems = read_all(text)
    assert "wrong result" in str(problems[0])
    assert records[0].result == match.state.scores


def test_empty_tags_are_kept():
    text = '[Game "onoro"]\n[Event ""]\n[Round "2"]\n\n1,0\n'
    record = Record.read(text)
    assert record.tags == {"Event": "", "Round": "2"}
    assert '[Event ""]\n[Round "2"]\n' in record.text
    assert Record.read(record.text) == record


def test_the_version_of_the_rules_is_written_and_read():
    record = Record(qx.game("onoro", pawns=4), ("1,0",))
    assert record.rules == 1
    assert record.text.startswith('[Game "onoro"]\n[Rules "1"]\n')
    assert Record.read(record.text) == record
    assert Record.read('[Game "onoro"]\n\n1,0').rules == 1  # written before there was the tag
    played = Record.read('[Game "onoro"]\n[Rules "7"]\n\n1,0')
    assert (played.rules, len(played.moves)) == (7, 1)
    assert '[Rules "7"]' in played.text


@pytest.mark.parametrize(("tag", "version"), [("", 1), ('[Rules "1"]\n', 1), ('[Rules "2"]\n', 2)])
def test_a_record_is_replayed_by_its_rules_if_they_can_be_played(tag, version):
    record = Record.read(f'[Game "sphero"]\n{tag}[Start "GB/.Y/AR"]\n\nR:2,2')
    assert (record.rules, record.game.rules_version) == (version, version)
    assert record.states()[-1].text == {1: "RABR/Y.../.G..", 2: "RABR/Y.../G..."}[version]
    assert Record.read(record.text) == record
    unknown = Record.read('[Game "sphero"]\n[Rules "7"]\n\nR:0,1')
    assert (unknown.rules, unknown.game) == (7, qx.game("sphero"))


@pytest.mark.parametrize("value", ["0", "x", "-1", "1.5", "9" * 10])
def test_an_invalid_version_of_the_rules_is_reported(value):
    (record,), (problem,) = read_all(f'[Game "onoro"]\n[Rules "{value}"]\n\n1,0')
    assert (record.rules, record.moves) == (1, ("1,0",))
    assert problem.line == 2
    assert f"invalid version of the rules '{value}'" in str(problem)


@pytest.mark.parametrize("rest", ["\n1,0 9,9", '[Start "x"]\n\n'])
def test_a_record_of_other_rules_that_is_replayed_differently_says_so(rest):
    _, (problem,) = read_all(f'[Game "onoro"]\n[Rules "7"]\n{rest}')
    assert str(problem).endswith("(played by rules 7; rules 1 are installed)")


def test_saving_is_atomic(tmp_path):
    record = random_match(qx.game("wzlz"), plies=5).record
    record.save(tmp_path / "game.qx")
    assert [path.name for path in tmp_path.iterdir()] == ["game.qx"]
    assert load(tmp_path / "game.qx") == ([record], [])


@given(
    st.dictionaries(st.integers(0, 2), st.text().map(lambda t: " ".join(t.split())).filter(bool))
)
def test_any_comment_round_trips(comments):
    record = Record(qx.game("quorum"), ("a1e3", "h8d6"), comments=comments)
    assert Record.read(record.text).comments == comments


@given(st.text())
def test_any_text_is_read_or_reported(text):
    records, problems = read_all(text)
    assert records or problems or not text.strip()
    read_all('[Game "quorum"]\n' + text)
