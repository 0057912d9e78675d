"""Lists over many rooms: those that run or are over, best scores, and ratings of the bots."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime, timezone
from typing import Any

import numpy as np

from quincunx.arena.ratings import elo
from quincunx.match import is_human
from quincunx.web.table import Table

PEOPLE = "people"  # all of them together, among the bots


def row(table: Table) -> dict[str, Any]:
    """What a list says of a room."""
    room, card = table.room, table.room.card
    return {
        "id": card.id,
        "game": card.game,
        "title": room.game.title,
        "players": table.players(),
        "plies": room.plies,
        "turn": room.turn,
        "over": room.over,
        "status": room.status,
        "winners": room.winners,
        "scores": room.scores,
        "watchers": len(table.viewers),
        "created": card.created,
        "changed": room.touched,
    }


def score(result: Any) -> dict[str, Any]:
    """What a list of best scores says of a result."""
    when = datetime.fromtimestamp(result.time / 1000, timezone.utc)
    name, text = json.loads(result.names)[0], json.loads(result.players)[0]
    return {
        "room": result.room,
        "name": name,
        "player": "human" if is_human(text) else text,
        "score": result.best,
        "seed": result.seed,
        "options": json.loads(result.options),
        "date": when.date().isoformat(),
    }


def ratings(results: Iterable[Any]) -> list[dict[str, Any]]:
    """The bots of a game by strength: games, points, and Elo where they can be compared.

    A game of more than two counts as one of each against each; people count as one player.
    """
    pairs = [pair for result in results for pair in _pairs(result)]
    names = sorted({name for one, other, _ in pairs for name in (one, other)})
    place = {name: i for i, name in enumerate(names)}
    points, games = np.zeros((2, len(names), len(names)))
    for one, other, share in pairs:
        i, j = place[one], place[other]
        games[i, j] += 1
        games[j, i] += 1
        points[i, j] += share
        points[j, i] += 1 - share
    rows: list[dict[str, Any]] = [
        {
            "player": name,
            "games": int(games[i].sum()),
            "points": float(points[i].sum()),
            "elo": None,
        }
        for name, i in place.items()
    ]
    if len(names) > 1:
        found = elo(points, games)
        for name, i in place.items():
            rows[place[name]]["elo"] = found.rating(i).as_dict()
    return sorted(rows, key=lambda r: -(r["elo"]["value"] if r["elo"] else 0.0))


def _pairs(result: Any) -> Iterable[tuple[str, str, float]]:
    """Who met whom, and what the first of them scored, from 0 to 1."""
    players = [PEOPLE if is_human(text) else text for text in json.loads(result.players)]
    scores, winners = json.loads(result.scores), json.loads(result.winners)
    for i in range(len(players)):
        for j in range(i):
            if players[i] != players[j]:
                yield players[i], players[j], _share(scores, winners, i, j)


def _share(scores: Sequence[float], winners: Sequence[int], i: int, j: int) -> float:
    mine, theirs = (i in winners, scores[i]), (j in winners, scores[j])
    return 0.5 if mine == theirs else float(mine > theirs)
