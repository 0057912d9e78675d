"""Checks of what a game declares: the kernel's names, constants, fields and types, and the rules.

Nothing here depends on a position.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from string import Formatter
from typing import Any

import numpy as np

from quincunx import jit
from quincunx.contract import (
    ENTRY_POINTS,
    HEADER_FIELDS,
    SignatureText,
    parse_signature,
)
from quincunx.errors import BadOption, did_you_mean
from quincunx.game import Game
from quincunx.players import parse_player
from quincunx.players.level import LEVEL_NAMES
from quincunx.position import HEADER, REPETITION_WINDOW
from quincunx.testing.fault import Fault, raised
from quincunx.testing.statements import attribute_lines, check_statements
from quincunx.warm import declared_functions

# The fields that are optional but have a fixed meaning, with their types.
OPTIONAL_FIELDS = {
    "winner": np.dtype("i1"),
    "seen": np.dtype(("u8", (REPETITION_WINDOW,))),
}

FORBIDDEN = (
    "no allocation (jit.stack_array has scratch memory), no function whose result depends on the"
    " machine (such as log, exp or pow), no global array over 1 MB."
)


def check_declarations(game: Game) -> None:
    """Checks everything that a game declares, and compiles its kernel."""
    _check_names(game)
    check_kernel(game)
    _check_seats(game)
    _check_options(game)
    _check_old_rules(game)
    _check_presets(game)
    _check_lines(game)
    _check_texts(game)
    _check_buttons(game)


def check_kernel(game: Game) -> None:
    """Checks the names, constants, fields, functions and types of a kernel."""
    _check_constants(game)
    _check_fields(game)
    _check_helpers(game)
    for name, (function, text) in declared_functions(game.kernel).items():
        if not callable(function):
            raise Fault(game.name, name, "is not a function", f"{name} = {function!r}.")
        _check_arguments(game, name, function, _parsed(game, name, text))
        check_statements(game, name, function)
        _check_compiles(game, name, function, text)


def _check_names(game: Game) -> None:
    """Checks that notation and layout have all names of their protocols."""
    for name in game.parts.missing_names():
        part = name.partition(".")[0]
        raise Fault(game.name, name, f"is missing: the {part} has no such name")


def _check_constants(game: Game) -> None:
    """Checks that the constants are plain Python values within their bounds."""
    kernel = game.kernel
    for name in ("ACTIONS", "MAX_LEGAL", "SEATS"):
        value = getattr(kernel, name)
        if not (type(value) is int and value > 0):
            raise Fault(game.name, name, "is not a count", f"{value!r}.", "a positive int.")
    planes, events = kernel.PLANES, kernel.EVENTS
    if not (type(planes) is tuple and [type(size) for size in planes] == [int] * 3):
        expected = "a tuple of three ints: planes, rows, columns."
        raise Fault(game.name, "PLANES", "is not a shape", f"{planes!r}.", expected)
    if not (type(events) is tuple and {type(event) for event in events} == {str}):
        raise Fault(
            game.name, "EVENTS", "is not a tuple of names", f"{events!r}.", "a tuple of strings."
        )
    if events[0] or not all(events[1:]) or len(set(events)) != len(events):
        expected = "an empty string, then distinct names."
        raise Fault(game.name, "EVENTS", "has a wrong name", f"{events!r}.", expected)
    check_sizes(game)


def check_sizes(game: Game) -> None:
    """Checks that the options keep to the constants of the kernel."""
    kernel = game.kernel
    if not 1 <= game.seats <= kernel.SEATS:
        expected = f"1 to SEATS = {kernel.SEATS}."
        raise Fault(game.name, "rules.seats", "is out of range", f"{game.seats} seats.", expected)
    if game.actions > kernel.ACTIONS:
        found, expected = f"{game.actions} actions.", f"at most ACTIONS = {kernel.ACTIONS}."
        raise Fault(game.name, "rules.actions", "is out of range", found, expected)
    if any(size > most for size, most in zip(game.planes, kernel.PLANES, strict=True)):
        found, expected = f"{game.planes}.", f"at most PLANES = {kernel.PLANES}."
        raise Fault(game.name, "rules.planes", "is out of range", found, expected)


def _check_fields(game: Game) -> None:
    """Checks the fields of STATE that the contract knows."""
    fields: Mapping[str, Any] = game.kernel.STATE.fields or {}
    names = game.kernel.STATE.names or ()
    if names[: len(HEADER)] != HEADER_FIELDS:
        found = f"{', '.join(names[: len(HEADER)])}."
        expected = f"{', '.join(HEADER_FIELDS)}; write STATE = np.dtype([*HEADER, ...])."
        raise Fault(game.name, "STATE", "does not begin with the header", found, expected)
    if "seen" not in names and game.traits.repetition:
        found = "traits.repetition is True: a repeated position ends the game."
        expected = f'("seen", "u8", ({REPETITION_WINDOW},)), the keys of the last positions.'
        raise Fault(game.name, "STATE", "has no field seen", found, expected)
    expected_types = {name: np.dtype(kind) for name, kind in HEADER} | OPTIONAL_FIELDS
    for name in names:
        # In uncompiled code the attribute would hide the field.
        if hasattr(np.record, name):
            found = f"numpy records have an attribute {name}, which hides the field."
            raise Fault(game.name, "STATE", f"has a field {name}", found, "another name.")
        kind = fields[name][0]
        if kind != expected_types.get(name, kind):
            found, expected = f"{kind}.", f"{expected_types[name]}."
            raise Fault(game.name, "STATE", f"has a field {name} of a wrong type", found, expected)
        if kind.hasobject:
            raise Fault(
                game.name, "STATE", f"has a field {name} of objects", f"{kind}.", "numbers."
            )


def _check_helpers(game: Game) -> None:
    """Checks the further functions that a kernel declares in HELPERS."""
    for name, text in getattr(game.kernel, "HELPERS", {}).items():
        if not hasattr(game.kernel, name):
            raise Fault(game.name, "HELPERS", f"has {name}, but the kernel does not")
        if name in ENTRY_POINTS:
            raise Fault(game.name, "HELPERS", f"has {name}, which is an entry point")
        if any(kind.endswith("]") for kind in _parsed(game, name, text).results):
            expected = "numbers as results, and arrays only as arguments."
            raise Fault(game.name, name, "returns an array", f"{text}.", expected)


def _check_arguments(game: Game, name: str, function: Any, text: SignatureText) -> None:
    """Checks the number of arguments of a function; uncompiled code checks no more."""
    found = jit.python_function(function).__code__.co_argcount
    if found != len(text.types):
        arguments = ", ".join(map(": ".join, zip(text.names, text.types, strict=True)))
        raise Fault(
            game.name,
            name,
            "has a wrong number of arguments",
            f"{found}.",
            f"{len(text.types)}: {arguments}.",
        )


def _check_compiles(game: Game, name: str, function: Any, text: str) -> None:
    """Checks that a function compiles for its declared types, and what the machine code calls."""
    if jit.UNCOMPILED:
        return
    if not hasattr(function, "py_func"):
        expected = "the decorator @jit of quincunx.jit."
        raise Fault(game.name, name, "is not compiled", "a plain Python function.", expected)
    try:
        jit.compile_signature(function, jit.signature(text, {"state": game.kernel.STATE}))
    except Exception as error:  # numba has many classes for code that does not compile
        if isinstance(error, KeyError) and error.args[0] not in (game.kernel.STATE.names or ()):
            raise _unknown_field(game, name, function, str(error.args[0])) from error
        found = raised(name, error)[2]
        raise Fault(game.name, name, f"does not compile as {text}", found) from error
    forbidden = jit.forbidden_names(function)
    if forbidden:
        raise Fault(game.name, name, *forbidden_use(forbidden))


def _unknown_field(game: Game, name: str, function: Any, field: str) -> Fault:
    """Returns the report of a field of the position that STATE does not have."""
    fields = game.kernel.STATE.names or ()
    hint = did_you_mean(field, fields).strip()
    lines = "".join(f"\n{line}." for line in attribute_lines(function, field))
    return Fault(
        game.name,
        name,
        f"uses an unknown field {field}",
        f"STATE has no field {field}{f'; {hint}' if hint else '.'}{lines}",
        f"one of {', '.join(fields)}.",
    )


def forbidden_use(names: set[str]) -> tuple[str, str, str]:
    """Returns problem, found and expected of a function that calls what kernels must not call."""
    allocates = any(name.startswith("NRT_") for name in names)
    problem = "allocates memory" if allocates else "uses what differs between machines"
    return problem, f"the compiled code uses {', '.join(sorted(names))}.", FORBIDDEN


def _parsed(game: Game, name: str, text: str) -> SignatureText:
    try:
        return parse_signature(text)
    except ValueError as error:
        raise Fault(game.name, "HELPERS", f"has a wrong type for {name}", str(error)) from error


def _check_seats(game: Game) -> None:
    """Checks that every seat has a name and a letter."""
    rules = game.parts.rules
    for name, values in (("SEAT_NAMES", rules.SEAT_NAMES), ("LETTERS", rules.LETTERS)):
        used = [value.lower() for value in values[: game.seats]]
        if len({*used} - {""}) < game.seats:
            expected = f"{game.seats}, all different: one for each seat."
            raise Fault(
                game.name, f"rules.{name}", "does not name every seat", f"{values!r}.", expected
            )


def _check_options(game: Game) -> None:
    """Checks that options are described and reject wrong values."""
    for option in game.parts.rules.OPTIONS:
        where = f"option {option.name}"
        if not option.description:
            raise Fault(game.name, where, "has no description", "", "one line for people.")
        value = "?"
        try:
            if option.code(option.check(option.default)) != option.code(option.default):
                raise Fault(game.name, where, "changes its default")
        except BadOption as error:
            raise Fault(game.name, where, "rejects its default", str(error)) from error
        except OverflowError as error:
            raise Fault(game.name, where, "has a wrong default", str(error)) from error
        try:
            game.configured(**{option.name: value})
        except BadOption:
            continue
        except Exception as error:
            raise Fault(game.name, *raised(where, error)[1:]) from error
        raise Fault(
            game.name, where, "accepts any value", f"{option.name}={value!r} is accepted.",
            "BadOption, raised by Option.check or rules.check.",
        )  # fmt: skip


def _check_old_rules(game: Game) -> None:
    """Checks that every position knows by which version of the rules it is played."""
    versions = [game.with_rules(version) for version in game.rules_versions]
    found = "positions of {} and {} are the same, so that moves cannot differ."
    expected = "start keeps the version, which follows the options, in the position."
    starts = [version.start(seed=0) for version in versions]
    read = [version.read(state.text) for version, state in zip(versions, starts, strict=True)]
    for function, states in (("start", starts), ("notation.read", read)):
        for older, newer in pairwise(states):
            if older.position.tobytes() == newer.position.tobytes():
                names = (f"rules {state.game.rules_version}" for state in (older, newer))
                problem = "ignores the version of the rules"
                raise Fault(game.name, function, problem, found.format(*names), expected)


def _check_presets(game: Game) -> None:
    """Checks that presets have names and descriptions, and valid values for the same options."""
    choice = game.parts.rules.PRESETS
    if choice is None:
        return
    where = "rules.PRESETS"
    if not 0 <= choice.selected < len(choice.presets):
        raise Fault(game.name, where, "selects no preset", f"selected={choice.selected}.")
    names = {*choice.presets[0].values(1)}
    for preset in choice.presets:
        if not (preset.name and preset.description):
            raise Fault(game.name, where, "has an incomplete preset", f"{preset!r}.")
        if {*preset.values(1)} != names:
            expected = f"values for {', '.join(sorted(names))} in every preset."
            raise Fault(game.name, where, "has different options", f"{preset!r}.", expected)
        try:
            game.configured(**preset.values(game.seats))
        except BadOption as error:
            raise Fault(game.name, where, "has a wrong value", str(error)) from error


def _check_lines(game: Game) -> None:
    """Checks that title and summary can be shown in lists."""
    rules = game.parts.rules
    for name, text in (("TITLE", rules.TITLE), ("SUMMARY", rules.SUMMARY)):
        if not text.strip() or not text.isprintable():
            raise Fault(game.name, f"rules.{name}", "is not one line", f"{text!r}.", "one line.")


def check_levels(game: Game) -> None:
    """Checks that every level has a percentage of random moves and a player of the game."""
    levels = game.parts.rules.LEVELS
    if len(levels) != len(LEVEL_NAMES):
        found, expected = f"{len(levels)} levels.", f"{len(LEVEL_NAMES)}, the weakest first."
        raise Fault(game.name, "rules.LEVELS", "has a wrong length", found, expected)
    for level in levels:
        try:
            percent, text = level
            if not 0 <= percent <= 100:
                raise ValueError(f"{percent} is not a percentage")
            parse_player(text, game)
        except (TypeError, ValueError) as error:
            expected = 'the percentage of random moves and a player, such as (25, "mcts:sims=80").'
            found = f"{level!r}: {error}."
            raise Fault(game.name, "rules.LEVELS", "has a wrong level", found, expected) from error


def _check_texts(game: Game) -> None:
    """Checks that every text can be rendered."""
    for code, text in game.parts.rules.TEXTS.items():
        try:
            names = [name for _, name, _, _ in Formatter().parse(text) if name is not None]
        except (ValueError, TypeError) as error:
            raise Fault(
                game.name, "rules.TEXTS", f"has a wrong text {code!r}", str(error)
            ) from error
        if not all(name.isidentifier() for name in names):
            found = f"{text!r}."
            expected = "fields in braces with a name, such as {seat}."
            raise Fault(game.name, "rules.TEXTS", f"has a wrong text {code!r}", found, expected)


def _check_buttons(game: Game) -> None:
    """Checks the buttons beside the board."""
    buttons = game.controls.buttons
    for field in ("word", "label", "key", "about"):
        values = [getattr(button, field) for button in buttons]
        if not all(values):
            found = f"a button without {field}."
            raise Fault(game.name, "layout.CONTROLS", "has an incomplete button", found)
        if field != "about" and len(set(values)) != len(values):
            found = f"{field}: {', '.join(values)}."
            expected = f"a different {field} for every button."
            raise Fault(game.name, "layout.CONTROLS", "has two equal buttons", found, expected)
