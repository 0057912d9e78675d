"""What subscribers see of a room: the fields of its messages, and the legal moves in both forms."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from quincunx.game import State
from quincunx.phrases import Phrase, addressed, render
from quincunx.rooms.answers import AskedFields, EventMessage, PlayerFields, RoomMessage
from quincunx.rooms.click_tree import ClickTree, click_tree
from quincunx.rooms.consent import PAUSE, UNDO
from quincunx.rooms.ending import ENDING_TEXTS
from quincunx.rooms.events import Event
from quincunx.rooms.room import GameRoom
from quincunx.rooms.seat_secrets import is_taken


@dataclass(frozen=True)
class Subscription:
    """The seats of a subscriber in a room, and the form in which it receives messages."""

    seats: tuple[int, ...] = ()
    view: str = "moves"
    flip: bool = False
    # By seat, those with which it joined or that it confirmed.
    secrets: Mapping[int, str] = field(default_factory=dict, repr=False, compare=False)
    ack: str = "ok"  # or event: a change is acknowledged by its event


class LegalMoves:
    """The legal moves of one position, generated once for each seat and form."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._texts: dict[int, list[str]] = {}
        self._trees: dict[int, ClickTree] = {}

    def texts(self, seat: int) -> list[str]:
        """Returns the moves of a seat as texts."""
        if seat not in self._texts:
            self._texts[seat] = self.state.moves(seat)
        return self._texts[seat]

    def tree(self, seat: int) -> ClickTree:
        """Returns the moves of a seat as the prefix tree of their clicks."""
        if seat not in self._trees:
            clicks = self.state.game.parts.layout.clicks
            moves = self.texts(seat)
            self._trees[seat] = click_tree((move, clicks(move)) for move in moves)
        return self._trees[seat]

    def has_trees(self, seats: Iterable[int]) -> bool:
        """True when the trees of these seats have been built."""
        return all(seat in self._trees for seat in seats)

    def fields(self, view: str, seats: Iterable[int]) -> dict[str, Any]:
        """Returns the field `legal` of a message in the form of a view; none for the view none."""
        if view == "none":
            return {}
        form = self.tree if view == "page" else self.texts
        return {"legal": {seat: form(seat) for seat in seats}}


def game_fields(room: GameRoom) -> dict[str, Any]:
    """Returns how the game of a room stands, for people and for programs."""
    texts = {**room.game.texts, **ENDING_TEXTS} if room.ending else room.game.texts
    return {
        "turn": room.turn,
        "over": room.over,
        "scores": room.scores,
        **_phrase_fields(room.status_phrase, texts, room.over),
        **_progress_fields(room.state, room.over),
    }


def position_fields(state: State) -> dict[str, Any]:
    """Returns how a game stands in a position that need not be the current one of a room."""
    return {
        "turn": state.turn,
        "over": state.over,
        "scores": state.scores,
        **_phrase_fields(state.status_phrase, state.game.texts, state.over),
        **_progress_fields(state, state.over),
        "text": state.text,
        **_note_fields(state),
    }


def _phrase_fields(phrase: Phrase, texts: Mapping[str, str], over: bool) -> dict[str, Any]:
    """Returns the status as a sentence, as a code with fields, and as addressed to who may move."""
    return {
        "status": render(phrase, texts),
        "status_code": phrase.code,
        "status_fields": phrase.fields,
        "status_you": "" if over else render(addressed(phrase, texts), texts),
    }


def _note_fields(state: State) -> dict[str, Sequence[str]]:
    """Returns the note of each seat, if the game has notes."""
    notes = state.notes
    return {"notes": notes} if notes else {}


def _progress_fields(state: State, over: bool) -> dict[str, str]:
    """Returns how near the end is; nothing when over or not known."""
    progress = "" if over else state.progress
    return {"progress": progress} if progress else {}


def status_fields(room: GameRoom, now: int) -> dict[str, Any]:
    """Returns the fields about the state of the game, which events and snapshots share."""
    return {
        "room": room.settings.id,
        "plies": room.plies,
        **game_fields(room),
        "text": room.state.text,
        **_note_fields(room.state),
        "paused": room.paused,
        "asked": _asked_fields(room, UNDO),
        "pause_asked": _asked_fields(room, PAUSE),
        "clocks": room.clocks.fields(now) if room.clocks else None,
    }


def _asked_fields(room: GameRoom, kind: str) -> AskedFields | None:
    """Returns the takeback or pause that is requested, or None."""
    question = room.question
    if question is None or question.kind != kind:
        return None
    return AskedFields(by=question.by, agreed=sorted(question.agreed))


def event_fields(room: GameRoom, event: Event, now: int) -> dict[str, Any]:
    """Returns the message of the last event, without the fields that depend on the subscriber.

    It is an `EventMessage` as a dict, because every move makes one.
    """
    kind, text = event.kind, event.text
    fields = {
        "type": EventMessage.type,
        "number": event.number,
        "kind": kind,
        "seat": event.seat,
        **status_fields(room, now),
    }
    if room.over:
        del fields["status_you"]
        fields["winners"] = room.winners
    if kind == "play":
        fields["move"] = text
    elif kind == "name":
        fields["name"] = text
    elif kind in ("answer", "pause_answer", "rematch_answer"):
        fields["yes"] = text == "yes"
    elif kind == "rematch":
        fields["to"] = text or None
    return fields


def room_message(
    room: GameRoom, seats: tuple[int, ...], connected: Collection[int], now: int
) -> RoomMessage:
    """Returns the whole room for a subscriber with these seats, without legal moves and picture."""
    settings = room.settings
    return RoomMessage(
        number=room.number,
        game=settings.game,
        title=room.game.title,
        options=dict(room.game.options),
        seed=settings.seed if room.reveals_seed else None,
        # The stored text may state what is hidden from the players.
        start=room.match.at(0).text if settings.start else "",
        created=settings.created,
        pace=settings.pace,
        live=room.live,
        players=player_fields(room, connected),
        seats_here=sorted(connected),
        **status_fields(room, now),
        winners=room.winners,
        moves=[(ply.seat, ply.text) for ply in room.match.history],
        rematch=room.rematch_room,
        wishes=sorted(room.rematch_requests),
        you=seats,
        fair=room.is_fair,
        rules=settings.rules,
    )


def player_fields(room: GameRoom, connected: Collection[int]) -> list[PlayerFields]:
    """Returns the player of each seat; `connected` are the seats of all subscribers."""
    return [
        PlayerFields(
            name=room.names[seat],
            kind="bot" if room.is_bot(seat) else "human",
            text=room.bot_text(seat) if room.is_bot(seat) else "human",
            here=seat in connected or room.is_bot(seat),
            taken=is_taken(room.settings.hashes[seat]),
            assisted=seat in room.assisted,
        )
        for seat in range(room.game.seats)
    ]
