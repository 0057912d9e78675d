"""Random commands to a Match, compared with a plain model: lists of packed positions."""

from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import quincunx as qx
from quincunx.errors import BadOption, IllegalMove, MoveSyntax
from quincunx.record import Record

# Small enough that games end within a run. In each, the last seat is played by a bot, except in
# one solo game and one game of two people.
MATCHES = {
    "sphero at any time": ("sphero", {"players": 3, "limit": 9}, ["human", "human", "random"]),
    "sphero in turns": (
        "sphero",
        {"players": 2, "order": "turns", "limit": 8},
        ["human", "random"],
    ),
    "onoro": ("onoro", {"pawns": 3}, ["human", "human:ada"]),
    "blocky": ("blocky", {"depth": 2, "turns": 4}, ["human", "random"]),
    "wzlz": ("wzlz", {"rows": 3, "cols": 3}, ["human"]),
    "wzlz by a bot": ("wzlz", {"rows": 4, "cols": 3}, ["random"]),
    "quorum": ("quorum", {"repetition": 2}, ["human", "random"]),
}


@dataclass(frozen=True)
class ModelPly:
    """A move of the model, and the packed position after it."""

    seat: int
    action: int
    move: str
    packed: bytes


class MatchMachine(RuleBasedStateMachine):
    """Plays, refuses, undoes and redoes; the model knows positions only as bytes."""

    name = ""
    options = {}  # noqa: RUF012
    players = ()

    @initialize(seed=st.integers(0, 2**63 - 1))
    def start(self, seed):
        self.game = qx.game(self.name, **self.options)
        self.match = qx.Match(self.game, list(self.players), seed=seed)
        self.seed = seed
        self.first = self.game.start(seed).pack()
        self.played = []
        self.undone = []
        self.number = 0

    # What the model knows.

    @property
    def packed(self):
        return self.played[-1].packed if self.played else self.first

    @property
    def state(self):
        """The current position, unpacked from the model's bytes."""
        return self.game.unpack(self.packed)

    def draw_seat(self, data):
        """Returns a seat that may move."""
        turn = self.state.turn
        return data.draw(st.integers(0, self.game.seats - 1)) if turn is None else turn

    def advance(self, seat, action):
        """Plays a legal action in the model."""
        before = self.state
        after = before.act(action, seat)
        letter = f"{self.game.parts.rules.LETTERS[seat]}:" if before.turn is None else ""
        move = letter + before.move(action)
        self.played.append(ModelPly(seat, action, move, after.pack()))
        self.undone.clear()
        self.number += 1

    def refused(self, error, match, command, *arguments, **named):
        """Checks that a command raises an error; the invariants check that nothing changed."""
        with pytest.raises(error, match=match):
            command(*arguments, **named)

    # Moves.

    @precondition(lambda self: not self.state.over)
    @rule(data=st.data(), as_text=st.booleans(), numbered=st.booleans())
    def play(self, data, as_text, numbered):
        seat = self.draw_seat(data)
        action = data.draw(st.sampled_from(self.state.actions(seat)))
        move = self.state.move(action) if as_text else action
        named_seat = seat if self.state.turn is None or data.draw(st.booleans()) else None
        self.advance(seat, action)
        number = self.number - 1 if numbered else None
        assert self.match.play(move, named_seat, number).pack() == self.packed

    @precondition(lambda self: not self.state.over and self.state.turn is None)
    @rule(data=st.data())
    def play_with_the_letter_of_the_seat(self, data):
        seat = self.draw_seat(data)
        action = data.draw(st.sampled_from(self.state.actions(seat)))
        self.advance(seat, action)
        self.match.play(self.played[-1].move)

    @precondition(lambda self: not self.state.over)
    @rule(data=st.data())
    def play_an_illegal_action(self, data):
        seat = self.draw_seat(data)
        legal = set(self.state.actions(seat))
        actions = st.integers(-2, self.game.actions + 1).filter(lambda a: a not in legal)
        action = data.draw(actions)
        self.refused(IllegalMove, "not a legal action", self.match.play, action, seat)

    @precondition(lambda self: not self.state.over)
    @rule(data=st.data(), text=st.sampled_from(["", "?!", "a1a1a1", "1;1", "place place"]))
    def play_an_invalid_text(self, data, text):
        seat = self.draw_seat(data)
        self.refused(MoveSyntax, "invalid move", self.match.play, text, seat)

    @precondition(lambda self: not self.state.over and self.state.turn is not None)
    @rule(data=st.data(), as_text=st.booleans())
    def play_for_the_wrong_seat(self, data, as_text):
        action = data.draw(st.sampled_from(self.state.actions()))
        move = self.state.move(action) if as_text else action
        for seat in set(range(self.game.seats)) - {self.state.turn}:
            self.refused(IllegalMove, "turn", self.match.play, move, seat)
        self.refused(BadOption, "seat", self.match.play, move, self.game.seats)

    @precondition(lambda self: not self.state.over)
    @rule(data=st.data(), late=st.integers(-3, 3).filter(bool))
    def play_for_another_number(self, data, late):
        seat = self.draw_seat(data)
        action = data.draw(st.sampled_from(self.state.actions(seat)))
        number = self.number + late
        reason = f"made for position {number}, but the match is at position {self.number} "
        self.refused(IllegalMove, reason, self.match.play, action, seat, number)

    @precondition(lambda self: self.state.over)
    @rule(as_text=st.booleans())
    def play_after_the_end(self, as_text):
        move = self.played[-1].move if as_text else self.played[-1].action
        self.refused(IllegalMove, "the game is over", self.match.play, move)

    # Bots.

    @precondition(lambda self: not self.state.over)
    @rule(data=st.data())
    def reply(self, data):
        seat = self.draw_seat(data)
        if self.match.is_person(seat):
            self.refused(BadOption, "is played by a person", self.match.reply, seat)
            return
        after = self.match.reply(seat)
        self.advance(seat, self.match.history[-1].action)
        assert after.pack() == self.packed

    @precondition(lambda self: not self.state.over)
    @rule(data=st.data())
    def choose_without_playing(self, data):
        seat = self.draw_seat(data)
        if not self.match.is_person(seat):
            assert self.match.choose(seat) in self.state.actions(seat)

    # Back and forth.

    @rule(plies=st.integers(0, 4))
    def undo(self, plies):
        if not 1 <= plies <= len(self.played):
            reason = f"{len(self.played)} moves can be undone, not {plies}"
            self.refused(IllegalMove, reason, self.match.undo, plies)
            return
        for _ in range(plies):
            self.undone.append(self.played.pop())
        self.number += 1
        assert self.match.undo(plies).pack() == self.packed

    @rule(plies=st.integers(0, 4))
    def redo(self, plies):
        if not 1 <= plies <= len(self.undone):
            reason = f"{len(self.undone)} moves can be redone, not {plies}"
            self.refused(IllegalMove, reason, self.match.redo, plies)
            return
        for _ in range(plies):
            self.played.append(self.undone.pop())
        self.number += 1
        assert self.match.redo(plies).pack() == self.packed

    # Reading.

    @rule(data=st.data())
    def read_an_earlier_position(self, data):
        plies = data.draw(st.integers(0, len(self.played)))
        expected = self.played[plies - 1].packed if plies else self.first
        assert self.match.at(plies).pack() == expected
        if plies:
            boards = self.match.steps(plies)
            assert boards[-1].pack() == expected
            assert all(board.event for board in boards[:-1])

    @rule()
    def read_a_position_that_does_not_exist(self):
        for plies in (-1, len(self.played) + 1):
            self.refused(BadOption, "must be an integer from 0", self.match.at, plies)
            self.refused(BadOption, "must be an integer from 1", self.match.steps, plies)
        if not self.played:
            self.refused(BadOption, "must be an integer from 1 to 0", self.match.steps)

    @rule()
    def read_the_record(self):
        record = Record.read(self.match.record.text)
        assert record == self.match.record
        assert [state.pack() for state in record.states()] == self.positions()
        assert record.result == (self.state.scores if self.state.over else None)

    # What always holds.

    def positions(self):
        return [self.first, *(ply.packed for ply in self.played)]

    @invariant()
    def the_match_agrees_with_the_model(self):
        match = self.match
        assert match.number == self.number
        assert match.plies == len(self.played)
        assert match.can_redo == bool(self.undone)
        assert match.moves == tuple(ply.move for ply in self.played)
        assert [(ply.seat, ply.action) for ply in match.history] == [
            (ply.seat, ply.action) for ply in self.played
        ]
        assert [state.pack() for state in match.states] == self.positions()
        assert match.state.pack() == self.packed
        for seat in range(self.game.seats):
            last = max((n for n, ply in enumerate(self.played) if ply.seat == seat), default=None)
            assert match.last_ply_of(seat) == last
        turn = match.state.turn
        is_bot = turn is not None and not self.players[turn].startswith("human")
        assert match.bot_to_move() == (turn if is_bot else None)

    def teardown(self):
        """Plays the moves again from the seed."""
        again = qx.Match(self.game, list(self.players), seed=self.seed)
        for move in self.match.moves:
            again.play(move)
        assert [state.pack() for state in again.states] == self.positions()


@pytest.mark.parametrize("name", MATCHES)
def test_random_commands(name):
    fields = dict(zip(("name", "options", "players"), MATCHES[name], strict=True))
    machine = type(f"MatchMachine_{name.replace(' ', '_')}", (MatchMachine,), fields)
    case = machine.TestCase
    case.settings = settings(
        max_examples=10, stateful_step_count=25, suppress_health_check=list(HealthCheck)
    )
    case("runTest").runTest()
