"""Checks that the functions about legal actions agree with `legal`."""

from __future__ import annotations

import numpy as np

from quincunx import jit, search
from quincunx.testing.entry_points import check_evaluate
from quincunx.testing.fault import Context, listed

# The number of actions of a position for which `is_legal` is compared with `legal`.
TESTED_ACTIONS = 40


def check_actions(at: Context) -> None:
    """Checks `is_legal`, `sample`, `one_ply_values` and PASS in one position."""
    passing = at.game.parts.rules.PASS
    for seat in range(at.game.seats):
        legal = at.state.actions(seat)
        _check_is_legal(at, seat, legal)
        if legal:
            _check_sample(at, seat, legal)
            # Without the compiler the template takes long, and is the same in every game.
            if hasattr(at.game.kernel, "one_ply_values") or not jit.UNCOMPILED:
                _check_one_ply_values(at, seat, legal)
            if passing is not None and passing not in legal:
                found = f"PASS = {passing}, but the legal actions are {listed(legal)}."
                raise at.fault("rules.PASS", "is not always legal", found)


def _check_is_legal(at: Context, seat: int, legal: list[int]) -> None:
    game, rng = at.game, at.rng
    some = rng.sample(legal, min(TESTED_ACTIONS, len(legal)))
    others = [rng.randrange(game.actions) for _ in range(TESTED_ACTIONS)]
    near = [action + step for action in some for step in (-1, 1)]
    expected_actions = set(legal)
    for action in (*some, *near, *others, -1, game.actions, 2**40, -(2**40)):
        found = bool(at.call("is_legal", at.state.position, seat, action))
        if found != (action in expected_actions):
            raise at.fault(
                "is_legal",
                "does not agree with legal",
                f"is_legal(s, {seat}, {action}) is {found}, but legal lists {listed(legal)}.",
                f"{not found}.",
            )


def _check_sample(at: Context, seat: int, legal: list[int]) -> None:
    sample = search.compiled(at.game.kernel).sample
    moves = np.empty(at.game.kernel.MAX_LEGAL, np.int32)
    for bits in (0, 2**32 - 1, at.rng.getrandbits(32)):
        expected = legal[bits * len(legal) >> 32]
        found = int(sample(at.state.position, seat, moves, np.uint64(bits)))
        if found != expected:
            raise at.fault(
                "sample",
                "chooses another action than declared",
                f"{found} for seat {seat} and random_bits = {bits}.",
                f"{expected}, which is action random_bits * n >> 32 of the {len(legal)} that"
                " legal lists.",
            )


def _check_one_ply_values(at: Context, seat: int, legal: list[int]) -> None:
    game = at.game
    one_ply_values = search.compiled(game.kernel).one_ply_values
    moves = np.empty(game.kernel.MAX_LEGAL, np.int32)
    values = np.empty(game.kernel.MAX_LEGAL)
    scratch = game.empty_positions(2)
    scratch[0] = at.state.position
    n = one_ply_values(scratch, seat, moves, values)
    if moves[:n].tolist() != legal:
        found = f"{listed(moves[:n].tolist())} for seat {seat}."
        expected = f"the actions that legal lists: {listed(legal)}."
        raise at.fault("one_ply_values", "writes other actions than legal", found, expected)
    for action, value in zip(legal, values[:n].tolist(), strict=True):
        if not -1.0 <= value <= 1.0:
            check_evaluate(at.played(action, seat), seat)  # which is what it calls by default
    if not (abs(values[:n]) <= 1.0).all():
        found = f"{listed(values[:n].tolist())} for seat {seat}."
        raise at.fault("one_ply_values", "writes values out of range", found, "-1 to 1.")
    if scratch[0].tobytes() != at.state.position.tobytes():
        raise at.fault("one_ply_values", "changes the position in scratch[0]")
