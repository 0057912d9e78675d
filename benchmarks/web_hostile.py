"""Random and hostile messages: no crash, no change of any game, constant memory.

python benchmarks/web_hostile.py --messages 1000000

Memory grows until all code has run once (compiled code is loaded on its first use, pictures fill
caches of a bounded size), so only the second half of the run counts.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from machine import heading
from serving import Server
from websockets.sync.client import connect

from quincunx.rooms.messages import REQUESTS

KINDS = (*REQUESTS, "", "admin", "type")
# Plausible values, so that messages get past the first checks.
PLAUSIBLE: dict[str, tuple[Any, ...]] = {
    "seat": (0, 1, 2, 3),
    "move": ("a1e3", "h8d6", "place", "0,0>1,1", "pass"),
    "number": (0, 1, 2),
    "yes": (True, False),
    "name": ("ada", "<b>", ""),
    "secrets": ({}, {"0": "wrong"}, {"9": ""}),
    "view": ("page", "moves", "none"),
    "flip": (True, False),
    "plies": (0, 1, 2),
    "moves": ([], ["a1e3"], ["h8d6", "a1e3"], ["R:0,1"]),
    "game": ("sphero", "onoro", "blocky", "wzlz", "quorum", "chess"),
    "options": ({}, {"pawns": 4}, {"players": 3}, {"depth": 6}, {"rows": 0}),
    "start": ("", ".W/BB w", "x"),
    "seed": (0, -5, 2**62),
    "seconds": (0.1, 0.2),
    "frames": (True, False),
    "ref": (1, "x"),
}
JUNK: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2**31, 2**63, 2**70, -(2**70), 0.5, 1e308, "", " ", "\x00"),
    *("\ud800", "💥", "../../etc/passwd", "' or 1=1 --", "<script>", "a1e3", "quorum", "wzlz"),
    *("page", [], [[]], {}, {"0": ""}, {"0": "x" * 64}, {"": None}, ["a1e3"] * 50, "x" * 5000),
)
BATCH_SIZE = 200


def hostile_message(rng: random.Random, rooms: list[str]) -> str | bytes:
    """Returns a message with plausible, invalid or missing fields, or garbage."""
    message = {"type": rng.choice(KINDS)}
    for name, plausible in {"room": tuple(rooms), **PLAUSIBLE}.items():
        if rng.random() < 0.7:
            message[name] = rng.choice(plausible if rng.random() < 0.85 else JUNK)
    text = json.dumps(message)
    kind = rng.random()
    if kind < 0.1:
        return text[: rng.randrange(len(text) + 1)]
    if kind < 0.15:
        return rng.randbytes(rng.randrange(200))
    if kind < 0.16:
        return "[" * rng.randrange(70_000)
    return text


def batches(messages: int, rooms: list[str]) -> Iterator[list[str | bytes]]:
    """Yields hostile messages in batches."""
    rng = random.Random(1)
    for start in range(0, messages, BATCH_SIZE):
        yield [hostile_message(rng, rooms) for _ in range(min(BATCH_SIZE, messages - start))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=1_000_000)
    args = parser.parse_args()
    print(heading(f"{args.messages:,} hostile messages"))
    answers: Counter[str] = Counter()
    memory = []
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as directory, Server(Path(directory)) as server:
        server.start(("sphero", "onoro", "blocky", "wzlz", "quorum"))
        rooms = [
            server.post("/api/rooms", game="quorum", players=["human", "human"], moves=["a1e3"]),
            server.post("/api/rooms", game="wzlz", players=["human"], seed=1),
        ]
        ids = [room["id"] for room in rooms]
        before = [server.get(f"/api/rooms/{room}") for room in ids]
        with connect(f"ws://{server.host}/socket", max_size=None, compression=None) as socket:
            for number, batch in enumerate(batches(args.messages, ids)):
                for message in batch:
                    socket.send(message)
                socket.send('{"type": "ping", "ref": "done"}')
                while (answer := json.loads(socket.recv(120))).get("ref") != "done":
                    kind = answer["type"]
                    answers[answer["error"] if kind == "error" else kind] += 1
                if number % 100 == 0:
                    memory.append(server.memory_bytes() >> 20)
            memory.append(server.memory_bytes() >> 20)
        after = [server.get(f"/api/rooms/{room}") for room in ids]
    print(f"{sum(answers.values()):,} answers in {time.perf_counter() - started:,.0f} s")
    print(", ".join(f"{code} {count:,}" for code, count in answers.most_common()))
    print(f"memory before: {memory[0]} MB, after: {memory[-1]} MB")
    print(f"memory in MB: {' '.join(map(str, memory))}")
    second_half = memory[len(memory) // 2 :]
    print(f"in the second half: {second_half[0]} to {second_half[-1]}, at most {max(second_half)}")
    changed = sum(old != new for old, new in zip(before, after, strict=True))
    print(f"games changed: {changed}")
    raise SystemExit(before != after)


if __name__ == "__main__":
    main()
