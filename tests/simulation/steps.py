"""What the steps of a script do."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any

from quincunx.rooms.errors import RequestError
from quincunx.web.listings import room_entry
from tests.simulation import checks
from tests.simulation.clients import Client, Membership
from tests.simulation.script import Step

if TYPE_CHECKING:
    from tests.simulation.world import World

NONSENSE = ("", "{", "[]", '{"type": 7}', '{"type": "play"}', '{"type": "join", "room": "R1/"}')


def run_step(world: World, number: int, step: Step) -> None:
    """Runs one step; `number` is its place in the script."""
    if world.leaving:
        return
    fields = dict(step.fields)
    if step.kind in ACTIONS:
        ACTIONS[step.kind](world, **fields)
        return
    client, room, choice = world.clients[fields["client"]], fields["room"], fields["choice"]
    rooms = [name for name, seen in client.seen.items() if seen.seats] or list(client.seen)
    if step.kind == "unknown room":
        client.request("join", room="R99", secrets={}, view="none", flip=False)
    elif step.kind == "nonsense":
        if client.socket is not None and client.is_ready:
            client.socket.write(NONSENSE[choice % len(NONSENSE)])
    elif rooms:
        send_request(client, step.kind, rooms[room % len(rooms)], choice)


def send_request(client: Client, kind: str, room: str, choice: int) -> None:
    """Sends a request about a room, for one of the client's seats if it has any."""
    seen = client.seen[room]
    seats = client.world.checks.logs[room].settings.players
    seat = seen.seats[choice % len(seen.seats)] if seen.seats else choice % len(seats)
    fields: dict[str, Any] = {"room": room}
    if kind in ("stop", "ping"):
        fields = {}
    elif kind in ("resign", "pause", "resume", "rematch", "hint"):
        fields |= {"seat": seat}
    elif kind in ("undo", "answer"):
        fields |= {"seat": seat, "number": seen.number}
        if kind == "answer":
            fields["yes"] = choice % 3 > 0
    elif kind == "name":
        fields |= {"seat": seat, "name": f"name {choice}"}
    elif kind == "at":
        fields["plies"] = choice % (seen.message["plies"] + 2)
    elif kind == "look":
        fields["flip"] = choice % 2 == 0
        if room in client.wanted:
            client.wanted[room].flip = fields["flip"]
    elif kind == "analyse":
        fields["seconds"] = 1.0
    elif kind == "leave":
        client.wanted.pop(room, None)
    elif kind in HOSTILE_REQUESTS:
        kind, more = HOSTILE_REQUESTS[kind](client, room, choice)
        fields |= more
    client.request(kind, **fields)


# Requests that must be refused


def _for_a_foreign_seat(client: Client, room: str, choice: int) -> tuple[str, dict[str, Any]]:
    seen = client.seen[room]
    seats = range(len(client.world.checks.logs[room].settings.players))
    foreign = [seat for seat in seats if seat not in seen.seats] or list(seats)
    turn = seen.message["turn"]
    seat = turn if turn in foreign else foreign[choice % len(foreign)]
    if choice % 3 == 0:
        return "resign", {"seat": seat}
    moves = client.world.legal_moves(room, seen.message["text"], seat) or ["pass"]
    return "play", {"seat": seat, "move": moves[choice % len(moves)], "number": seen.number}


def _with_an_old_number(client: Client, room: str, choice: int) -> tuple[str, dict[str, Any]]:
    seen = client.seen[room]
    seat = seen.seats[choice % len(seen.seats)] if seen.seats else 0
    moves = client.world.legal_moves(room, seen.message["text"], seat) or ["pass"]
    number = max(0, seen.number - 1 - choice % 4)
    return "play", {"seat": seat, "move": moves[choice % len(moves)], "number": number}


def _with_a_wrong_secret(client: Client, room: str, choice: int) -> tuple[str, dict[str, Any]]:
    member = client.wanted.get(room, Membership({}))
    seats = range(len(client.world.checks.logs[room].settings.players))
    foreign = [seat for seat in seats if seat not in member.secrets]
    seat = foreign[choice % len(foreign)] if foreign else 0
    wrong = ["wrong", *member.secrets.values()] if foreign else ["wrong"]
    return "join", {"secrets": {str(seat): wrong[choice % len(wrong)]}, "view": "none"}


def _with_an_invitation_of_another(
    client: Client, room: str, choice: int
) -> tuple[str, dict[str, Any]]:
    """Joins as the creator of a room could who has kept the invitations that were sent out."""
    world = client.world
    index = next((i for i, name in world.rooms.items() if name == room), None)
    links = {} if index is None else world.invitations[index]
    foreign = [
        (str(seat), text)
        for other, own in links.items()
        for seat, text in own.items()
        if other != client.index
    ]
    secrets = dict([foreign[choice % len(foreign)]] if foreign else [])
    return "join", {"secrets": secrets, "view": "moves"}


HOSTILE_REQUESTS: dict[str, Callable[[Client, str, int], tuple[str, dict[str, Any]]]] = {
    "foreign seat": _for_a_foreign_seat,
    "old number": _with_an_old_number,
    "wrong secret": _with_a_wrong_secret,
    "invitation of another": _with_an_invitation_of_another,
}


# Rooms


def _create(world: World, client: int, **room: Any) -> None:
    """Creates a room by a request that is repeated when it fails."""
    index = len(world.invitations)
    world.invitations[index] = {}
    world.log(f"client {client}", f"creates room {index}: {room}")
    _request_room(world, index, room, 3)


def _request_room(world: World, index: int, room: dict[str, Any], attempts: int) -> None:
    lobby = world.server.lobby

    def again() -> None:
        if attempts:
            world.later(1.0, lambda: _request_room(world, index, room, attempts - 1))

    if lobby is None:
        return again()
    fields = {name: value for name, value in room.items() if name != "seats"}
    clock = fields.pop("clock", None)
    if clock:
        fields["clock"] = tuple(clock)

    async def create() -> None:
        try:
            session, secrets = await lobby.create(seed=index, **fields)
        except RequestError:
            return again()
        except Exception as error:
            return world.checks.fail(checks.ERRORS, f"creating a room: {error!r}")
        _share_links(world, index, session.room.settings.id, room["seats"], secrets)

    world.server.run(create())


def _share_links(
    world: World, index: int, room: str, seats: dict[str, int], secrets: dict[int, str]
) -> None:
    """Gives each client the secrets of its seats, some time after the room was created."""
    log = world.checks.logs[room]
    links = world.invitations[index]
    for seat, client in seats.items():
        log.owners[int(seat)] = {client}
        links.setdefault(client, {})[int(seat)] = secrets[int(seat)]

    def share() -> None:
        world.rooms[index] = room
        for join in world.waiting.pop(index, ()):
            join()

    world.later(0.02, share)


def _join(world: World, client: int, room: int, view: str) -> None:
    def join() -> None:
        if room in world.rooms:
            member = Membership(dict(world.invitations[room].get(client, {})), view)
            world.clients[client].wanted[world.rooms[room]] = member
            world.clients[client].join(world.rooms[room])

    if room in world.rooms:
        join()
    else:
        world.waiting.setdefault(room, []).append(join)


def _play(world: World, client: int, moves: int, choice: int) -> None:
    player = world.clients[client]
    player.moves_left = max(player.moves_left, moves)
    player.choices = Random(choice)
    for room in list(player.seen):
        player.play(room)


def _list_rooms(world: World, client: int, **_: Any) -> None:
    """Asks for the public list of rooms, in which every listed room must be."""
    lobby = world.server.lobby
    if lobby is None:
        return
    listed = {room for room, log in world.checks.logs.items() if log.settings.listed}

    async def read() -> None:
        try:
            rooms = await lobby.store.listed_rooms(None, "", None, 100)
            entries = [await room_entry(lobby, room) for room in rooms]
        except RequestError as error:
            world.log(f"client {client}", f"gets no list: {error}")
            return
        shown = {room.id for room, entry in zip(rooms, entries, strict=True) if entry is not None}
        world.log(f"client {client}", f"gets the list of rooms {sorted(shown)}")
        if listed - {room.id for room in rooms}:
            world.checks.fail(checks.SENT, f"rooms {listed} exist, but {shown} are listed")

    world.server.run(read())


# Faults


def _leave_network(world: World, client: int, seconds: float, lost: bool) -> None:
    world.clients[client].log("closes its connection")
    world.clients[client].leave_network(seconds, vanish=False, lost=lost)


def _vanish(world: World, client: int, seconds: float) -> None:
    world.clients[client].log("vanishes")
    world.clients[client].leave_network(seconds, vanish=True, lost=True)


def _stop_reading(world: World, client: int, seconds: float) -> None:
    socket = world.clients[client].socket
    if socket is not None:
        socket.pause_reading()
        world.later(seconds, socket.resume_reading)


def _stall(world: World, seconds: float) -> None:
    world.disk.faults.stalled_until = world.loop.time() + seconds


def _fail_writes(world: World, count: int) -> None:
    world.disk.faults.failing_writes += count


def _fail_reads(world: World, count: int) -> None:
    world.disk.faults.failing_reads += count


def _lose_answers(world: World, count: int) -> None:
    world.disk.faults.lost_answers += count


def _crash(world: World, seconds: float, moment: str, callbacks: int, kept_writes: int) -> None:
    def crash() -> None:
        world.loop.interrupt_after(callbacks, lambda: world.server.crash(seconds, kept_writes))

    if moment == "before the next write":
        world.disk.before_next_write = crash
    elif moment == "after the next write":
        world.disk.after_next_write = crash
    else:
        crash()


def _be_busy(world: World, seconds: float) -> None:
    if world.server.lobby is not None:
        world.server.lobby.pool.busy_until = world.loop.time() + seconds


ACTIONS: dict[str, Callable[..., None]] = {
    "create": _create,
    "join": _join,
    "play": _play,
    "list rooms": _list_rooms,
    "drop": _leave_network,
    "vanish": _vanish,
    "stop reading": _stop_reading,
    "stall": _stall,
    "fail writes": _fail_writes,
    "fail reads": _fail_reads,
    "lose answers": _lose_answers,
    "crash": _crash,
    "restart": lambda world, seconds: world.server.restart(seconds),
    "freeze": lambda world, seconds: world.server.freeze(seconds),
    "busy": _be_busy,
    "set the clock": lambda world, seconds: world.set_clock(seconds),
}
