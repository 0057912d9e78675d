"""What rooms need from the program that hosts them: time, randomness, games, long work, JSON.

A server gives them threads, the system's time and a compiler; a test gives them a clock that it
advances itself and work that is done at once. The store is in `store.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias, TypeVar

from quincunx.game import Game, State

T = TypeVar("T")

Encode: TypeAlias = Callable[[Any], str]  # returns a value as JSON


class Clock(Protocol):
    """The time of a host."""

    def now(self) -> int:
        """Returns the milliseconds since 1970, for events and records; it may jump."""

    def uptime(self) -> int:
        """Returns the milliseconds in which the host was running, from any start.

        It never goes back, whatever happens to `now`. A gap of more than a second between two
        readings is time in which the host was stopped, and does not count. The clocks of games
        use this time only.
        """

    async def sleep(self, seconds: float) -> None:
        """Returns after this time."""


class Randomness(Protocol):
    """The source of everything that must not be guessed."""

    def room_id(self) -> str:
        """Returns the id of a new room: 1 to 32 letters, digits, hyphens and underscores."""

    def secret(self) -> str:
        """Returns the secret of a seat, of 128 random bits or more."""

    def seed(self) -> int:
        """Returns the seed of a game, from 0 to 2**53."""


class GameProvider(Protocol):
    """The games that can be played; compiling them is the host's matter."""

    def game(self, name: str, options: Mapping[str, Any] | None = None) -> Game:
        """Returns a game with its options; raises RequestError `busy` while it is compiled."""

    def is_compiled(self, name: str) -> bool:
        """True when a game can be played at once."""

    def playable(self) -> tuple[str, ...]:
        """Returns the names of the games that can be played, now or when they are compiled."""


class Pool(Protocol):
    """Does the work that would delay the event loop.

    `client` names for whom: a client's network address, or the owner of a room. Clients take turns.
    """

    def check_bot(self, text: str, game: Game) -> None:
        """Raises BadOption unless `text` names a bot that the pool can run for the game."""

    async def choose_move(
        self, room_id: str, seat: int, text: str, seed: int, state: State, client: str = ""
    ) -> int:
        """Returns the action that the bot of a seat chooses; `text` is the bot's player text."""

    async def run_long(self, work: Callable[[], T], client: str = "") -> T:
        """Returns the result of compiled code; raises RequestError `busy` when too many wait."""

    async def run_process(
        self,
        function: Callable[..., T],
        *arguments: Any,
        client: str = "",
        seconds: float = 10.0,
    ) -> T:
        """Returns the result of a function of a module, called in another process.

        The function is pickled by its name, its arguments and its result by their values. Raises
        what the function raises, and RequestError `busy` when too many wait or it takes longer
        than `seconds`.
        """

    async def run_replay(self, work: Callable[[], T], client: str = "") -> T:
        """Returns the result of playing the moves of a room that is created or loaded."""

    async def run_short(self, work: Callable[[], T]) -> T:
        """Returns the result of drawing an event of a room.

        The pages of all rooms wait for it, so that nothing else may use it.
        """

    def discard_bots(self, room_id: str) -> None:
        """Discards the bots of a room."""
