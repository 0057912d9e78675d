"""The queries of the database: what is selected, and from which rows."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, func, select

from quincunx.web.tables import EVENTS, RESULTS, ROOMS, options_json


def room_by_id(room_id: str) -> Select[Any]:
    """Returns the query for a room."""
    return select(ROOMS).where(ROOMS.c.id == room_id)


def events_of(room_id: str) -> Select[Any]:
    """Returns the query for all events of a room in order."""
    return select(EVENTS).where(EVENTS.c.room == room_id).order_by(EVENTS.c.number)


def listed_rooms(finished: bool | None, game: str, before: int | None, count: int) -> Select[Any]:
    """Returns the query for the entries of listed rooms, the newest first."""
    query = (
        select(ROOMS.c.id, ROOMS.c.game, ROOMS.c.created, ROOMS.c.summary)
        .where(ROOMS.c.listed, ROOMS.c.quarantine == "")
        .order_by(ROOMS.c.created.desc())
        .limit(count)
    )
    if finished is not None:
        query = query.where(ROOMS.c.finished > 0 if finished else ROOMS.c.finished == 0)
    if game:
        query = query.where(ROOMS.c.game == game)
    if before is not None:
        query = query.where(ROOMS.c.created < before)
    return query


def games_in_play(count: int) -> Select[Any]:
    """Returns the query for the games of unfinished rooms among the newest, the most played first.

    Among the newest only, so that its time does not grow with the database.
    """
    columns = ROOMS.c.game, ROOMS.c.finished
    newest = select(*columns).order_by(ROOMS.c.created.desc()).limit(count).subquery()
    return (
        select(newest.c.game)
        .where(newest.c.finished == 0)
        .group_by(newest.c.game)
        .order_by(func.count().desc(), newest.c.game)
    )


def best_scores(game: str, seed: int | None, options: dict[str, Any], count: int) -> Select[Any]:
    """Returns the query for the best fair results of listed solo games with these options."""
    query = (
        select(RESULTS)
        .where(RESULTS.c.game == game, RESULTS.c.options == options_json(options))
        .where(RESULTS.c.fair, RESULTS.c.listed)
        .order_by(RESULTS.c.best.desc(), RESULTS.c.time)
        .limit(count)
    )
    return query if seed is None else query.where(RESULTS.c.seed == seed)


def recent_results(game: str, count: int) -> Select[Any]:
    """Returns the query for the latest fair results of a game."""
    return (
        select(RESULTS)
        .where(RESULTS.c.game == game, RESULTS.c.fair)
        .order_by(RESULTS.c.time.desc())
        .limit(count)
    )


def room_with_seed(owner: str, game: str, seed: int) -> Select[Any]:
    """Returns the query for the id of a room that an owner has created with this game and seed."""
    return (
        select(ROOMS.c.id)
        .where(ROOMS.c.owner == owner, ROOMS.c.game == game, ROOMS.c.seed == seed)
        .limit(1)
    )


def count_rooms(owner: str, since: int) -> Select[Any]:
    """Returns the query for the number of rooms that an owner has created since a time."""
    return (
        select(func.count())
        .select_from(ROOMS)
        .where(ROOMS.c.owner == owner, ROOMS.c.created >= since)
    )


def unplayed_rooms(since: int, before: int, count: int) -> Select[Any]:
    """Returns the query for rooms of an interval in which nobody moved, the oldest first."""
    played = select(EVENTS.c.room).where(EVENTS.c.room == ROOMS.c.id, EVENTS.c.kind == "play")
    return (
        select(ROOMS.c.id, ROOMS.c.created)
        .where(ROOMS.c.created >= since, ROOMS.c.created < before, ~played.exists())
        .order_by(ROOMS.c.created)
        .limit(count)
    )


def idle_rooms(before: int, count: int) -> Select[Any]:
    """Returns the query for rooms whose last event was before a time, the oldest first."""
    last = (
        select(EVENTS.c.time)
        .where(EVENTS.c.room == ROOMS.c.id)
        .order_by(EVENTS.c.number.desc())
        .limit(1)
        .scalar_subquery()
    )
    return (
        select(ROOMS.c.id, ROOMS.c.created)
        .where(ROOMS.c.created < before, func.coalesce(last, ROOMS.c.created) < before)
        .order_by(ROOMS.c.created)
        .limit(count)
    )
