"""Scripts: what clients do and what goes wrong, and when; made from a seed, or shrunk by hand.

A script and its seed determine a run completely. The steps are chosen before the run; the seed
chooses the rest: delays of the network and the disk, the order of tasks, moves of bots. Every run
has its own mix of steps, in which some kinds are frequent and others absent.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from random import Random
from typing import Any

from quincunx.registry import game as game_named

# Small games, so that random play ends some of them. The options of a row are chosen one by one.
GAMES = {
    "sphero": {"players": (2, 3), "limit": (6, 14), "order": ("anytime", "turns")},
    "onoro": {"pawns": (3, 4)},
    "blocky": {"depth": (1, 2), "players": (1, 2, 3), "turns": (2, 4)},
    "wzlz": {"rows": (4,), "cols": (4,), "match_length": (3,), "colors_count": (3,),
             "initial_balls": (6,)},
    "quorum": {"repetition": (2, 3)},
}  # fmt: skip
CLOCKS = ((0.05, 0.0), (0.05, 0.2), (0.1, 0.5))  # minutes, and seconds per move

REQUESTS = {  # with their weights
    **{"undo": 9, "answer": 1, "resign": 3, "pause": 5, "resume": 5, "rematch": 5, "name": 2},
    **{"at": 1, "hint": 1, "explore": 1, "analyse": 1, "mistakes": 1, "stop": 1, "ping": 1},
    **{"look": 1, "leave": 2, "list rooms": 1},
}
HOSTILE = (
    *("foreign seat", "old number", "wrong secret", "nonsense", "unknown room"),
    *("invitation of another", "invitation of another"),
)
FAULTS = {
    **{"drop": 4, "vanish": 2, "stop reading": 2, "stall": 2, "fail writes": 3},
    **{"fail reads": 1, "lose answers": 3, "crash": 4, "restart": 1, "busy": 1},
    **{"freeze": 2, "set the clock": 2},
}
LENGTH_SECONDS = 8.0


@dataclass(frozen=True)
class Step:
    """One step of a script."""

    time: float
    kind: str
    fields: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        fields = dict(self.fields)
        client = fields.pop("client", None)
        who = "" if client is None else f"client {client}: "
        values = ", ".join(f"{name}={value}" for name, value in fields.items())
        return f"{self.time:8.3f} s  {who}{self.kind}{f' ({values})' if values else ''}"


@dataclass(frozen=True)
class Script:
    """The steps of a run, the number of its clients, and the seed of everything else."""

    seed: int
    in_order: bool  # ready tasks run in asyncio's order
    clients: int
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        order = "in asyncio's order" if self.in_order else "in any order"
        head = f"seed {self.seed}: {self.clients} clients, tasks run {order}"
        return "\n".join([head, *map(str, self.steps)])

    def as_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Script:
        value = json.loads(text)
        steps = tuple(Step(**step) for step in value.pop("steps"))
        return replace(cls(**value, steps=()), steps=steps)


def make_script(seed: int) -> Script:
    """Returns the script of a seed."""
    random = Random(f"script {seed}")
    clients = random.randint(1, 4)
    steps = _first_steps(random, clients)
    # Most requests are those of clients who have a seat.
    owners = [client for step in steps for client in step.fields.get("seats", {}).values()]
    people = owners * 3 + list(range(clients))
    requests, faults = _mix(random, REQUESTS), _mix(random, FAULTS)
    hostile = random.random() < 0.4
    for _ in range(random.choice((8, 14, 20, 30))):
        time = round(random.uniform(0.3, LENGTH_SECONDS), 3)
        chance = random.random()
        if chance < 0.4 or not requests:
            steps.append(_play(random, time, people))
        elif chance < 0.7:
            steps.append(_request(random, time, people, requests))
        elif chance < 0.78 and hostile:
            hostile_requests = dict.fromkeys(HOSTILE, 1.0)
            steps.append(_request(random, time, range(clients), hostile_requests))
        elif faults:
            steps.append(_fault(random, time, clients, faults))
    steps.sort(key=lambda step: step.time)
    return Script(seed, random.random() < 0.5, clients, tuple(steps))


def _mix(random: Random, weights: dict[str, int]) -> dict[str, float]:
    """Returns some of the kinds, with other weights."""
    kept = {kind: weight * random.random() for kind, weight in weights.items()}
    return {kind: weight for kind, weight in kept.items() if random.random() < 0.6}


def _first_steps(random: Random, clients: int) -> list[Step]:
    """Returns the steps that create the rooms and in which clients join them."""
    steps = []
    for room in range(random.choice((1, 1, 1, 2, 3))):
        time = 0.1 if room == 0 else round(random.uniform(0, 4), 3)
        fields = _room(random, clients)
        steps.append(Step(time, "create", {"client": random.randrange(clients), **fields}))
        members = {*fields["seats"].values(), random.randrange(clients)}
        if room == 0:
            members.update(range(clients))
        for client in sorted(members):
            later = round(time + random.choice((0.1, 0.2, 1.0)), 3)
            view = random.choice(("moves", "moves", "moves", "moves", "none", "none", "page"))
            steps.append(Step(later, "join", {"client": client, "room": room, "view": view}))
            if client in fields["seats"].values():
                steps.append(_play(random, later, [client], (3, 10, 40)))
    return steps


def _room(random: Random, clients: int) -> dict[str, Any]:
    """Returns a game with options, players and clocks, and the client of each human seat."""
    name = random.choice(sorted(GAMES))
    options = {option: random.choice(values) for option, values in GAMES[name].items()}
    game = game_named(name, **options)
    people = random.choice((1, 2, 9))  # at most; the others are bots
    players = ["human" if seat < people else "random" for seat in range(game.seats)]
    if random.random() < 0.2:
        players.reverse()
    # Mostly different clients, as far as there are enough.
    order = random.sample(range(clients), clients)
    together = random.random() < 0.2
    seats = {
        str(seat): order[0 if together else seat % clients]
        for seat, text in enumerate(players)
        if text == "human"
    }
    fields: dict[str, Any] = {"game": name, "options": options, "players": players, "seats": seats}
    if game.start(0).turn is not None and random.random() < 0.4:
        fields["clock"] = list(random.choice(CLOCKS))
    fields |= {"pace": random.choice((0.2, 0.5)), "listed": random.random() < 0.3}
    return fields


def _play(
    random: Random, time: float, people: Sequence[int], moves: Sequence[int] = (1, 2, 4, 6)
) -> Step:
    fields = {"client": random.choice(people), "moves": random.choice(moves)}
    return Step(time, "play", {**fields, "choice": random.randrange(1000)})


def _request(random: Random, time: float, people: Sequence[int], mix: dict[str, float]) -> Step:
    (kind,) = random.choices(list(mix), list(mix.values()))
    fields = {"client": random.choice(people), "room": random.randrange(3)}
    return Step(time, kind, {**fields, "choice": random.randrange(99)})


def _fault(random: Random, time: float, clients: int, mix: dict[str, float]) -> Step:
    (kind,) = random.choices(list(mix), list(mix.values()))
    seconds = random.choice((0.05, 0.3, 1.0, 3.0))
    if kind in ("drop", "vanish", "stop reading"):
        fields = {"client": random.randrange(clients), "seconds": seconds}
        if kind == "drop":
            fields["lost"] = random.random() < 0.5
        return Step(time, kind, fields)
    if kind in ("fail writes", "lose answers", "fail reads"):
        return Step(time, kind, {"count": random.choice((1, 1, 2, 5))})
    if kind == "crash":
        moment = random.choice(("now", "before the next write", "after the next write"))
        fields = {"seconds": random.choice((0.1, 0.1, 1.0, 3.0)), "moment": moment}
        return Step(time, kind, {**fields, "callbacks": random.randrange(30), "kept_writes":
                                 random.choice((0, 0, 1, 9))})  # fmt: skip
    if kind == "set the clock":
        return Step(time, kind, {"seconds": random.choice((-86_400, -120, 120, 3600))})
    if kind == "freeze":
        return Step(time, kind, {"seconds": random.choice((1.5, 3.0))})
    return Step(time, kind, {"seconds": seconds})
