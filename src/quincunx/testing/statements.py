"""Finds what the Python code of compiled functions must not contain: exceptions and recursion."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from quincunx import jit
from quincunx.game import Game
from quincunx.testing.fault import Fault

# The modules whose functions numba implements itself.
IMPLEMENTED_ELSEWHERE = ("numpy", "numba", "quincunx.jit")


def check_statements(game: Game, name: str, function: Any) -> None:
    """Checks that a function, and all that it calls, never raises and never calls itself."""
    checked: set[FunctionType] = set()

    def visit(current: FunctionType, callers: tuple[FunctionType, ...]) -> None:
        if current in callers:
            chain = " calls ".join(caller.__name__ for caller in (*callers, current))
            expected = "loops, with a stack of their own where needed."
            raise Fault(game.name, name, "is recursive", f"{chain}.", expected)
        if current not in checked:
            _check_raises(game, name, current)
            for called in _called(current):
                visit(called, (*callers, current))
            checked.add(current)

    visit(jit.python_function(function), ())


def _check_raises(game: Game, name: str, function: FunctionType) -> None:
    """Checks that a function has neither a `raise` nor an `assert` statement."""
    code = function.__code__
    for instruction in dis.get_instructions(code):
        if instruction.opname == "RAISE_VARARGS":
            found = f"a raise or assert statement: {_place(function, instruction)}."
            expected = "no exceptions: `legal` lists what is allowed, and the others trust it."
            raise Fault(game.name, name, "can raise an exception", found, expected)


def attribute_lines(function: Any, attribute: str) -> list[str]:
    """Returns the places in which a function, or what it calls, uses an attribute."""
    places: list[str] = []
    found = [jit.python_function(function)]
    for current in found:  # grows while it is read
        found += [called for called in _called(current) if called not in found]
        for instruction in dis.get_instructions(current):
            if (
                instruction.opname in ("LOAD_ATTR", "STORE_ATTR")
                and instruction.argval == attribute
            ):
                places.append(_place(current, instruction))
    return [*dict.fromkeys(places)]


def _place(function: FunctionType, instruction: dis.Instruction) -> str:
    """Returns the file and the line of an instruction."""
    lines = dis.findlinestarts(function.__code__)
    line = max(line for start, line in lines if line and start <= instruction.offset)
    return f"{function.__code__.co_filename}, line {line}"


def _called(function: FunctionType) -> Iterator[FunctionType]:
    """Yields the Python functions of the compiled functions that a function may call."""
    names = {
        instruction.argval
        for instruction in dis.get_instructions(function)
        if instruction.opname == "LOAD_GLOBAL"
    }
    for name in sorted(names):
        value = jit.python_function(function.__globals__.get(name))
        if isinstance(value, FunctionType) and not _is_implemented_elsewhere(value):
            yield value


def _is_implemented_elsewhere(function: FunctionType) -> bool:
    return function.__module__.startswith(IMPLEMENTED_ELSEWHERE)
