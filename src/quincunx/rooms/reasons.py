"""Why clicks on a board are not the beginning of a legal move.

Clicks have no text of their own unless a move is legal, and a click alone may be only the first
part of a move. So the clicks are put in the place of those of legal moves, and the rules say why
the resulting moves are not legal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TypeAlias

from quincunx.errors import IllegalMove, MoveSyntax
from quincunx.game import State
from quincunx.phrases import Phrase, render

MAX_LEGAL_MOVES = 256  # that are read for the forms of moves
MAX_CONTINUATIONS = 32  # that are tried after clicks that are only the first part of a move
# How moves from cell to cell are written where no such move is legal now.
SEPARATORS = (">", "")
# Reasons that say only that a move is not legal.
WITHOUT_REASON = ("not_legal", "not_legal_for")

# The texts before, between and after the names of a move's clicks: ("", ">", "") of "3,4>4,4".
MoveForm: TypeAlias = tuple[str, ...]


def why_illegal(state: State, seat: int, clicks: Sequence[str]) -> str:
    """Returns why no legal move of a seat begins with these clicks, or "" if one does."""
    if state.over:
        return render(Phrase("over"), state.game.texts)
    if not clicks:
        return ""
    of_move = state.game.parts.layout.clicks
    legal = [(move, tuple(of_move(move))) for move in state.moves(seat)]
    if any(names[: len(clicks)] == tuple(clicks) for _, names in legal):
        return ""
    legal = legal[:: max(1, len(legal) // MAX_LEGAL_MOVES)]
    forms = {form for move, names in legal if (form := _form(move, names))}
    phrase = _reason_of_whole(state, seat, clicks, forms)
    if phrase is None:
        names = dict.fromkeys(name for _, names in legal for name in names)
        phrase = _reason_of_part(state, seat, clicks, forms, list(names))
    if phrase is None or phrase.code in WITHOUT_REASON:
        phrase = _without_reason(clicks)
    return render(phrase, state.game.texts)


def _form(move: str, names: Sequence[str]) -> MoveForm | None:
    """Returns the text of a move without the names of its clicks, or None if it lacks one."""
    parts, rest = [], move
    for name in names:
        before, found, rest = rest.partition(name)
        if not found:
            return None
        parts.append(before)
    return (*parts, rest)


def _written(form: MoveForm, names: Sequence[str]) -> str:
    """Returns the text of a move of this form."""
    return form[0] + "".join(name + after for name, after in zip(names, form[1:], strict=True))


def _reason_of_whole(
    state: State, seat: int, clicks: Sequence[str], forms: set[MoveForm]
) -> Phrase | None:
    """Returns why the move that the clicks make is not legal; None if they make none."""
    texts = [_written(form, clicks) for form in sorted(forms) if len(form) == len(clicks) + 1]
    if len(clicks) > 1:
        texts += [separator.join(clicks) for separator in SEPARATORS]
    phrases = (_reason(state, seat, text) for text in texts)
    return next((phrase for phrase in phrases if phrase is not None), None)


def _reason_of_part(
    state: State, seat: int, clicks: Sequence[str], forms: set[MoveForm], names: list[str]
) -> Phrase | None:
    """Returns the reason that all moves share that go on from the clicks; None without one."""

    def phrases() -> Iterator[Phrase]:
        for form in sorted(forms):
            if len(form) == len(clicks) + 2:
                for name in names:
                    if phrase := _reason(state, seat, _written(form, [*clicks, name])):
                        yield phrase

    reasons = list(islice(phrases(), MAX_CONTINUATIONS))
    # A reason of a single move may be about its other cell.
    is_shared = len(reasons) > 1 and all(reason == reasons[0] for reason in reasons)
    return reasons[0] if is_shared else None


def _reason(state: State, seat: int, text: str) -> Phrase | None:
    """Returns why a move is not legal; None if it is legal, or the text is not a move."""
    game, s = state.game, state.position
    try:
        action = game.parts.notation.parse_move(game, s, text)
    except MoveSyntax:
        return None
    except IllegalMove as error:
        return error.phrase
    return None if state.is_legal(action, seat) else game.parts.rules.reason(s, seat, action)


def _without_reason(clicks: Sequence[str]) -> Phrase:
    if len(clicks) == 1:
        return Phrase("no_move_at", {"cell": clicks[0]})
    return Phrase("no_move_between", {"origin": clicks[0], "target": clicks[-1]})
