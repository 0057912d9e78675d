"""Recognises pasted text: a record, a position, moves from the start, or a link to a room."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from quincunx.errors import BadPosition, IllegalMove, MoveSyntax
from quincunx.game import Game, State
from quincunx.record import Record, read_all
from quincunx.rooms.errors import RequestError

log = logging.getLogger("quincunx.rooms")

ROOM_LINK = re.compile(r"\S*/room/([A-Za-z0-9_-]{1,32})(?:[/?#]\S*)?")


@dataclass(frozen=True)
class PastedText:
    """The kind of a pasted text, and everything that is needed to show it."""

    kind: str  # position, record or link
    game: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    start: str = ""
    seed: int | None = None
    moves: tuple[str, ...] = ()
    position: str = ""
    players: tuple[str, ...] = ()
    room: str = ""
    rules: int | None = None  # the version of a record's rules, if they are not the newest

    def as_dict(self) -> dict[str, Any]:
        """Returns the fields of the answer to a request."""
        return dict(vars(self))


def recognise(text: str, games: Sequence[Game]) -> PastedText:
    """Returns what a text is, a position being of one of `games`; RequestError if nothing fits."""
    text = text.strip()
    link = ROOM_LINK.fullmatch(text)
    if link:
        return PastedText("link", room=link[1])
    if not text:
        raise RequestError("position", "the text is empty", "text")
    if text.startswith("["):
        return _record(text)
    return _position(text, games)


def _record(text: str) -> PastedText:
    """Returns the first game of a record, up to its first error; RequestError without a game."""
    records, problems = read_all(text)
    if not records:
        reason = str(problems[0]) if problems else "the record contains no game"
        raise RequestError("record", reason, "text")
    return _from_record(records[0], records[0].states()[-1])


def _from_record(record: Record, last: State) -> PastedText:
    version = record.game.rules_version
    return PastedText(
        "record",
        record.game.name,
        record.game.changed_options,
        record.start,
        record.seed,
        record.moves,
        last.text,
        record.players,
        rules=None if version == record.game.rules_versions[-1] else version,
    )


def _position(text: str, games: Sequence[Game]) -> PastedText:
    """Returns a position of one of the games; of a single game, also moves from its start."""
    reasons = []
    for game in games:
        try:
            state = game.read(text)
        except BadPosition as error:
            reasons.append(error)
        except Exception:  # whatever a game from outside may raise
            if len(games) == 1:
                raise
            log.exception("%s could not read a position", game.name)
        else:
            return PastedText(
                "position", game.name, game.changed_options, state.text, position=state.text
            )
    if len(games) > 1:
        titles = ", ".join(game.title for game in games)
        raise RequestError("position", f"not a position of any of {titles}", "text")
    pasted = _moves(text, games[0])
    if pasted is None:
        raise RequestError("position", str(reasons[0]), "text")
    return pasted


def _moves(text: str, game: Game) -> PastedText | None:
    """Returns the moves of a text, without move numbers (1.); None if they cannot be played."""
    moves = [word for word in text.split() if not re.fullmatch(r"[0-9]+\.+", word)]
    state = game.start(0)
    try:
        for move in moves:
            state = state.play(move)
    except (MoveSyntax, IllegalMove):
        return None
    return _from_record(Record(game, tuple(moves), 0), state)
