"""Requests of clients to a server: their types and bounds, parsing, and validation.

`docs/protocol.md` is the reference; its tables are generated from these types. This module knows
nothing of the transport.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from quincunx import errors
from quincunx.rooms.encoding import MAX_MESSAGE_BYTES as MAX_MESSAGE_BYTES
from quincunx.rooms.encoding import dumps as dumps
from quincunx.rooms.encoding import loads as loads
from quincunx.rooms.errors import ERROR_CODES as ERROR_CODES
from quincunx.rooms.errors import RequestError as RequestError
from quincunx.rooms.errors import as_request_error as as_request_error
from quincunx.rooms.validation import (
    About,
    Between,
    Expected,
    FieldRule,
    MaxChars,
    MaxDigits,
    MaxItems,
    Only,
    field_rules,
)

PROTOCOL = 2  # changes when a client of the number before would misread a message

MAX_REF_CHARS = 64
MAX_NAME_CHARS = 32
MAX_ROOM_ID_CHARS = 32
MAX_GAME_NAME_CHARS = 32
MAX_MOVE_CHARS = 64
MAX_SECRET_CHARS = 64
MAX_OPTIONS = 32
MAX_OPTION_CHARS = 64  # of a name, and of a value
MAX_SEATS = 16
MAX_POSITION_CHARS = 20_000
MAX_MOVES = 5000
MAX_CLICKS = 16  # of a move
MAX_SAFE_INTEGER = 2**53  # every JSON reader represents integers up to this one exactly

Ref: TypeAlias = Annotated[
    str | int | float, MaxChars(MAX_REF_CHARS), About("repeated in the answer")
]
View: TypeAlias = Literal["page", "moves", "none"]
AcknowledgedBy: TypeAlias = Literal["ok", "event"]
RoomId: TypeAlias = Annotated[str, MaxChars(MAX_ROOM_ID_CHARS), About("the id of the room")]
GameName: TypeAlias = Annotated[str, MaxChars(MAX_GAME_NAME_CHARS), About("the name of the game")]
SeatNumber: TypeAlias = Annotated[int, Between(0, MAX_SEATS - 1), About("the seat")]
MoveText: TypeAlias = Annotated[str, MaxChars(MAX_MOVE_CHARS)]
NonNegative: TypeAlias = Annotated[int, Between(0, MAX_SAFE_INTEGER)]
EventNumber: TypeAlias = Annotated[
    NonNegative, About("that of the last event that the client knew")
]
Plies: TypeAlias = Annotated[NonNegative, About("the number of moves before the position")]
Flip: TypeAlias = Annotated[bool, About("whether the board is drawn from the other side")]
Secret: TypeAlias = Annotated[str, MaxChars(MAX_SECRET_CHARS)]
Secrets: TypeAlias = Annotated[
    Mapping[Annotated[int, MaxDigits(2)], Secret],
    MaxItems(MAX_SEATS, "secrets"),
    Expected('an object such as {"0": "..."}'),
    About("the secrets of one's own seats; without any, one is a spectator"),
]
OptionValue: TypeAlias = Annotated[str | int | float | bool, MaxChars(MAX_OPTION_CHARS)]
# The game itself checks the names and values of its options.
Options: TypeAlias = Annotated[
    Mapping[Annotated[str, MaxChars(MAX_OPTION_CHARS)], OptionValue],
    MaxItems(MAX_OPTIONS, "options"),
    About("the options of the game that differ from the defaults"),
]
Moves: TypeAlias = Annotated[
    tuple[MoveText, ...],
    MaxItems(MAX_MOVES, "texts"),
    About("from there, as in a record"),
]
ClickNames: TypeAlias = Annotated[
    tuple[MoveText, ...],
    MaxItems(MAX_CLICKS, "texts"),
    About("the names of the cells and buttons that were clicked, in order"),
]
ProtocolNumber: TypeAlias = Annotated[
    int,
    Only(
        PROTOCOL,
        f"this server speaks protocol {PROTOCOL}, and the client another one: "
        "reload the page, or update the program",
    ),
    About("the number of the protocol that the client speaks"),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A message from a client."""

    type: ClassVar[str]
    ref: Ref | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomRequest(Request):
    """A request about a room."""

    room: RoomId


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRequest(RoomRequest):
    """A request for one's own seat in a room."""

    seat: SeatNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class Join(RoomRequest):
    """Subscribes to a room and its events."""

    type: ClassVar[str] = "join"
    protocol: ProtocolNumber | None = None  # first: its error explains those of other fields
    secrets: Secrets = field(default_factory=dict)
    view: Annotated[
        View, About("moves as texts, or pictures and moves with their clicks, or neither")
    ] = "moves"
    flip: Flip = False
    ack: Annotated[
        AcknowledgedBy,
        About("how changes are acknowledged: by `ok`, or by their event, which then has the `ref`"),
    ] = "ok"


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm(RoomRequest):
    """Says that secrets issued in `room` are stored: from then on, their invitations are dead."""

    type: ClassVar[str] = "confirm"
    secrets: Secrets


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave(RoomRequest):
    """Ends the subscription to a room."""

    type: ClassVar[str] = "leave"


@dataclass(frozen=True, slots=True, kw_only=True)
class Look(RoomRequest):
    """Sets the side from which this and later pictures are drawn."""

    type: ClassVar[str] = "look"
    flip: Flip = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Play(SeatRequest):
    """Plays a move."""

    type: ClassVar[str] = "play"
    move: Annotated[MoveText, About("the text of the move")]
    number: EventNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo(SeatRequest):
    """Takes back the last move of a seat, or asks the other people: event `undo` or `asked`."""

    type: ClassVar[str] = "undo"
    number: EventNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(SeatRequest):
    """Allows or declines the takeback, pause or rematch that is requested."""

    type: ClassVar[str] = "answer"
    yes: Annotated[bool, About("whether the takeback, pause or rematch is allowed")]
    number: EventNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class Resign(SeatRequest):
    """Gives up the game."""

    type: ClassVar[str] = "resign"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause(SeatRequest):
    """Pauses the game, or asks the other people: event `pause` or `pause_asked`."""

    type: ClassVar[str] = "pause"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resume(SeatRequest):
    """Continues a paused game; any person may do so."""

    type: ClassVar[str] = "resume"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rematch(SeatRequest):
    """Requests a rematch; when all people have, everyone is sent `rematched`."""

    type: ClassVar[str] = "rematch"


@dataclass(frozen=True, slots=True, kw_only=True)
class Name(SeatRequest):
    """Sets the name of the person at a seat."""

    type: ClassVar[str] = "name"
    name: Annotated[str, MaxChars(MAX_NAME_CHARS), About("the name of the person")]


@dataclass(frozen=True, slots=True, kw_only=True)
class At(RoomRequest):
    """Asks for the picture after a number of plies."""

    type: ClassVar[str] = "at"
    plies: Plies
    flip: Flip = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint(SeatRequest):
    """Asks for a good move; refused in a game with other people."""

    type: ClassVar[str] = "hint"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRequest(Request):
    """A request about a position: of a game, or of a room, and moves from there."""

    game: GameName | None = None
    options: Options = field(default_factory=dict)
    start: Annotated[
        str, MaxChars(MAX_POSITION_CHARS), About("the first position, or empty for the usual one")
    ] = ""
    seed: Annotated[int, Between(-(2**63), 2**63 - 1), About("of the random events")] = 0
    rules: (
        Annotated[
            int,
            Between(1, 2**31 - 1),
            About("the version of the game's rules; without it the newest"),
        ]
        | None
    ) = None
    room: RoomId | None = None
    plies: Plies | None = None
    moves: Moves = ()
    flip: Flip = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Explore(BoardRequest):
    """Asks for a position, its legal moves and its picture, or the frames of its last move."""

    type: ClassVar[str] = "explore"
    frames: Annotated[bool, About("whether the last move is sent in steps")] = False
    seat: SeatNumber | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Explain(BoardRequest):
    """Asks why no legal move begins with some clicks; nothing is played."""

    type: ClassVar[str] = "explain"
    clicks: ClickNames
    seat: SeatNumber | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview(BoardRequest):
    """Asks what the board would look like after a legal move, which is not played."""

    type: ClassVar[str] = "preview"
    move: Annotated[MoveText, About("the text of the move")]
    seat: SeatNumber | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Analyse(BoardRequest):
    """Asks for an analysis, which is sent several times as it gets better."""

    type: ClassVar[str] = "analyse"
    seconds: Annotated[float, Between(0.1, 10), About("the time of the analysis")] = 5.0
    seat: SeatNumber | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistakes(RoomRequest):
    """Asks for a review of a game that has ended: messages with its progress, then the review."""

    type: ClassVar[str] = "mistakes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop(Request):
    """Cancels the analysis, hint and review of this connection."""

    type: ClassVar[str] = "stop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ping(Request):
    """Asks whether the connection works, and for the protocol number."""

    type: ClassVar[str] = "ping"


REQUESTS: Mapping[str, type[Request]] = {
    request.type: request
    for request in (
        *(Join, Confirm, Leave, Look, Play, Undo, Answer, Resign, Pause, Resume, Rematch, Name),
        *(At, Hint, Explore, Explain, Preview, Analyse, Mistakes, Stop, Ping),
    )
}

# The rules of the fields of each type, by its name.
RULES: Mapping[str, tuple[FieldRule, ...]] = {
    kind: field_rules(request) for kind, request in REQUESTS.items()
}


def message_ref(value: Any) -> str | int | float | None:
    """Returns the `ref` of a message, which its answer repeats; None if absent or invalid."""
    ref = value.get("ref") if isinstance(value, dict) else None
    if ref is None or isinstance(ref, bool) or not isinstance(ref, str | int | float):
        return None
    return ref if len(str(ref)) <= MAX_REF_CHARS else None


def decode(value: Any) -> Request:
    """Returns the request that a decoded JSON value describes.

    Unknown fields are ignored, and null stands for an absent field. Raises RequestError if the
    type is unknown, or a field is missing or invalid.
    """
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        raise RequestError("message", 'invalid message: expected an object with a "type"', "type")
    kind = value["type"]
    if kind not in REQUESTS:
        hint = errors.did_you_mean(kind, REQUESTS)
        expected = f"{hint}expected one of {', '.join(REQUESTS)}"
        text = f"unknown message type {errors.shorten(kind)}; {expected}"
        raise RequestError("message", text, "type")
    fields = {}
    for rule in RULES[kind]:
        name = rule.name
        given = value.get(name)
        if given is not None:
            fields[name] = rule.check(name, given)
        elif rule.required:
            raise RequestError("message", f"{kind}: the field {name} is missing", name)
    return REQUESTS[kind](**fields)


def parse(text: str) -> Request:
    """Returns the request of a JSON text; raises RequestError if it is not one."""
    return decode(loads(text))


def clean_name(name: str) -> str:
    """Returns a person's name without unprintable characters and extra spaces, cut to the limit."""
    return " ".join("".join(c for c in name if c.isprintable()).split())[:MAX_NAME_CHARS]
