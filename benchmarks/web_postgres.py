"""PostgreSQL restarted and frozen under load: is anything lost, and does play continue?

    python benchmarks/web_postgres.py --faults 20 --games 40

Random moves are played in all games at once. The database is, in turn, ended as a crash does and
started again, and stopped for a while with its connections open. Clients that get an error join
their rooms again; every move that they were sent must be there.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from pathlib import Path

from machine import heading
from played_games import Lost, ReceivedGame, new_game, play_on, rejoin
from postgres_server import PostgresServer
from serving import Server, raise_open_file_limit

RESUME_SECONDS = 30.0  # within which all games must go on
FROZEN_SECONDS = (1.0, 8.0)  # shorter and longer than what the server waits for


class Load:
    """Games that are played all the time; one that is over is replaced by a new one."""

    def __init__(self, server: Server, count: int, rng: random.Random) -> None:
        self._server = server
        self._rng = rng
        self.lost: list[str] = []
        self.moves = 0
        self.busy = 0
        self.games = [new_game(server) for _ in range(count)]
        self._tasks = [asyncio.create_task(self._play(slot)) for slot in range(count)]

    async def _play(self, slot: int) -> None:
        while True:
            game = self.games[slot]
            try:
                await play_on(self._server.host, game, self._rng)
            except Lost as error:
                self.lost.append(str(error))
            self._count(game)
            self.games[slot] = await self._new_game()

    async def _new_game(self) -> ReceivedGame:
        while True:
            try:
                return await asyncio.to_thread(new_game, self._server)
            except OSError:
                await asyncio.sleep(0.2)

    def _count(self, game: ReceivedGame) -> None:
        self.moves += len(game.moves)
        self.busy += game.busy

    async def resumed(self, since: float) -> float:
        """Returns the seconds until every game has received a move again."""
        while any(not game.over and game.last_move < since for game in self.games):
            await asyncio.sleep(0.05)
            if time.perf_counter() - since > RESUME_SECONDS:
                self.lost.append(f"some games did not go on within {RESUME_SECONDS:g} s")
                break
        return time.perf_counter() - since

    async def end(self) -> None:
        """Stops playing, and compares all games once more."""
        # Again and again: `asyncio.wait_for` can miss a cancellation, up to Python 3.11.
        while any(not task.done() for task in self._tasks):
            for task in self._tasks:
                task.cancel()
            await asyncio.wait(self._tasks, timeout=0.5)
        for game in self.games:
            try:
                await rejoin(self._server.host, game)
            except Lost as error:
                self.lost.append(str(error))
            self._count(game)


async def run(
    server: Server, postgres: PostgresServer, faults: int, games: int, rng: random.Random
) -> bool:
    """Plays while the database fails; returns True if nothing is lost."""
    load, waits = Load(server, games, rng), []
    await load.resumed(time.perf_counter())
    for number in range(faults):
        await asyncio.sleep(rng.uniform(0.5, 2))
        if number % 2:
            postgres.freeze()
            await asyncio.sleep(rng.uniform(*FROZEN_SECONDS))
            postgres.thaw()
        else:
            await asyncio.to_thread(postgres.restart)
        waits.append(await load.resumed(time.perf_counter()))
    await load.end()
    print(f"{load.moves:,} moves, {load.busy:,} times joined again; losses: {len(load.lost)}")
    print(
        f"all games go on after {sum(waits) / len(waits):.2f} s (mean), {max(waits):.2f} s "
        "(longest) from when the database was back"
    )
    for line in load.lost[:20]:
        print(line)
    return not load.lost


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", type=int, default=20)
    parser.add_argument("--games", type=int, default=40)
    args = parser.parse_args()
    raise_open_file_limit()
    title = f"PostgreSQL restarted and frozen {args.faults} times under {args.games} games"
    print(heading(title))
    arguments = ("--rooms", "1000", "--requests", "1000", "--sockets", "1000")
    with PostgresServer() as postgres, tempfile.TemporaryDirectory() as directory:
        url = postgres.create_database()
        with Server(Path(directory), "--database", url, *arguments) as server:
            server.start(("quorum",))
            sound = asyncio.run(run(server, postgres, args.faults, args.games, random.Random(1)))
    raise SystemExit(not sound)


if __name__ == "__main__":
    main()
