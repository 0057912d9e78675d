"""Rooms use of asyncio only what every host has: tasks, locks and events, but not its clock."""

import ast
from pathlib import Path

import pytest

import quincunx.rooms

SOURCES = sorted(Path(quincunx.rooms.__file__).parent.glob("*.py"))
ALLOWED = {"Task", "Lock", "Event", "CancelledError", "create_task", "gather", "shield"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_rooms_use_only_tasks_locks_and_events_of_asyncio(path):
    tree = ast.parse(path.read_text())
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "asyncio"
    }
    assert used <= ALLOWED
    imported = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert "asyncio" not in imported
