"""Bots and analysis in threads: compiled code holds no lock, so the loop goes on meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from quincunx.errors import BadOption
from quincunx.game import Game, State
from quincunx.machine import cores
from quincunx.match import bot_seed
from quincunx.players import Player, parse_player, player
from quincunx.web.wire import Refused

MOST_THOUGHTS = 64  # that are thought or wait for their turn

T = TypeVar("T")

# The most that a bot on a server may be asked for, by option; others are free. So much is
# thought of in a few seconds at the longest, and nobody keeps a thread for himself.
MOST = {
    "time": 5.0,
    "sims": 20_000,
    "nodes": 200_000,
    "depth": 6,
    "threads": 1,
    "difficulty": 2000,
    "samples": 64,
    "width": 64,
    "horizon": 200,
}


def check_bot(text: str, game: Game) -> None:
    """BadOption unless a text names a bot of the game, with no more than a server allows."""
    _, options = parse_player(text, game)
    for name, most in MOST.items():
        value = options.get(name, 0)
        if isinstance(value, int | float) and value > most:
            raise BadOption(name, value, f"at most {most:g} on a server")


class Crew:
    """The threads in which bots choose, positions are analysed, and pictures are drawn."""

    def __init__(self) -> None:
        workers = max(2, cores())
        self._bots = ThreadPoolExecutor(workers, "bot", _prepare)
        self._thoughts = ThreadPoolExecutor(workers, "thought", _prepare)
        self._chores = ThreadPoolExecutor(2, "chore", _prepare)
        self._thinking = 0
        self._seated: dict[tuple[str, int, str], Player] = {}

    async def choose(self, room: str, seat: int, text: str, seed: int, state: State) -> str:
        """The move that the bot of a seat chooses."""

        def work() -> str:
            key = room, seat, text
            bot = self._seated.get(key)
            if bot is None:
                bot = self._seated[key] = player(text, state.game, bot_seed(seed, seat))
            action = bot.choose(state, seat)
            return state.game.parts.notation.format_move(state.game, state._s, action)

        return await asyncio.get_running_loop().run_in_executor(self._bots, work)

    async def think(self, work: Callable[[], T]) -> T:
        """The result of a long thought; Refused when too many wait for one already."""
        if self._thinking >= MOST_THOUGHTS:
            raise Refused("busy", "too many think here already; try again in a moment")
        self._thinking += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thoughts, work)
        finally:
            self._thinking -= 1

    async def do(self, work: Callable[[], T]) -> T:
        """The result of something that takes too long for the loop."""
        return await asyncio.get_running_loop().run_in_executor(self._chores, work)

    def forget(self, room: str) -> None:
        """Lets the bots of a room go."""
        for key in [key for key in self._seated if key[0] == room]:
            del self._seated[key]

    def close(self) -> None:
        """Takes no more work."""
        for pool in (self._bots, self._thoughts, self._chores):
            pool.shutdown(wait=False, cancel_futures=True)


def _prepare() -> None:
    from quincunx.jit import ignore_integer_overflow

    ignore_integer_overflow()


def seat_bots(game: Game, players: tuple[str, ...], human: Callable[[str], bool]) -> None:
    """BadOption unless every bot among the players plays this game."""
    for text in players:
        if not human(text):
            check_bot(text, game)
