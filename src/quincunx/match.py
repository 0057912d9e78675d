"""A game in progress: its players, its history of moves, undo and redo.

Of all positions only some are kept: every `SPACING`-th and the last `RECENT`. Any other one is
computed from the nearest before it, by the actions in between. The random generator is part of a
position, so the result is the same to the bit.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from datetime import date
from hashlib import blake2b
from typing import NamedTuple, SupportsIndex

from quincunx.errors import BadOption
from quincunx.game import Game, State, Step, checked_seed
from quincunx.phrases import Phrase, move_count, quantity
from quincunx.players import Player, player
from quincunx.record import Record

HUMAN = "human"
SPACING = 64  # plies from one kept position to the next
RECENT = 4  # positions that are kept before the current one, for steps and undo

# Rough sizes in memory, for `memory_bytes`.
PLY_BYTES = 200  # a Ply with its texts
STATE_BYTES = 400  # a State without the bytes of its record


class Ply(NamedTuple):
    """One move of a match."""

    seat: int
    action: int
    move: str  # in record notation: where anyone may move, with the seat's letter
    text: str  # without the seat's letter


class Match:
    """A game between players: `human`, `human:ada`, a bot such as `greedy`, or a Player object.

    Every change, including undo, increments `number`, so that a move made for an older
    position is rejected instead of being applied to the wrong one.
    """

    def __init__(
        self,
        game: Game,
        players: Sequence[str | Player] = (),
        seed: int | None = None,
        start: str = "",
    ) -> None:
        if not isinstance(game, Game):
            raise BadOption("game", game, "must be a Game, such as quincunx.game(NAME)")
        players = [players] if isinstance(players, str) else list(players) or [HUMAN] * game.seats
        if len(players) != game.seats:
            raise BadOption("players", len(players), f"expected {game.seats}, one per seat")
        self.game = game
        self.players = tuple(
            each if isinstance(each, str) else type(each).__name__ for each in players
        )
        self.seed = checked_seed(seed)
        self.number = 0
        self.date = date.today().isoformat()
        self._bots = [self._make_bot(each, seat) for seat, each in enumerate(players)]
        self._first = game.read(start, self.seed) if start else game.start(self.seed)
        self._start = faithful_text(game, start, self.seed) if start else ""
        self._history: list[Ply] = []
        self._undone: list[Ply] = []
        self._state = self._first
        self._kept = {0: self._first}  # positions by the number of plies before them

    def _make_bot(self, given: str | Player, seat: int) -> Player | None:
        """Returns the bot of a seat; None for a person."""
        if isinstance(given, str):
            seed = bot_seed(self.seed, seat)
            return None if is_human(given) else player(given, self.game, seed)
        if not callable(getattr(given, "choose", None)):
            raise BadOption(
                "players", given, "must be a text or an object with choose(state, seat)"
            )
        return given

    def __repr__(self) -> str:
        return (
            f"<Match of {self.game!r}: {' - '.join(self.players)}, {quantity(self.plies, 'move')}>"
        )

    def _repr_svg_(self) -> str:
        return self.state.svg()

    @property
    def state(self) -> State:
        """The current position."""
        return self._state

    @property
    def plies(self) -> int:
        """The number of moves played and not undone."""
        return len(self._history)

    @property
    def history(self) -> Sequence[Ply]:
        """The moves played and not undone; `history[n]` led from `at(n)` to `at(n + 1)`."""
        return tuple(self._history)

    @property
    def last(self) -> Ply | None:
        """The last move that was not undone; None before the first."""
        return self._history[-1] if self._history else None

    @property
    def memory_bytes(self) -> int:
        """An estimate of the memory that history and positions take."""
        plies = len(self._history) + len(self._undone)
        state_bytes = self.game.kernel.STATE.itemsize + STATE_BYTES
        return plies * PLY_BYTES + len(self._kept) * state_bytes

    def at(self, plies: int) -> State:
        """Returns the position after the first `plies` moves; raises BadOption if there are fewer.

        `at(0)` is the initial position.
        """
        if not _is_integer(plies) or not 0 <= plies <= len(self._history):
            raise BadOption("plies", plies, f"must be an integer from 0 to {len(self._history)}")
        return self._replayed(int(plies))

    def way_to(self, plies: int) -> tuple[State, tuple[tuple[int, int], ...]]:
        """Returns a position that is kept, and the actions from it to `at(plies)`, with seats.

        Playing them takes time on a large board, so that another process may do it.
        """
        nearest = plies
        while nearest not in self._kept:
            nearest -= 1
        way = ((ply.action, ply.seat) for ply in self._history[nearest:plies])
        return self._kept[nearest], tuple(way)

    def _replayed(self, plies: int) -> State:
        """Returns the position after `plies` moves, from the nearest one before it that is kept."""
        state, way = self.way_to(plies)
        if not way:
            return state
        position, kernel = state.position.copy(), self.game.kernel
        for action, seat in way:
            kernel.apply(position, seat, action)
        last = self._history[plies - 1]
        return State(self.game, position, (last.seat, last.text))

    def _keep(self, state: State) -> None:
        """Makes a state the current one; discards kept positions that are no longer needed."""
        plies = len(self._history)
        self._state = self._kept[plies] = state
        old = plies - RECENT - 1
        if old > 0 and old % SPACING:
            self._kept.pop(old, None)

    def steps(self, plies: int | None = None) -> list[Step]:
        """Returns the boards of the move that led to `at(plies)`, by default of the last move.

        The move is not parsed or checked again. Raises BadOption if no move led there.
        """
        plies = len(self._history) if plies is None else plies
        if not _is_integer(plies) or not 1 <= plies <= len(self._history):
            allowed = f"must be an integer from 1 to {len(self._history)}"
            raise BadOption("plies", plies, allowed if self._history else "no move was played")
        ply = self._history[plies - 1]
        return self.at(plies - 1).apply_in_steps(ply.action, ply.seat)

    def last_ply_of(self, seat: int) -> int | None:
        """Returns the number of moves before the last move of a seat; None if it has not moved."""
        for plies in range(len(self._history) - 1, -1, -1):
            if self._history[plies].seat == seat:
                return plies
        return None

    @property
    def states(self) -> tuple[State, ...]:
        """All positions from the first to the current one; of a long game, prefer `positions`."""
        return tuple(self.positions())

    def positions(self, first: int = 0) -> Iterator[State]:
        """Yields the positions from `at(first)` to the current one, which are not stored."""
        state = self.at(first)
        yield state
        for ply in self._history[first:]:
            position = state.position.copy()
            self.game.kernel.apply(position, ply.seat, ply.action)
            state = State(self.game, position, (ply.seat, ply.text))
            yield state

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves so far, in record notation."""
        return tuple(ply.move for ply in self._history)

    def play(self, move: str | int, seat: int | None = None, number: int | None = None) -> State:
        """Plays a move; raises IllegalMove if `number` is given and no longer current.

        `steps` returns its boards afterwards.
        """
        before = self.state
        if number is not None and number != self.number:
            late = Phrase("late", {"number": number, "current": self.number})
            raise self.game.illegal_move(str(move), before.position, late)
        action, seat = before.resolve(move, seat)
        after = before.apply(action, seat)
        assert after.last is not None
        # Equal texts are stored once: a game may consist of thousands of passes.
        text = sys.intern(after.last[1])
        move = sys.intern(move_in_record(before, seat, text))
        self._history.append(Ply(seat, action, move, text))
        self._keep(after)
        self._undone.clear()
        self.number += 1
        return after

    def bot_to_move(self) -> int | None:
        """Returns the seat to move if a bot plays it, otherwise None."""
        turn = self.state.turn
        return None if turn is None or self._bots[turn] is None else turn

    def is_person(self, seat: int) -> bool:
        """Returns True if the seat is played by a person."""
        return self._bots[seat] is None

    @property
    def can_redo(self) -> bool:
        """True if there are undone moves to play again."""
        return bool(self._undone)

    @property
    def undone(self) -> Sequence[Ply]:
        """The undone moves, in the order in which `redo` plays them."""
        return tuple(reversed(self._undone))

    def reply(self, seat: int | None = None) -> State:
        """Lets a bot choose and play: the one to move, or the given seat where anyone may move."""
        seat = self.state.acting_seat(seat)
        return self.play(self.choose(seat), seat)

    def choose(self, seat: int | None = None) -> int:
        """Returns the action that a bot chooses, without playing it; the seat is as in `reply`."""
        seat = self.state.acting_seat(seat)
        bot = self._bots[seat]
        if bot is None:
            raise BadOption("seat", seat, "is played by a person, not a bot")
        return bot.choose(self.state, seat)

    def undo(self, plies: int = 1) -> State:
        """Undoes the last moves; raises IllegalMove if there are fewer."""
        self._check_possible("undo", plies, len(self._history))
        state = self._replayed(len(self._history) - plies)
        for _ in range(plies):
            self._kept.pop(len(self._history), None)
            self._undone.append(self._history.pop())
        self._keep(state)
        self.number += 1
        return self.state

    def redo(self, plies: int = 1) -> State:
        """Plays undone moves again; raises IllegalMove if there are fewer."""
        self._check_possible("redo", plies, len(self._undone))
        for _ in range(plies):
            ply = self._undone.pop()
            self._history.append(ply)
            self._keep(self._state.apply(ply.action, ply.seat))
        self.number += 1
        return self.state

    def _check_possible(self, change: str, plies: int, possible: int) -> None:
        """Raises BadOption or IllegalMove unless that many moves can be undone or redone."""
        if not _is_integer(plies):
            raise BadOption("plies", plies, "must be an integer of 1 or more")
        if not 1 <= plies <= possible:
            reason = Phrase(change, {"possible": move_count(possible), "asked": plies})
            raise self.game.illegal_move(change, self.state.position, reason)

    @property
    def record(self) -> Record:
        """The game so far as a Record."""
        return Record(
            self.game,
            self.moves,
            self.seed,
            tuple(
                name.partition(":")[2] or name if is_human(name) else name for name in self.players
            ),
            self.state.scores if self.state.over else None,
            self.date,
            self._start,
        )


def faithful_text(game: Game, text: str, seed: int) -> str:
    """Returns a position text that reads as the same position as `text`, with the same seed.

    That is the game's own text if possible. It may not be: a text can leave to chance what the
    game's own text states, and then the generator has drawn less often when that is read; or it
    can state what the game's own text hides. In these cases the text stays as it was given.
    """
    first = game.read(text, seed)
    packed = first.pack()
    for form in (first.text, " ".join(text.split())):
        try:
            if game.read(form, seed).pack() == packed:
                return form
        except ValueError:  # the game cannot read its own text
            continue
    return text


def bot_seed(seed: int, seat: int) -> int:
    """Returns the seed of a bot; the game's seed cannot be derived from it."""
    digest = blake2b(f"{seed}/{seat}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


def _is_integer(value: object) -> bool:
    """Returns True for integers, also NumPy's; a bool is not a number of moves."""
    return type(value) is int or (isinstance(value, SupportsIndex) and not isinstance(value, bool))


def is_human(name: str) -> bool:
    """Returns True if a player text names a person."""
    return name.partition(":")[0] == HUMAN


def move_in_record(state: State, seat: int, move: str) -> str:
    """Returns a seat's move in a position, with the seat's letter where anyone may move."""
    return f"{state.game.parts.rules.LETTERS[seat]}:{move}" if state.turn is None else move
