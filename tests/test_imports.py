"""The import contracts of import-linter, and rules that it cannot express."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "src" / "quincunx").rglob("*.py"))


def test_import_contracts_hold():
    linter = shutil.which("lint-imports", path=str(Path(sys.executable).parent))
    if linter is None:
        pytest.skip("import-linter is not installed")
    done = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


COMPILED = [
    p for p in SOURCES if "games" in p.parts and "from quincunx.jit import" in p.read_text()
]


@pytest.mark.parametrize("path", COMPILED, ids=str)
def test_a_kernel_imports_numpy_jit_position_and_its_own_folder_only(path):
    tree = ast.parse(path.read_text())
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    modules |= {
        a.name for node in ast.walk(tree) if isinstance(node, ast.Import) for a in node.names
    }
    own = f"quincunx.games.{path.parent.name}"
    shared = {"numpy", "pathlib", "quincunx.defaults", "quincunx.jit", "quincunx.position"}
    assert {module for module in modules if not module.startswith(own)} <= shared


@pytest.mark.parametrize("path", COMPILED, ids=str)
def test_a_kernel_never_raises_and_never_formats_text(path):
    for node in ast.walk(ast.parse(path.read_text())):
        assert not isinstance(node, (ast.Raise, ast.Assert, ast.JoinedStr)), node.lineno


SEARCH = [p for p in SOURCES if p.parent.name == "search"]


@pytest.mark.parametrize("path", [*COMPILED, *SEARCH], ids=str)
def test_compiled_functions_do_not_call_themselves(path):
    for function in ast.walk(ast.parse(path.read_text())):
        if isinstance(function, ast.FunctionDef):
            calls = [node.func for node in ast.walk(function) if isinstance(node, ast.Call)]
            assert function.name not in {call.id for call in calls if isinstance(call, ast.Name)}
