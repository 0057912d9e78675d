"""Bans close the sockets that are open."""

import asyncio

from quincunx.web import bans
from quincunx.web.addresses import parse_network
from quincunx.web.bans import Bans
from quincunx.web.close_codes import POLICY_VIOLATION


def test_a_socket_that_is_not_read_keeps_no_other_open(monkeypatch):
    monkeypatch.setattr(bans, "CLOSE_SECONDS", 0.01)
    closed = []

    async def never(message):
        await asyncio.Event().wait()

    async def close(message):
        closed.append(message["code"])

    async def other(message):
        raise AssertionError("this address is not banned")

    async def run():
        all_bans = Bans()
        with (
            all_bans.watching("192.0.2.1", never),
            all_bans.watching("192.0.2.2", close),
            all_bans.watching("198.51.100.1", other),
        ):
            await all_bans.update([parse_network("192.0.2.0/24", "address")])

    asyncio.run(run())
    assert closed == [POLICY_VIOLATION]
