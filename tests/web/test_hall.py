"""All rooms of a server, without a network: read back from disk, and let go."""

import asyncio
import sqlite3
from contextlib import closing

from quincunx.web.hall import Hall, wall_clock
from quincunx.web.store import Store, place
from quincunx.web.table import Viewer
from quincunx.web.wire import Refused
from tests.web.conftest import FakeClock


def in_hall(url, work, now=wall_clock):
    async def run():
        hall = Hall(Store(url), now, compile_first=False)
        await hall.open()
        try:
            return await work(hall)
        finally:
            await hall.close()

    return asyncio.run(run())


def test_what_waits_for_a_room_that_cannot_be_kept_changes_nothing(tmp_path, monkeypatch):
    """Else a second move would be kept without the first."""

    class Ear:
        def send(self, text):
            pass

        def close(self):
            pass

    async def play(hall):
        table, _ = await hall.make("quorum", {}, ["human", "human"])
        append, failed = hall.store.append, []

        async def fail_once(*args):
            if failed:
                return await append(*args)
            failed.append(args)
            await asyncio.sleep(0.05)  # the others come, and wait
            raise Refused("busy", "the disk is full")

        def move(seat, text):
            return table.change(lambda room, now: room.play(seat, text, None, now), hall.time())

        monkeypatch.setattr(hall.store, "append", fail_once)
        told = await asyncio.gather(
            *(move(0, "a1e3"), move(1, "h8d6"), table.join(Ear(), Viewer()), table.flag()),
            *(table.look(Ear(), True), table.wish(0, (), list), table._bot_plays(1, "h8d6", 1)),
            return_exceptions=True,
        )
        again = await hall.table(table.room.card.id)
        kept = (await hall.store.load(again.room.card.id))[1]
        return [getattr(one, "word", one) for one in told], kept, again.room.number

    assert in_hall(place(tmp_path), play) == (["busy"] * 7, [], 0)


def begun(clock, made):
    """Makes a room in which seat 0 thinks for ten seconds, with a minute on its clock."""

    async def work(hall):
        moves = ["a1e3", "h8d6"]
        table, _ = await hall.make("quorum", {}, ["human", "human"], moves=moves, clock=(1, 0))
        made.append(table.room.card.id)
        clock.pass_by(10)
        await hall.store.beat(clock())

    return work


def gone_on(clock, made):
    """What the clocks show when the room is read back; then twenty more seconds pass."""

    async def work(hall):
        left = (await hall.table(made[0])).room.clocks.now(clock())
        clock.pass_by(20)
        await hall.store.beat(clock())
        return left

    return work


def test_no_absence_within_a_move_is_charged(tmp_path):
    clock, made = FakeClock(), []
    in_hall(place(tmp_path), begun(clock, made), clock)
    for away, left in ((3600, 50_000), (7200, 30_000), (300, 10_000)):
        clock.pass_by(away)
        assert in_hall(place(tmp_path), gone_on(clock, made), clock) == (left, 60_000)


def test_a_database_that_knows_of_no_absences_is_read(tmp_path):
    clock, made = FakeClock(), []
    in_hall(place(tmp_path), begun(clock, made), clock)
    with closing(sqlite3.connect(tmp_path / "rooms.sqlite")) as database:
        database.execute("drop table absences")
    clock.pass_by(3600)
    assert in_hall(place(tmp_path), gone_on(clock, made), clock) == (50_000, 60_000)


def test_a_room_that_leaves_memory_keeps_its_time(tmp_path):
    clock, made = FakeClock(), []

    async def work(hall):
        await begun(clock, made)(hall)
        hall.drop(hall.tables[made[0]])
        return await gone_on(clock, made)(hall)

    assert in_hall(place(tmp_path), work, clock) == (50_000, 60_000)
