"""PostgreSQL: what is stored in it, and what happens when it is restarted or does not answer."""

import asyncio
import json
import time
from dataclasses import replace
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine
from websockets.exceptions import ConnectionClosed

from quincunx.rooms.errors import RequestError
from quincunx.web import admin, migrations
from quincunx.web.addresses import parse_network
from quincunx.web.database import Database
from tests.web.conftest import running_server
from tests.web.test_database import SETTINGS, move, run_in_database

pytestmark = pytest.mark.heavy


def test_rooms_are_stored_in_postgresql(tmp_path, postgres):
    url = postgres.create_database()
    with running_server(tmp_path, url=url) as server, server.client() as client:
        made = client.create("quorum", ["human:ada", "random"], listed=True)
        room = client.join(made["id"], made["secrets"])
        while not room.over:
            if 0 in room.legal:
                room.play(room.legal[0][0], 0)
            room.wait(30)
        text = room.text
    with running_server(tmp_path, url=url) as server, server.client() as client:
        assert client.join(made["id"]).text == text
        assert [row["id"] for row in client.request("/api/rooms?state=finished")] == [made["id"]]
        assert client.request("/api/ratings?game=quorum")


async def code_of(work):
    """Returns the code of the error that is raised; None if there is none."""
    try:
        await work
    except RequestError as error:
        return error.code


def test_a_restart_of_the_server_loses_nothing_and_play_continues(postgres, caplog):
    async def write(database):
        await database.add(SETTINGS)
        stored, number = [], 0
        for _ in range(3):
            for _ in range(3):
                number += 1
                if await code_of(database.append("a", move(number))) is None:
                    stored.append(move(number))
            await asyncio.to_thread(postgres.restart)
        await database.append("a", move(number + 1))
        return (await database.load("a"))[1], [*stored, move(number + 1)]

    loaded, acknowledged = run_in_database(postgres.create_database(), write)
    assert [event for event in loaded if event in acknowledged] == acknowledged


def test_a_server_that_is_down_is_waited_for(postgres, caplog):
    async def write(database):
        await database.add(SETTINGS)
        await asyncio.to_thread(postgres.stop)
        waiting = asyncio.create_task(code_of(database.append("a", move(1))))
        first = await code_of(database.load("a")), await code_of(database.ping())
        await asyncio.to_thread(postgres.start)
        await waiting
        return first, await code_of(database.append("a", move(2))), await code_of(database.ping())

    assert run_in_database(postgres.create_database(), write) == (("busy", "busy"), None, None)


def test_a_frozen_server_hangs_nobody(postgres, caplog, monkeypatch):
    """Everything is answered with `busy`; when the server goes on, so does play."""
    monkeypatch.setattr("quincunx.web.postgres.COMMIT_SECONDS", 0.5)
    monkeypatch.setattr("quincunx.web.writer.WRITE_SECONDS", 1.0)
    monkeypatch.setattr("quincunx.web.database.READ_SECONDS", 1.0)

    async def write(database):
        await database.add(SETTINGS, [move(1)])
        postgres.freeze()
        try:
            frozen = await asyncio.gather(
                *map(code_of, (database.append("a", move(2)), database.load("a"), database.ping()))
            )
        finally:
            postgres.thaw()
        while await code_of(database.ping()):
            pass
        number = len((await database.load("a"))[1]) + 1  # the move may have been stored after all
        while await code_of(database.append("a", move(number))):
            number = len((await database.load("a"))[1]) + 1
        return frozen, [event.number for event in (await database.load("a"))[1]]

    frozen, numbers = run_in_database(postgres.create_database(), write)
    assert frozen == ["busy"] * 3
    assert numbers in ([1, 2], [1, 2, 3])


def test_closing_is_bounded_while_the_server_is_frozen(postgres, caplog, monkeypatch):
    async def close(database):
        await database.add(SETTINGS)
        await database.ping()
        monkeypatch.setattr("quincunx.web.writer.CLOSE_SECONDS", 0.2)
        monkeypatch.setattr("quincunx.web.database.READ_SECONDS", 0.2)
        postgres.freeze()
        waiting = asyncio.create_task(code_of(database.append("a", move(1))))
        await asyncio.sleep(0)
        return waiting  # the database is closed before its end is awaited

    async def run():
        database = Database(postgres.create_database())
        await database.open()
        try:
            waiting = await close(database)
        finally:
            try:
                await database.close()
            finally:
                postgres.thaw()
        return await waiting

    assert asyncio.run(asyncio.wait_for(run(), 30)) == "busy"


def test_a_bad_row_fails_alone(postgres, caplog):
    async def write(database):
        for name in "abcd":
            await database.add(replace(SETTINGS, id=name), [move(1)])
        answers = await asyncio.gather(
            *map(
                code_of,
                (
                    database.append("a", move(2)),
                    database.append("b", move(1)),
                    database.append("c", replace(move(2), time=2**63)),
                    database.append("d", replace(move(2), text="\x00")),
                    database.append("b", move(2)),
                ),
            )
        )
        return answers, {name: len((await database.load(name))[1]) for name in "abcd"}

    answers, stored = run_in_database(postgres.create_database(), write)
    assert answers == [None, "busy", "busy", "busy", None]
    assert stored == {"a": 2, "b": 2, "c": 1, "d": 1}


def test_a_row_that_a_lost_connection_holds_fails_alone(postgres, caplog):
    async def write(database):
        await database.add(SETTINGS)
        await database.add(replace(SETTINGS, id="b"))
        other = create_async_engine(database.url)
        async with other.connect() as connection:
            row = "('a', 1, 'play', 0, 'x', 5, '', '', NULL)"
            await connection.execute(text(f"INSERT INTO events VALUES {row}"))
            writes = database.append("a", move(1)), database.append("b", move(1))
            answers = await asyncio.gather(*map(code_of, writes))
            await connection.commit()
        await other.dispose()
        return answers, [event.text for event in (await database.load("a"))[1]]

    assert run_in_database(postgres.create_database(), write) == (["busy", None], ["x"])


async def columns(url):
    engine = create_async_engine(url)
    try:
        async with engine.connect() as connection:
            query = """SELECT table_name, column_name, data_type, is_nullable, column_default
                FROM information_schema.columns WHERE table_schema = 'public'
                ORDER BY table_name, column_name"""
            return [tuple(row) for row in await connection.execute(text(query))]
    finally:
        await engine.dispose()


async def downgrade(url, version):
    """Makes an older version of a new database."""
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        await connection.execute(text("DROP TABLE bans, commands"))
        if version == 2:
            await connection.execute(text("UPDATE schema_version SET version = 2"))
        else:
            for column in ("rules", "fair", "owner", "summary", "quarantine"):
                await connection.execute(text(f"ALTER TABLE rooms DROP COLUMN {column}"))
            for column in ("position", "checksum"):
                await connection.execute(text(f"ALTER TABLE events DROP COLUMN {column}"))
            await connection.execute(text("DROP TABLE server_secret, schema_version"))
    await engine.dispose()


@pytest.mark.parametrize("version", [1, 2])
def test_servers_that_start_at_once_upgrade_a_database_once(postgres, version):
    new, old = postgres.create_database(), postgres.create_database()

    async def run():
        databases = [Database(new), Database(old)]
        for database in databases:
            await database.open()
            await database.add(SETTINGS)
            await database.close()
        await downgrade(old, version)
        databases = [Database(old) for _ in range(4)]
        await asyncio.gather(*(database.open() for database in databases))
        assert await databases[0].load("a") == (SETTINGS, [])
        assert len({await database.secret() for database in databases}) == 1
        await admin.ban(databases[0], parse_network("192.0.2.0/24", "network"))
        assert [row["network"] for row in await admin.bans(databases[1])] == ["192.0.2.0/24"]
        for database in databases:
            await database.close()
        return await columns(new), await columns(old)

    expected, upgraded = asyncio.run(run())
    assert upgraded == expected
    assert migrations.VERSION == 3  # `downgrade` undoes the steps up to this version


def test_a_room_that_another_process_has_deleted_is_not_changed_any_more(tmp_path, postgres):
    url = postgres.create_database()
    with running_server(tmp_path, url=url) as server, server.client() as client:
        made = client.create("quorum", ["human", "human"])
        with server.client() as playing:
            room = playing.join(made["id"], made["secrets"])
            run_in_database(url, lambda database: database.delete(made["id"]))
            with pytest.raises((ConnectionClosed, RequestError)):
                room.play("a1e3", 0)
        with pytest.raises(RequestError, match="unknown room"):
            client.request(f"/api/rooms/{made['id']}")
    assert run_in_database(url, lambda database: database.load(made["id"])) is None


def readiness(host):
    """Returns the status and the reasons of /readyz."""
    try:
        with urlopen(f"http://{host}/readyz") as answer:
            return answer.status, json.load(answer)["reasons"]
    except HTTPError as error:
        with error:
            return error.code, json.load(error)["reasons"]


def test_a_server_is_not_ready_while_its_database_is_down(tmp_path, postgres):
    with running_server(tmp_path, url=postgres.create_database()) as server:
        assert readiness(server.host) == (200, [])
        postgres.stop()
        try:
            assert readiness(server.host) == (503, ["the database does not answer"])
        finally:
            postgres.start()
        while readiness(server.host) != (200, []):  # until the next heartbeat can be written
            time.sleep(0.1)
