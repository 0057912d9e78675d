"""What subscribers of a room are sent, and when: the host can hold the disk and the drawing."""

import asyncio
import json

from quincunx.draw.animation import Animation, apply_delta
from quincunx.rooms.broadcast import MAX_QUEUED_EVENTS
from tests.simulation.host import InlinePool, SimulatedClient, direct_host, settle

OPENING = ("a1e3", "h8d6")


def simulate(work):
    """Returns the result of `work(lobby)` on a direct host."""

    async def run():
        async with direct_host() as lobby:
            return await work(lobby)

    return asyncio.run(run())


class Table:
    """A room of Quorum with a program that plays both seats, and further subscribers."""

    def __init__(self, lobby, session, secrets):
        self.lobby = lobby
        self.session = session
        self.id = session.room.settings.id
        self.secrets = {str(seat): secret for seat, secret in secrets.items()}
        self.player = SimulatedClient(lobby)

    @classmethod
    async def start(cls, lobby):
        table = cls(lobby, *await lobby.create("quorum", {}, ["human", "human"], seed=3))
        await table.join(table.player, table.secrets)
        return table

    async def join(self, client, secrets=None, **fields):
        return await client.ask("join", room=self.id, secrets=secrets or {}, **fields)

    async def watch(self, **fields):
        client = SimulatedClient(self.lobby)
        return client, await self.join(client, view="page", **fields)

    async def play(self, move=None):
        room = self.session.room
        move = move or room.state.moves()[0]
        seat, number = room.turn, room.number
        return await self.player.ask("play", room=self.id, seat=seat, move=move, number=number)


def shown_picture(first, events):
    """Returns the picture of a page after events."""
    picture = first
    for event in events:
        picture = event.get("picture", picture)
        for frame in event.get("frames", ()):
            picture = apply_delta(picture, frame["picture"])
    return picture


def test_a_move_is_acknowledged_before_it_is_drawn():
    async def work(lobby):
        table = await Table.start(lobby)
        page, joined = await table.watch()
        lobby.pool.drawing.clear()
        answers = [await table.play(move) for move in OPENING]
        await settle()
        assert [(answer["type"], answer["number"]) for answer in answers] == [("ok", 1), ("ok", 2)]
        assert [event["number"] for event in table.player.events(table.id)] == [1, 2]
        assert page.events(table.id) == []
        lobby.pool.drawing.set()
        await settle()
        events = page.events(table.id)
        assert [event["number"] for event in events] == [1, 2]
        assert all(event["frames"] for event in events)
        current = (await page.ask("look", room=table.id))["picture"]
        assert shown_picture(joined["picture"], events)["shapes"] == current["shapes"]

    simulate(work)


def test_nothing_is_sent_before_it_is_on_disk():
    async def work(lobby):
        table = await Table.start(lobby)
        page, _ = await table.watch()
        watcher = SimulatedClient(lobby)
        await table.join(watcher)
        lobby.store.writable.clear()
        move = asyncio.create_task(table.play("a1e3"))
        late = SimulatedClient(lobby)
        # What these are sent would include the move.
        joining = asyncio.create_task(table.join(late))
        exploring = asyncio.create_task(watcher.ask("explore", room=table.id))
        looking = asyncio.create_task(page.ask("at", room=table.id, plies=1))
        await settle()
        for client in (table.player, page, watcher):
            assert client.events(table.id) == []
        assert not any(task.done() for task in (move, joining, exploring, looking))
        lobby.store.writable.set()
        assert (await move)["type"] == "ok"
        assert (await joining)["number"] == 1
        assert (await exploring)["text"] == (await looking)["text"] == table.session.room.state.text
        await settle()
        for client in (table.player, page, watcher):
            assert [event["number"] for event in client.events(table.id)] == [1]
        assert late.events(table.id) == []

    simulate(work)


def test_who_joins_while_events_are_drawn_gets_a_snapshot_and_what_follows():
    async def work(lobby):
        table = await Table.start(lobby)
        early, early_joined = await table.watch()
        lobby.pool.drawing.clear()
        await table.play("a1e3")
        late = SimulatedClient(lobby)
        joining = asyncio.create_task(table.join(late, table.secrets, view="page"))
        await settle()
        await table.play("h8d6")
        await settle()
        assert late.received == []
        lobby.pool.drawing.set()
        joined = await joining
        await settle()
        assert joined["number"] == 1
        assert late.received[0] is joined
        assert [event["number"] for event in late.events(table.id)] == [2]
        assert [event["number"] for event in early.events(table.id)] == [1, 2]
        assert joined["legal"]["1"]["h8"]["d6"] == {"": "h8d6"}
        pictures = [
            shown_picture(first["picture"], client.events(table.id))
            for client, first in ((early, early_joined), (late, joined))
        ]
        assert pictures[0] == pictures[1]

    simulate(work)


def test_a_page_shows_who_connected_while_its_first_picture_was_drawn():
    async def work(lobby):
        table = await Table.start(lobby)
        table.player.close()
        lobby.pool.drawing.clear()
        page, other = SimulatedClient(lobby), SimulatedClient(lobby)
        joining = asyncio.create_task(table.join(page, view="page"))
        await settle()
        await table.join(other, {"1": table.secrets["1"]})
        lobby.pool.drawing.set()
        joined = await joining
        assert joined["seats_here"] == [1]
        assert [player["here"] for player in joined["players"]] == [False, True]

    simulate(work)


def test_a_page_that_goes_away_while_its_first_picture_is_drawn_has_not_joined():
    async def work(lobby):
        table = await Table.start(lobby)
        lobby.pool.drawing.clear()
        page = SimulatedClient(lobby)
        joining = asyncio.create_task(table.join(page, view="page"))
        await settle()
        joining.cancel()
        page.close()
        lobby.pool.drawing.set()
        await settle()
        assert set(table.session.subscriptions) == {table.player.connection}
        assert page.received == []

    simulate(work)


def test_a_move_while_the_first_page_joins_is_not_lost():
    async def work(lobby):
        table = await Table.start(lobby)
        lobby.pool.drawing.clear()
        page = SimulatedClient(lobby)
        joining = asyncio.create_task(table.join(page, view="page"))
        await settle()
        await table.play("a1e3")
        lobby.pool.drawing.set()
        joined = await joining
        await settle()
        assert joined["number"] == 0
        assert [event["number"] for event in page.events(table.id)] == [1]
        current = (await page.ask("look", room=table.id))["picture"]
        picture = shown_picture(joined["picture"], page.events(table.id))
        assert picture["shapes"] == current["shapes"]

    simulate(work)


def test_in_a_long_queue_only_the_current_picture_is_drawn():
    async def work(lobby):
        table = await Table.start(lobby)
        page, joined = await table.watch()
        tasks = lobby.pool.short_tasks
        lobby.pool.drawing.clear()
        moves = MAX_QUEUED_EVENTS + 3
        for _ in range(moves):
            assert (await table.play())["type"] == "ok"
            await settle()
        lobby.pool.drawing.set()
        await settle()
        events = page.events(table.id)
        assert [event["number"] for event in events] == list(range(1, moves + 1))
        # The first was being drawn when the others came.
        assert "frames" in events[0]
        assert not any("frames" in event or "picture" in event for event in events[1:-1])
        assert lobby.pool.short_tasks == tasks + 2
        expected = Animation(table.session.room.state).picture
        assert shown_picture(joined["picture"], events)["shapes"] == _json(expected["shapes"])
        await table.play()
        await settle()
        assert page.events(table.id)[-1]["frames"]

    simulate(work)


def _json(value):
    return [list(each) for each in value]


def test_an_event_is_encoded_once_for_each_distinct_view():
    async def work(lobby):
        table = await Table.start(lobby)
        clients = [SimulatedClient(lobby) for _ in range(6)]
        for client in clients[:3]:
            await table.join(client)
        for client in clients[3:]:
            await table.join(client, view="page")
        encoded, encode = [], lobby.encode

        def count_encode(value):
            text = encode(value)
            encoded.append(json.loads(text))
            return text

        lobby.encode = table.session._broadcaster._encode = count_encode
        await table.play("a1e3")
        await settle()
        assert len({id(client.texts[-1]) for client in clients[:3]}) == 1
        assert len({id(client.texts[-1]) for client in clients[3:]}) == 1
        frames = [value for value in encoded if "frames" in value]
        legal = [value["legal"] for value in encoded if "legal" in value]
        common = [value for value in encoded if "kind" in value]
        assert (len(frames), len(common)) == (1, 1)
        assert legal.count({}) == 2
        assert len(legal) == 3

    simulate(work)


def test_without_pages_nothing_is_drawn():
    async def work(lobby):
        table = await Table.start(lobby)
        tasks = lobby.pool.short_tasks
        for move in OPENING:
            await table.play(move)
        await settle()
        assert lobby.pool.short_tasks == tasks

    simulate(work)


def test_events_that_change_no_board_are_sent_without_drawing():
    async def work(lobby):
        table = await Table.start(lobby)
        page, _ = await table.watch()
        tasks = lobby.pool.short_tasks
        for kind in ("pause", "resume"):
            await table.player.ask(kind, room=table.id, seat=0)
        await settle()
        assert [event["kind"] for event in page.events(table.id)] == ["pause", "resume"]
        assert lobby.pool.short_tasks == tasks

    simulate(work)


def test_a_board_can_be_turned_while_events_are_drawn():
    async def work(lobby):
        table = await Table.start(lobby)
        page, _ = await table.watch()
        other, _ = await table.watch()
        lobby.pool.drawing.clear()
        await table.play("a1e3")
        looking = asyncio.create_task(page.ask("look", room=table.id, flip=True))
        await settle()
        await table.play("h8d6")
        lobby.pool.drawing.set()
        turned = await looking
        await settle()
        assert turned["number"] == 1
        events = page.events(table.id)
        assert [event["number"] for event in events] == [1, 2]
        assert page.received.index(turned) == page.received.index(events[0]) + 1
        expected = Animation(table.session.room.state, flip=True).picture["shapes"]
        picture = shown_picture(turned["picture"], events[1:])
        assert sorted(shape[1] for shape in picture["shapes"]) == sorted(
            element for _, element in expected
        )
        assert events[1]["frames"] != other.events(table.id)[1]["frames"]

    simulate(work)


def test_a_page_that_leaves_while_an_event_is_drawn_is_not_sent_it():
    async def work(lobby):
        table = await Table.start(lobby)
        page, _ = await table.watch()
        lobby.pool.drawing.clear()
        await table.play("a1e3")
        await settle()
        page.close()
        before = list(page.received)
        lobby.pool.drawing.set()
        await settle()
        assert page.received == before
        # A picture that nobody was sent is not the base of frames for those who come later.
        late, joined = await table.watch()
        await table.play("h8d6")
        await settle()
        picture = shown_picture(joined["picture"], late.events(table.id))
        current = (await late.ask("look", room=table.id))["picture"]
        assert picture["shapes"] == current["shapes"]

    simulate(work)


def test_moves_without_subscribers_do_not_leave_an_old_picture():
    async def work(lobby):
        table = await Table.start(lobby)
        page, _ = await table.watch()
        await table.play("a1e3")
        await settle()
        page.close()
        table.player.close()
        session, now = table.session, lobby.clock.now()
        await session.change(lambda room, time: room.play(1, "h8d6", None, time), now)
        _, joined = await table.watch()
        expected = Animation(session.room.state).picture["shapes"]
        assert joined["picture"]["shapes"] == _json(expected)

    simulate(work)


def test_unloading_a_room_ends_its_drawing():
    async def work(lobby):
        table = await Table.start(lobby)
        page, _ = await table.watch()
        lobby.pool.drawing.clear()
        await table.play("a1e3")
        late, queued = SimulatedClient(lobby), SimulatedClient(lobby)
        joining = [
            asyncio.create_task(table.join(client, view="page")) for client in (late, queued)
        ]
        await settle()
        lobby.unload(table.session)
        assert [(await join)["error"] for join in joining] == ["busy", "busy"]
        assert not page.connected
        lobby.pool.drawing.set()
        await settle()
        assert page.events(table.id) == []
        reloaded = await table.join(SimulatedClient(lobby), view="page")
        assert reloaded["number"] == 1

    simulate(work)


def test_a_picture_that_fails_is_left_out_and_the_next_one_is_whole(monkeypatch, caplog):
    async def work(lobby):
        table = await Table.start(lobby)
        page = SimulatedClient(lobby)
        await table.join(page, table.secrets, view="page")

        def fail(*args):
            raise ZeroDivisionError

        with monkeypatch.context() as patch:
            patch.setattr("quincunx.draw.animation.Animation.play", fail)
            await table.play("a1e3")
            await settle()
        await table.play("h8d6")
        await settle()
        failed, whole = page.events(table.id)
        assert "frames" not in failed
        assert "picture" not in failed
        assert failed["legal"]["1"]
        assert whole["picture"]["shapes"]

    simulate(work)
    assert "drawing room" in caplog.text


def test_a_page_whose_first_picture_fails_has_not_joined(monkeypatch):
    class FailingPool(InlinePool):
        async def run_short(self, work):
            if self.drawing.is_set():
                return work()
            raise ZeroDivisionError

    async def run():
        async with direct_host(pool=FailingPool()) as lobby:
            table = await Table.start(lobby)
            page = SimulatedClient(lobby)
            lobby.pool.drawing.clear()
            assert (await table.join(page, table.secrets, view="page"))["error"] == "busy"
            assert set(table.session.subscriptions) == {table.player.connection}
            assert (await page.ask("leave", room=table.id))["error"] == "room"
            # The same holds for a client that had joined as a program.
            assert (await table.join(table.player, table.secrets, view="page"))["error"] == "busy"
            assert (await table.play("a1e3"))["error"] == "room"

    asyncio.run(run())
