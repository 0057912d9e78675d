import tracemalloc

import numpy as np
import pytest

import quincunx as qx
from quincunx.errors import BadOption, IllegalMove
from quincunx.match import RECENT, SPACING, bot_seed
from quincunx.record import Record


def test_undo_and_redo():
    match = qx.Match(qx.game("quorum"), ["human", "human:ada"], seed=1)
    match.play("a1e3")
    match.play("h8d6", seat=1)
    assert match.moves == ("a1e3", "h8d6")
    assert match.undone == ()
    assert match.undo().turn == 1
    assert match.undo().turn == 0
    assert [ply.move for ply in match.undone] == ["a1e3", "h8d6"]
    assert match.redo(2).turn == 0
    assert match.moves == ("a1e3", "h8d6")
    with pytest.raises(IllegalMove, match="0 moves can be redone"):
        match.redo()


def test_a_new_move_clears_the_redo_history():
    match = qx.Match(qx.game("quorum"))
    match.play("a1e3")
    match.undo()
    match.play("a1c3")
    assert not match.can_redo
    with pytest.raises(IllegalMove, match="1 move can be undone, not 2"):
        match.undo(2)
    match.play("h8d6")
    with pytest.raises(IllegalMove, match="2 moves can be undone, not 3"):
        match.undo(3)


@pytest.mark.parametrize("plies", [None, "x", "1", 1.0, True, [1]])
def test_a_number_of_moves_must_be_an_integer(plies):
    match = qx.Match(qx.game("quorum"))
    match.play("a1e3")
    with pytest.raises(BadOption, match=r"plies=.*: must be an integer from 0 to 1"):
        match.at(plies)
    for change in (match.undo, match.redo):
        with pytest.raises(BadOption, match=r"plies=.*: must be an integer of 1 or more"):
            change(plies)
    if plies is not None:  # the last move
        with pytest.raises(BadOption, match=r"plies=.*: must be an integer from 1 to 1"):
            match.steps(plies)
    assert match.at(np.int64(1)) is match.state


def test_a_late_move_is_rejected_and_changes_nothing():
    match = qx.Match(qx.game("quorum"))
    seen = match.number
    match.play("a1e3", number=seen)
    match.undo()
    before = match.state
    with pytest.raises(IllegalMove, match="made for position 0, but the match is at position 2"):
        match.play("a1e3", number=seen)
    assert match.state is before


def test_bots_choose_and_play(any_game):
    match = qx.Match(any_game, ["random"] * any_game.seats, seed=4)
    for ply in range(6):
        seat = ply % any_game.seats if match.state.turn is None else None
        match.reply(seat)
    assert len(match.states) == 7
    again = match.record.states()
    assert [state.text for state in again] == [state.text for state in match.states]


def test_the_same_seed_gives_the_same_match(any_game):
    def play():
        match = qx.Match(any_game, ["greedy"] * any_game.seats, seed=9)
        for ply in range(4):
            match.reply(ply % any_game.seats if match.state.turn is None else None)
        return match.moves

    assert play() == play()


def test_reply_rejects_a_human_seat():
    match = qx.Match(qx.game("quorum"), ["human", "random"])
    assert match.bot_to_move() is None
    with pytest.raises(BadOption, match="played by a person"):
        match.reply()
    match.play("a1e3")
    assert match.bot_to_move() == 1


def test_the_number_of_players_must_match_the_seats():
    with pytest.raises(BadOption, match=r"'1': expected 2, one per seat"):
        qx.Match(qx.game("quorum"), ["human"])
    with pytest.raises(BadOption, match="expected 2, one per seat"):
        qx.Match(qx.game("quorum"), "greedy")
    with pytest.raises(BadOption, match="must be a Game"):
        qx.Match("quorum")


def test_a_custom_player_object():
    class Last:
        def choose(self, state, seat=None):
            return state.actions(seat)[-1]

    match = qx.Match(qx.game("quorum"), [Last(), "random"], seed=1)
    assert match.reply().last == (0, match.states[0].move(match.states[0].actions()[-1]))
    assert match.record.players == ("Last", "random")
    with pytest.raises(BadOption, match=r"an object with choose\(state, seat\)"):
        qx.Match(qx.game("quorum"), [None, "random"])


def test_a_bot_seed_differs_from_the_game_seed():
    wzlz = qx.game("wzlz")
    for seed in range(20):
        assert bot_seed(seed, 0) != seed
    assert len({bot_seed(seed, seat) for seed in range(50) for seat in range(6)}) == 300
    assert qx.Match(wzlz, ["random"], seed=1).state == wzlz.start(seed=1)


def test_an_unknown_player_gets_the_nearest_name():
    with pytest.raises(BadOption, match="did you mean random"):
        qx.Match(qx.game("quorum"), ["human", "rndom"])


def test_a_match_from_a_position():
    start = "8/8/8/3W4/8/5B2/8/W1W5 w"
    match = qx.Match(qx.game("quorum"), start=start)
    match.play("a1e1")
    assert match.record.initial_state().text == start
    assert match.record.states()[-1] == match.state


def test_positions_that_are_not_kept_are_computed_again():
    match = qx.Match(qx.game("blocky", turns=SPACING + 40), seed=5)
    packed = [match.state.pack()]
    for i in range(2 * SPACING + 70):
        actions = match.state.actions()
        packed.append(match.play(actions[i % len(actions)]).pack())
    assert len(match._kept) < len(packed) / 8
    assert [match.at(plies).pack() for plies in range(len(packed))] == packed
    assert [match.at(plies).last for plies in range(len(packed))] == [
        None,
        *((ply.seat, ply.text) for ply in match.history),
    ]
    assert [state.pack() for state in match.states] == packed
    assert [state.pack() for state in match.positions(SPACING + 3)] == packed[SPACING + 3 :]
    for plies in (1, 2, RECENT, RECENT + 1, SPACING, SPACING + 1):
        assert match.undo(plies).pack() == packed[match.plies]
    while match.can_redo:
        assert match.redo().pack() == packed[match.plies]
    assert match.plies == len(packed) - 1


def test_thousands_of_moves_take_little_memory():
    match = qx.Match(qx.game("blocky", turns=5000), seed=1)
    match.play(match.state.moves()[0])
    tracemalloc.start()
    try:
        for _ in range(5000):
            match.play("pass")
        used, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert used < 1_500_000
    assert used / 2 < match.memory_bytes < used * 3


# A board with too few balls for a line; what chance decides is left out of each text.
BOARD = "R...G/...../..B../...../Y...R"
OPEN_STARTS = {
    "next balls": ({}, f"{BOARD} - 0"),
    "hidden next balls": ({"show_next_balls": False}, f"{BOARD} - 0"),
    "hidden next balls that are given": ({"show_next_balls": False}, f"{BOARD} RGB 0"),
    "cells of the next balls": ({"variant": "lines98"}, f"{BOARD} RGB 0"),
    "next balls and their cells": ({"variant": "lines98"}, f"{BOARD} - 0"),
    "hidden cells": ({"variant": "lines98", "show_next_balls": False}, f"{BOARD} RGB 0"),
}


@pytest.mark.parametrize("case", OPEN_STARTS)
def test_the_record_of_a_match_from_a_typed_start_gives_the_same_positions(case):
    """The game's own text of the start left the generator in another state."""
    options, start = OPEN_STARTS[case]
    game = qx.game("wzlz", rows=5, cols=5, **options)
    match = qx.Match(game, seed=11, start=f"  {start}\n")
    assert match.state.pack() == game.read(start, 11).pack()
    for _ in range(6):
        match.play(match.state.actions()[-1])
    record = Record.read(match.record.text)
    assert [state.pack() for state in record.states()] == [state.pack() for state in match.states]


def test_a_start_is_recorded_in_the_games_own_notation_where_that_is_the_same():
    game = qx.game("wzlz", rows=5, cols=5)
    text = game.read(f"{BOARD} RGB 0").text
    assert qx.Match(game, seed=3, start=f" {BOARD}   RGB  00 ").record.start == text
