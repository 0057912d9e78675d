"""The bots of a server: each thinks for a limited time, and they take turns by client."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TypeAlias

from quincunx.errors import BadOption
from quincunx.game import Game, State
from quincunx.machine import cores
from quincunx.match import bot_seed
from quincunx.players import PLAYERS, Player, memory_bytes, parse_player, player
from quincunx.web.fair_queue import FairQueue, QueueLimits
from quincunx.web.threads import Threads

MOVE_SECONDS = 5.0  # for a move; players of this package stop at it
ABANDON_SECONDS = 6.0  # a player that has not chosen by then is abandoned
# Of more bots, or more bytes, those that were not used for the longest time lose their memory.
MAX_BOTS = 1000
MAX_BOT_BYTES = 1 << 30
MAX_ABANDONED = 4  # threads that hang in the code of players from elsewhere
QUICK_SECONDS = 0.25  # bots whose last move took less do not wait for slow ones
QUICK_KINDS = ("random", "greedy", "smart", "perfect", "level")  # before their first move
NICENESS = 5  # the event loop, which all rooms share, comes first
OWN_PLAYERS = "quincunx.players."  # the modules of players that keep to their time limit

# The highest values of a bot's options on a server; other options are not limited. They bound the
# memory of a bot; its time is bounded by MOVE_SECONDS.
MAX_BOT_OPTIONS = {
    "time": MOVE_SECONDS,
    "sims": 20_000,
    "nodes": 200_000,
    "depth": 6,
    "threads": 1,
    "difficulty": 2000,
    "samples": 64,
    "width": 64,
    "horizon": 200,
    "tree_nodes": 1 << 20,
    "table_entries": 1 << 20,
}

BotKey: TypeAlias = tuple[str, int, str]  # room, seat and player text

log = logging.getLogger("quincunx.web")


@dataclass
class Bot:
    """A player that keeps its memory between moves, and how long its last move took."""

    player: Player | None = None  # made by the thread in which it first thinks
    seconds: float | None = None
    memory_bytes: int = 0


def check_bot(text: str, game: Game) -> None:
    """Raises BadOption unless `text` names a bot of the game within the server's limits."""
    _, options = parse_player(text, game)
    for name, maximum in MAX_BOT_OPTIONS.items():
        value = options.get(name, 0)
        if isinstance(value, int | float) and value > maximum:
            raise BadOption(name, value, f"at most {maximum} on a server")


class Bots:
    """All bots, and two queues: for those that choose at once, and for those that think."""

    def __init__(self) -> None:
        slots = max(2, cores())
        self.quick_queue = FairQueue(QueueLimits(running=2, running_each=1))
        self.slow_queue = FairQueue(QueueLimits(running=slots, running_each=slots - 1))
        self.abandoned = 0  # threads that hang
        self._threads = Threads("bot", NICENESS)
        self._bots: dict[BotKey, Bot] = {}  # the one that was used last is the last

    async def choose_move(
        self, room_id: str, seat: int, text: str, seed: int, state: State, client: str
    ) -> int:
        """Returns the action that the bot of a seat chooses.

        A bot that fails, or does not choose in time, is replaced by a random move.
        """
        key = room_id, seat, text
        kind = text.partition(":")[0]
        bot = self._bots.pop(key) if key in self._bots else Bot()
        self._bots[key] = bot
        self._forget_oldest()
        is_own = PLAYERS.get(kind, "").startswith(OWN_PLAYERS)
        if self.abandoned >= MAX_ABANDONED and not is_own:
            return random_action(state, seat, seed)
        is_quick = kind in QUICK_KINDS if bot.seconds is None else bot.seconds < QUICK_SECONDS
        release = await (self.quick_queue if is_quick else self.slow_queue).acquire(client)
        think = partial(_think, bot, text, bot_seed(seed, seat), state, seat)
        # A room that is unloaded cancels this call, but not the thread, nor what follows it.
        action = await asyncio.shield(asyncio.create_task(self._choose(key, think, release)))
        if action is not None and state.is_legal(action, seat):
            return action
        if action is not None:
            log.error("the bot %s of room %s chose the illegal action %r", text, room_id, action)
        return random_action(state, seat, seed)

    async def _choose(
        self, key: BotKey, think: Callable[[], int], release: Callable[[], None]
    ) -> int | None:
        """Returns the action of a bot, or None if it failed or was abandoned."""
        room_id, _, text = key
        try:
            thread = self._threads.submit(think)
            await asyncio.wait({thread}, timeout=ABANDON_SECONDS)
        finally:
            release()
        if not thread.done():
            log.error("the bot %s of room %s did not choose a move in time", text, room_id)
            self.abandoned += 1
            self._bots.pop(key, None)  # its thread still uses this player
            thread.add_done_callback(self._return_thread)
            return None
        error = thread.exception()
        if error is not None:
            log.error("the bot %s of room %s failed", text, room_id, exc_info=error)
            return None
        return thread.result()

    def _return_thread(self, thread: asyncio.Future[int]) -> None:
        """Counts an abandoned thread no longer, since it has ended."""
        self.abandoned -= 1

    def _forget_oldest(self) -> None:
        """Discards bots until the others fit into the limits; the last one always stays."""
        total = sum(bot.memory_bytes for bot in self._bots.values())
        for key in list(self._bots)[:-1]:
            if len(self._bots) <= MAX_BOTS and total <= MAX_BOT_BYTES:
                return
            total -= self._bots.pop(key).memory_bytes

    def discard(self, room_id: str) -> None:
        """Discards the bots of a room."""
        for key in [key for key in self._bots if key[0] == room_id]:
            del self._bots[key]

    def close(self) -> None:
        """Accepts no more work."""
        self._threads.close()


def _think(bot: Bot, text: str, seed: int, state: State, seat: int) -> int:
    """Returns the action that a bot chooses."""
    if bot.player is None:
        bot.player = player(text, state.game, seed, MOVE_SECONDS)
    started = time.perf_counter()
    action = bot.player.choose(state, seat)
    bot.seconds = time.perf_counter() - started
    bot.memory_bytes = memory_bytes(bot.player)
    return action


def random_action(state: State, seat: int, seed: int) -> int:
    """Returns a random legal action of a seat."""
    return Random(f"{seed}/{state.ply}").choice(state.actions(seat))
