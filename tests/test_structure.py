"""Modules and functions are short: a module has one subject, a function fits on a screen."""

import ast
from pathlib import Path

import pytest

SOURCES = sorted((Path(__file__).parents[1] / "src" / "quincunx").rglob("*.py"))
MAX_MODULE_LINES = 450
MAX_FUNCTION_LINES = 60


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_modules_and_functions_are_short(path):
    text = path.read_text()
    assert text.count("\n") <= MAX_MODULE_LINES
    too_long = {
        node.name: node.end_lineno - node.lineno + 1
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno - node.lineno >= MAX_FUNCTION_LINES
    }
    assert not too_long
