"""What a pasted text is: a record, a position, moves from the start, or a link to a room."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from quincunx.errors import BadPosition, IllegalMove, MoveSyntax
from quincunx.game import Game, State
from quincunx.record import Record, read_all
from quincunx.web.wire import Refused

LINK = re.compile(r"\S*/room/([A-Za-z0-9_-]{1,32})(?:[/?#]\S*)?")


@dataclass(frozen=True)
class Found:
    """What a text is, with all that is needed to show it."""

    kind: str  # position, record or link
    game: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    start: str = ""
    seed: int | None = None
    moves: tuple[str, ...] = ()
    position: str = ""
    players: tuple[str, ...] = ()
    room: str = ""

    def as_dict(self) -> dict[str, Any]:
        """For the wire."""
        return dict(vars(self))


def read(text: str, games: Sequence[Game]) -> Found:
    """What a text is, for one of these games if it is a position; Refused if it is nothing."""
    text = text.strip()
    link = LINK.fullmatch(text)
    if link:
        return Found("link", room=link[1])
    if not text:
        raise Refused("position", "there is no text", "text")
    if text.startswith("["):
        return _record(text)
    return _position(text, games)


def _record(text: str) -> Found:
    """The first game of a record, as far as it is sound; Refused if nothing is."""
    records, problems = read_all(text)
    if not records:
        reason = str(problems[0]) if problems else "there is no game in it"
        raise Refused("record", reason, "text")
    return _played(records[0], records[0].states()[-1])


def _played(record: Record, last: State) -> Found:
    return Found(
        "record",
        record.game.name,
        record.game.changed_options,
        record.start,
        record.seed,
        record.moves,
        last.text,
        record.players,
    )


def _position(text: str, games: Sequence[Game]) -> Found:
    """A position of one of the games, or moves from the first position if there is only one."""
    reasons = []
    for game in games:
        try:
            state = game.read(text)
        except BadPosition as error:
            reasons.append(error)
        else:
            return Found(
                "position", game.name, game.changed_options, state.text, position=state.text
            )
    if len(games) > 1:
        names = ", ".join(game.title for game in games)
        raise Refused("position", f"this is a position of none of {names}", "text")
    moves = _moves(text, games[0])
    if moves is None:
        raise Refused("position", str(reasons[0]), "text")
    return moves


def _moves(text: str, game: Game) -> Found | None:
    """The moves of a text, numbers such as 1. left out; None if they cannot be played."""
    words = [word for word in text.split() if not re.fullmatch(r"[0-9]+\.+", word)]
    state = game.start(0)
    try:
        for word in words:
            state = state.play(word)
    except (MoveSyntax, IllegalMove):
        return None
    return _played(Record(game, tuple(words), 0), state)
