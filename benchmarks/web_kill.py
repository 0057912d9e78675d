"""kill -9 under load, many times: is every move that was sent to a client still on disk?

    python benchmarks/web_kill.py --kills 200 --games 60 [--database postgresql]

Each round plays random moves in all games at once, kills the server at a random moment, starts
it again, and compares each game with what its client received. With PostgreSQL, a temporary
server of it is started, which goes on when ours is killed.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from machine import heading
from played_games import Lost, ReceivedGame, new_game, play, rejoin
from postgres_server import PostgresServer
from serving import Server, raise_open_file_limit

BACK_SECONDS = 2.0  # within which all rooms must be back


async def kill_round(
    server: Server, games: list[ReceivedGame], rng: random.Random
) -> tuple[list[str], float]:
    """Plays, kills the server, starts it again, compares.

    Returns what is lost, and the seconds from the start until all clients have joined again.
    """
    playing = [asyncio.create_task(play(server.host, game, rng)) for game in games]
    await asyncio.sleep(rng.uniform(0.2, 1.5))
    server.kill()
    results = await asyncio.gather(*playing, return_exceptions=True)
    started = time.perf_counter()
    await asyncio.to_thread(server.start)
    joining = (rejoin(server.host, game) for game in games)
    results += await asyncio.gather(*joining, return_exceptions=True)
    seconds = time.perf_counter() - started
    for result in results:
        if result is not None and not isinstance(result, Lost):
            raise result
    return [str(result) for result in results if result is not None], seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    args = parser.parse_args()
    raise_open_file_limit()
    print(heading(f"kill -9, {args.kills} times under {args.games} games, {args.database}"))
    rng, lost, moves, seconds = random.Random(1), [], 0, []
    started = time.perf_counter()
    with ExitStack() as stack:
        arguments = ["--rooms", "1000", "--requests", "1000", "--sockets", "1000"]
        if args.database == "postgresql":
            postgres = stack.enter_context(PostgresServer())
            arguments += ["--database", postgres.create_database()]
        directory = stack.enter_context(tempfile.TemporaryDirectory())
        server = stack.enter_context(Server(Path(directory), *arguments))
        server.start(("quorum",))
        games: list[ReceivedGame] = []
        for _ in range(args.kills):
            moves += sum(len(game.moves) for game in games if game.over)
            games = [game for game in games if not game.over]
            games += [new_game(server) for _ in range(args.games - len(games))]
            problems, back = asyncio.run(kill_round(server, games, rng))
            lost += problems
            seconds.append(back)
        moves += sum(len(game.moves) for game in games)
    late = sum(back > BACK_SECONDS for back in seconds)
    print(
        f"{moves:,} moves, {time.perf_counter() - started:,.0f} s; games with losses: {len(lost)}"
    )
    print(
        f"all rooms back after {median(seconds):.2f} s (median), {max(seconds):.2f} s (longest) "
        f"from the start of the server; later than {BACK_SECONDS:g} s: {late} times"
    )
    for line in lost[:20]:
        print(line)
    raise SystemExit(bool(lost or late))


if __name__ == "__main__":
    main()
