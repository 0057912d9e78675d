"""A game being played: who sits where, what was played, taking back; the one door for moves."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from hashlib import blake2b

from quincunx.errors import BadOption, IllegalMove
from quincunx.game import Game, State, checked_seed
from quincunx.players import Player, player
from quincunx.record import Record

HUMAN = "human"


class Match:
    """A game between players: `human`, `human:ada`, a bot such as `greedy`, or a Player object.

    Every change, taking back too, gives the match a new number, so that a move made
    for an older position is refused and never misapplied.
    """

    def __init__(
        self,
        game: Game,
        players: Sequence[str | Player] = (),
        seed: int | None = None,
        start: str = "",
    ) -> None:
        if not isinstance(game, Game):
            raise BadOption("game", game, "must be a Game, as quincunx.game('quorum') gives it")
        seated = [players] if isinstance(players, str) else list(players) or [HUMAN] * game.seats
        if len(seated) != game.seats:
            raise BadOption(
                "players", f"{len(seated)} of them", f"this game has seats for {game.seats}"
            )
        self.game = game
        self.players = tuple(one if isinstance(one, str) else type(one).__name__ for one in seated)
        self.seed = checked_seed(seed)
        self.number = 0
        self.date = date.today().isoformat()
        self._bots = [self._seated(one, seat) for seat, one in enumerate(seated)]
        self._states = [game.read(start, self.seed) if start else game.start(self.seed)]
        self._start = self._states[0].text if start else ""
        self._undone: list[State] = []

    def _seated(self, one: str | Player, seat: int) -> Player | None:
        """Who chooses for a seat; None where a person does."""
        if isinstance(one, str):
            seed = bot_seed(self.seed, seat)
            return None if is_human(one) else player(one, self.game, seed)
        if not callable(getattr(one, "choose", None)):
            raise BadOption("players", one, "a player is a text, or has choose(state, seat)")
        return one

    def __repr__(self) -> str:
        return f"<Match of {self.game!r}: {' - '.join(self.players)}, {len(self.moves)} moves>"

    def _repr_svg_(self) -> str:
        return self.state.svg()

    @property
    def state(self) -> State:
        """The position on the board."""
        return self._states[-1]

    @property
    def states(self) -> tuple[State, ...]:
        """All positions from the first to the one on the board."""
        return tuple(self._states)

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves so far, as a record writes them."""
        return tuple(
            _written(before, after)
            for before, after in zip(self._states, self._states[1:], strict=False)
        )

    def play(self, move: str | int, seat: int | None = None, number: int | None = None) -> State:
        """Plays a move for a seat; with a number, only if the match still has that number."""
        if number is not None and number != self.number:
            raise IllegalMove(
                str(move),
                self.state.text,
                f"it was made for position {number}, and this is position {self.number}",
            )
        after = self.state.play(move, seat)
        self._states.append(after)
        self._undone.clear()
        self.number += 1
        return after

    def bot_to_move(self) -> int | None:
        """The seat of the bot that is to move; None if a person is, or the game is over."""
        turn = self.state.turn
        return None if turn is None or self._bots[turn] is None else turn

    def is_person(self, seat: int) -> bool:
        """True when a person sits there."""
        return self._bots[seat] is None

    @property
    def can_redo(self) -> bool:
        """True when something was taken back and not replaced."""
        return bool(self._undone)

    def reply(self, seat: int | None = None) -> State:
        """Lets a bot choose and play: the one to move, or the given one where anyone may move."""
        seat = self.state.acting_seat(seat)
        return self.play(self.choose(seat), seat)

    def choose(self, seat: int | None = None) -> int:
        """What a bot would play now, without playing it; for the seat as in `reply`."""
        seat = self.state.acting_seat(seat)
        bot = self._bots[seat]
        if bot is None:
            raise BadOption("seat", seat, "a person sits there, not a bot")
        return bot.choose(self.state, seat)

    def undo(self, plies: int = 1) -> State:
        """Takes back moves; IllegalMove if there are not as many."""
        if not 1 <= plies < len(self._states):
            raise IllegalMove(
                "undo", self.state.text, f"{len(self._states) - 1} moves can be taken back"
            )
        for _ in range(plies):
            self._undone.append(self._states.pop())
        self.number += 1
        return self.state

    def redo(self, plies: int = 1) -> State:
        """Plays again what was taken back; IllegalMove if there is not as much."""
        if not 1 <= plies <= len(self._undone):
            raise IllegalMove(
                "redo", self.state.text, f"{len(self._undone)} moves can be played again"
            )
        for _ in range(plies):
            self._states.append(self._undone.pop())
        self.number += 1
        return self.state

    @property
    def record(self) -> Record:
        """The game so far, to be written to a file."""
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


def bot_seed(seed: int, seat: int) -> int:
    """The seed of a player, from which nobody can tell the seed of the game."""
    digest = blake2b(f"{seed}/{seat}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


def is_human(name: str) -> bool:
    """True for the text of a player who is a person."""
    return name.partition(":")[0] == HUMAN


def _written(before: State, after: State) -> str:
    """The move between two positions, with the seat's letter where anyone may move."""
    assert after.last is not None
    seat, move = after.last
    letter = before.game.parts.rules.LETTERS[seat]
    return f"{letter}:{move}" if before.turn is None else move
