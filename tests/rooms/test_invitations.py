"""One-time invitations: joining, confirming, lost answers, dead secrets and rematches."""

import asyncio

import pytest

from quincunx.rooms.errors import RequestError
from quincunx.rooms.seat_secrets import USED_TEXT, hash_secret
from tests.simulation.host import SimulatedClient, direct_host, settle


class Table:
    """A room of two people, and their clients."""

    def __init__(self, lobby, session, invitations):
        self.lobby = lobby
        self.id = session.room.settings.id
        self.invitations = {str(seat): secret for seat, secret in invitations.items()}

    def client(self):
        return SimulatedClient(self.lobby)

    async def join(self, client, secrets, **fields):
        return await client.ask("join", room=self.id, secrets=secrets, **fields)

    async def guest(self):
        """Returns a client that has joined seat 1 by invitation, and its new secret."""
        client = self.client()
        joined = await self.join(client, {"1": self.invitations["1"]})
        return client, joined["secrets"]["1"]

    async def confirm(self, client, secrets):
        return await client.ask("confirm", room=self.id, secrets=secrets)

    async def play(self, client, seat=0, move="a1e3"):
        number = self.lobby.sessions[self.id].room.number
        fields = {"seat": seat, "move": move, "number": number}
        return await client.ask("play", room=self.id, **fields)


def at_a_table(work, players=("human", "human")):
    """Runs a coroutine function with a table."""

    async def run():
        async with direct_host() as lobby:
            await work(Table(lobby, *await lobby.create("quorum", {}, players)))

    asyncio.run(run())


def assert_dead(answer):
    assert (answer["error"], answer["text"], answer["where"]) == ("secret", USED_TEXT, "secrets.1")


def test_an_invitation_is_dead_when_the_new_secret_is_confirmed():
    async def work(table):
        guest, secret = await table.guest()
        assert (await table.confirm(guest, {"1": secret}))["type"] == "ok"
        invited = {"1": table.invitations["1"]}
        assert_dead(await table.join(table.client(), invited))
        rejoined = await table.join(table.client(), {"1": secret})
        assert (rejoined["you"], "secrets" in rejoined) == ([1], False)
        assert (await table.confirm(guest, {"1": secret}))["type"] == "ok"  # a repeated message

    at_a_table(work)


def test_an_invitation_is_dead_when_someone_joins_with_the_new_secret():
    async def work(table):
        _, secret = await table.guest()
        assert (await table.join(table.client(), {"1": secret}))["you"] == [1]
        assert_dead(await table.join(table.client(), {"1": table.invitations["1"]}))

    at_a_table(work)


def test_a_lost_answer_locks_nobody_out():
    async def work(table):
        lost = [await table.guest() for _ in range(6)]
        guest, secret = await table.guest()
        assert len({secret, *(other for _, other in lost)}) == 7
        await table.confirm(guest, {"1": secret})
        assert (await table.join(table.client(), {"1": secret}))["you"] == [1]
        assert_dead(await table.confirm(lost[-1][0], {"1": lost[-1][1]}))

    at_a_table(work)


def test_a_client_that_ignores_new_secrets_plays_on_with_its_invitation():
    async def work(table):
        for seat, move in ((0, "a1e3"), (1, "h8d6")):
            client = table.client()  # it connects again for each move
            await table.join(client, table.invitations)
            assert (await table.play(client, seat, move))["type"] == "ok"

    at_a_table(work)


def test_who_joined_by_a_dead_secret_becomes_a_spectator():
    """The creator cannot keep a connection with the guest's seat."""

    async def work(table):
        creator = table.client()
        await table.join(creator, table.invitations, view="page")
        await table.play(creator)
        guest, secret = await table.guest()
        await table.confirm(guest, {"1": secret})
        unseated = {"type": "unseated", "room": table.id, "seat": 1, "text": USED_TEXT}
        assert [m for m in creator.received if m["type"] == "unseated"] == [unseated]
        assert (await table.play(creator, 1, "h8d6"))["error"] == "secret"
        assert (await creator.ask("resign", room=table.id, seat=1))["error"] == "secret"
        assert (await table.play(guest, 1, "h8d6"))["type"] == "ok"
        await settle()
        event = creator.events(table.id)[-1]
        assert (event["move"], list(event["legal"])) == ("h8d6", ["0"])
        assert (await creator.ask("resign", room=table.id, seat=0))["type"] == "ok"

    at_a_table(work)


def test_a_request_that_waits_behind_the_confirmation_is_not_carried_out():
    async def work(table):
        creator = table.client()
        await table.join(creator, table.invitations)
        guest, secret = await table.guest()
        session = table.lobby.sessions[table.id]
        await session.lock.acquire()
        confirming = asyncio.create_task(table.confirm(guest, {"1": secret}))
        await settle()
        resigning = asyncio.create_task(creator.ask("resign", room=table.id, seat=1))
        await settle()
        session.lock.release()
        assert (await confirming)["type"] == "ok"
        assert (await resigning)["error"] == "secret"
        assert not session.room.over

    at_a_table(work)


def test_a_page_that_loses_its_seat_while_it_is_drawn_joins_again():
    async def work(table):
        guest, secret = await table.guest()
        page = table.client()
        table.lobby.pool.drawing.clear()
        joining = asyncio.create_task(table.join(page, {"1": table.invitations["1"]}, view="page"))
        await settle()
        await table.confirm(guest, {"1": secret})
        table.lobby.pool.drawing.set()
        assert (await joining)["error"] == "busy"
        assert_dead(await table.join(page, {"1": table.invitations["1"]}, view="page"))
        assert (await table.join(page, {}, view="page"))["you"] == []

    at_a_table(work)


def test_others_are_told_that_an_invitation_has_been_used():
    async def work(table):
        creator = table.client()
        joined = await table.join(creator, {"0": table.invitations["0"]})
        assert [player["taken"] for player in joined["players"]] == [False, False]
        guest, secret = await table.guest()
        await table.confirm(guest, {"1": secret})
        here = [m for m in creator.received if m["type"] == "here"]
        assert [m.get("taken") for m in here] == [None, True]
        assert all(m["here"] for m in here)
        guest.close()
        joined = await table.join(table.client(), {})
        assert [player["taken"] for player in joined["players"]] == [False, True]

    at_a_table(work)


def test_new_secrets_are_sent_to_no_one_else():
    async def work(table):
        creator, watcher = table.client(), table.client()
        await table.join(creator, {"0": table.invitations["0"]})
        await table.join(watcher, {}, view="page")
        guest, secret = await table.guest()
        await table.confirm(guest, {"1": secret})
        await table.play(creator)
        await settle()
        assert not any(secret in text for text in [*creator.texts, *watcher.texts])
        assert sum(secret in text for text in guest.texts) == 1
        assert secret not in repr(table.lobby.sessions[table.id].subscriptions)

    at_a_table(work)


def test_new_secrets_survive_a_restart():
    async def work(table):
        _, secret = await table.guest()
        table.lobby.unload(table.lobby.sessions[table.id])
        assert (await table.join(table.client(), {"1": secret}))["you"] == [1]
        table.lobby.unload(table.lobby.sessions[table.id])
        assert_dead(await table.join(table.client(), {"1": table.invitations["1"]}))
        assert (await table.join(table.client(), {"1": secret}))["you"] == [1]

    at_a_table(work)


@pytest.mark.parametrize("what", ["join", "confirm"])
def test_a_secret_that_cannot_be_stored_is_not_issued(what):
    """What is stored decides: the room is unloaded, as after an event that cannot be stored."""

    async def work(table):
        guest, secret = await table.guest()

        async def fail(*args):
            raise RequestError("busy", "the disk is full")

        store = table.lobby.store
        store.set_hashes, restore = fail, store.set_hashes
        if what == "join":
            answer = await table.join(table.client(), {"1": table.invitations["1"]})
        else:
            answer = await table.confirm(guest, {"1": secret})
        assert (answer["error"], "secrets" in answer) == ("busy", False)
        assert table.id not in table.lobby.sessions
        assert not guest.connected
        store.set_hashes = restore
        assert (await table.join(table.client(), {"1": secret}))["you"] == [1]

    at_a_table(work)


def test_only_the_own_seats_are_confirmed():
    async def work(table):
        _, secret = await table.guest()
        stranger = table.client()
        assert (await table.confirm(stranger, {"1": secret}))["error"] == "room"
        await table.join(stranger, {})
        assert (await table.confirm(stranger, {"1": secret}))["error"] == "secret"
        assert (await table.confirm(stranger, {"1": table.invitations["1"]}))["error"] == "secret"
        assert (await table.confirm(stranger, {"5": secret}))["error"] == "seat"
        assert (await table.join(table.client(), {"1": table.invitations["1"]}))["you"] == [1]

    at_a_table(work)


def test_a_wrong_secret_leaves_the_seats_that_were_joined():
    async def work(table):
        client = table.client()
        await table.join(client, {"0": table.invitations["0"]})
        wrong = await table.join(client, {"0": table.invitations["1"]})
        assert (wrong["error"], wrong["where"]) == ("secret", "secrets.0")
        assert (await table.play(client))["type"] == "ok"

    at_a_table(work)


def test_a_plain_secret_of_an_old_database_stays():
    async def work(table):
        hashes = [hash_secret(table.invitations[seat]) for seat in "01"]
        await table.lobby.store.set_hashes(table.id, hashes)
        table.lobby.unload(table.lobby.sessions[table.id])
        for _ in range(2):
            joined = await table.join(table.client(), table.invitations)
            assert (joined["you"], "secrets" in joined) == ([0, 1], False)

    at_a_table(work)


def test_people_keep_their_current_secrets_in_a_rematch():
    async def work(table):
        creator = table.client()
        await table.join(creator, table.invitations)
        guest, secret = await table.guest()
        await table.confirm(guest, {"1": secret})
        await creator.ask("resign", room=table.id, seat=0)
        await creator.ask("rematch", room=table.id, seat=0)
        await guest.ask("rematch", room=table.id, seat=1)
        secrets = {}
        for client in (creator, guest):
            rematched = next(m for m in client.received if m["type"] == "rematched")
            secrets |= rematched["secrets"]
        assert secrets == {"0": secret, "1": table.invitations["0"]}
        dead = {"0": table.invitations["1"]}
        answer = await table.client().ask("join", room=rematched["to"], secrets=dead)
        assert (answer["error"], answer["text"]) == ("secret", USED_TEXT)
        joined = await table.client().ask("join", room=rematched["to"], secrets={"0": secret})
        assert joined["you"] == [0]

    at_a_table(work)
