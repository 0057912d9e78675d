"""Rooms without a server: requests of the seats, late moves, and replay of events."""

import random

import pytest

from quincunx.errors import BadOption, IllegalMove
from quincunx.phrases import Phrase
from quincunx.registry import BUILT_IN
from quincunx.registry import game as game_named
from quincunx.rooms.consent import Question
from quincunx.rooms.errors import RequestError
from quincunx.rooms.events import Event, RoomSettings
from quincunx.rooms.room import GameRoom
from quincunx.rooms.seat_secrets import hash_secret
from quincunx.rooms.views import game_fields


def new_room(game="quorum", seats=("human", "human"), clock=None, start="", **options):
    hashes = tuple(hash_secret(f"secret {seat}") for seat in range(len(seats)))
    settings = RoomSettings(
        "id", game, options, 7, start, tuple(seats), hashes, clock, 2.0, True, 1000
    )
    return GameRoom(settings, game_named(game, **options))


def error_code(call, *args):
    with pytest.raises(RequestError) as error:
        call(*args)
    return error.value.code


def play_random_moves(room, moves, rng, events):
    """Plays random moves and appends their events; where anyone may move, the seats take turns."""
    for i in range(moves):
        if room.over:
            break
        seat = room.turn if room.turn is not None else i % room.game.seats
        legal = room.state.moves(seat)
        events.append(room.play(seat, rng.choice(legal), room.number, 2000 + i))


def assert_equal_rooms(room, other):
    """Compares all attributes of two rooms that later requests depend on."""
    names = (
        *("number", "last_event_time", "last_board_change", "last_undo", "last_moves"),
        *("given_up", "ending", "paused", "question", "assisted", "is_fair"),
        *("rematch_requests", "rematch_room", "names", "clocks", "plies", "over", "turn"),
    )
    for name in names:
        assert getattr(room, name) == getattr(other, name), name
    assert room.state.pack() == other.state.pack()
    assert room.record.text == other.record.text


def test_a_move_for_an_older_position_is_late():
    room = new_room()
    room.play(0, "a1e3", 0, 2000)
    assert error_code(room.play, 0, "a1e3", 0, 2000) == "late"  # a duplicate message
    assert error_code(room.play, 1, "h8d6", 0, 2000) == "late"
    assert error_code(room.play, 1, "h8d6", 2, 2000) == "late"  # a number from the future
    assert error_code(room.play, 0, "a2e4", 1, 2000) == "turn"
    room.name(1, "bob", 2000)  # does not change the board
    room.play(1, "h8d6", 1, 2000)


def test_an_illegal_move_changes_nothing():
    room = new_room(clock=(60_000, 0))
    before = room.state, room.number, room.clocks
    with pytest.raises(IllegalMove, match="0, 2 or 4 files"):
        room.play(0, "a1a2", 0, 9000)
    assert before == (room.state, room.number, room.clocks)


def test_a_move_is_stored_in_its_normal_form_however_it_is_given():
    room = new_room()
    action = room.state.action("a1e3")
    assert room.play(0, " A1E3 ", 0, 2000).text == "a1e3"
    room = new_room()
    event = room.play(0, action, 0, 2000)
    assert (event.kind, event.seat, event.text) == ("play", 0, "a1e3")
    with pytest.raises(IllegalMove):
        room.play(1, 10**6, 1, 2000)


def test_a_recorded_move_names_its_seat_where_anyone_may_move():
    room = new_room("sphero", ("human", "human", "human"), players=3)
    letter = room.game.parts.rules.LETTERS[1]
    event = room.play_recorded(f"{letter}:0,1", 2000)
    assert (event.number, event.seat, event.text, room.plies) == (1, 1, "0,1", 1)
    with pytest.raises(IllegalMove):
        room.play_recorded("1,0", 2000)


def test_the_steps_of_a_move_stay_valid_after_later_moves():
    room = new_room()
    room.play(0, "a1e3", 0, 2000)
    after, steps = room.state, room.steps_of_last_move()
    room.play(1, "h8d6", 1, 2000)
    room.undo(0, 2, 2000, own_seats=(0, 1))
    assert steps()[-1] == after


def test_where_anyone_may_move_simultaneous_moves_are_both_played():
    room = new_room("sphero", ("human", "human", "human"), players=3)
    room.play(0, "0,1", 0, 2000)
    room.play(1, "1,0", 0, 2000)  # sent before the move of seat 0 arrived
    assert error_code(room.play, 1, "-1,0", 0, 2000) == "late"  # a duplicate message
    room.play(1, "-1,0", 2, 2000)


def test_requests_for_an_event_to_come_are_late():
    room = new_room("quorum", ("human", "human"))
    room.play(0, room.state.moves(0)[0], 0, 2000)
    assert error_code(room.undo, 0, 2, 2000) == "late"
    room.undo(0, 1, 2000)
    assert error_code(room.answer, 1, True, 3, 2000) == "late"
    assert error_code(room.play, 1, room.state.moves(1)[0], 3, 2000) == "late"


def test_undo_against_bots_needs_no_consent():
    room = new_room(seats=("human", "level:1"))
    room.play(0, "a1e3", 0, 2000)
    room.play(1, "h8d6", 1, 2000)
    event = room.undo(0, 2, 2000)
    assert (event.kind, event.text, room.plies) == ("undo", "0", 0)
    assert error_code(room.undo, 0, 3, 2000) == "refused"
    assert error_code(room.play, 0, "a1e3", 2, 2000) == "late"
    room.play(0, "a1e3", 3, 2000)


def test_undo_needs_the_consent_of_other_people():
    room = new_room()
    room.play(0, "a1e3", 0, 2000)
    assert room.undo(0, 1, 2000).kind == "asked"
    assert error_code(room.undo, 0, 2, 2000) == "refused"
    assert error_code(room.answer, 0, True, 2, 2000) == "refused"  # cannot answer its own request
    assert room.answer(1, False, 2, 2000).kind == "answer"
    assert (room.plies, room.question) == (1, None)
    room.undo(0, 3, 2000)
    assert room.answer(1, True, 4, 2000).kind == "undo"
    assert (room.plies, room.question) == (0, None)


def test_a_move_declines_the_undo_request():
    room = new_room()
    room.play(0, "a1e3", 0, 2000)
    room.undo(0, 1, 2000)
    room.play(1, "h8d6", 2, 2000)
    assert room.question is None
    assert error_code(room.answer, 1, True, 2, 2000) == "refused"


def test_with_three_people_both_others_must_agree_to_an_undo():
    room = new_room("blocky", ("human",) * 3, players=3, depth=2)
    room.play(0, "pass", 0, 2000)
    room.undo(0, 1, 2000)
    assert room.answer(2, True, 2, 2000).kind == "answer"
    assert error_code(room.answer, 2, True, 3, 2000) == "refused"
    assert room.answer(1, True, 3, 2000).kind == "undo"
    assert room.plies == 0


def test_undo_needs_no_consent_when_one_client_has_all_seats():
    room = new_room()
    room.play(0, "a1e3", 0, 2000)
    assert room.undo(0, 1, 2000, own_seats=(0, 1)).kind == "undo"


def test_the_status_is_addressed_to_the_seat_to_move():
    room = new_room()
    assert (
        game_fields(room)["status_you"]
        == "Your turn: leap over one of your stones, or fill your home"
    )
    live = new_room("sphero", ("human",) * 2, players=2)
    assert (
        game_fields(live)["status_you"] == "Anyone may place a sphere on a liberty, including you"
    )


def test_progress_is_shown_where_a_game_knows_it():
    assert "progress" not in game_fields(new_room())
    room = new_room("sphero", ("human",) * 2, players=2, limit=6)
    assert game_fields(room)["progress"] == "height 0 of 20, 0 of 3 placements each"
    for number, (seat, move) in enumerate([(0, "1,0"), (0, "2,0")]):
        room.play(seat, move, number, 2000)
    assert game_fields(room)["progress"] == "height 2 of 20, 1 of 3 placements each"
    room.resign(0, 2000)
    assert "progress" not in game_fields(room)


def test_the_seed_is_revealed_before_the_end_only_where_it_predicts_nothing():
    rooms = {name: new_room(name, ("human",) * game_named(name).seats) for name in BUILT_IN}
    revealed = {name: room.reveals_seed for name, room in rooms.items()}
    assert revealed == {name: not game_named(name).traits.chance for name in BUILT_IN}
    assert set(revealed.values()) == {True, False}


def test_resigning_ends_a_two_player_game():
    room = new_room()
    room.resign(0, 2000)
    assert (room.over, room.turn, room.scores, room.winners) == (True, None, (0.0, 1.0), (1,))
    assert game_fields(room)["status"] == "Black wins: White resigned"
    assert game_fields(room)["status_you"] == ""
    assert room.status_phrase.as_dict() == {
        "code": "default_win",
        "fields": {
            "winners": {"code": "seat.1", "fields": {}},
            "reason": {
                "code": "resigned",
                "fields": {"seat": {"code": "seat.0", "fields": {}}},
            },
        },
    }
    for call in (room.resign, room.pause):
        assert error_code(call, 1, 2000) == "over"
    assert error_code(room.play, 1, "h8d6", 1, 2000) == "over"


def test_in_a_larger_game_a_bot_takes_over_until_no_person_is_left():
    room = new_room("blocky", ("human", "human", "random"), players=3, depth=2)
    room.resign(0, 2000)
    assert not room.over
    assert room.is_bot(0)
    assert room.human_seats == [1]
    room.resign(1, 2000)
    assert room.over
    assert room.winners == (2,)


def test_a_seat_that_gave_up_can_only_be_named_or_request_a_rematch():
    room = new_room("blocky", ("human",) * 3, players=3, depth=2)
    room.play(0, "pass", 0, 2000)
    room.undo(0, 1, 2000)
    room.resign(1, 2000)
    assert error_code(room.play, 1, "pass", room.number, 2000) == "refused"
    assert error_code(room.undo, 1, room.number, 2000) == "refused"
    for call in (room.resign, room.pause, room.resume):
        assert error_code(call, 1, 2000) == "refused"
    room.undo(0, room.number, 2000)
    assert error_code(room.answer, 1, False, room.number, 2000) == "refused"
    room.name(1, "bob", 2000)
    room.play(1, "pass", room.number, 2000, by_bot=True)
    room.resign(0, 2000)
    room.resign(2, 2000)
    assert error_code(room.resign, 1, 2000) == "over"
    room.request_rematch(1, 2000)


def test_resigning_a_solo_game_keeps_the_score():
    room = new_room("wzlz", ("human",))
    room.resign(0, 2000)
    assert (room.over, room.winners) == (True, ())
    assert game_fields(room)["status"] == "Given up"
    assert room.status_phrase == Phrase("resigned_solo")
    assert not room.is_bot(0)


def test_pausing_needs_the_consent_of_other_people():
    room = new_room(clock=(60_000, 0))
    assert room.pause(1, 2000).kind == "pause_asked"
    assert not room.paused
    assert error_code(room.pause, 1, 2000) == "refused"
    assert error_code(room.pause, 0, 2000) == "refused"  # it is for this seat to answer
    assert error_code(room.answer, 1, True, 1, 2000) == "refused"
    event = room.answer(0, False, 1, 2000)
    assert (event.kind, event.text, room.paused) == ("pause_answer", "no", False)
    room.pause(1, 2000)
    event = room.answer(0, True, 3, 2000)
    assert (event.kind, event.seat, room.paused) == ("pause", 1, True)
    assert room.resume(0, 2000).kind == "resume"  # any person may
    assert room.question is None


def test_pausing_needs_no_consent_without_other_people():
    assert new_room(seats=("human", "random")).pause(0, 2000).kind == "pause"
    assert new_room().pause(0, 2000, own_seats=(0, 1)).kind == "pause"


def test_with_three_people_both_others_must_agree_to_a_pause():
    room = new_room("blocky", ("human",) * 3, players=3, depth=2)
    room.pause(0, 2000)
    assert room.answer(2, True, 1, 2000).kind == "pause_answer"
    assert error_code(room.answer, 2, True, 2, 2000) == "refused"
    assert not room.paused
    assert room.answer(1, True, 2, 2000).kind == "pause"
    assert room.paused


def test_a_move_of_a_person_declines_the_pause_request():
    for seat, move in ((0, "a1e3"), (1, "h8d6")):
        room = new_room()
        if seat == 1:
            room.play(0, "a1e3", 0, 2000)
        room.pause(0, 2000)
        room.play(seat, move, room.number, 2000)
        assert room.question is None
        assert error_code(room.answer, 1, True, room.number, 2000) == "refused"


def test_a_move_of_a_bot_leaves_the_pause_request():
    room = new_room("sphero", ("human", "human", "random"), players=3)
    room.pause(0, 2000)
    room.play(2, room.state.moves(2)[0], None, 2000, by_bot=True)
    assert room.answer(1, True, 1, 2000).kind == "pause"


def test_a_move_of_a_bot_declines_a_takeback_request():
    room = new_room("blocky", ("human", "human", "random"), players=3)
    room.play(0, "pass", None, 2000)
    room.play(1, "pass", None, 2000)
    room.undo(1, 2, 2000)
    assert room.question is not None
    room.play(2, "pass", None, 2000, by_bot=True)
    assert room.question is None


def test_one_request_is_open_at_a_time():
    room = new_room()
    room.play(0, "a1e3", 0, 2000)
    room.undo(0, 1, 2000)
    with pytest.raises(RequestError, match="a takeback has already been requested"):
        room.pause(0, 2000)
    room.answer(1, False, 2, 2000)
    room.pause(0, 2000)
    with pytest.raises(RequestError, match="a pause has already been requested"):
        room.undo(0, 4, 2000)
    # A late answer to the takeback does not allow the pause.
    assert error_code(room.answer, 1, True, 2, 2000) == "late"


def test_resigning_ends_a_pause_request():
    room = new_room("blocky", ("human",) * 3, players=3, depth=2)
    room.pause(0, 2000)
    room.resign(1, 2000)
    assert room.question is None


def test_pauses_of_old_databases_need_no_answer():
    """Before pauses needed consent, `pause` was stored alone, even while a takeback was asked."""
    room = new_room()
    kinds = (("play", "a1e3"), ("asked", ""), ("pause", ""), ("resume", ""))
    for number, (kind, text) in enumerate(kinds, 1):
        room.apply(Event(number, kind, 0, text, 2000))
    assert (room.paused, room.question) == (False, Question("undo", 0, 2))


def test_moves_are_rejected_in_a_pause():
    room = new_room(clock=(60_000, 0))
    room.pause(1, 2000, own_seats=(0, 1))
    assert error_code(room.play, 0, "a1e3", 1, 2000) == "paused"
    assert error_code(room.pause, 0, 2000) == "paused"
    room.resume(0, 2000)
    assert error_code(room.resume, 0, 2000) == "refused"
    room.play(0, "a1e3", 2, 2000)


def test_clocks_start_once_every_seat_has_moved():
    room = new_room(clock=(60_000, 1000))
    room.play(0, "a1e3", 0, 10_000)
    assert room.clocks.running is None
    room.play(1, "h8d6", 1, 20_000)
    assert room.clocks.running == 0
    room.play(0, room.state.moves()[0], 2, 30_000)
    assert room.clocks.left == (51_000, 60_000)
    room.pause(0, 35_000, own_seats=(0, 1))
    assert room.clocks.left_at(10**6) == (51_000, 55_000)
    room.resume(0, 10**6)
    assert room.flag(10**6 + 54_999) is None
    event = room.flag(10**6 + 55_000)
    assert (event.kind, event.seat, room.winners) == ("flag", 1, (0,))
    assert game_fields(room)["status"] == "White wins: Black ran out of time"


def test_time_expires_only_once_per_seat():
    """The bot that takes over has no clock, in this round and in the next."""
    room = new_room("blocky", ("human",) * 3, clock=(60_000, 1000), players=3, depth=2)
    for seat in range(3):
        room.play(seat, "pass", None, 2000)
    assert room.flag(62_000).seat == 0
    assert room.clocks.running is None
    assert room.flag(10**6) is None
    room.play(0, "pass", None, 10**6, by_bot=True)
    assert room.clocks.left_at(10**6) == (0, 60_000, 60_000)
    for seat in (1, 2):
        room.play(seat, "pass", None, 10**6)
    assert (room.turn, room.clocks.running, room.flag(10**7)) == (0, None, None)


def test_clocks_are_rejected_where_anyone_may_move():
    with pytest.raises(BadOption, match="has no clocks"):
        new_room("sphero", ("human", "human"), clock=(60_000, 0), players=2)


def test_a_rematch_is_requested_until_somebody_declines_it():
    room = new_room()
    assert error_code(room.answer, 1, False, 0, 2000) == "refused"
    room.resign(0, 2000)
    assert error_code(room.answer, 1, False, room.number, 2000) == "over"
    room.request_rematch(0, 2000)
    assert error_code(room.answer, 0, False, room.number, 2000) == "over"
    assert (room.is_asked_for_rematch(0), room.is_asked_for_rematch(1)) == (False, True)
    event = room.answer(1, False, room.number, 2000)
    assert (event.kind, event.text, room.rematch_requests) == ("rematch_answer", "no", set())
    assert room.request_rematch(1, 2000)[1] is False
    assert room.request_rematch(0, 2000)[1] is True


def test_nothing_is_taken_back_where_anyone_may_move():
    room = new_room("sphero", ("human",) * 2, players=2)
    room.play(0, room.state.moves(0)[0], 0, 2000)
    assert error_code(room.undo, 0, 1, 2000, (0, 1)) == "refused"
    assert room.plies == 1


def test_a_rematch_starts_when_all_people_request_it():
    room = new_room()
    assert error_code(room.request_rematch, 0, 2000) == "refused"
    room.resign(0, 2000)
    assert room.request_rematch(0, 2000)[1] is False
    assert room.request_rematch(1, 2000)[1] is True
    room.set_rematch_room(1, "next", 2000)
    assert error_code(room.request_rematch, 0, 2000) == "over"


def test_a_running_game_with_chance_does_not_reveal_its_seed():
    room = new_room("wzlz", ("human",))
    room.play(0, room.state.moves()[0], 0, 2000)
    assert not room.reveals_seed
    assert room.record.seed is None
    assert room.record.moves == ()
    assert room.record.states()[0].text == room.state.text
    room.resign(0, 3000)
    assert room.record.seed == 7
    assert room.record.states()[-1].pack() == room.state.pack()
    assert new_room().reveals_seed


def test_the_record_of_a_game_that_was_closed_has_no_result():
    room = new_room()
    room.play(0, "a1e3", 0, 2000)
    room.apply(Event(2, "close", None, "", 3000))
    assert room.over
    assert room.record.result is None


@pytest.mark.parametrize("game", BUILT_IN)
def test_replaying_the_events_gives_an_equal_room(game):
    default = game_named(game)
    options = {"players": 3} if "players" in default.options else {}
    seats = options.get("players", default.seats)
    clock = None if default.traits.simultaneous else (600_000, 1000)
    room = new_room(game, ("human",) * seats, clock, **options)
    events, rng = [], random.Random(5)
    play_random_moves(room, 9, rng, events)
    all_seats = tuple(range(seats))
    if room.live:  # rooms of earlier versions have takebacks also where anyone may move
        events.append(Event(room.number + 1, "undo", room.state.last[0], "8", 3000))
        room.apply(events[-1])
    else:
        events.append(room.undo(room.state.last[0], room.number, 3000, all_seats))
    events.append(room.assist(0, "hint", 3050))
    events.append(room.name(0, "ada", 3100))
    events += [room.pause(0, 3200, all_seats), room.resume(0, 3300)]
    if seats > 1:
        events += [room.pause(0, 3400), room.answer(1, False, room.number, 3500)]
        events += [room.pause(1, 3600)]
    play_random_moves(room, 5, rng, events)
    if not room.over:
        events.append(room.resign(0, 9000))
    if room.over:
        events.append(room.request_rematch(0, 9100)[0])
        events.append(room.set_rematch_room(0, "other", 9200))
    replayed = GameRoom(room.settings, room.game)
    for event in events:
        replayed.apply(event)
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    assert_equal_rooms(room, replayed)
