"""Checks of the end of a game: scores, winners, and what they may depend on."""

from __future__ import annotations

from collections.abc import Sequence

from quincunx.contract import WIN_OR_DRAW
from quincunx.position import NOBODY
from quincunx.testing.fault import Context


def check_results(at: Context) -> None:
    """Checks that scores and the declared outcome agree, and that a result is final."""
    _check_outcome(at)
    _check_final(at)


def is_end_in_text(at: Context) -> bool:
    """Returns True unless history may have ended the game, which a text need not contain.

    Draws may be by repetition, and games for points may end after a number of moves.
    """
    state, traits = at.state, at.game.traits
    return not state.over or (
        traits.outcome == WIN_OR_DRAW and (bool(state.winners) or not traits.repetition)
    )


def check_winner(at: Context) -> None:
    """Checks the field `winner`, where a position has one."""
    state, names = at.state, at.game.kernel.STATE.names or ()
    if "winner" not in names:
        return
    winner, scores = int(state.position["winner"]), state.scores
    if at.game.seats != 2:
        found = f"{at.game.seats} seats."
        raise at.fault("STATE", "has a winner, but the game has not two seats", found)
    if winner not in (NOBODY, 0, 1):
        raise at.fault("winner", "has a wrong value", f"{winner}.", f"0, 1 or NOBODY = {NOBODY}.")
    if winner != NOBODY and not state.over:
        found = f"winner is {winner}, but over is 0."
        raise at.fault("winner", "is set before the end", found, f"NOBODY = {NOBODY}.")
    draw = (0.5, 0.5) if state.over else (0.0, 0.0)
    expected = draw if winner == NOBODY else tuple(float(seat == winner) for seat in range(2))
    if scores != expected:
        found = f"scores are {scores}, but winner is {winner} and over is {int(state.over)}."
        raise at.fault("scores", "does not agree with winner", found, f"{expected}.")


def _check_outcome(at: Context) -> None:
    """Checks that the result of a finished game is of the declared kind."""
    state, game = at.state, at.game
    if state.over and game.traits.outcome == WIN_OR_DRAW:
        win, draw = (1.0, *[0.0] * (game.seats - 1)), (1 / game.seats,) * game.seats
        if tuple(sorted(state.scores, reverse=True)) not in (win, draw):
            raise at.fault(
                "scores",
                "is neither a win nor a draw",
                f"{state.scores}, but the outcome in the traits is {WIN_OR_DRAW}.",
                f"{win} in some order, or {draw}.",
            )


def _check_final(at: Context) -> None:
    """Checks that the result of a finished game stays the same, whatever is drawn or read again."""
    state = at.state
    if not state.over:
        return
    for seat in range(at.game.seats):
        hidden = state.hidden(seat, 1)
        if hidden.scores != state.scores:
            found = f"{state.scores}, and after hide {hidden.scores}."
            raise at.fault("scores", "changes after the end of the game", found, "a final result.")
    if not is_end_in_text(at):
        return
    again = at.game.read(state.text)
    if not again.over:
        found = f"the game is over, but {state.text!r} is read as a position in which it goes on."
        restored = again.position.copy()
        at.call("restore", restored)
        # Calling it once more helps only if `read` forgets to call it, or undoes what it does.
        function = "notation.read" if restored.over else "restore"
        raise at.fault(function, "does not end the game", found, "over is 1.")
    if again.scores != state.scores and not at.game.traits.hidden:
        found = f"{state.scores}, and after reading the text {again.scores}."
        raise at.fault("scores", "changes after the end of the game", found, "a final result.")


def check_end_after_reading(
    before: Context, moves: Sequence[tuple[int, int]], end: Context
) -> None:
    """Checks that the last actions and seats of a game end it also after reading a text."""
    if before.game.traits.hidden or not is_end_in_text(end):
        return
    state = before.game.read(before.state.text)
    state.position.rng = before.state.position.rng
    for action, seat in moves:
        if not state.is_legal(action, seat):
            break
        state = state.apply(action, seat)
    if state.over and state.scores == end.state.scores:
        return
    result = f"with the scores {state.scores}" if state.over else "the game goes on"
    text, texts = before.state.text, " ".join(end.moves[len(before.moves) :])
    raise before.fault(
        "restore",
        "does not compute what decides about the end",
        f"{texts} ends the game with the scores {end.state.scores}, but after reading {text!r}"
        f" {result}.",
        "a restore that computes all fields that the text does not contain.",
    )
