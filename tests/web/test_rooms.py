"""Rooms by themselves: what seats may do, what is late, and that events give a room again."""

import random

import pytest

from quincunx.errors import BadOption, IllegalMove
from quincunx.registry import GAMES
from quincunx.web.rooms import Card, Room, hashed
from quincunx.web.wire import Refused


def room(game="quorum", seated=("human", "human"), clock=None, start="", **options):
    hashes = tuple(hashed(f"secret {seat}") for seat in range(len(seated)))
    card = Card("id", game, options, 7, start, tuple(seated), hashes, clock, 2.0, True, 1000)
    return Room(card)


def refused(call, *args):
    with pytest.raises(Refused) as error:
        call(*args)
    return error.value.word


def play_some(one, moves, dice, events):
    """Plays random moves, each seat in turn where anyone may."""
    for i in range(moves):
        if one.over:
            break
        seat = one.turn if one.turn is not None else i % one.game.seats
        legal = one.state.moves(seat)
        events.append(one.play(seat, dice.choice(legal), one.number, 2000 + i))


def same(one, other):
    """Everything that can be seen of two rooms, and what they decide by."""
    keys = ("number", "changed", "undone", "moved", "given_up", "ending", "paused", "asked")
    keys += ("agreed", "wishes", "rematch", "names", "clocks", "plies", "over", "turn", "touched")
    assert {key: getattr(one, key) for key in keys} == {key: getattr(other, key) for key in keys}
    assert one.state.pack() == other.state.pack()
    assert one.record.text == other.record.text


def test_a_move_for_an_older_position_is_late():
    one = room()
    one.play(0, "a1e3", 0, 2000)
    assert refused(one.play, 0, "a1e3", 0, 2000) == "late"  # the same message again
    assert refused(one.play, 1, "h8d6", 0, 2000) == "late"
    assert refused(one.play, 1, "h8d6", 2, 2000) == "late"  # a number that is yet to come
    assert refused(one.play, 0, "a2e4", 1, 2000) == "turn"
    one.name(1, "bob", 2000)  # changes no board
    one.play(1, "h8d6", 1, 2000)


def test_an_illegal_move_changes_nothing():
    one = room(clock=(60_000, 0))
    before = one.state, one.number, one.clocks
    with pytest.raises(IllegalMove):
        one.play(0, "a1a2", 0, 9000)
    assert before == (one.state, one.number, one.clocks)


def test_where_anyone_may_move_two_at_once_are_both_served():
    one = room("sphero", ("human", "human", "human"), players=3)
    one.play(0, "0,1", 0, 2000)
    one.play(1, "1,0", 0, 2000)  # seat 1 had not seen the move of seat 0
    assert refused(one.play, 1, "-1,0", 0, 2000) == "late"  # a doubled message
    one.play(1, "-1,0", 2, 2000)


def test_against_bots_one_takes_back_freely():
    one = room(seated=("human", "level:1"))
    one.play(0, "a1e3", 0, 2000)
    one.play(1, "h8d6", 1, 2000)
    event = one.undo(0, 2, 2000)
    assert (event.kind, event.text, one.plies) == ("undo", "0", 0)
    assert refused(one.undo, 0, 3, 2000) == "refused"
    assert refused(one.play, 0, "a1e3", 2, 2000) == "late"
    one.play(0, "a1e3", 3, 2000)


def test_people_are_asked():
    one = room()
    one.play(0, "a1e3", 0, 2000)
    assert one.undo(0, 1, 2000).kind == "asked"
    assert refused(one.undo, 0, 2, 2000) == "refused"
    assert refused(one.answer, 0, True, 2, 2000) == "refused"  # one does not answer oneself
    assert one.answer(1, False, 2, 2000).kind == "answer"
    assert (one.plies, one.asked) == (1, None)
    one.undo(0, 3, 2000)
    assert one.answer(1, True, 4, 2000).kind == "undo"
    assert (one.plies, one.asked) == (0, None)


def test_a_move_is_an_answer_too():
    one = room()
    one.play(0, "a1e3", 0, 2000)
    one.undo(0, 1, 2000)
    one.play(1, "h8d6", 2, 2000)
    assert one.asked is None
    assert refused(one.answer, 1, True, 2, 2000) == "refused"


def test_of_three_people_both_others_must_agree():
    one = room("blocky", ("human",) * 3, players=3, depth=2)
    one.play(0, "pass", 0, 2000)
    one.undo(0, 1, 2000)
    assert one.answer(2, True, 2, 2000).kind == "answer"
    assert refused(one.answer, 2, True, 3, 2000) == "refused"
    assert one.answer(1, True, 3, 2000).kind == "undo"
    assert one.plies == 0


def test_whoever_holds_all_seats_takes_back_freely():
    one = room()
    one.play(0, "a1e3", 0, 2000)
    assert one.undo(0, 1, 2000, holds=(0, 1)).kind == "undo"


def test_resigning_ends_a_game_of_two():
    one = room()
    one.resign(0, 2000)
    assert (one.over, one.turn, one.scores, one.winners) == (True, None, (0.0, 1.0), (1,))
    assert one.status == "Black wins: White resigned"
    for call in (one.resign, one.pause):
        assert refused(call, 1, 2000) == "over"
    assert refused(one.play, 1, "h8d6", 1, 2000) == "over"


def test_in_a_larger_game_a_bot_plays_on_until_nobody_is_left():
    one = room("blocky", ("human", "human", "random"), players=3, depth=2)
    one.resign(0, 2000)
    assert not one.over
    assert one.is_bot(0)
    assert one.people == [1]
    one.resign(1, 2000)
    assert one.over
    assert one.winners == (2,)


def test_who_gave_up_has_no_say_any_more():
    one = room("blocky", ("human",) * 3, players=3, depth=2)
    one.play(0, "pass", 0, 2000)
    one.undo(0, 1, 2000)
    one.resign(1, 2000)
    assert refused(one.play, 1, "pass", one.number, 2000) == "refused"
    assert refused(one.undo, 1, one.number, 2000) == "refused"
    for call in (one.resign, one.pause, one.resume):
        assert refused(call, 1, 2000) == "refused"
    one.undo(0, one.number, 2000)
    assert refused(one.answer, 1, False, one.number, 2000) == "refused"
    one.name(1, "bob", 2000)
    one.play(1, "pass", one.number, 2000, bot=True)
    one.resign(0, 2000)
    one.resign(2, 2000)
    assert refused(one.resign, 1, 2000) == "over"
    one.wish(1, 2000)


def test_giving_up_alone_keeps_the_score():
    one = room("wzlz", ("human",))
    one.resign(0, 2000)
    assert (one.over, one.winners, one.status) == (True, (), "Given up")
    assert not one.is_bot(0)


def test_nobody_moves_in_a_pause():
    one = room(clock=(60_000, 0))
    one.pause(1, 2000)
    assert refused(one.play, 0, "a1e3", 1, 2000) == "paused"
    assert refused(one.pause, 0, 2000) == "paused"
    one.resume(0, 2000)
    assert refused(one.resume, 0, 2000) == "refused"
    one.play(0, "a1e3", 2, 2000)


def test_clocks_run_once_everybody_has_moved():
    one = room(clock=(60_000, 1000))
    one.play(0, "a1e3", 0, 10_000)
    assert one.clocks.running is None
    one.play(1, "h8d6", 1, 20_000)
    assert one.clocks.running == 0
    one.play(0, one.state.moves()[0], 2, 30_000)
    assert one.clocks.left == (51_000, 60_000)
    one.pause(0, 35_000)
    assert one.clocks.now(10**6) == (51_000, 55_000)
    one.resume(0, 10**6)
    assert one.flag(10**6 + 54_999) is None
    event = one.flag(10**6 + 55_000)
    assert (event.kind, event.seat, one.winners) == ("flag", 1, (0,))
    assert one.status == "White wins: Black ran out of time"


def test_time_runs_out_once():
    """The bot that plays on has no clock, in this round and in the next."""
    one = room("blocky", ("human",) * 3, clock=(60_000, 1000), players=3, depth=2)
    for seat in range(3):
        one.play(seat, "pass", None, 2000)
    assert one.flag(62_000).seat == 0
    assert one.clocks.running is None
    assert one.flag(10**6) is None
    one.play(0, "pass", None, 10**6, bot=True)
    assert one.clocks.now(10**6) == (0, 60_000, 60_000)
    for seat in (1, 2):
        one.play(seat, "pass", None, 10**6)
    assert (one.turn, one.clocks.running, one.flag(10**7)) == (0, None, None)


def test_there_are_no_clocks_where_anyone_may_move():
    with pytest.raises(BadOption, match="no clocks"):
        room("sphero", ("human", "human"), clock=(60_000, 0), players=2)


def test_only_the_secret_opens_a_seat():
    one = room()
    assert one.owns(0, "secret 0")
    for seat, secret in ((0, "secret 1"), (1, "secret 0"), (0, ""), (5, ""), (0, "\ud800")):
        assert not one.owns(seat, secret)
    bots = Card(
        "id", "quorum", {}, 7, "", ("human", "random"), (hashed("x"), ""), None, 2.0, True, 1
    )
    assert not Room(bots).owns(1, "")


def test_a_rematch_begins_when_all_people_want_it():
    one = room()
    assert refused(one.wish, 0, 2000) == "refused"
    one.resign(0, 2000)
    assert one.wish(0, 2000)[1] is False
    assert one.wish(1, 2000)[1] is True
    one.rematched(1, "next", 2000)
    assert refused(one.wish, 0, 2000) == "over"


def test_a_running_game_of_chance_keeps_its_seed_to_itself():
    one = room("wzlz", ("human",))
    one.play(0, one.state.moves()[0], 0, 2000)
    assert not one.shows_seed
    assert one.record.seed is None
    assert one.record.moves == ()
    assert one.record.states()[0].text == one.state.text
    one.resign(0, 3000)
    assert one.record.seed == 7
    assert one.record.states()[-1].pack() == one.state.pack()
    assert room().shows_seed


@pytest.mark.parametrize("game", GAMES)
def test_events_give_the_same_room_again(game):
    seats = {"sphero": 3, "blocky": 3, "wzlz": 1}.get(game, 2)
    options = {"players": seats} if seats == 3 else {}
    clock = None if game == "sphero" else (600_000, 1000)
    one = room(game, ("human",) * seats, clock, **options)
    events, dice = [], random.Random(5)
    play_some(one, 9, dice, events)
    everybody = tuple(range(seats))
    events.append(one.undo(one.state.last[0], one.number, 3000, everybody))
    events.append(one.name(0, "ada", 3100))
    events += [one.pause(0, 3200), one.resume(0, 3300)]
    play_some(one, 5, dice, events)
    if not one.over:
        events.append(one.resign(0, 9000))
    if one.over:
        events.append(one.wish(0, 9100)[0])
        events.append(one.rematched(0, "other", 9200))
    again = Room(one.card)
    for event in events:
        again.apply(event)
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    same(one, again)
