"""Random commands to a Match, compared with a plain model: lists of packed positions."""

from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import quincunx as qx
from quincunx.errors import BadOption, IllegalMove, MoveSyntax
from quincunx.record import Record

# Small enough that games end within a run.
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

    # Moves. The rules are few, so that each of them follows each other often.

    @precondition(lambda self: not self.state.over)
    @rule(data=st.data(), numbered=st.booleans())
    def play_an_action(self, data, numbered):
        seat = self.draw_seat(data)
        action = data.draw(st.sampled_from(self.state.actions(seat)))
        number = self.number if numbered else None
        self.advance(seat, action)
        assert self.match.play(action, seat, number).pack() == self.packed

    @precondition(lambda self: not self.state.over)
    @rule(data=st.data(), in_record_notation=st.booleans())
    def play_a_text(self, data, in_record_notation):
        seat, before = self.draw_seat(data), self.state
        action = data.draw(st.sampled_from(before.actions(seat)))
        self.advance(seat, action)
        if in_record_notation:  # which names the seat where anyone may move
            after = self.match.play(self.played[-1].move)
        else:
            after = self.match.play(before.move(action), seat)
        assert after.pack() == self.packed

    @precondition(lambda self: not self.state.over)
    @rule(data=st.data())
    def reply(self, data):
        seat = self.draw_seat(data)
        if self.match.is_person(seat):
            self.refused(BadOption, "is played by a person", self.match.reply, seat)
            self.refused(BadOption, "is played by a person", self.match.choose, seat)
            return
        assert self.match.choose(seat) in self.state.actions(seat)  # and plays nothing
        self.the_match_agrees_with_the_model()
        after = self.match.reply(seat)
        self.advance(seat, self.match.history[-1].action)
        assert after.pack() == self.packed

    # Back and forth.

    @precondition(lambda self: self.played)
    @rule(data=st.data())
    def undo(self, data):
        plies = data.draw(st.integers(1, len(self.played)))
        for _ in range(plies):
            self.undone.append(self.played.pop())
        self.number += 1
        assert self.match.undo(plies).pack() == self.packed

    @precondition(lambda self: self.undone)
    @rule(data=st.data())
    def redo(self, data):
        plies = data.draw(st.integers(1, len(self.undone)))
        for _ in range(plies):
            self.played.append(self.undone.pop())
        self.number += 1
        assert self.match.redo(plies).pack() == self.packed

    # Refused commands; the invariants check that they change nothing.

    def refused(self, error, reason, command, *arguments):
        with pytest.raises(error, match=reason):
            command(*arguments)

    @precondition(lambda self: not self.state.over)
    @rule(data=st.data(), late=st.integers(-3, 3).filter(bool))
    def play_what_is_refused(self, data, late):
        seat, play = self.draw_seat(data), self.match.play
        legal = self.state.actions(seat)
        outside = st.integers(-2, self.game.actions + 1).filter(lambda a: a not in legal)
        self.refused(IllegalMove, "not a legal action", play, data.draw(outside), seat)
        text = data.draw(st.sampled_from(["", "?!", "a1a1a1", "1;1", "place place"]))
        self.refused(MoveSyntax, "invalid move", play, text, seat)
        action = data.draw(st.sampled_from(legal))
        self.refused(BadOption, "must be an integer from 0 to", play, action, self.game.seats)
        number = self.number + late
        reason = f"made for position {number}, but the match is at position {self.number} "
        self.refused(IllegalMove, reason, play, action, seat, number)
        if self.state.turn is None:
            self.refused(IllegalMove, "anyone may move", play, action)
        for other in set(range(self.game.seats)) - {self.state.turn, seat}:
            if self.state.turn is not None:
                reason = rf"it is .+'s turn \(seat {seat}\)"
                self.refused(IllegalMove, reason, play, self.state.move(action), other)
                self.refused(IllegalMove, reason, play, action, other)

    @precondition(lambda self: self.state.over)
    @rule(data=st.data())
    def play_after_the_end(self, data):
        ply = data.draw(st.sampled_from(self.played))
        # Blocky may say instead that the text names a block that no longer exists.
        reason = "the game is over|there is no block" if self.name == "blocky" else "game is over"
        self.refused(IllegalMove, reason, self.match.play, ply.move)
        self.refused(IllegalMove, "the game is over", self.match.play, ply.action, ply.seat)
        self.refused(IllegalMove, "the game is over", self.match.reply)

    @rule(more=st.integers(1, 3))
    def go_beyond_the_ends(self, more):
        done, undone = len(self.played), len(self.undone)
        for plies in (0, done + more):
            reason = f"{done} move{'s' * (done != 1)} can be undone, not {plies}"
            self.refused(IllegalMove, reason, self.match.undo, plies)
        for plies in (0, undone + more):
            reason = f"{undone} move{'s' * (undone != 1)} can be redone, not {plies}"
            self.refused(IllegalMove, reason, self.match.redo, plies)
        moved = f"from 1 to {done}" if done else "no move was played"
        for plies in (-more, done + more):
            self.refused(BadOption, f"from 0 to {done}", self.match.at, plies)
            self.refused(BadOption, moved, self.match.steps, plies)
        self.refused(BadOption, moved, self.match.steps, 0)

    # Reading.

    @precondition(lambda self: self.played)
    @rule(data=st.data())
    def read(self, data):
        record = Record.read(self.match.record.text)
        assert record == self.match.record
        assert [state.pack() for state in record.states()] == self.positions()
        assert record.result == (self.state.scores if self.state.over else None)
        plies = data.draw(st.integers(1, len(self.played)))
        boards = self.match.steps(plies)
        assert boards[-1].pack() == self.match.at(plies).pack() == self.positions()[plies]
        assert self.match.at(0).pack() == self.first
        assert all(board.event for board in boards[:-1])

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
        max_examples=25, stateful_step_count=25, suppress_health_check=list(HealthCheck)
    )
    case("runTest").runTest()
