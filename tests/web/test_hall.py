"""All rooms of a server, without a network: read back from disk, and let go."""

import asyncio

from quincunx.web.hall import Hall, wall_clock
from quincunx.web.store import Store, place
from quincunx.web.table import Viewer
from quincunx.web.wire import Refused


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
            *(table.look(Ear(), True), table.wish(0, ()), table._bot_plays(1, "h8d6", 1)),
            return_exceptions=True,
        )
        again = await hall.table(table.room.card.id)
        kept = (await hall.store.load(again.room.card.id))[1]
        return [getattr(one, "word", one) for one in told], kept, again.room.number

    assert in_hall(place(tmp_path), play) == (["busy"] * 7, [], 0)
