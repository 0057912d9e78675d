"""Random rooms of all games, dropped from memory and read back: nothing may differ.

    python -m tests.rooms.fuzz_rooms 100000 --seed 7

plays that number of rooms, with random options, starts in random forms, moves and takebacks, also
of the example games. A failure names its room; `--first N` begins there, to see it again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from importlib import import_module
from pathlib import Path
from random import Random
from time import monotonic
from types import SimpleNamespace

from quincunx.errors import BadOption, BadPosition
from quincunx.game import Game
from quincunx.registry import BUILT_IN, game, register
from quincunx.rooms.errors import RequestError
from quincunx.rooms.room import POSITION_SPACING
from quincunx.rooms.store import MemoryStore
from quincunx.web.tables import EVENTS, ROOMS, event_row, room_event, room_row, room_settings
from tests.simulation.host import InlinePool, direct_host

EXAMPLES = Path(__file__).parents[2] / "examples"
EXAMPLE_GAMES = ("reversi", "connect_four", "twenty48")
ROOMS_PER_LOBBY = 50
MAX_PLIES = 3 * POSITION_SPACING  # of a long room; most are much shorter
SPACES = (" ", "  ", "\t", "\n ", " \r\n")


class RowStore(MemoryStore):
    """A store that keeps what the tables of a database would keep."""

    async def load(self, room_id):
        stored = await super().load(room_id)
        if stored is None:
            return None
        settings, events = stored
        rows = [_stored_row(EVENTS, event_row(room_id, event)) for event in events]
        return room_settings(_stored_row(ROOMS, room_row(settings))), list(map(room_event, rows))


def _stored_row(table, values):
    """Returns a row as a database would, with the values by the names of their columns."""
    names = [column.name for column in table.columns]
    return SimpleNamespace(**dict(zip(names, json.loads(json.dumps(values)), strict=True)))


class SilentPool(InlinePool):
    """A pool whose bots, which take over seats that gave up, think for ever."""

    async def choose_move(self, *args):
        await asyncio.Event().wait()


def example_games() -> tuple[str, ...]:
    """Registers the example games; returns their names."""
    for name in EXAMPLE_GAMES:
        sys.path.insert(0, str(EXAMPLES / name / "src"))
        register(import_module(f"quincunx_{name}").GAME)
    return EXAMPLE_GAMES


# Random rooms


def random_options(rng: Random, name: str) -> dict[str, object]:
    """Returns options of a game, as a client may give them."""
    while True:
        options: dict[str, object] = {}
        for option in game(name).parts.rules.OPTIONS:
            if rng.random() < 0.5:
                continue
            if option.choices:
                options[option.name] = rng.choice(option.choices)
            elif isinstance(option.default, bool):
                options[option.name] = rng.choice((True, False, "yes", "off"))
            else:
                low, high = int(option.low), int(min(option.high, option.low + 12))
                value = rng.choice((rng.randint(low, high), *option.extra_values, option.default))
                options[option.name] = rng.choice((value, str(value)))
        try:
            game(name, **options)
        except BadOption:
            continue
        return options


def random_state(rng: Random, configured: Game, plies: int):
    """Returns a position after some random moves."""
    state = configured.start(rng.getrandbits(40))
    for _ in range(plies):
        if state.over:
            break
        seat = rng.randrange(configured.seats) if state.turn is None else state.turn
        actions = state.actions(seat)
        if not actions:
            break
        state = state.act(rng.choice(actions), seat)
    return state


def random_start(rng: Random, configured: Game, seed: int) -> str:
    """Returns a position text in a random form, with some of it left out."""
    text = random_state(rng, configured, rng.randrange(30)).text
    for _ in range(rng.randrange(4)):
        changed = _changed_text(rng, text)
        try:
            configured.read(changed, seed)
        except BadPosition:
            continue
        text = changed
    return text


def _changed_text(rng: Random, text: str) -> str:
    """Returns a text that may mean the same, or leave something open, or mean nothing."""
    fields = text.split()
    field = rng.randrange(len(fields))
    kind = rng.randrange(6)
    if kind == 0:
        return rng.choice(SPACES) + rng.choice(SPACES).join(fields) + rng.choice(SPACES)
    if kind == 1:
        return text.lower() if rng.random() < 0.5 else text.upper()
    if kind == 2:
        fields[field] = "-"
    elif kind == 3:
        fields[field] = fields[field].partition("@")[0]
    elif kind == 4:
        del fields[field]
    else:
        fields[field] = fields[field].replace("-", "RGBRGBRGBRGB"[: rng.randint(1, 4)])
    return " ".join(fields)


async def create(rng: Random, lobby, name: str):
    """Creates a random room; returns its session, or None if what was asked for is not possible."""
    options, seed = random_options(rng, name), rng.getrandbits(63) - rng.choice((0, 2**63))
    configured = game(name, **options)
    start = random_start(rng, configured, seed) if rng.random() < 0.7 else ""
    state = configured.read(start, seed) if start else configured.start(seed)
    typed, moves = state, []
    for _ in range(rng.choice((0, 0, rng.randrange(80)))):
        seat = rng.randrange(configured.seats) if typed.turn is None else typed.turn
        if typed.over or not typed.actions(seat):
            break
        letter = f"{configured.parts.rules.LETTERS[seat]}:" if typed.turn is None else ""
        action = rng.choice(typed.actions(seat))
        moves.append(
            letter + configured.parts.notation.format_move(configured, typed.position, action)
        )
        typed = typed.act(action, seat)
    try:
        session, _ = await lobby.create(
            name,
            options,
            ["human"] * configured.seats,
            seed=seed,
            start=start,
            moves=moves,
            clock=(rng.choice((1, 10)), rng.choice((0, 2))) if rng.random() < 0.4 else None,
            listed=rng.random() < 0.5,
        )
    except BadOption as error:
        if error.name != "clock":
            raise
        return None
    assert session.room.state.pack() == typed.pack(), "the room is not the one that was asked for"
    return session


# Random changes


def random_request(rng: Random, room, time: int):
    """Makes a random request to a room; returns the event."""
    seat = rng.randrange(room.game.seats)
    seats = tuple(range(room.game.seats))
    kind = rng.random()
    if kind < 0.8:
        seat = seat if room.turn is None else room.turn
        actions = room.state.actions(seat)
        if room.over or not actions:
            raise RequestError("over", "no move")
        return room.play(seat, rng.choice(actions), None, time)
    if kind < 0.9:
        return room.undo(seat, room.number, time, rng.choice((seats, (seat,))))
    if kind < 0.92:
        return room.answer(seat, rng.random() < 0.7, room.number, time)
    if kind < 0.95:
        return room.name(seat, rng.choice(("ada", "Bób", "", "  x  ", "ﬁ‮")), time)
    if kind < 0.98:
        return (
            room.resume(seat, time)
            if room.paused
            else room.pause(seat, time, rng.choice((seats, ())))
        )
    return room.resign(seat, time) if rng.random() < 0.3 else room.request_rematch(seat, time)[0]


def compare(rng: Random, session, again) -> None:
    """Raises AssertionError unless two sessions have the same room."""
    room, other = session.room, again.room
    time = session.lobby.clock.uptime()
    assert room.state.pack() == other.state.pack(), "the position differs"
    for name in (
        *("number", "names", "over", "turn", "scores", "winners", "plies", "given_up", "ending"),
        *("paused", "question", "rematch_requests", "rematch_room", "last_event_time"),
        *("last_board_change", "last_undo", "last_moves", "play_events", "other_events"),
        *("settings", "live", "closed"),
    ):
        assert getattr(room, name) == getattr(other, name), f"{name} differs"
    assert room.record.text == other.record.text, "the record differs"
    assert room.match.record.text == other.match.record.text, "the record of all moves differs"
    plies = rng.randint(0, room.plies)
    assert room.match.at(plies).pack() == other.match.at(plies).pack(), "a past position differs"
    assert bool(room.clocks) == bool(other.clocks), "the clocks differ"
    if room.clocks:
        clocks = [(each.left_at(time), each.running) for each in (room.clocks, other.clocks)]
        assert clocks[0] == clocks[1], "the clocks differ"


async def play_room(rng: Random, lobby, name: str) -> bool:
    """Plays a random room and reads it back; returns False if it cannot be created."""
    session = await create(rng, lobby, name)
    if session is None:
        return False
    packed = [state.pack() for state in session.room.match.states]
    for _ in range(rng.choice((5, 20, 20, 60, MAX_PLIES))):
        time = lobby.clock.uptime()
        try:
            event = await session.change(lambda room, now: random_request(rng, room, now), time)
        except RequestError:
            continue
        if event.kind == "undo":
            del packed[int(event.text) + 1 :]
        elif event.kind == "play":
            packed.append(session.room.state.pack())
        assert session.room.state.pack() == packed[-1], "a takeback leads to another position"
        if rng.random() < 0.1:
            lobby.clock.ms += rng.randrange(3000)
        if rng.random() < 0.05:
            session = await read_back(rng, lobby, session)
    session = await read_back(rng, lobby, session)
    assert [state.pack() for state in session.room.match.states] == packed, "the history differs"
    lobby.unload(session)
    return True


async def read_back(rng: Random, lobby, session):
    """Drops a room from memory, compares it with what is read back, and returns that."""
    room_id = session.room.settings.id
    lobby.unload(session)
    again = await lobby.session(room_id)
    assert again is not session
    compare(rng, session, again)
    return again


async def fuzz(count: int, seed: int, names: tuple[str, ...], first: int = 0) -> dict[str, int]:
    """Plays rooms `first` to `count`; returns how many of each game were read back."""
    done = dict.fromkeys(names, 0)
    began = shown = monotonic()
    for batch in range(first, count, ROOMS_PER_LOBBY):
        async with direct_host(RowStore(), pool=SilentPool(), seed=batch) as lobby:
            for number in range(batch, min(count, batch + ROOMS_PER_LOBBY)):
                rng = Random(f"{seed}/{number}")
                name = rng.choice(names)
                try:
                    done[name] += await play_room(rng, lobby, name)
                except Exception as error:
                    raise AssertionError(f"seed {seed}, room {number}, {name}: {error}") from error
        if monotonic() - shown > 5:
            shown = monotonic()
            speed = (number - first) / (shown - began)
            print(f"{number + 1:,} rooms, {speed:.0f}/s", file=sys.stderr, flush=True)
    return done


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first room")
    parser.add_argument("--game", action="append", help="only these games")
    given = parser.parse_args()
    names = (*BUILT_IN, *example_games())
    names = tuple(given.game) if given.game else names
    done = asyncio.run(fuzz(given.count, given.seed, names, given.first))
    print(f"{sum(done.values()):,} rooms were read back the same: {done}")


if __name__ == "__main__":
    main()
