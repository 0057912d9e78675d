"""The registry: installed packages, registered games, broken games and colliding names."""

import importlib
import re
import sys
import warnings

import pytest

import quincunx as qx
from quincunx import cli, registry
from quincunx.errors import BadGame, BadOption
from quincunx.rooms import messages
from tests.conftest import UNCOMPILED
from tests.toy_game import make_game

GOOD = """
from tests.toy_game import make_game
GAME = make_game("{name}", module="{module}.kernel")
"""


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Installs a package with a game; returns a function of package name, game name and source."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def install_package(package, name, source=GOOD, value=""):
        module = package.replace("-", "_")
        (tmp_path / module).mkdir()
        (tmp_path / module / "__init__.py").write_text(source.format(name=name, module=module))
        info = tmp_path / f"{module}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(
            f"[quincunx.games]\n{name} = {value or module + ':GAME'}\n"
        )
        forget()

    yield install_package
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]
    monkeypatch.undo()
    forget()


def forget():
    """Lets the registry look for installed packages again."""
    importlib.invalidate_caches()
    for function in (registry.installed, registry._load, registry._load_or_warn):
        function.cache_clear()
    registry._registered.clear()


def game_warnings(call):
    """Returns the result of a call and the texts of its warnings about games."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = call()
    assert all(issubclass(warning.category, registry.GameWarning) for warning in caught)
    return result, [str(warning.message) for warning in caught]


def test_a_game_of_an_installed_package(install):
    install("nice-stones", "stones")
    assert qx.games() == (*registry.BUILT_IN, "stones")
    assert registry.names() == qx.games()
    assert qx.game("stones").start().play("2").text == "5 b"
    assert (registry.title("stones"), registry.summary("stones")) == (
        "Stones",
        "Take the last stone.",
    )


def test_the_title_of_a_game_without_a_module_rules(install):
    source = "from tests.toy_game import make_game\n"
    source += "GAME = make_game('stones', rules=dict(TITLE='Pebbles'))\n"
    install("nice-stones", "stones", source)
    assert registry.title("stones") == qx.game("stones").title == "Pebbles"


BROKEN = {
    "import nowhere_to_be_found\n": "cannot be imported: ModuleNotFoundError: No module named "
    "'nowhere_to_be_found'",
    "GAME = 7\n": "has no game at bad_stones:GAME, but 7",
    "1 / 0\n": "cannot be imported: ZeroDivisionError: division by zero",
    "from tests.toy_game import make_game\nGAME = make_game('pebbles')\n": "announces 'stones', "
    "but its rules.NAME is 'pebbles'",
    "from tests.toy_game import make_game\nGAME = make_game('stones', without=['legal'])\n": "does "
    "not follow the contract: the kernel has no legal",
    "from tests.toy_game import make_game\nGAME = make_game('stones')\n"
    "del GAME.parts.layout.clicks, GAME.parts.notation.read\n": "does not follow the contract: it "
    "has no notation.read, layout.clicks",
    "from tests.toy_game import make_game\n"
    "GAME = make_game('stones', rules=dict(traits=lambda options: 1 / 0))\n": "does not follow the "
    "contract: rules.traits raises ZeroDivisionError: division by zero",
    "import sys\nsys.exit('wrong version')\n": "cannot be imported: SystemExit: wrong version",
}


@pytest.mark.parametrize("source", BROKEN)
def test_a_broken_game_is_reported_once_and_skipped(install, source):
    install("bad-stones", "stones", source)
    install("nice-marbles", "marbles")
    expected = f"the package bad-stones {BROKEN[source]}"
    names, texts = game_warnings(qx.games)
    assert names == (*registry.BUILT_IN, "marbles")
    assert texts == [f"the game stones cannot be used: {expected}"]
    assert game_warnings(qx.games) == (names, [])
    assert qx.game("marbles").start().text == "7 w"
    with pytest.raises(BadOption, match=re.escape(expected)):
        qx.game("stones")


@pytest.mark.parametrize("value", ["deep_stones:Shelf.GAME", "deep_stones:GAME [extra]"])
def test_an_entry_point_may_have_any_form_that_packages_use(install, value):
    install("deep-stones", "stones", GOOD + "class Shelf:\n    GAME = GAME\n", value)
    assert qx.game("stones").name == "stones"


@pytest.mark.parametrize(
    "name", ["", "Stones", "two words", "a/b", "a__b", "7stones", "stönes", "s" * 33, 'a"b']
)
def test_a_name_that_cannot_stand_in_commands_and_addresses_is_refused(name):
    with pytest.raises(BadGame, match=r"rules\.NAME is .*, and must be at most 32 lower-case"):
        make_game(name)


def test_the_server_accepts_the_longest_name():
    assert messages.MAX_GAME_NAME_CHARS == registry.MAX_NAME_CHARS


@pytest.mark.parametrize(
    "rules",
    [
        b'TITLE = "Nice " + "Stones"\n',
        '# coding: latin-1\n# Gr\u00f6\u00dfe\nTITLE = "Nice Stones"\n'.encode("latin-1"),
        b"TITLE = = 3\n",
    ],
)
def test_a_title_that_cannot_be_read_from_the_file_comes_from_the_game(install, rules, tmp_path):
    install(
        "nice-stones",
        "stones",
        GOOD.replace('kernel")', "kernel\", rules={{'TITLE': 'Nice Stones'}})"),
    )
    (tmp_path / "nice_stones" / "rules.py").write_bytes(rules)
    assert registry.title("stones") == "Nice Stones"


def test_two_packages_with_one_name_are_both_refused(install):
    install("first-stones", "stones")
    install("second-stones", "stones")
    names, texts = game_warnings(qx.games)
    assert names == registry.BUILT_IN
    (text,) = texts
    assert re.fullmatch(
        "the game stones cannot be used: the packages (first|second)-stones and "
        "(first|second)-stones use the same name; uninstall or rename one",
        text,
    )


def test_a_package_cannot_replace_a_built_in_game(install):
    name = registry.BUILT_IN[0]
    install("other-package", name)
    names, texts = game_warnings(qx.games)
    assert names == registry.BUILT_IN
    assert texts == [
        f"the game {name} cannot be used: the packages quincunx and other-package use the same "
        "name; uninstall or rename one"
    ]
    assert qx.game(name).kernel.__name__ == f"quincunx.games.{name}.kernel"


@pytest.fixture
def _empty_registry():
    yield
    forget()


@pytest.mark.usefixtures("_empty_registry")
def test_registering_a_game():
    game = make_game()
    assert qx.register(game) is game
    assert qx.games() == (*registry.BUILT_IN, "stones")
    assert qx.game("stones") is game
    assert (registry.title("stones"), registry.summary("stones")) == (
        "Stones",
        "Take the last stone.",
    )


@pytest.mark.usefixtures("_empty_registry")
def test_the_same_module_may_register_a_game_again():
    qx.register(make_game())
    again = qx.register(make_game())
    assert qx.game("stones") is again


@pytest.mark.usefixtures("_empty_registry")
def test_another_module_may_not_register_the_same_name():
    qx.register(make_game())
    with pytest.raises(BadGame) as error:
        qx.register(make_game(module="other.kernel"))
    assert error.value.args == (
        "stones",
        "the module other.kernel registers a name that the module stones_package.kernel uses "
        "already",
    )


def test_the_name_of_a_built_in_game_cannot_be_registered():
    name = registry.BUILT_IN[0]
    with pytest.raises(BadGame, match="registers a name that the package quincunx uses already"):
        qx.register(make_game(name))


def test_only_games_can_be_registered():
    with pytest.raises(BadGame, match="register needs a Game"):
        qx.register("stones")


MISSPELLED = """
from quincunx.jit import jit
from tests.toy_game import make_game

@jit
def legal(s, seat, out):
    return s.lift

GAME = make_game("{name}", module="{module}.kernel", legal=legal)
"""


@pytest.mark.skipif(UNCOMPILED, reason="nothing is compiled")
def test_the_command_line_reports_a_game_that_does_not_compile(install, monkeypatch, capsys):
    install("bad-stones", "stones", MISSPELLED)
    monkeypatch.setattr(sys, "argv", ["quincunx", "perft", "stones", "1"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 1
    error = capsys.readouterr().err
    assert "a game does not compile" in error
    assert "quincunx check GAME says which function it is" in error
    assert "Traceback" not in error
