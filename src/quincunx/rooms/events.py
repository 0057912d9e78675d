"""What is stored of a room: its settings, fixed when it is created, and its numbered events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class RoomSettings:
    """What is fixed when a room is created; the field names are those of the table `rooms`."""

    id: str
    game: str
    options: dict[str, Any]
    seed: int
    start: str
    players: tuple[str, ...]
    hashes: tuple[str, ...]  # of the secrets of each seat (`seat_secrets`); empty for a bot
    clock: tuple[int, int] | None  # milliseconds: initial time, increment per move
    pace: float  # seconds between the moves of a bot where anyone may move
    listed: bool
    created: int  # milliseconds since 1970
    parent: str = ""  # the room of which this one is the rematch
    rules: int = 1  # the version of the game's rules by which it is played
    fair: bool = True  # its result counts in best scores and ratings
    owner: str = ""  # a keyed hash of the creator's network, for quotas; empty if unknown


# Not frozen: a frozen one takes several times as long to make.
@dataclass
class Event:
    """A change of a room. Events are stored: kinds and the meaning of `text` must not change."""

    number: int  # from 1
    kind: str
    seat: int | None
    # play: the move; name: the name; undo: the number of plies that remain; answer and
    # pause_answer: yes or no; rematch: the id of the new room, or empty for a request;
    # rematch_answer: no; assisted: hint or analysis;
    # otherwise empty. The operator's event `close` is only stored: clients are disconnected,
    # and then find the game over.
    text: str
    time: int  # milliseconds since 1970
    left: tuple[int, ...] | None = None  # milliseconds left to each seat after the event
    # Of the position after the event, at intervals and at the end, so that a game can be shown
    # even if its moves can no longer be replayed:
    position: str = ""  # its text
    checksum: int | None = None  # from 0 to 2**63 - 1


@dataclass(frozen=True)
class ListedRoom:
    """A room in the list of rooms, as far as it is stored."""

    id: str
    game: str
    created: int
    summary: dict[str, Any] | None = None  # its entry in lists; None if none has been stored


@dataclass(frozen=True)
class RoomResult:
    """The result of a room's game, for high scores and ratings; fields as in `results`."""

    room: str
    game: str
    options: dict[str, Any]
    seed: int
    players: tuple[str, ...]
    names: tuple[str, ...]
    scores: tuple[float, ...]
    winners: tuple[int, ...]
    fair: bool  # from the usual start, and not assisted
    listed: bool
    time: int

    @property
    def best(self) -> float:
        """The score of a solo game; 0 for a game of several players."""
        return self.scores[0] if len(self.scores) == 1 else 0.0
