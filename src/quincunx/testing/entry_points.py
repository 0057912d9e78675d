"""Checks of the kernel's functions in one position: what they return, write and leave alone."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite, prod
from operator import index
from typing import Any

import numpy as np

from quincunx.contract import Position
from quincunx.position import ANYONE
from quincunx.testing.fault import Context, listed

GUARD = 16  # entries before and behind an array, which a kernel must not write
GUARD_VALUE = -77

# The steps of a move after which it is assumed to go on forever.
MAX_STEPS = 10_000

# How many copies of a position are compared after the same action.
COPIES = 3


class GuardedArray:
    """An array for a kernel to write into, between guard values."""

    def __init__(self, dtype: Any, *shape: int) -> None:
        self._memory = np.full(prod(shape) + 2 * GUARD, GUARD_VALUE, dtype)
        self.array = self._memory[GUARD:-GUARD].reshape(shape)
        self.array[...] = 0

    def check(self, at: Context, function: str, argument: str, size: str) -> None:
        """Checks that nothing was written outside the array."""
        for guards in (self._memory[:GUARD], self._memory[-GUARD:]):
            if (guards != GUARD_VALUE).any():
                written = guards[guards != GUARD_VALUE][0]
                raise at.fault(
                    function,
                    f"writes outside the array {argument}",
                    f"{written} was written outside of its {size}.",
                    f"at most {size}.",
                )


def check_entry_points(at: Context) -> None:
    """Checks every function that only reads a position."""
    for seat in range(at.game.seats):
        check_legal(at, seat)
        _check_observe(at, seat)
        check_evaluate(at, seat)
        _check_hide(at, seat)
    _check_key(at)
    _check_scores(at)


def legal_actions(at: Context, s: Position, seat: int) -> list[int]:
    """Returns what `legal` writes for a seat, after checking that it stays within its array."""
    kernel = at.game.kernel
    out = GuardedArray(np.int32, kernel.MAX_LEGAL)
    n = _integer(at, "legal", at.call("legal", s, seat, out.array))
    out.check(at, "legal", "out", f"MAX_LEGAL = {kernel.MAX_LEGAL} entries")
    if not 0 <= n <= kernel.MAX_LEGAL:
        expected = f"the number of legal actions, 0 to MAX_LEGAL = {kernel.MAX_LEGAL}."
        raise at.fault("legal", "returns a wrong number", f"{n} for seat {seat}.", expected)
    actions: list[int] = out.array[:n].tolist()
    return actions


def differences(first: Position, second: Position) -> str:
    """Returns the fields in which two positions differ, with their values."""
    return listed(
        (
            f"{name} is {_short(first[name])} and {_short(second[name])}"
            for name in getattr(first, "dtype").names  # noqa: B009  unknown to the protocol
            if first[name].tobytes() != second[name].tobytes()
        ),
        "; ",
    )


def check_apply(at: Context, action: int, seat: int) -> Position:
    """Checks the functions that play an action; returns the position after it."""
    before, move = at.state.position, f"action {action} of seat {seat}"
    after = before.copy()
    at.call("apply", after, seat, action)
    for _ in range(COPIES - 1):
        again = before.copy()
        at.call("apply", again, seat, action)
        if again.tobytes() != after.tobytes():
            raise at.fault(
                "apply",
                "gives different results for the same position",
                f"after {move} in two copies, {differences(after, again)}.",
                "the same bytes: everything random comes from the generator s.rng, as in"
                " position.random_below.",
            )
    if after.ply != before.ply + 1:
        found = f"ply is {before.ply} before and {after.ply} after {move}."
        raise at.fault("apply", "does not count the ply", found, f"ply {before.ply + 1}.")
    if after.stage != 0:
        found = f"stage is {after.stage} after {move}."
        raise at.fault("apply", "does not complete the move", found, "stage 0 between moves.")
    _check_steps(at, action, seat, after)
    return after


def _check_steps(at: Context, action: int, seat: int, after: Position) -> None:
    """Checks that `begin` and `advance` end in the same position as `apply`."""
    s, events, move = at.state.position.copy(), at.game.kernel.EVENTS, f"action {action}"
    function, event = "begin", at.call("begin", s, seat, action)
    for _ in range(MAX_STEPS):
        event = _integer(at, function, event)
        if not 0 <= event < len(events):
            expected = f"an index of EVENTS, 0 to {len(events) - 1}."
            raise at.fault(function, "returns an unknown event", f"{event}, in {move}.", expected)
        if event == 0:
            break
        _check_no_moves(at, s, after, events[event])
        function, event = "advance", at.call("advance", s)
    else:
        found = f"{move} is not complete after {MAX_STEPS} steps."
        raise at.fault("advance", "does not end a move", found, "0 when the move is complete.")
    if s.tobytes() != after.tobytes():
        raise at.fault(
            "apply",
            "differs from begin and advance",
            f"after {move}, {differences(after, s)} (apply; begin and advance).",
            "the same position, byte by byte.",
        )


def _check_no_moves(at: Context, s: Position, after: Position, event: str) -> None:
    """Checks that no seat can move in the middle of a move."""
    if s.tobytes() == after.tobytes():
        return  # the move is a single event
    for seat in range(at.game.seats):
        if actions := legal_actions(at, s, seat):
            found = f"{listed(actions)} for seat {seat} after the event {event!r}."
            raise at.fault("legal", "lists actions in the middle of a move", found, "none.")


def check_header(at: Context) -> None:
    """Checks the header of a position between two moves."""
    s, seats = at.state.position, at.game.seats
    for field, holds, expected in (
        ("over", s.over in (0, 1), "0 or 1."),
        ("stage", s.stage == 0, "0 between moves."),
        (
            "turn",
            s.turn == ANYONE or 0 <= s.turn < seats,
            f"a seat, 0 to {seats - 1}, or ANYONE = {ANYONE}.",
        ),
        ("ply", s.ply >= 0, "a number that is not negative."),
    ):
        if not holds:
            raise at.fault(field, "has a wrong value", f"{s[field]}.", expected)


def check_legal(at: Context, seat: int) -> None:
    """Checks that `legal` gives a sorted list of actions, and only reads the position."""
    s, game = at.state.position, at.game
    actions = _unchanged(at, "legal", lambda: legal_actions(at, s, seat))
    if any(not 0 <= action < game.actions for action in actions):
        wrong = [action for action in actions if not 0 <= action < game.actions]
        expected = f"actions from 0 to {game.actions - 1}."
        raise at.fault("legal", "lists actions out of range", f"{listed(wrong)}.", expected)
    if len(set(actions)) != len(actions):
        twice = sorted({action for action in actions if actions.count(action) > 1})
        raise at.fault("legal", "lists an action twice", f"{listed(twice)}.", "each only once.")
    if actions != sorted(actions):
        expected = "ascending actions."
        raise at.fault("legal", "lists actions out of order", f"{listed(actions)}.", expected)
    may_move = not s.over and s.turn in (seat, ANYONE)
    if actions and s.over:
        found = f"{listed(actions)} for seat {seat}."
        raise at.fault("legal", "lists actions after the end of the game", found, "none.")
    if actions and not may_move:
        found = f"{listed(actions)} for seat {seat}, but turn is {s.turn}."
        raise at.fault("legal", "lists actions for a seat that is not to move", found, "none.")
    if may_move and not actions:
        raise at.fault(
            "legal",
            "lists no action before the end of the game",
            f"none for seat {seat}, but over is 0.",
            "at least one; a seat that cannot move passes by an action, or the game is over.",
        )


def _check_observe(at: Context, seat: int) -> None:
    shape = at.game.planes

    def observation() -> bytes:
        planes = GuardedArray(np.float32, *shape)
        at.call("observe", at.state.position, seat, planes.array)
        planes.check(at, "observe", "planes", f"{shape} entries")
        if not np.isfinite(planes.array).all():
            raise at.fault("observe", "writes numbers that are not finite", f"for seat {seat}.")
        return planes.array.tobytes()

    _unchanged(at, "observe", observation)


def check_evaluate(at: Context, seat: int) -> None:
    """Checks that `evaluate` only reads the position, and the range of its result."""
    value = _unchanged(at, "evaluate", lambda: float(at.call("evaluate", at.state.position, seat)))
    if not -1.0 <= value <= 1.0:
        raise at.fault("evaluate", "is out of range", f"{value} for seat {seat}.", "-1 to 1.")


def _check_hide(at: Context, seat: int) -> None:
    """Checks that `hide` depends on its seed only, and leaves the header alone."""
    before = at.state.position
    first, second = before.copy(), before.copy()
    for s in (first, second):
        at.call("hide", s, seat, 1)
    if first.tobytes() != second.tobytes():
        found = f"for seed 1 in two copies, {differences(first, second)}."
        raise at.fault("hide", "gives different results for the same seed", found)
    for field in ("turn", "over", "stage", "ply"):
        if first[field] != before[field]:
            found = f"{field} was {before[field]} and is {first[field]}."
            raise at.fault("hide", "changes the header", found, "only what a seat cannot know.")


def _check_key(at: Context) -> None:
    key = _unchanged(at, "key", lambda: at.call("key", at.state.position))
    if not 0 <= _integer(at, "key", key) < 2**64:
        raise at.fault("key", "is not a hash of 64 bits", f"{key!r}.", "an np.uint64.")


def _check_scores(at: Context) -> None:
    def scores() -> list[float]:
        out = GuardedArray(np.float64, at.game.seats)
        at.call("scores", at.state.position, out.array)
        out.check(at, "scores", "out", f"{at.game.seats} entries, one per seat")
        values: list[float] = out.array.tolist()
        return values

    found = _unchanged(at, "scores", scores)
    if not all(map(isfinite, found)):
        raise at.fault("scores", "writes numbers that are not finite", f"{found}.")


def _unchanged(at: Context, function: str, call: Callable[[], Any]) -> Any:
    """Returns a result, after checking that a second call gives the same and nothing changes."""
    before = at.state.position.copy()
    first, second = call(), call()
    if at.state.position.tobytes() != before.tobytes():
        found = f"before and after, {differences(before, at.state.position)}."
        raise at.fault(function, "changes the position", found, "a function that only reads it.")
    if first != second:
        found = f"{_short(first)}, then {_short(second)}."
        raise at.fault(function, "gives different results for the same position", found)
    return first


def _integer(at: Context, function: str, value: Any) -> int:
    """Returns a result as an int, after checking that it is one."""
    try:
        return index(value)
    except TypeError:
        raise at.fault(function, "does not return an integer", f"{_short(value)}.") from None


def _short(value: object) -> str:
    """Returns a value as text, cut if it is long."""
    text = " ".join(repr(value.tolist() if hasattr(value, "tolist") else value).split())
    return text if len(text) <= 60 else f"{text[:57]}…"
