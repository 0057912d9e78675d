"""The bots of a server: time limits, turns between clients, players that hang or fail."""

import asyncio
import sys
import threading
from types import ModuleType

import pytest

import quincunx as qx
from quincunx.players import PLAYERS
from quincunx.search.mcts import NODE
from quincunx.web import bots
from quincunx.web.bots import Bots

QUORUM = qx.game("quorum")
START = QUORUM.start(seed=0)


class Player:
    """A player from elsewhere, which a test holds, makes fail, or lets choose what it likes."""

    def __init__(self):
        self.held = threading.Event()
        self.thinking = threading.Semaphore(0)
        self.error = None
        self.action = START.actions()[3]
        self.released = []

    def choose(self, state, seat=None):
        self.thinking.release()
        self.held.wait()
        if self.error:
            raise self.error
        return self.action


@pytest.fixture
def foreign(monkeypatch):
    """A player that the name `foreign` stands for."""
    player, module = Player(), ModuleType("foreign_player")
    module.OPTIONS, module.DESCRIPTION = (), "a player from elsewhere"
    module.make = lambda game, options, seed: player
    monkeypatch.setitem(sys.modules, "foreign_player", module)
    monkeypatch.setitem(PLAYERS, "foreign", "foreign_player")
    yield player
    player.held.set()


def with_bots(work):
    async def run():
        pool = Bots()
        try:
            return await work(pool)
        finally:
            pool.close()

    return asyncio.run(run())


async def is_thinking(player):
    """Returns when a thread has called the player."""
    await asyncio.to_thread(player.thinking.acquire)


def test_every_bot_gets_the_time_limit_of_the_server():
    async def work(pool):
        texts = ("mcts:sims=20", "alphabeta:nodes=50", "expectimax:samples=1", "level:5")
        for text in texts:
            qx.player(text, QUORUM, 1).choose(START, 0)  # compiles it, which can take longer
            action = await pool.choose_move("room", 0, text, 1, START, "a")
            assert START.is_legal(action, 0)
        limits = [bot.player.time_limit for bot in pool._bots.values()]
        assert limits == [bots.MOVE_SECONDS] * len(texts)

    with_bots(work)


def test_a_bot_chooses_the_same_moves_as_its_player_without_a_server():
    async def work(pool):
        state, seat = START, 0
        player = qx.player("mcts:sims=200", QUORUM, bots.bot_seed(7, 0))
        for _ in range(3):
            action = await pool.choose_move("room", seat, "mcts:sims=200", 7, state, "a")
            assert action == player.choose(state, seat)
            state = state.act(action)
            state = state.act(state.actions()[0])

    with_bots(work)


def test_a_player_that_hangs_is_abandoned_and_replaced_by_a_random_move(
    foreign, monkeypatch, caplog
):
    monkeypatch.setattr(bots, "ABANDON_SECONDS", 0.01)

    async def work(pool):
        action = await pool.choose_move("room", 0, "foreign", 1, START, "a")
        assert START.is_legal(action, 0)
        assert (pool.abandoned, pool.slow_queue.running) == (1, 0)
        foreign.held.set()
        while pool.abandoned:
            await asyncio.sleep(0.001)

    with_bots(work)
    assert [record.message for record in caplog.records] == [
        "the bot foreign of room room did not choose a move in time"
    ]


def test_the_threads_of_players_that_hang_are_bounded(foreign, monkeypatch):
    monkeypatch.setattr(bots, "ABANDON_SECONDS", 0.01)

    async def work(pool):
        for i in range(3 * bots.MAX_ABANDONED):
            action = await pool.choose_move(f"room{i}", 0, "foreign", 1, START, f"client{i}")
            assert START.is_legal(action, 0)
        assert pool.abandoned == bots.MAX_ABANDONED
        assert pool._threads.count == bots.MAX_ABANDONED
        monkeypatch.setattr(bots, "ABANDON_SECONDS", 60)
        assert await pool.choose_move("other", 0, "greedy", 1, START, "b") == (
            qx.player("greedy", QUORUM, bots.bot_seed(1, 0)).choose(START)
        )

    with_bots(work)


def test_a_player_that_fails_or_breaks_the_rules_is_replaced_by_a_random_move(foreign, caplog):
    foreign.held.set()

    async def work(pool):
        assert await pool.choose_move("room", 0, "foreign", 1, START, "a") == foreign.action
        foreign.action = -1
        action = await pool.choose_move("room", 0, "foreign", 1, START, "a")
        assert START.is_legal(action, 0)
        foreign.error = ZeroDivisionError("oops")
        action = await pool.choose_move("room", 0, "foreign", 1, START, "a")
        assert START.is_legal(action, 0)

    with_bots(work)
    assert [record.message for record in caplog.records] == [
        "the bot foreign of room room chose the illegal action -1",
        "the bot foreign of room room failed",
    ]
    assert "ZeroDivisionError: oops" in caplog.text


def test_a_level_bot_does_not_wait_for_bots_that_think(foreign, monkeypatch):
    monkeypatch.setattr(bots, "ABANDON_SECONDS", 60)

    async def work(pool):
        slots = pool.slow_queue.limits.running
        thinking = [
            asyncio.create_task(pool.choose_move(f"room{i}", 0, "foreign", 1, START, f"client{i}"))
            for i in range(2 * slots)
        ]
        for _ in range(slots):
            await is_thinking(foreign)
        assert (pool.slow_queue.running, pool.slow_queue.waiting) == (slots, slots)
        action = await pool.choose_move("other", 0, "level:1", 1, START, "z")
        assert START.is_legal(action, 0)
        foreign.held.set()
        assert set(await asyncio.gather(*thinking)) == {foreign.action}

    with_bots(work)


def test_the_rooms_of_one_client_leave_a_thread_for_others(foreign, monkeypatch):
    monkeypatch.setattr(bots, "ABANDON_SECONDS", 60)

    async def work(pool):
        slots = pool.slow_queue.limits.running
        thinking = [
            asyncio.create_task(pool.choose_move(f"room{i}", 0, "foreign", 1, START, "a"))
            for i in range(2 * slots)
        ]
        for _ in range(slots - 1):
            await is_thinking(foreign)
        action = await pool.choose_move("other", 0, "mcts:sims=20", 1, START, "b")
        assert START.is_legal(action, 0)
        foreign.held.set()
        await asyncio.gather(*thinking)

    with_bots(work)


def test_a_bot_that_turns_out_slow_goes_to_the_slow_queue(monkeypatch):
    monkeypatch.setattr(bots, "QUICK_SECONDS", 0.0)

    async def work(pool):
        await pool.choose_move("room", 0, "greedy", 1, START, "a")
        acquired = []
        monkeypatch.setattr(pool.quick_queue, "acquire", acquired.append)
        await pool.choose_move("room", 0, "greedy", 1, START, "a")
        assert acquired == []

    with_bots(work)


def test_a_room_that_is_unloaded_leaves_the_queue_or_its_slot_when_the_thread_ends(
    foreign, monkeypatch
):
    monkeypatch.setattr(bots, "ABANDON_SECONDS", 60)

    async def work(pool):
        limit = pool.slow_queue.limits.running_each
        tasks = [
            asyncio.create_task(pool.choose_move(f"room{i}", 0, "foreign", 1, START, "a"))
            for i in range(limit + 1)
        ]
        for _ in range(limit):
            await is_thinking(foreign)
        assert pool.slow_queue.waiting == 1
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert (pool.slow_queue.waiting, pool.slow_queue.running) == (0, limit)
        foreign.held.set()
        while pool.slow_queue.running:
            await asyncio.sleep(0.001)

    with_bots(work)


def test_the_memory_of_all_bots_is_bounded(monkeypatch):
    async def work(pool):
        for room in "abcd":
            await pool.choose_move(room, 0, "mcts:sims=100", 1, START, room)
        sizes = [bot.memory_bytes for bot in pool._bots.values()]
        assert min(sizes) > 100 * 2 * NODE.itemsize
        monkeypatch.setattr(bots, "MAX_BOT_BYTES", sum(sizes[2:]))
        await pool.choose_move("d", 0, "mcts:sims=100", 1, START, "d")
        assert [key[0] for key in pool._bots] == ["c", "d"]
        monkeypatch.setattr(bots, "MAX_BOT_BYTES", 0)
        await pool.choose_move("e", 0, "level:1", 1, START, "e")
        assert [key[0] for key in pool._bots] == ["e"]
        (bot,) = pool._bots.values()
        assert bot.memory_bytes > 1 << 20  # its transposition table

    with_bots(work)


def test_bots_that_were_not_used_for_long_lose_their_memory(monkeypatch):
    monkeypatch.setattr(bots, "MAX_BOTS", 2)

    async def work(pool):
        for room in ("a", "b", "a", "c"):
            await pool.choose_move(room, 0, "random", 1, START, room)
        assert [key[0] for key in pool._bots] == ["a", "c"]
        pool.discard("a")
        assert [key[0] for key in pool._bots] == ["c"]

    with_bots(work)
