"""Random and hostile messages: no crash, no change of any game, memory steady.

python benchmarks/web_hostile.py --messages 500000

Memory rises until everything a message can reach was reached once (compiled code is loaded
on its first use, pictures fill caches of a bounded size), so the second half tells.
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

KINDS = (
    *("join", "leave", "look", "play", "undo", "answer", "resign", "pause", "resume", "rematch"),
    *("name", "at", "hint", "explore", "analyse", "mistakes", "stop", "ping", "", "admin", "type"),
)
# What could be meant, so that messages get further than the first check.
LIKELY: dict[str, tuple[Any, ...]] = {
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
AT_ONCE = 200


def hostile(dice: random.Random, rooms: list[str]) -> str | bytes:
    """A message that means no good."""
    message = {"type": dice.choice(KINDS)}
    for name, likely in {"room": tuple(rooms), **LIKELY}.items():
        if dice.random() < 0.7:
            message[name] = dice.choice(likely if dice.random() < 0.85 else JUNK)
    text = json.dumps(message)
    kind = dice.random()
    if kind < 0.1:
        return text[: dice.randrange(len(text) + 1)]
    if kind < 0.15:
        return dice.randbytes(dice.randrange(200))
    if kind < 0.16:
        return "[" * dice.randrange(70_000)
    return text


def batches(messages: int, rooms: list[str]) -> Iterator[list[str | bytes]]:
    """So many messages, some at a time."""
    dice = random.Random(1)
    for begin in range(0, messages, AT_ONCE):
        yield [hostile(dice, rooms) for _ in range(min(AT_ONCE, messages - begin))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=500_000)
    chosen = parser.parse_args()
    print(heading(f"{chosen.messages:,} hostile messages"))
    answers: Counter[str] = Counter()
    memory = []
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server:
        server.start(("sphero", "onoro", "blocky", "wzlz", "quorum"))
        rooms = [
            server.post("/api/rooms", game="quorum", players=["human", "human"], moves=["a1e3"]),
            server.post("/api/rooms", game="wzlz", players=["human"], seed=1),
        ]
        ids = [room["id"] for room in rooms]
        before = [server.get(f"/api/rooms/{room}") for room in ids]
        with connect(f"ws://{server.host}/socket", max_size=None, compression=None) as socket:
            for number, batch in enumerate(batches(chosen.messages, ids)):
                for message in batch:
                    socket.send(message)
                socket.send('{"type": "ping", "ref": "done"}')
                while (answer := json.loads(socket.recv(120))).get("ref") != "done":
                    kind = answer["type"]
                    answers[answer["error"] if kind == "error" else kind] += 1
                if number % 100 == 0:
                    memory.append(server.memory() >> 20)
        after = [server.get(f"/api/rooms/{room}") for room in ids]
    print(f"{sum(answers.values()):,} answers in {time.perf_counter() - began:,.0f} s")
    print(", ".join(f"{word} {count:,}" for word, count in answers.most_common()))
    print(f"memory in MB: {' '.join(map(str, memory))}")
    half = memory[len(memory) // 2 :]
    print(f"in the second half: {half[0]} to {half[-1]}, at most {max(half)}")
    print(f"games changed: {sum(one != other for one, other in zip(before, after, strict=True))}")
    raise SystemExit(before != after)


if __name__ == "__main__":
    main()
