"""Small changes to the source of a module, each of which a test should notice."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator
from dataclasses import dataclass

SWAPPED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


@dataclass(frozen=True)
class Mutant:
    """A module with one change."""

    line: int  # of the original source
    source: str
    diff: str


def count_mutants(source: str) -> int:
    """Returns the number of mutants of a module.

    Function bodies and tables are changed; imports, docstrings, dtypes and texts are not.
    """
    return sum(len(_changes(node)) for node in _places(ast.parse(source)))


def mutant(source: str, index: int) -> Mutant:
    """Returns one mutant of a module; the index counts from 0."""
    tree = ast.parse(source)
    original = ast.unparse(tree)
    changes = [(node, change) for node in _places(tree) for change in _changes(node)]
    node, change = changes[index]
    line = node.lineno
    change()
    changed = ast.unparse(ast.fix_missing_locations(tree))
    return Mutant(line, changed, _diff(original, changed))


def _places(tree: ast.Module) -> Iterator[ast.stmt | ast.expr]:
    """Yields the statements and expressions of a module that can be changed."""
    for top in tree.body:
        if isinstance(top, ast.FunctionDef):
            for statement in top.body:
                yield from _changeable(statement)
        elif isinstance(top, ast.Assign) and "dtype" not in ast.unparse(top.value):
            yield from _changeable(top.value)


def _changeable(node: ast.AST) -> Iterator[ast.stmt | ast.expr]:
    for each in ast.walk(node):
        if isinstance(each, ast.stmt | ast.expr) and _changes(each):
            yield each


def _changes(node: ast.AST) -> list:
    """Returns functions, each of which changes the node in place in one way."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in SWAPPED:
            return [lambda: node.ops.__setitem__(0, SWAPPED[type(op)]())]
        case ast.BinOp(op=op) | ast.BoolOp(op=op) if type(op) in SWAPPED:
            return [lambda: setattr(node, "op", SWAPPED[type(op)]())]
        case ast.AugAssign(op=op) if type(op) in SWAPPED:
            return [lambda: setattr(node, "op", SWAPPED[type(op)]()), lambda: _remove(node)]
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert()):
            return [lambda: setattr(node, "op", ast.UAdd())]
        case ast.Constant(value=bool(value)):
            return [lambda: setattr(node, "value", not value)]
        case ast.Constant(value=int(value) | float(value)):
            return [lambda: setattr(node, "value", value + 1)]
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            return [lambda: setattr(node, "test", ast.UnaryOp(ast.Not(), test))]
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]) | ast.Expr(value=ast.Call()):
            return [lambda: _remove(node)]
        case ast.Break() | ast.Continue():
            other = ast.Continue if isinstance(node, ast.Break) else ast.Break
            return [lambda: setattr(node, "__class__", other)]
        case _:
            return []


def _remove(statement: ast.stmt) -> None:
    """Turns a statement into `pass`."""
    lines = {name: getattr(statement, name) for name in statement._attributes}
    statement.__dict__.clear()
    statement.__class__ = ast.Pass
    statement.__dict__.update(lines)


def _diff(before: str, after: str) -> str:
    """Returns the changed lines."""
    lines = list(difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0))
    return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))
