"""Results that count: rooms that nobody has prepared, and the game of the day."""

import asyncio
from dataclasses import replace

import pytest

from quincunx.errors import BadOption
from quincunx.rooms.daily import DailyGames, day_of
from tests.simulation.host import InlinePool, SimulatedClient, direct_host, settle

DAY_SECONDS = 86_400
TODAY = 1_700_000_000_000  # 2023-11-14, 22:13:20
SECRET = bytes(range(32))


def in_lobby(work):
    async def run():
        async with direct_host() as lobby:
            return await work(lobby)

    return asyncio.run(run())


async def end_of_game(lobby, session, secrets):
    """Gives up the game for seat 0; returns the client."""
    client = SimulatedClient(lobby)
    room = session.room.settings.id
    await client.ask("join", room=room, secrets={str(s): secret for s, secret in secrets.items()})
    await client.ask("resign", room=room, seat=0)
    return client


async def best(lobby, seed=None):
    return [row.room for row in await lobby.store.best_scores("wzlz", seed, {}, 10)]


def test_the_seed_of_a_day_follows_from_the_secret():
    daily = DailyGames(SECRET, lambda: TODAY)
    seed = daily.seed("wzlz", "2023-11-14")
    assert seed == 4092940229748656
    assert seed == DailyGames(SECRET, lambda: 0).seed("wzlz", "2023-11-14")
    others = {
        DailyGames(bytes(32), lambda: TODAY).seed("wzlz", "2023-11-14"),
        daily.seed("blocky", "2023-11-14"),
        daily.seed("wzlz", "2023-11-15"),
    }
    assert len({seed, *others}) == 4
    assert all(0 <= each < 2**53 for each in others)


def test_a_seed_is_secret_on_its_day():
    times = [TODAY]
    daily = DailyGames(SECRET, lambda: times[-1])
    seed = daily.seed("wzlz", daily.today)
    assert daily.today == day_of(TODAY) == "2023-11-14"
    assert daily.is_secret("wzlz", seed)
    assert not daily.is_secret("blocky", seed)
    assert not daily.is_secret("wzlz", seed + 1)
    times.append(TODAY + 1000 * DAY_SECONDS)
    assert not daily.is_secret("wzlz", seed)


def test_days_are_checked():
    daily = DailyGames(SECRET, lambda: TODAY)
    assert daily.checked_day("2023-11-14") == "2023-11-14"
    for wrong, reason in (
        ("2023-11-15", "expected 2023-11-14 or a day before it"),
        ("2023-02-30", "expected a day such as 2023-11-14"),
        ("", "expected a day"),
    ):
        with pytest.raises(BadOption, match=reason):
            daily.checked_day(wrong)


@pytest.mark.parametrize(
    ("game", "settings", "fair"),
    [
        ("wzlz", {}, True),
        ("wzlz", {"daily": True}, True),
        ("wzlz", {"seed": 7}, False),
        ("quorum", {"moves": ["a1e3"]}, False),
        ("quorum", {"start": "4BBB1/5BBB/3B2BB/7B/W7/WW2W3/WWW5/1WWW4 w"}, False),
    ],
)
def test_only_games_that_nobody_prepared_count(game, settings, fair):
    async def work(lobby):
        players = ["human"] * (1 if game == "wzlz" else 2)
        session, secrets = await lobby.create(game, {}, players, listed=True, **settings)
        await end_of_game(lobby, session, secrets)
        assert session.room.settings.fair == session.snapshot().fair == fair
        counted = [row.room for row in await lobby.store.recent_results(game, 10)]
        assert counted == [session.room.settings.id] * fair
        if game == "wzlz":
            assert await best(lobby) == counted

    in_lobby(work)


def test_rooms_of_old_databases_keep_what_was_stored():
    """A room that was stored before fairness was, with a chosen seed, still counts."""

    async def work(lobby):
        session, secrets = await lobby.create("wzlz", {}, ["human"], seed=7, listed=True)
        session.room.settings = replace(session.room.settings, fair=True)
        await end_of_game(lobby, session, secrets)
        assert await best(lobby, 7) == [session.room.settings.id]

    in_lobby(work)


def test_a_rematch_with_a_new_seed_counts():
    async def work(lobby):
        session, _ = await lobby.create("wzlz", {}, ["human"], seed=7)
        rematch = await lobby.create_rematch(session)
        assert rematch.room.settings.fair
        assert rematch.room.settings.seed != 7

    in_lobby(work)


def test_the_game_of_the_day_has_the_seed_of_the_day():
    async def work(lobby):
        session, _ = await lobby.create("wzlz", {}, ["human"], daily=True)
        assert session.room.settings.seed == lobby.daily.seed("wzlz", "2023-11-14")
        assert session.snapshot().daily == "2023-11-14"
        assert (await lobby.create("wzlz", {}, ["human"]))[0].snapshot().daily == ""
        for other in ({"seed": 7}, {"start": "x"}, {"moves": ["a1a2"]}):
            with pytest.raises(BadOption, match="the game of the day has no other seed"):
                await lobby.create("wzlz", {}, ["human"], daily=True, **other)

    in_lobby(work)


def test_the_first_game_of_the_day_of_each_owner_counts():
    async def work(lobby):
        async def is_fair(client, game="wzlz", **settings):
            session, _ = await lobby.create(
                game, {}, ["human"], client=client, daily=True, **settings
            )
            return session.room.settings.fair

        assert await is_fair("1.2.3.4")
        assert not await is_fair("1.2.3.4")
        assert await is_fair("5.6.7.8")
        at_once = await asyncio.gather(*(is_fair("9.9.9.9") for _ in range(5)))
        assert sorted(at_once) == [False] * 4 + [True]
        await lobby.clock.advance(DAY_SECONDS)
        assert await is_fair("1.2.3.4")

    in_lobby(work)


def test_a_room_that_waits_for_its_turn_holds_up_nobody():
    """Rooms are built in turns of their owners, and one of them may have much to build."""

    class Pool(InlinePool):
        def __init__(self):
            super().__init__()
            self.turns = {"slow": asyncio.Event(), "quick": asyncio.Event()}

        async def run_replay(self, work, client=""):
            await self.turns[owners[client]].wait()
            return work()

    owners = {}

    async def run():
        pool = Pool()
        async with direct_host(pool=pool) as lobby:
            owners.update({lobby.owner_of(client): client for client in pool.turns})
            pool.turns["quick"].set()
            creating = {
                client: asyncio.create_task(
                    lobby.create("wzlz", {}, ["human"], client=client, daily=True)
                )
                for client in pool.turns
            }
            await settle()
            assert [client for client, task in creating.items() if task.done()] == ["quick"]
            pool.turns["slow"].set()
            for task in creating.values():
                assert (await task)[0].room.settings.fair

    asyncio.run(run())


def test_other_options_do_not_give_a_second_try():
    """They may show more of the same random events."""

    async def work(lobby):
        for options, fair in (({"show_next_balls": False}, True), ({}, False)):
            session, _ = await lobby.create("wzlz", options, ["human"], client="c", daily=True)
            assert session.room.settings.fair == fair

    in_lobby(work)


def test_the_seed_of_the_day_is_revealed_when_the_day_is_over():
    """Not after the end of one game, because others still play with it."""

    async def work(lobby):
        session, secrets = await lobby.create("wzlz", {}, ["human"], daily=True)
        client, room = await end_of_game(lobby, session, secrets), session.room
        seed = str(room.settings.seed)
        assert not room.reveals_seed
        assert session.snapshot().seed is None
        assert seed not in room.record.text
        explored = await client.ask("explore", room=room.settings.id, plies=0)
        assert explored["type"] == "position"
        assert not any(seed in text for text in client.texts)
        await lobby.clock.advance(DAY_SECONDS)
        assert room.reveals_seed
        assert session.snapshot().seed == int(seed)
        assert room.record.states()[-1].pack() == room.state.pack()

    in_lobby(work)


def test_a_game_that_ends_after_its_seed_is_published_does_not_count():
    async def work(lobby):
        for daily in (True, False):
            session, secrets = await lobby.create("wzlz", {}, ["human"], daily=daily, listed=True)
            await lobby.clock.advance(DAY_SECONDS)
            await end_of_game(lobby, await lobby.session(session.room.settings.id), secrets)
            counted = session.room.settings.id in await best(lobby)
            assert counted == (not daily)

    in_lobby(work)
