"""The entries of the lists of rooms, of high scores and of ratings."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timezone
from functools import lru_cache
from typing import Any, Literal, TypeAlias

import numpy as np

from quincunx.arena.ratings import elo
from quincunx.match import is_human
from quincunx.rooms.daily import DailyGames
from quincunx.rooms.errors import RequestError
from quincunx.rooms.events import ListedRoom, RoomResult
from quincunx.rooms.lobby import Lobby
from quincunx.rooms.session import RoomSession
from quincunx.rooms.summary import summary

log = logging.getLogger("quincunx.web")

Player: TypeAlias = tuple[Literal["human", "bot"], str]  # the name of a person, the text of a bot

# Whoever creates rooms chooses the texts of their bots, and the time grows with the cube.
MAX_RATED_PLAYERS = 64


async def room_entry(lobby: Lobby, room: ListedRoom) -> dict[str, Any] | None:
    """Returns the entry of a room in the list, or None if it cannot be shown.

    It comes from the room's session, or else from what is stored. Only a room that has no stored
    entry, because it is from before there were any, is loaded, once.
    """
    try:
        if room.id not in lobby.sessions and room.summary is not None:
            return room.summary
        session = await lobby.session(room.id)
        entry = await room_fields(session)
    except RequestError:  # it was unloaded just now, or it has been quarantined
        return room.summary
    except Exception as error:
        log_once(f"room {room.id} cannot be listed: {type(error).__name__}: {error}")
        return None
    if room.summary is None:
        lobby.store_summary(session)
    return None if session.room.closed else entry


@lru_cache(maxsize=1000)
def log_once(text: str) -> None:
    """Logs an error, but not again what was logged before."""
    log.error("%s", text)


async def room_fields(session: RoomSession) -> dict[str, Any]:
    """Returns the entry of a room in the list of rooms."""
    await session.stored_room()
    return summary(session, session.lobby.encode)


def score_fields(result: RoomResult, daily: DailyGames) -> dict[str, Any]:
    """Returns the entry of a result in the list of best scores."""
    when = datetime.fromtimestamp(result.time / 1000, timezone.utc)
    player = result.players[0]
    return {
        "room": result.room,
        "name": result.names[0],
        "player": "human" if is_human(player) else player,
        "score": result.best,
        "seed": None if daily.is_secret(result.game, result.seed) else result.seed,
        "options": result.options,
        "date": when.date().isoformat(),
    }


def ratings(results: Iterable[RoomResult]) -> list[dict[str, Any]]:
    """Returns games, points and Elo of a game's bots and of people by name, the strongest first.

    A game of more than two players counts as one game for each pair of them. Of many players, those
    with the most games are rated, by their games with each other. People without a name are not.
    """
    pairs = [pair for result in results for pair in _pairs(result)]
    played = Counter(name for player, opponent, _ in pairs for name in (player, opponent))
    rated = {name for name, _ in played.most_common(MAX_RATED_PLAYERS)}
    pairs = [pair for pair in pairs if rated.issuperset(pair[:2])]
    players = sorted({name for player, opponent, _ in pairs for name in (player, opponent)})
    index = {player: i for i, player in enumerate(players)}
    points, games = np.zeros((2, len(players), len(players)))
    for player, opponent, score in pairs:
        i, j = index[player], index[opponent]
        games[i, j] += 1
        games[j, i] += 1
        points[i, j] += score
        points[j, i] += 1 - score
    rows: list[dict[str, Any]] = [
        {
            "player": name,
            "kind": kind,
            "games": int(games[i].sum()),
            "points": float(points[i].sum()),
            "elo": None,
        }
        for (kind, name), i in index.items()
    ]
    if len(players) > 1:
        estimate = elo(points, games)
        for i, row in enumerate(rows):
            row["elo"] = estimate.rating(i).as_dict()
    return sorted(rows, key=lambda row: -(row["elo"]["value"] if row["elo"] else 0.0))


def _pairs(result: RoomResult) -> Iterable[tuple[Player, Player, float]]:
    """Yields each pair of different players, and the first one's score against the other."""
    players = [_player(*seat) for seat in zip(result.players, result.names, strict=True)]
    for i, player in enumerate(players):
        for j, other in enumerate(players[:i]):
            if player is not None and other is not None and player != other:
                yield player, other, _pair_score(result.scores, result.winners, i, j)


def _player(text: str, name: str) -> Player | None:
    """Returns the player of a seat in ratings: a bot, or a person with a name; else None."""
    if not is_human(text):
        return "bot", text
    return ("human", name) if name else None


def _pair_score(scores: Sequence[float], winners: Sequence[int], i: int, j: int) -> float:
    """Returns 1 if seat i did better than seat j, 0 if worse, 0.5 if equal."""
    result, other = (i in winners, scores[i]), (j in winners, scores[j])
    return 0.5 if result == other else float(result > other)
