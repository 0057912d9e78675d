"""Bots and clocks of rooms on the direct host."""

import asyncio

from tests.simulation.host import SimulatedClient, direct_host, settle


def test_a_bot_takes_over_when_a_move_comes_after_the_time_is_up(monkeypatch):
    monkeypatch.setattr("quincunx.rooms.room.SUBSTITUTE_BOT", "random")

    async def run():
        async with direct_host() as lobby:
            options = {"players": 3, "depth": 2}
            session, secrets = await lobby.create("blocky", options, ["human"] * 3, clock=(1, 0))
            room, client = session.room.settings.id, SimulatedClient(lobby)
            await client.ask("join", room=room, secrets={str(s): t for s, t in secrets.items()})
            for seat in range(3):
                await client.ask("play", room=room, seat=seat, move="pass", number=seat)
            lobby.clock.ms += 60_000  # the lobby has not checked the clocks since
            late = await client.ask("play", room=room, seat=0, move="pass", number=3)
            assert late["error"] == "refused"
            await settle()
            events = [(event["kind"], event["seat"]) for event in client.events(room)[3:]]
            assert events == [("flag", 0), ("play", 0)]

    asyncio.run(run())


def test_a_failure_of_the_store_does_not_stop_the_clocks(caplog):
    async def run():
        async with direct_host() as lobby:

            async def fail(time):
                raise OSError("disk full")

            lobby.store.record_heartbeat = fail
            session, secrets = await lobby.create("quorum", {}, ["human"] * 2, clock=(1, 0))
            room, client = session.room.settings.id, SimulatedClient(lobby)
            await client.ask("join", room=room, secrets={str(s): t for s, t in secrets.items()})
            for seat, move in enumerate(("a1e3", "h8d6")):
                await client.ask("play", room=room, seat=seat, move=move, number=seat)
            await lobby.clock.advance(30)
            assert "storing a heartbeat failed" in caplog.text
            await lobby.clock.advance(30)
            assert client.events(room)[-1]["kind"] == "flag"

    asyncio.run(run())
