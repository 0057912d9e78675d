"""Checks of texts: positions and moves to text and back, statuses and reasons, wrong input."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterable
from string import Formatter

import quincunx
from quincunx.errors import BadOption, BadPosition, IllegalMove, MoveSyntax, SeveralPieces
from quincunx.phrases import YOU, Phrase
from quincunx.testing.entry_points import differences
from quincunx.testing.fault import Context, listed

WRONG_TEXT = "?!"  # neither a position nor a move of any game

REPLAYED_MOVES = 2  # moves of a position that are played after reading its text, too


def check_texts(at: Context) -> None:
    """Checks the bytes of a position, its status, and the answers to wrong input."""
    _check_bytes(at)
    _check_phrase(at, "rules.status", at.state.status_phrase)
    _check_status(at)
    progress = at.game.parts.rules.progress(at.game, at.state.position)
    if progress is not None:
        _check_phrase(at, "rules.progress", progress)
    _check_wrong_input(at)


def check_cells(at: Context) -> None:
    """Checks that no cell has several pieces, which only some stores of cells report."""
    try:
        _ = at.state.text
    except SeveralPieces as error:
        raise at.fault(at.origin, *several_pieces(error)) from error


def several_pieces(error: SeveralPieces) -> tuple[str, str, str]:
    """Returns problem, found and expected of the report about a cell with several pieces."""
    return "puts several pieces on a cell", f"{error}.", "at most one piece on each cell."


def check_reading(at: Context) -> None:
    """Checks that the text of a position is read as a position with the same moves."""
    state, game = at.state, at.game
    text = state.text
    if text.splitlines() != [text] or '"' in text:
        expected = "one line without double quotes, as it is stored in records."
        raise at.fault("notation.write", "is not one line", f"{text!r}.", expected)
    try:
        again = game.read(text)
    except BadPosition as error:
        expected = "every text that notation.write returns."
        raise at.fault(
            "notation.read", "rejects the text of a position", f"{error}.", expected
        ) from error
    if again.text != text:
        raise at.fault(
            "notation.read",
            "does not read back the text of a position",
            f"{text!r} is read as {again.text!r}.",
            "the same text.",
        )
    if state.over or game.traits.hidden:
        return
    for seat in range(game.seats):
        before, after = state.moves(seat), again.moves(seat)
        if before != after:
            raise at.fault(
                "notation.write",
                "loses what the rules need",
                f"seat {seat} has the moves {listed(before)}, but after reading the text"
                f" {listed(after)}.",
                "a text that contains all that decides about moves, and a restore that computes the"
                " other fields from it.",
            )


def check_play_after_reading(at: Context) -> None:
    """Checks that a move leads to the same position after reading the text."""
    state = at.state
    if at.game.traits.hidden:
        return
    again = at.game.read(state.text)
    again.position.rng = state.position.rng
    seat = at.rng.randrange(at.game.seats) if state.turn is None else state.turn
    moves = state.moves(seat)
    for move in at.rng.sample(moves, min(REPLAYED_MOVES, len(moves))):
        expected, found = (s.play(move, seat) for s in (state, again))
        if expected.text != found.text:
            raise at.fault(
                "notation.write",
                "loses what the rules need",
                f"{move} leads to {expected.text!r}, but after reading the text to"
                f" {found.text!r}; before the move,"
                f" {differences(state.position, again.position)}.",
                "a text that contains all that decides about moves, and a restore that computes the"
                " other fields from it.",
            )


def check_move_texts(at: Context, actions: Iterable[int], seat: int) -> list[str]:
    """Checks that actions have different texts; returns these."""
    texts: dict[str, int] = {}
    for action in actions:
        text = at.game.parts.notation.format_move(at.game, at.state.position, action)
        if not text or text.split() != [text]:
            found = f"{text!r} for action {action}."
            expected = "one word: records separate moves by spaces."
            raise at.fault("notation.format_move", "is not one word", found, expected)
        if text in texts:
            found = f"{text!r} is action {texts[text]} and action {action} of seat {seat}."
            raise at.fault("notation.format_move", "gives two moves the same text", found)
        texts[text] = action
    return [*texts]


def check_move_text(at: Context, action: int) -> str:
    """Checks that the text of an action is read back; returns it."""
    notation, s = at.game.parts.notation, at.state.position
    text = notation.format_move(at.game, s, action)
    try:
        found = notation.parse_move(at.game, s, text)
    except (MoveSyntax, IllegalMove) as error:
        raise at.fault(
            "notation.parse_move",
            "rejects the text of a legal move",
            f"{text!r}, the text of action {action}: {error}.",
            f"action {action}.",
        ) from error
    if found != action:
        raise at.fault(
            "notation.parse_move",
            "does not read back the text of a move",
            f"{text!r}, the text of action {action}, is read as action {found}.",
            f"action {action}.",
        )
    return text


def check_reasons(at: Context, moves: Iterable[str]) -> None:
    """Checks that moves of other positions are legal here or rejected with a reason."""
    seat = 0 if at.state.turn is None else at.state.turn
    for move in moves:
        try:
            action = at.game.parts.notation.parse_move(at.game, at.state.position, move)
        except (MoveSyntax, IllegalMove):
            continue
        if not at.state.is_legal(action, seat):
            phrase = at.game.parts.rules.reason(at.state.position, seat, action)
            _check_phrase(at, "rules.reason", phrase)


def _check_bytes(at: Context) -> None:
    """Checks that a state survives bytes, copies, pickles and `repr` unchanged."""
    state, game = at.state, at.game
    packed = game.unpack(state.pack())
    if packed.pack() != state.pack() or packed != state or hash(packed) != hash(state):
        raise at.fault("notation.write", "differs for the same position, packed and unpacked")
    if copy.deepcopy(state) != state or copy.copy(state) != state:
        raise at.fault("notation.write", "differs for copies of a position")
    if not _is_registered(at):
        return
    if pickle.loads(pickle.dumps(state)).pack() != state.pack():
        raise at.fault("STATE", "is not preserved by pickling")
    if eval(repr(state), {"quincunx": quincunx}) != state:
        raise at.fault("notation.write", "does not survive repr", f"{state!r}.")


def _is_registered(at: Context) -> bool:
    """Returns True if pickles, which refer to a game by its name, can be read."""
    try:
        quincunx.game(at.game.name)
    except BadOption:
        return False
    return True


def _check_phrase(at: Context, function: str, phrase: Phrase) -> None:
    """Checks that a phrase, and those in its fields, have texts with known fields."""
    if not isinstance(phrase, Phrase):
        raise at.fault(function, "does not return a Phrase", f"{phrase!r}.")
    texts = at.game.texts
    if phrase.code not in texts:
        found = f"{phrase.code!r}; rules.TEXTS has {listed(at.game.parts.rules.TEXTS)}."
        raise at.fault(function, "returns a code without a text", found, "a code of rules.TEXTS.")
    used = {name for _, name, _, _ in Formatter().parse(texts[phrase.code]) if name}
    if not used <= {*phrase.fields}:
        raise at.fault(
            function,
            "has a text with an unknown field",
            f"{texts[phrase.code]!r} uses {listed(sorted(used - {*phrase.fields}))}.",
            f"the fields of the phrase {phrase.code!r}: {listed(phrase.fields)}.",
        )
    for value in phrase.fields.values():
        if isinstance(value, Phrase):
            _check_phrase(at, function, value)


def _check_status(at: Context) -> None:
    """Checks that the status is not empty, and has a text for the seat to move."""
    if not at.state.status.strip():
        raise at.fault("rules.status", "is empty", f"{at.state.status!r}.", "a line for people.")
    code = at.state.status_phrase.code
    if not at.state.over:
        if code + YOU not in at.game.texts:
            found = f"rules.TEXTS has {code!r}, but not {code + YOU!r}."
            expected = f"{code + YOU!r}, addressed to the seat to move: Your turn."
            raise at.fault("rules.TEXTS", "does not address the seat to move", found, expected)
        _check_phrase(at, "rules.status", Phrase(code + YOU, at.state.status_phrase.fields))


def _check_wrong_input(at: Context) -> None:
    """Checks that wrong input raises the right errors."""
    state, game = at.state, at.game
    seat = 0 if state.turn is None and not state.over else None
    _must_raise(at, "notation.read", BadPosition, lambda: game.read(WRONG_TEXT))
    _must_raise(at, "notation.parse_move", MoveSyntax, lambda: state.play(WRONG_TEXT, seat))
    _must_raise(at, "is_legal", IllegalMove, lambda: state.act(-1, seat))
    if state.turn is not None and game.seats > 1:
        other, move = (state.turn + 1) % game.seats, state.moves()[0]
        _must_raise(at, "is_legal", IllegalMove, lambda: state.play(move, other))


def _must_raise(
    at: Context, function: str, expected: type[Exception], call: Callable[[], object]
) -> None:
    try:
        found = f"{call()!r}."
    except expected:
        return
    except Exception as error:
        found = f"{type(error).__name__}: {error}."
    text = f" {WRONG_TEXT!r}" if "." in function else " a wrong action"
    raise at.fault(function, f"does not reject{text}", found, f"the error {expected.__name__}.")
