"""Messages of a server to its clients: answers to requests, and events of rooms.

A field without a default is always sent. A field whose default is None or an empty text is left
out of the message while it has this value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Annotated, Any, ClassVar, Literal, TypeAlias, TypedDict

from quincunx.draw.animation import Frame, Picture
from quincunx.draw.scene import Controls
from quincunx.rooms import messages
from quincunx.rooms.click_tree import ClickTree
from quincunx.rooms.messages import PROTOCOL, Ref
from quincunx.rooms.validation import About, OneOf

EventKind: TypeAlias = Annotated[
    str,
    OneOf(
        *("play", "undo", "asked", "answer", "resign", "flag", "pause", "resume", "name"),
        *("rematch", "pause_asked", "pause_answer", "rematch_answer", "assisted"),
    ),
]
Room: TypeAlias = Annotated[str, About("the id of the room")]
Seat: TypeAlias = Annotated[int, About("a seat, from 0")]
Number: TypeAlias = Annotated[int, About("the number of the room's last event")]
Clicks: TypeAlias = Annotated[Sequence[str], About("the names to click for the move")]
Value: TypeAlias = Annotated[float, About("from -1, lost, to 1, won, for the seat")]
Line: TypeAlias = Annotated[Sequence[str], About("the expected moves")]
CellPath: TypeAlias = Annotated[
    Sequence[str], About("the cells through which the move goes, or the names to click")
]
Points: TypeAlias = Annotated[
    float | None,
    About("the expected points, or lead over the best other seat; null without points"),
]
OptionValue: TypeAlias = str | int | float | bool


# Parts of messages


class PhraseFields(TypedDict):
    """A part of a sentence, independent of the language."""

    code: str
    fields: Mapping[str, str | int | PhraseFields]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerFields:
    """The player of a seat."""

    name: Annotated[str, About("empty for a person without a name")]
    kind: Annotated[Literal["human", "bot"], About("who plays")]
    text: Annotated[str, About("`human`, or the bot as in the body of `POST /api/rooms`")]
    here: Annotated[bool, About("whether a client with this seat is connected; true for a bot")]
    taken: Annotated[bool, About("whether the invitation to the seat has been used")]
    assisted: Annotated[bool, About("whether the seat has taken back or got a hint or analysis")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockFields:
    """The clocks of a room, in milliseconds."""

    left: Annotated[Sequence[int], About("the time of each seat; that of `running` decreases")]
    running: Annotated[int | None, About("the seat whose clock is running")]
    increment: Annotated[int, About("added for each move")]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedFields:
    """A takeback or a pause that has been requested, and that not all people have answered."""

    by: Annotated[int, About("the seat that has requested it")]
    agreed: Annotated[Sequence[int], About("the seats that have agreed so far")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorFields:
    """Why a request failed."""

    error: Annotated[str, About("one of the error codes")]
    text: Annotated[str, About("a message for people")]
    where: Annotated[str, About("the field that caused the error, or empty")]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpinionFields:
    """A move with its value."""

    move: Annotated[str, About("the text of the move")]
    clicks: Clicks
    path: CellPath
    value: Value
    points: Points
    line: Line
    plies: Annotated[int | None, About("to the end of the game; null if it is not known")]
    visits: Annotated[int, About("the number of visits in the search")]


@dataclass(frozen=True, slots=True, kw_only=True)
class MistakeFields:
    """A move that is much worse than the best one."""

    plies: Annotated[int, About("the number of moves before it")]
    seat: Seat
    move: Annotated[str, About("the text of the move")]
    path: CellPath
    value: Value
    points: Points
    best: Annotated[str, About("the best move")]
    best_path: CellPath
    best_value: Value
    best_points: Points
    clicks: Annotated[Sequence[str], About("the names to click for the best move")]


# Messages


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerMessage:
    """A message from the server."""

    type: ClassVar[str]
    ref: Ref | None = None

    def as_fields(self) -> dict[str, Any]:
        """Returns the type and the fields, without those that are absent."""
        always, optional = _FIELD_NAMES[type(self)]
        named: dict[str, Any] = {"type": self.type}
        for name in always:
            named[name] = getattr(self, name)
        for name, absent in optional:
            value = getattr(self, name)
            if value != absent:
                named[name] = value
        return named


@dataclass(frozen=True, slots=True, kw_only=True)
class OkMessage(ServerMessage):
    """A request that has no answer of its own has been carried out."""

    type: ClassVar[str] = "ok"
    number: Annotated[int | None, About("the number of the event that it made, if any")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorMessage(ServerMessage):
    """A request failed, and changed nothing."""

    type: ClassVar[str] = "error"
    error: Annotated[str, About("one of the error codes")]
    text: Annotated[str, About("a message for people")]
    where: Annotated[str, About("the field that caused the error, or empty")]


@dataclass(frozen=True, slots=True, kw_only=True)
class PongMessage(ServerMessage):
    """The answer to `ping`."""

    type: ClassVar[str] = "pong"
    protocol: Annotated[int, About("the number of the protocol that the server speaks")] = PROTOCOL


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusMessage(ServerMessage):
    """How a game stands in a position, for people and for programs."""

    plies: Annotated[int, About("the number of moves played")]
    turn: Annotated[int | None, About("the seat to move; null when over or when anyone may move")]
    over: Annotated[bool, About("whether the game has ended")]
    scores: Annotated[Sequence[float], About("of each seat")]
    status: Annotated[str, About("who is to do what, or how the game ended, in English")]
    status_code: Annotated[str, About("the same as a code, for programs")]
    status_fields: Annotated[
        Mapping[str, str | int | PhraseFields], About("the values in the sentence of the code")
    ]
    status_you: Annotated[
        str, About("the status addressed to a seat that may move (in `legal`); absent when over")
    ] = ""
    progress: Annotated[
        str, About("how near the end is, in English; absent when over or not known")
    ] = ""
    text: Annotated[str, About("the position")]
    notes: Annotated[
        Sequence[str] | None, About("of each seat, such as its pieces left; absent without notes")
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomStatusMessage(StatusMessage):
    """How the game of a room stands: the fields that snapshots and events share."""

    room: Room
    number: Number
    paused: Annotated[bool, About("whether the game is paused")]
    asked: Annotated[AskedFields | None, About("the takeback that is requested, or null")]
    pause_asked: Annotated[AskedFields | None, About("the pause that is requested, or null")]
    clocks: Annotated[ClockFields | None, About("null without clocks")]
    legal: Annotated[
        Mapping[int, Sequence[str] | ClickTree] | None,
        About("the legal moves of those of your seats that may move, in the form of the view"),
    ] = None
    picture: Annotated[Picture | None, About("with the view `page`: the whole board")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomMessage(RoomStatusMessage):
    """The whole room, as the receiver may see it."""

    type: ClassVar[str] = "room"
    protocol: Annotated[int, About("the number of the protocol that the server speaks")] = PROTOCOL
    game: Annotated[str, About("the name of the game")]
    title: Annotated[str, About("the title of the game")]
    options: Annotated[Mapping[str, OptionValue], About("all options of the game")]
    seed: Annotated[int | None, About("null while it could predict the game")]
    start: Annotated[str, About("the first position, or empty for the usual one")]
    created: Annotated[int, About("milliseconds since 1970")]
    pace: Annotated[float, About("the seconds that a bot waits before a move")]
    live: Annotated[bool, About("whether anyone may move at any time")]
    players: Annotated[Sequence[PlayerFields], About("of each seat")]
    seats_here: Annotated[Sequence[int], About("the seats of all connected clients")]
    winners: Annotated[Sequence[int], About("the seats that share the win")]
    moves: Annotated[Sequence[tuple[int, str]], About("seat and text of each move")]
    rematch: Annotated[str | None, About("the room of the rematch")]
    wishes: Annotated[Sequence[int], About("the seats that have requested a rematch")]
    you: Annotated[Sequence[int], About("your own seats")]
    fair: Annotated[bool, About("whether the result counts in best scores and ratings")]
    rules: Annotated[int, About("the version of the game's rules by which it is played")]
    daily: Annotated[str, About("the day, if this is the game of the day")] = ""
    secrets: Annotated[
        Mapping[int, str] | None,
        About("issued to you for the invitations with which you joined: store, then `confirm`"),
    ] = None
    controls: Annotated[Controls | None, About("with the view `page`: the input")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventMessage(RoomStatusMessage):
    """A change of a room."""

    type: ClassVar[str] = "event"
    kind: Annotated[EventKind, About("what was changed; `flag`: time is up")]
    seat: Annotated[int | None, About("the seat that made it")]
    winners: Annotated[
        Sequence[int] | None,
        About("when over: the seats that share the win; empty for a draw and in solo games"),
    ] = None
    move: Annotated[str, About("with the kind `play`")] = ""
    yes: Annotated[
        bool | None, About("with the kinds `answer`, `pause_answer` and `rematch_answer`")
    ] = None
    name: Annotated[str | None, About("with the kind `name`")] = None
    to: Annotated[str | None, About("with `rematch`: the new room, or null for a request")] = ""
    frames: Annotated[
        Sequence[Frame] | None, About("with the view `page`: the steps of a move")
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HereMessage(ServerMessage):
    """A seat is connected now, or no longer."""

    type: ClassVar[str] = "here"
    room: Room
    seat: Seat
    here: Annotated[bool, About("whether a client with this seat is connected")]
    taken: Annotated[
        bool | None, About("true when the invitation to the seat has just been used")
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnseatedMessage(ServerMessage):
    """A seat is no longer yours: another client has used a secret issued for its invitation."""

    type: ClassVar[str] = "unseated"
    room: Room
    seat: Seat
    text: Annotated[str, About("a message for people")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RematchedMessage(ServerMessage):
    """A rematch has started in a new room."""

    type: ClassVar[str] = "rematched"
    room: Room
    to: Annotated[str, About("the id of the new room")]
    secrets: Annotated[Mapping[int, str], About("of your own seats in the new room")]


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureMessage(ServerMessage):
    """The current board of a room, in answer to `look`."""

    type: ClassVar[str] = "picture"
    room: Room
    number: Number
    picture: Annotated[Picture, About("the board")]


@dataclass(frozen=True, slots=True, kw_only=True)
class PastPictureMessage(StatusMessage):
    """An older position of a room, in answer to `at`."""

    type: ClassVar[str] = "picture"
    room: Room
    picture: Annotated[Picture, About("the board")]


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionMessage(StatusMessage):
    """The position after the moves of `explore`, or before the first that cannot be played."""

    type: ClassVar[str] = "position"
    game: Annotated[str, About("the name of the game")]
    seats: Annotated[int, About("the number of seats")]
    winners: Annotated[Sequence[int], About("the seats that share the win")]
    ways: Annotated[ClickTree, About("the legal moves")]
    picture: Annotated[Picture, About("the board")]
    before: Annotated[Picture | None, About("the board before the first frame")] = None
    frames: Annotated[Sequence[Frame] | None, About("the steps of the last move")] = None
    error: Annotated[ErrorFields | None, About("why a move could not be played")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonMessage(ServerMessage):
    """Why no legal move begins with the clicks of `explain`."""

    type: ClassVar[str] = "reason"
    reason: Annotated[str, About("a sentence for people; empty if a legal move begins so")]


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewMessage(ServerMessage):
    """The board after the move of `preview`."""

    type: ClassVar[str] = "preview"
    picture: Annotated[Picture | None, About("the board; absent if it depends on chance")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpinionsMessage(ServerMessage):
    """An analysis; each one of a request is better than the one before."""

    type: ClassVar[str] = "opinions"
    by: Annotated[str, About("the player that analysed")]
    seat: Seat
    value: Value
    line: Line
    moves: Annotated[Sequence[OpinionFields], About("up to twelve, the best first")]
    exact: Annotated[bool, About("whether the position is solved")]
    seconds: Annotated[float, About("the time spent so far")]
    done: Annotated[bool, About("whether this is the last one")]


@dataclass(frozen=True, slots=True, kw_only=True)
class HintMessage(ServerMessage):
    """A good move."""

    type: ClassVar[str] = "hint"
    room: Room
    seat: Seat
    number: Number
    move: Annotated[str, About("the text of the move")]
    clicks: Clicks
    path: CellPath


@dataclass(frozen=True, slots=True, kw_only=True)
class MistakesMessage(ServerMessage):
    """A review of a game: its progress, then its mistakes."""

    type: ClassVar[str] = "mistakes"
    room: Room
    done: Annotated[bool, About("whether this is the last one")]
    progress: Annotated[float | None, About("from 0 to 1, until the last one")] = None
    moves: Annotated[Sequence[MistakeFields] | None, About("in the last one")] = None


SERVER_MESSAGES: tuple[type[ServerMessage], ...] = (
    *(RoomMessage, EventMessage, HereMessage, UnseatedMessage, RematchedMessage, PictureMessage),
    *(
        PastPictureMessage,
        PositionMessage,
        ReasonMessage,
        PreviewMessage,
        OpinionsMessage,
        HintMessage,
        MistakesMessage,
    ),
    *(OkMessage, PongMessage, ErrorMessage),
)

# The answer to each request with a `ref`; `analyse` and `mistakes` get several.
ANSWERS: Mapping[type[messages.Request], type[ServerMessage]] = {
    **dict.fromkeys(messages.REQUESTS.values(), OkMessage),
    messages.Join: RoomMessage,
    messages.Look: PictureMessage,
    messages.At: PastPictureMessage,
    messages.Hint: HintMessage,
    messages.Explore: PositionMessage,
    messages.Explain: ReasonMessage,
    messages.Preview: PreviewMessage,
    messages.Analyse: OpinionsMessage,
    messages.Mistakes: MistakesMessage,
    messages.Ping: PongMessage,
}


def _field_names(
    kind: type[ServerMessage],
) -> tuple[tuple[str, ...], tuple[tuple[str, str | None], ...]]:
    """Returns the fields that are always sent, and the others with the value that stands for none.

    Those are the fields whose default is None or an empty text.
    """
    defaults = {field.name: field.default for field in fields(kind)}
    optional = {name: value for name, value in defaults.items() if value is None or value == ""}
    return tuple(name for name in defaults if name not in optional), tuple(optional.items())


_FIELD_NAMES = {kind: _field_names(kind) for kind in SERVER_MESSAGES}
