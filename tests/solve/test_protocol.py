"""The solvers of games, and the functions that find them."""

import inspect
import subprocess
import sys
from types import ModuleType

import pytest

import quincunx as qx
from quincunx import registry, solve
from quincunx.errors import BadOption
from quincunx.solve.onoro.tablebase import Tablebase
from quincunx.solve.protocol import Report, Resources, Solver
from tests.toy_game import make_game


def parameters(function):
    """Returns the names and defaults of the parameters of a function or of a protocol's method."""
    return [
        (parameter.name, parameter.default)
        for parameter in inspect.signature(function).parameters.values()
        if parameter.name != "self"
    ]


@pytest.mark.parametrize("name", solve.solved_games())
def test_a_solver_has_all_functions_of_the_protocol(name):
    solver = solve.solver_of(qx.game(name))
    functions = [function for function in vars(Solver) if not function.startswith("_")]
    assert {"available", "open_table", "build", "verify"} <= set(functions)
    for function in functions:
        expected = parameters(getattr(Solver, function))
        assert parameters(getattr(solver, function)) == expected, function


def test_only_small_or_existing_tables_are_available(tmp_path):
    assert solve.available(qx.game("onoro", pawns=5), tmp_path)
    assert not solve.available(qx.game("onoro", pawns=6), tmp_path)
    (tmp_path / "onoro-6.table").touch()
    assert solve.available(qx.game("onoro", pawns=6), tmp_path)
    assert not solve.available(qx.game("quorum"), tmp_path)


def test_build_writes_the_table_and_reports_progress(tmp_path):
    phases = []
    resources = Resources(threads=1, progress=lambda work, done, total: phases.append(work))
    path = solve.build(qx.game("onoro", pawns=3), tmp_path, resources)
    assert path == tmp_path / "onoro-3.table"
    assert Tablebase.open(path).pawns == 3
    assert {"moves", "round 1", "checksums"} <= set(phases)
    phases.clear()
    assert solve.build(qx.game("onoro", pawns=3), tmp_path, resources) == path
    assert not phases


def test_a_game_without_a_solver_is_rejected(tmp_path):
    with pytest.raises(BadOption, match="only onoro can be solved"):
        solve.build(qx.game("quorum"), tmp_path)


def test_a_registered_game_brings_its_own_solver(monkeypatch):
    solver = ModuleType("solver_of_stones")
    solver.available = lambda game, directory=None: game.name == "stones"
    monkeypatch.setitem(sys.modules, "solver_of_stones", solver)
    monkeypatch.setattr(registry, "_registered", {})
    game = make_game("stones", rules={"SOLVER": "solver_of_stones"})
    assert solve.solver_of(game) is solver
    assert solve.available(game)
    assert "stones" not in solve.solved_games()
    registry.register(game)
    assert "stones" in solve.solved_games()


def test_reports_are_joined():
    joined = Report({"a": 1}, ("one",)) + Report({"b": 2}, ("two", "three"))
    assert joined == Report({"a": 1, "b": 2}, ("one", "two", "three"))


def test_players_and_analysis_do_not_import_a_solver():
    program = (
        "import sys, quincunx.analysis, quincunx.players.perfect, quincunx.commands.solve; "
        "print([name for name in sys.modules if name.startswith('quincunx.solve.')])"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.stdout.strip() == "['quincunx.solve.protocol']"
