"""The part of `testing.check_game` that concerns kernels: the contract's names, types and rules."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np

from quincunx import jit, search
from quincunx.contract import (
    ENTRY_POINTS,
    HEADER_FIELDS,
    SignatureText,
    parse_signature,
)
from quincunx.game import Game, State
from quincunx.position import ANYONE, HEADER, NOBODY, REPETITION_WINDOW
from quincunx.warm import declared_functions, run_batch

# The fields that are optional but have a fixed meaning, with their types.
OPTIONAL_FIELDS = {
    "winner": np.dtype("i1"),
    "seen": np.dtype(("u8", (REPETITION_WINDOW,))),
}

# The number of actions of a position for which `is_legal` is compared with `legal`.
TESTED_ACTIONS = 40


def check_kernel(game: Game) -> None:
    """Checks the names, constants, fields and types of a kernel."""
    kernel = game.kernel
    _check_constants(game)
    _check_fields(game)
    for name, text in getattr(kernel, "HELPERS", {}).items():
        _require(hasattr(kernel, name), game, f"HELPERS has {name}, but the kernel does not")
        _require(name not in ENTRY_POINTS, game, f"{name} of HELPERS is an entry point")
        results = _parsed(game, name, text).results
        _require(
            not any(kind.endswith("]") for kind in results),
            game,
            f"{name} of HELPERS returns an array; expected numbers, and arrays as arguments",
        )
    for name, (function, text) in declared_functions(kernel).items():
        _check_arguments(game, name, function, _parsed(game, name, text))
        try:
            jit.compile_signature(function, jit.signature(text, _records(game)))
        except Exception as error:  # numba has many classes for code that does not compile
            raise AssertionError(
                f"{game.name}: {name} does not compile as {text}: {error}"
            ) from error


def check_compiled(game: Game) -> None:
    """Checks that all uses of a kernel agreed with its declared types, and what it calls.

    Games are played in a batch and by random playouts first, so that these are among the uses.
    """
    run_batch(game)
    search.RandomGames(game).play(seed=0, min_moves=1, max_game_moves=10)
    if jit.UNCOMPILED:
        return
    declared = [
        (name, function, text, _records(game))
        for name, (function, text) in declared_functions(game.kernel).items()
    ]
    for name, function, text, records in [*declared, *search.declared_functions(game.kernel)]:
        expected = jit.signature_text(jit.signature(text, records), records)
        compiled = jit.compiled_signatures(function, records)
        _require(
            {*compiled} <= {expected},
            game,
            f"{name} was called with other types than declared:"
            f" {', '.join(sorted({*compiled} - {expected}))}; expected only {expected}",
        )
        forbidden = jit.forbidden_names(function)
        _require(
            not forbidden,
            game,
            f"{name} uses {', '.join(sorted(forbidden))}; kernels must not allocate,"
            " call functions whose results depend on the machine, or use global arrays over 1 MB",
        )


def violations(state: State, rng: Random) -> list[str]:
    """Returns the requirements on kernels that a position between two moves violates."""
    return [
        requirement
        for requirement, holds in (*_header(state), *_result(state), *_actions(state, rng))
        if not holds
    ]


def _check_constants(game: Game) -> None:
    """Checks that the constants are plain Python values, and that the options keep to them."""
    kernel = game.kernel
    for name in ("ACTIONS", "MAX_LEGAL", "SEATS"):
        value = getattr(kernel, name)
        _require(
            type(value) is int and value > 0,
            game,
            f"{name} is {value!r}; expected a positive int",
        )
    planes, events = kernel.PLANES, kernel.EVENTS
    _require(
        type(planes) is tuple and [type(size) for size in planes] == [int] * 3,
        game,
        f"PLANES is {planes!r}; expected a tuple of three ints",
    )
    _require(
        type(events) is tuple and {type(event) for event in events} == {str},
        game,
        f"EVENTS is {events!r}; expected a tuple of strings",
    )
    _require(
        events[0] == "" and all(events[1:]) and len(set(events)) == len(events),
        game,
        f"EVENTS is {events!r}; expected an empty string, then distinct names",
    )
    _require(
        1 <= game.seats <= kernel.SEATS,
        game,
        f"{game.seats} seats; expected 1 to SEATS = {kernel.SEATS}",
    )
    _require(
        game.actions <= kernel.ACTIONS,
        game,
        f"{game.actions} actions, more than ACTIONS = {kernel.ACTIONS}",
    )
    _require(
        all(size <= most for size, most in zip(game.planes, kernel.PLANES, strict=True)),
        game,
        f"planes {game.planes}, more than PLANES = {kernel.PLANES}",
    )


def _check_fields(game: Game) -> None:
    """Checks the fields of STATE that the contract knows."""
    fields: Mapping[str, Any] = game.kernel.STATE.fields or {}
    names = game.kernel.STATE.names or ()
    _require(
        names[: len(HEADER)] == HEADER_FIELDS,
        game,
        f"STATE must begin with the fields {', '.join(HEADER_FIELDS)}",
    )
    _require(
        "seen" in names or not game.traits.repetition,
        game,
        "a repeated position ends the game, so STATE must have the field seen",
    )
    expected = {name: np.dtype(kind) for name, kind in HEADER} | OPTIONAL_FIELDS
    for name in names:
        # In uncompiled code the method would hide the field.
        _require(
            not hasattr(np.record, name),
            game,
            f"STATE has a field {name}, but numpy records have a method {name}",
        )
        kind = fields[name][0]
        _require(
            kind == expected.get(name, kind),
            game,
            f"the field {name} is {kind}; expected {expected.get(name)}",
        )
        _require(not kind.hasobject, game, f"the field {name} is {kind}; expected numbers")


def _check_arguments(game: Game, name: str, function: Any, text: SignatureText) -> None:
    """Checks the number of arguments of a function; uncompiled code checks no more."""
    code = jit.python_function(function).__code__
    _require(
        code.co_argcount == len(text.types),
        game,
        f"{name} has {code.co_argcount} arguments; expected {len(text.types)}:"
        f" {', '.join(map(': '.join, zip(text.names, text.types, strict=True)))}",
    )


def _parsed(game: Game, name: str, text: str) -> SignatureText:
    try:
        return parse_signature(text)
    except ValueError as error:
        raise AssertionError(f"{game.name}: {name} of HELPERS: {error}") from error


def _require(holds: bool, game: Game, message: str) -> None:
    if not holds:
        raise AssertionError(f"{game.name}: {message}")


def _records(game: Game) -> dict[str, Any]:
    return {"state": game.kernel.STATE}


def _header(state: State) -> list[tuple[str, bool]]:
    """Returns requirements on the header, each with whether it holds."""
    s = state.position
    return [
        ("over is 0 or 1", s.over in (0, 1)),
        ("stage is 0 between moves", s.stage == 0),
        ("turn is a seat, or ANYONE", s.turn == ANYONE or 0 <= s.turn < state.game.seats),
        ("ply is not negative", s.ply >= 0),
    ]


def _result(state: State) -> list[tuple[str, bool]]:
    """Returns requirements on `winner` and `seen`, where a position has them."""
    s, names = state.position, state.game.kernel.STATE.names or ()
    checks = []
    if "winner" in names:
        winner = int(s.winner)
        draw = (0.5, 0.5) if state.over else (0.0, 0.0)
        won = tuple(float(seat == winner) for seat in range(2))
        checks += [
            ("only two-player games have a winner", state.game.seats == 2),
            ("winner is a seat, or NOBODY", winner in (NOBODY, 0, 1)),
            ("winner is NOBODY before the end", state.over or winner == NOBODY),
            ("scores are those of winner", state.scores == (draw if winner == NOBODY else won)),
        ]
    if "seen" in names:
        latest = int(s.seen[int(s.ply) % REPETITION_WINDOW])
        checks.append(
            ("seen[ply % 64] is the key", latest == int(state.game.kernel.key(s))),
        )
    return checks


def _actions(state: State, rng: Random) -> list[tuple[str, bool]]:
    """Returns requirements on `is_legal`, `sample` and `one_ply_values`."""
    game, s = state.game, state.position
    code = search.compiled(game.kernel)
    moves = np.empty(game.kernel.MAX_LEGAL, np.int32)
    values = np.empty(game.kernel.MAX_LEGAL)
    scratch = game.empty_positions(2)
    checks = []
    for seat in range(game.seats):
        legal = state.actions(seat)
        some = rng.sample(legal, min(TESTED_ACTIONS, len(legal)))
        others = [rng.randrange(game.actions) for _ in range(TESTED_ACTIONS)]
        near = [action + step for action in some for step in (-1, 1)]
        for action in (*some, *near, *others, -1, game.actions, 2**40, -(2**40)):
            found = bool(game.kernel.is_legal(s, seat, action))
            requirement = f"is_legal({seat}, {action}) is {action in legal}, as in legal"
            checks.append((requirement, found == (action in legal)))
        if not legal:
            continue
        for bits in (0, 2**32 - 1, rng.getrandbits(32)):
            expected = legal[bits * len(legal) >> 32]
            sampled = int(code.sample(s, seat, moves, np.uint64(bits)))
            checks.append((f"sample({bits}) is {expected}, not {sampled}", sampled == expected))
        scratch[0] = s
        n = code.one_ply_values(scratch, seat, moves, values)
        checks += [
            ("one_ply_values writes the legal actions", moves[:n].tolist() == legal),
            ("one_ply_values are from -1 to 1", bool((abs(values[:n]) <= 1.0).all())),
            ("one_ply_values keeps scratch[0]", scratch[0].tobytes() == s.tobytes()),
        ]
    return checks
