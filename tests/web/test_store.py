"""The store: what it keeps, that it keeps it together, and what happens when it cannot."""

import asyncio
import os
import shutil
import subprocess
import tempfile
from glob import glob
from pathlib import Path

import pytest
from sqlalchemy import event as hooks
from websockets.exceptions import ConnectionClosed

from quincunx.web.rooms import Card, Event
from quincunx.web.store import Result, Store, place
from quincunx.web.wire import Refused
from tests.web.conftest import running

CARD = Card("a", "quorum", {"repetition": 0}, 7, "", ("human:ada", "random"), ("x", ""),
            (60_000, 0), 2.0, True, 1000)  # fmt: skip


def moves(count, first=1):
    return [Event(n, "play", n % 2, f"move {n}", 1000 + n, (5, n)) for n in range(first, count + 1)]


def in_store(url, work):
    async def run():
        store = Store(url)
        await store.open()
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(run())


def test_what_was_kept_is_read_again(tmp_path):
    async def keep(store):
        await store.add(CARD, moves(2))
        await store.append("a", moves(3, 3)[0])
        await store.append("a", Event(4, "name", 0, "bob", 2000))

    in_store(place(tmp_path), keep)
    card, events = in_store(place(tmp_path), lambda store: store.load("a"))
    assert card == CARD
    assert events == [*moves(3), Event(4, "name", 0, "bob", 2000)]
    assert in_store(place(tmp_path), lambda store: store.load("b")) is None


def test_one_commit_carries_all_that_is_waiting(tmp_path):
    async def keep(store):
        commits = []
        hooks.listen(store.engine.sync_engine, "commit", lambda _: commits.append(1))
        cards = [Card(str(i), *list(vars(CARD).values())[1:]) for i in range(50)]
        await asyncio.gather(*(store.add(card) for card in cards))
        await asyncio.gather(*(store.append(card.id, moves(1)[0]) for card in cards))
        return len(commits)

    assert in_store(place(tmp_path), keep) <= 10


def test_what_cannot_be_kept_is_refused_and_the_next_is_kept(tmp_path, caplog):
    async def keep(store):
        await store.add(CARD, moves(1))
        with pytest.raises(Refused) as refused:
            await store.append("a", moves(1)[0])  # this number is there already
        await store.append("a", moves(2, 2)[0])
        return refused.value.word, (await store.load("a"))[1]

    assert in_store(place(tmp_path), keep) == ("busy", moves(2))


def test_results_rooms_and_the_pulse(tmp_path):
    async def keep(store):
        await store.add(CARD)
        assert await store.rooms(False, "quorum", None, 9) == [("a", "quorum")]
        assert await store.pulse() == 0
        assert await store.back(4) == []
        await store.beat(5)
        await store.beat(6)
        assert await store.back(9) == [(6, 9)]
        assert await store.back(12) == [(6, 9), (9, 12)]
        result = Result("a", "quorum", {}, 7, CARD.players, ("ada", "random"), (1.0, 0.0), (0,),
                        True, True, 3000)  # fmt: skip
        await store.append("a", moves(1)[0], result)
        assert await store.rooms(False, "", None, 9) == []
        assert await store.rooms(True, "", 1000, 9) == []
        found = await store.rooms(True, "", 1001, 9)
        return found, await store.pulse(), [row.scores for row in await store.results("quorum", 9)]

    assert in_store(place(tmp_path), keep) == ([("a", "quorum")], 12, ["[1.0, 0.0]"])


def test_a_room_that_cannot_be_kept_leaves_memory(tmp_path, monkeypatch):
    """Whoever looked at it is sent away, comes again, and sees what is on disk."""
    with running(tmp_path) as server:
        with server.client() as client:
            made = client.create("quorum", ["human", "human"])
            room = client.join(made["id"], made["secrets"])
            room.play("a1e3", 0)
            store = server.app.state.hall.store

            async def fail(*args):
                raise Refused("busy", "the disk is full")

            with monkeypatch.context() as patch:
                patch.setattr(store, "append", fail)
                with pytest.raises(ConnectionClosed):
                    room.play(room.legal[1][0], 1)
        with server.client() as client:
            again = client.join(made["id"], made["secrets"])
            assert (again.number, again.plies) == (1, 1)
            again.play(again.legal[1][0], 1)


@pytest.fixture
def postgres():
    """A PostgreSQL server of this machine's own, on loopback, thrown away after."""
    pytest.importorskip("asyncpg", reason="asyncpg is not installed")
    programs = sorted(glob("/usr/lib/postgresql/*/bin/initdb"))
    if not programs or os.geteuid() or shutil.which("runuser") is None:
        pytest.skip("PostgreSQL is not installed, or this user may not start it")
    folder = Path(tempfile.mkdtemp(prefix="quincunx-postgres-"))
    shutil.chown(folder, "postgres")
    port = "54329"
    bin_folder = Path(programs[-1]).parent

    def run(program, *words):
        words = ["runuser", "-u", "postgres", "--", str(bin_folder / program), *words]
        subprocess.run(words, check=True, cwd=folder, stdout=subprocess.DEVNULL)

    data = str(folder / "data")
    run("initdb", "-D", data, "-A", "trust")
    options = f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories={folder}"
    run("pg_ctl", "-D", data, "-w", "-l", str(folder / "log"), "-o", options, "start")
    try:
        yield f"postgresql+asyncpg://postgres@127.0.0.1:{port}/postgres"
    finally:
        run("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
        shutil.rmtree(folder)


@pytest.mark.heavy
def test_another_database_does_as_well(tmp_path, postgres):
    with running(tmp_path, url=postgres) as server, server.client() as client:
        made = client.create("quorum", ["human", "random"], listed=True)
        room = client.join(made["id"], made["secrets"])
        while not room.over:
            if 0 in room.legal:
                room.play(room.legal[0][0], 0)
            room.wait(30)
        text = room.text
    with running(tmp_path, url=postgres) as server, server.client() as client:
        assert client.join(made["id"]).text == text
        assert [row["id"] for row in client.request("/api/rooms?state=finished")] == [made["id"]]
        assert client.request("/api/ratings?game=quorum")
