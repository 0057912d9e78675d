"""Compares a game with a slow, obvious implementation of its rules that works on texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from quincunx.testing.fault import Context, listed, raised
from quincunx.testing.results import is_end_in_text

PLAYED_MOVES = 4  # moves of a position whose consequences are compared


class Naive(Protocol):
    """The rules as functions on texts: a module, or an object.

    Only `legal` is needed. Two more functions are compared where they exist:
    `play(text, move)` returns the text of the position after a move, or where moves have random
    consequences all texts that are possible; `scores(text)` returns the result of a finished game.
    """

    def legal(self, text: str) -> Iterable[str]:
        """Returns the moves of the seat to move, none after the end.

        Where anyone may move, the seat is passed as a second argument, here and to `play`.
        """


def check_naive_moves(at: Context, naive: Naive) -> None:
    """Checks that the legal moves agree."""
    if is_end_in_text(at):
        for seat, arguments in _seats(at):
            _check_moves(at, naive, seat, arguments)


def check_naive_results(at: Context, naive: Naive) -> None:
    """Checks that the consequences of moves, and the result of a finished game agree."""
    state = at.state
    if not state.over and hasattr(naive, "play"):
        for seat, arguments in _seats(at):
            _check_play(at, naive, seat, arguments)
    if state.over and is_end_in_text(at) and hasattr(naive, "scores"):
        expected = tuple(map(float, _call(at, naive, "scores", state.text)))
        if expected != state.scores:
            raise at.fault(
                "scores",
                "is not the result of the game",
                f"{state.scores}.",
                f"that of the naive implementation: {expected}.",
            )


def _seats(at: Context) -> list[tuple[int, tuple[int, ...]]]:
    """Returns the seats that may move, with the arguments that a naive function needs for them."""
    if at.state.turn is None and not at.state.over:
        return [(seat, (seat,)) for seat in range(at.game.seats)]
    return [(at.state.turn or 0, ())]


def _check_moves(at: Context, naive: Naive, seat: int, arguments: tuple[int, ...]) -> None:
    state = at.state
    actions = {state.game.parts.notation.format_move(state.game, state.position, action): action
               for action in state.actions(seat)}  # fmt: skip
    expected = {*_call(at, naive, "legal", state.text, *arguments)}
    forbidden, missing = sorted({*actions} - expected), sorted(expected - {*actions})
    moves = listed(sorted(expected))
    if state.over and missing:
        found = f"over is 1, but the naive implementation has the moves {moves}."
        raise at.fault("over", "ends the game too early", found, "over is 0.")
    if actions and not expected:
        found = "over is 0, but the naive implementation has no moves; legal lists"
        raise at.fault(
            "over", "does not end the game", f"{found} {listed(sorted(actions))}.", "over is 1."
        )
    for names, problem, found in (
        (
            forbidden,
            "lists an action that the rules forbid",
            "legal lists {}, but the naive implementation does not.",
        ),
        (
            missing,
            "does not list an action that the rules allow",
            "the naive implementation lists {}, but legal does not.",
        ),
    ):
        if names:
            wrong = listed(
                f"{name} (action {actions[name]})" if name in actions else name for name in names
            )
            raise at.fault(
                "legal",
                problem,
                found.format(wrong),
                f"exactly the moves of the naive implementation: {moves}.",
            )


def _check_play(at: Context, naive: Naive, seat: int, arguments: tuple[int, ...]) -> None:
    state = at.state
    moves = state.moves(seat)
    for move in at.rng.sample(moves, min(PLAYED_MOVES, len(moves))):
        after = _call(at, naive, "play", state.text, move, *arguments)
        possible = [after] if isinstance(after, str) else list(after)
        found = state.play(move, seat).text
        if found not in possible:
            raise at.fault(
                "apply",
                "leads to another position than the rules",
                f"{move} leads to {found!r}.",
                f"{' or '.join(map(repr, possible[:4]))}, as in the naive implementation.",
            )


def _call(at: Context, naive: Naive, name: str, *values: Any) -> Any:
    """Calls a function of the naive implementation; an exception is its fault."""
    try:
        function: Callable[..., Any] = getattr(naive, name)
        return function(*values)
    except Exception as error:
        raise at.fault(*raised(f"naive.{name}", error)) from error
