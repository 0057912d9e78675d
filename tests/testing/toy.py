"""Race: a tiny game in one file, into which tests plant faults.

Each seat has a token on a row of five columns, a to e: White on row 1, Black on row 2. Tokens
start on column a and move by one column in turn; the first on column e wins, and the third
occurrence of a position is a draw. With the option `wind`, a token is blown one column further
when the wind blows, which is decided at random before each move and shown (`open`) or not
(`hidden`). The text `ac w 1` is White on a, Black on c, White to play, and the wind blows.
"""

from types import ModuleType

import numpy as np

from quincunx.contract import Traits
from quincunx.default_rules import UNTUNED_LEVELS
from quincunx.draw.scene import Controls, Disc, Label, Path, Piece, Rect, Scene, starts_and_targets
from quincunx.errors import BadPosition, MoveSyntax
from quincunx.game import Game, Parts
from quincunx.jit import jit
from quincunx.options import Option
from quincunx.phrases import Phrase, seat_name
from quincunx.position import (
    HEADER,
    NOBODY,
    init_header,
    mix,
    random_below,
    record_repetition,
    reseed,
    two_player_scores,
    two_player_value,
)

# The kernel.

SEATS = 2
COLUMNS = ACTIONS = 5  # an action is the column to which the token moves
MAX_LEGAL = 2
PLANES = (3, 1, COLUMNS)
DONE, MOVED, BLOWN = range(3)
EVENTS = ("", "move", "blow")
NO_WIND, OPEN, HIDDEN = range(3)
STATE = np.dtype(
    [
        *HEADER,
        ("winner", "i1"),
        ("repetition", "u1"),
        ("weather", "u1"),  # the option `wind`
        ("wind", "u1"),  # 1 if it blows
        ("direction", "i1"),  # of the move whose steps are being played, else 0
        ("tokens", "i1", (2,)),  # the column of each seat's token
        ("seen", "u8", (64,)),
    ]
)


@jit
def start(s, options, seed):
    """Writes the first position."""
    init_header(s, seed)
    s.repetition = options[0]
    s.weather = options[1]
    s.direction = 0
    s.tokens[0] = s.tokens[1] = 0
    _draw_wind(s)
    restore(s)


@jit
def restore(s):
    """Computes `seen`, `over` and `winner`."""
    s.seen[:] = np.uint64(0)
    s.winner = NOBODY
    s.over = 0
    _update_result(s, record_repetition(s.seen, s.ply, key(s)))


@jit
def _draw_wind(s):
    s.wind = 0
    if s.weather != NO_WIND:
        s.wind = random_below(s, 2)


@jit
def _update_result(s, times):
    for seat in range(2):
        if s.tokens[seat] == COLUMNS - 1:
            s.over = 1
            s.winner = seat
    if s.repetition and times >= s.repetition:
        s.over = 1


@jit
def legal(s, seat, out):
    """Writes the columns next to the token's."""
    n = 0
    for column in range(COLUMNS):
        if is_legal(s, seat, column):
            out[n] = column
            n += 1
    return n


@jit
def is_legal(s, seat, action):
    """Returns True for the columns next to the token's."""
    if s.over or s.stage or seat != s.turn or action < 0 or action >= COLUMNS:
        return False
    return abs(action - s.tokens[seat]) == 1


@jit
def begin(s, seat, action):
    """Moves the token."""
    s.direction = action - s.tokens[seat]
    s.tokens[seat] = action
    s.stage = MOVED
    return MOVED


@jit
def advance(s):
    """Lets the wind blow, then ends the turn."""
    if s.stage == MOVED:
        s.stage = BLOWN
        blown = s.tokens[s.turn] + s.direction
        if s.wind and 0 <= blown < COLUMNS:
            s.tokens[s.turn] = blown
            return BLOWN
    s.stage = 0
    s.direction = 0
    s.turn = 1 - s.turn
    s.ply += 1
    _draw_wind(s)
    _update_result(s, record_repetition(s.seen, s.ply, key(s)))
    return DONE


@jit
def apply(s, seat, action):
    """Plays a move."""
    begin(s, seat, action)
    while advance(s):
        pass


@jit
def scores(s, out):
    """Writes 1 and 0, or 0.5 each."""
    two_player_scores(s, out)


@jit
def hide(s, seat, seed):
    """Draws the hidden wind again."""
    reseed(s, seed)
    if s.weather == HIDDEN:
        _draw_wind(s)


@jit
def evaluate(s, seat):
    """Returns the lead in columns, as a fraction."""
    if s.over:
        return two_player_value(s, seat)
    return (s.tokens[seat] - s.tokens[1 - seat]) / COLUMNS


@jit
def key(s):
    """Returns a hash of what both seats see."""
    visible_wind = s.wind if s.weather == OPEN else 0
    tokens = s.tokens[0] * COLUMNS + s.tokens[1]
    return mix(np.uint64((tokens * 2 + s.turn) * 2 + visible_wind + 1))


@jit
def observe(s, seat, planes):
    """Writes the own token, the other one, and the wind."""
    for column in range(COLUMNS):
        planes[0, 0, column] = s.tokens[seat] == column
        planes[1, 0, column] = s.tokens[1 - seat] == column
        planes[2, 0, column] = s.wind if s.weather == OPEN else 0


# The rules.

NAME, SUMMARY = "race", "Be the first on the last column."
SEAT_NAMES, LETTERS = ("White", "Black"), "wb"
TITLE, LEVELS = "Race", UNTUNED_LEVELS
PASS = None
OPTIONS = (
    Option("repetition", 3, "occurrences of a position for a draw", 2, 9, extra_values=(0,)),
    Option("wind", "none", "when the wind is known", choices=("none", "open", "hidden")),
)
PRESETS = None
TEXTS = {
    "play": "{seat} to play",
    "play.you": "Your turn",
    "won": "{seat} wins",
    "drawn": "Draw",
    "far": "the token moves by one column, not to column {column}",
}


def traits(options):
    """Returns the traits, which depend on the wind and the repetition rule."""
    wind = options["wind"]
    return Traits(
        random_start=wind == "open",
        chance=wind != "none",
        hidden=wind == "hidden",
        repetition=options["repetition"] > 0,
    )


def reason(s, seat, action):
    """Returns why a move is illegal."""
    return Phrase("far", {"column": "abcde"[action]})


def cells(before, after, action, event):
    """Returns the columns from which and to which the token moved."""
    seat = int(after.turn)
    return tuple(_cell(seat, int(s.tokens[seat])) for s in (before, after))


def progress(game, s):
    return None


def status(game, s):
    """Returns who is to play or has won."""
    if not s.over:
        return Phrase("play", {"seat": seat_name(int(s.turn))})
    if s.winner == NOBODY:
        return Phrase("drawn")
    return Phrase("won", {"seat": seat_name(int(s.winner))})


def _cell(seat, column):
    return f"{'abcde'[column]}{seat + 1}"


# The notation.

MOVE_FORM = "a column and the own row, such as b1"


def write(game, s):
    """Returns the columns, the turn and the wind, if it is known."""
    tokens = "".join("abcde"[column] for column in s.tokens)
    return f"{tokens} {LETTERS[s.turn]} {s.wind if s.weather == OPEN else '-'}"


def read(game, text, s):
    """Writes the position of a text."""
    fields = text.split()
    if [len(field) for field in fields] != [2, 1, 1]:
        raise BadPosition(text, "expected columns, turn and wind, such as ab w -")
    tokens, turn, wind = fields
    if {*tokens} - {*"abcde"} or turn not in LETTERS or wind not in "-01":
        raise BadPosition(text, "expected columns, turn and wind, such as ab w -")
    s.tokens[0], s.tokens[1] = ("abcde".index(column) for column in tokens)
    s.turn = LETTERS.index(turn)
    if s.weather == OPEN:
        s.wind = wind == "1"
    restore(s)


def parse_move(game, s, text):
    """Returns the column of a move."""
    if len(text) != 2 or text[0] not in "abcde" or text[1] not in "12":
        raise MoveSyntax(text, MOVE_FORM)
    return "abcde".index(text[0])


def format_move(game, s, action):
    """Returns the column and the row of the seat to move."""
    return _cell(int(s.turn), action)


# The layout.

CONTROLS = Controls()


def clicks(move):
    """Returns the cell to which the token moves."""
    return (move,)


def scene(state, view):
    """Returns two rows of cells with a token each."""
    rows = (1, 0) if view.flip else (0, 1)
    shapes = []
    for seat in range(2):
        y = rows[seat]
        for column in range(COLUMNS):
            shapes.append(Rect(column, y, 1, 1, "board", "line", 0.02, cell=_cell(seat, column)))
        x = state.position.tokens[seat] + 0.5
        shapes.append(
            Piece(x, y + 0.5, ("white", "black")[seat], id=f"token{seat}", glyph="○●"[seat])
        )
    for name in starts_and_targets(lambda: map(clicks, state.moves()), view)[1]:
        x, y = "abcde".index(name[0]) + 0.5, rows[int(name[1]) - 1] + 0.5
        shapes.append(Disc(x, y, 0.1, "accent", role="target", cell=name))
    if view.coordinates:
        shapes += [Label(column + 0.5, 2.4, "abcde"[column]) for column in range(COLUMNS)]
    height = 2.7 if view.coordinates else 2.1
    return Scene(-0.1, -0.1, 5.2, height + 0.1, tuple(shapes), "Race", state.status)


def paths(before, step, flip):
    """Returns the path of the token that moved."""
    if not step.event:
        return []
    ends = [("abcde".index(name[0]) + 0.5, 1.5 - int(name[1])) for name in step.cells]
    token = f"token{int(step.position.turn)}"
    return [Path(token, token, tuple(ends))]


PARTS = {
    "kernel": (
        "SEATS ACTIONS MAX_LEGAL PLANES EVENTS STATE start restore legal is_legal begin advance"
        " apply scores hide evaluate key observe"
    ),
    "rules": (
        "NAME TITLE SUMMARY SEAT_NAMES LETTERS PASS LEVELS OPTIONS PRESETS TEXTS"
        " traits reason cells status progress"
    ),
    "notation": "MOVE_FORM read write parse_move format_move",
    "layout": "CONTROLS clicks scene paths",
}


def race(options=None, name="race", remove=(), **changes):
    """Returns the game, with some names of its modules changed or removed.

    `name` distinguishes the compiled code of different changes.
    """
    parts = []
    for part, names in PARTS.items():
        module = ModuleType(f"toys.{name}.{part}")
        for attribute in names.split():
            if attribute not in remove:
                setattr(module, attribute, changes.pop(attribute, globals()[attribute]))
        parts.append(module)
    parts[0].__dict__.update(changes)  # what remains are optional names of kernels
    return Game(Parts(*parts), options)
