"""The games by name: the built-in ones, those of installed packages, and registered ones.

A package announces its games as entry points of the group `quincunx.games`:

    [project.entry-points."quincunx.games"]
    reversi = "quincunx_reversi:GAME"

A program or a notebook registers a game with `register`. Built-in games are imported on first use.
A game of a package that cannot be used is reported by a warning, once, and skipped.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from quincunx.errors import BadGame, BadOption, did_you_mean

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from quincunx.game import Game

ENTRY_POINT_GROUP = "quincunx.games"
PACKAGE = "quincunx"

# In the order of lists of games. Their modules are `quincunx.games.NAME`.
BUILT_IN = ("sphero", "onoro", "blocky", "wzlz", "quorum")

# A name stands in commands, addresses, file names and entry points.
MAX_NAME_CHARS = 32
NAME_FORM = (
    f"at most {MAX_NAME_CHARS} lower-case letters, digits and single underscores, "
    "beginning with a letter, such as three_stones"
)
_NAME = re.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*")

_registered: dict[str, Game] = {}


class GameWarning(UserWarning):
    """A game of an installed package cannot be used."""


class InstalledGame(NamedTuple):
    """A game that an installed package announces: its name there, and where its object is."""

    name: str
    package: str
    path: str  # module:attribute


def games() -> tuple[str, ...]:
    """Returns the names of all games that can be used."""
    usable = (name for name in installed() if _load_or_warn(name))
    return (*BUILT_IN, *usable, *_registered)


def names() -> tuple[str, ...]:
    """Returns the names of all games without importing any, also of those that cannot be used."""
    return (*BUILT_IN, *installed(), *_registered)


def game(name: str, /, **options: object) -> Game:
    """Returns the named game with these options; raises BadOption for an unknown name or option."""
    default = _find(name)
    return default.configured(**options) if options else default


def is_game_name(name: str) -> bool:
    """Returns True if a game can have this name."""
    return len(name) <= MAX_NAME_CHARS and _NAME.fullmatch(name) is not None


def register(game: Game, /) -> Game:
    """Makes a game known by its name in this process; returns the game.

    A game that the same module registered under this name is replaced, so that the cells of
    a notebook can run again. Raises BadGame if the name belongs to another game.
    """
    from quincunx.game import Game

    if not isinstance(game, Game):
        raise BadGame(repr(game), "register needs a Game, such as Game(Parts(...))")
    module = game.kernel.__name__
    others = dict.fromkeys(BUILT_IN, f"the package {PACKAGE}")
    others |= {name: f"the package {entry.package}" for name, entry in installed().items()}
    others |= {
        name: f"the module {known.kernel.__name__}"
        for name, known in _registered.items()
        if known.kernel.__name__ != module
    }
    if game.name in others:
        raise BadGame(
            game.name, f"the module {module} registers a name that {others[game.name]} uses already"
        )
    _registered[game.name] = game
    return game


def is_registered(name: str) -> bool:
    """Returns True if a game is known only in this process, by `register`."""
    return name in _registered


def summary(name: str) -> str:
    """Returns the one-line summary of a game; it is read from rules.py, without importing it."""
    return _declared(name, "SUMMARY") or _find(name).parts.rules.SUMMARY


def title(name: str) -> str:
    """Returns the title of a game; it is read as the summary is."""
    declared = _declared(name, "TITLE")
    if not declared and name in installed() and not isinstance(loaded := _load(name), BadGame):
        return loaded.title
    return declared or default_title(name)


def solver(name: str) -> str | None:
    """Returns the module that solves a game, or None; it is read as the summary is."""
    return _declared(name, "SOLVER") or None


def default_title(name: str) -> str:
    """Returns the title of a game that gives none: its name in words with capitals."""
    return name.replace("_", " ").title()


def module(name: str) -> str:
    """Returns the module or package that defines a game, without importing it."""
    if name in _registered:
        return _registered[name].kernel.__name__.rpartition(".")[0]
    return _path(name).partition(":")[0]


def directory(name: str) -> Path:
    """Returns the directory that holds a game's modules, guide and data, without importing it."""
    from quincunx.module_sources import locate  # `import quincunx` does not need it

    source = locate(module(name))
    if source is None:
        raise ModuleNotFoundError(f"no package named {module(name)!r}", name=module(name))
    return source.file.parent


@cache
def installed() -> dict[str, InstalledGame]:
    """Returns the games that installed packages announce, by name.

    Games whose name belongs to a built-in game or to several packages are left out, with a warning.
    """
    from importlib.metadata import entry_points  # takes longer to import than this module

    found: dict[str, list[InstalledGame]] = {}
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        announced = InstalledGame(entry.name, _package_of(entry), entry.value)
        # An editable installation can be found twice.
        if announced not in found.setdefault(entry.name, []):
            found[entry.name].append(announced)
    for name in [name for name in found if collision(name, found[name])]:
        _warn(BadGame(name, collision(name, found.pop(name))))
    return {name: entries[0] for name, entries in sorted(found.items())}


def collision(name: str, announced: Iterable[InstalledGame]) -> str:
    """Returns why several packages cannot use one name; empty if only one package does."""
    packages = [PACKAGE] if name in BUILT_IN else []
    packages += [entry.package for entry in announced]
    if len(packages) == 1:
        return ""
    return f"the packages {' and '.join(packages)} use the same name; uninstall or rename one"


def _package_of(entry: EntryPoint) -> str:
    """Returns the name of the package that announces an entry point."""
    return entry.dist.name if entry.dist else entry.value.partition(":")[0]


def _find(name: str) -> Game:
    """Returns a game with its default options; raises BadOption."""
    if name in _registered:
        return _registered[name]
    if name in BUILT_IN:
        built_in: Game = import_module(f"{PACKAGE}.games.{name}").GAME
        return built_in
    if name in installed():
        loaded = _load(name)
        if isinstance(loaded, BadGame):
            raise BadOption("game", name, loaded.reason)
        return loaded
    known = ", ".join(names())
    raise BadOption("game", name, f"{did_you_mean(name, names())}the games are {known}")


@cache
def _load(name: str) -> Game | BadGame:
    """Returns the game of an installed package, or why it cannot be used."""
    from importlib.metadata import EntryPoint

    from quincunx.game import Game

    entry = installed()[name]
    origin = f"the package {entry.package}"
    try:
        loaded = EntryPoint(name, entry.path, ENTRY_POINT_GROUP).load()
    except BadGame as error:
        return BadGame(name, f"{origin} does not follow the contract: {error.reason}")
    except (Exception, SystemExit) as error:  # whatever a foreign package may raise
        return BadGame(name, f"{origin} cannot be imported: {type(error).__name__}: {error}")
    if not isinstance(loaded, Game):
        return BadGame(name, f"{origin} has no game at {entry.path}, but {loaded!r}")
    if loaded.name != name:
        return BadGame(name, f"{origin} announces {name!r}, but its rules.NAME is {loaded.name!r}")
    if missing := loaded.parts.missing_names():
        reason = f"it has no {', '.join(missing)}"
        return BadGame(name, f"{origin} does not follow the contract: {reason}")
    try:
        loaded.traits  # noqa: B018  what every list of games needs
    except Exception as error:
        reason = f"rules.traits raises {type(error).__name__}: {error}"
        return BadGame(name, f"{origin} does not follow the contract: {reason}")
    return loaded


@cache
def _load_or_warn(name: str) -> bool:
    """Returns True if the game of an installed package can be used; warns if not."""
    loaded = _load(name)
    if isinstance(loaded, BadGame):
        _warn(loaded)
    return not isinstance(loaded, BadGame)


def _warn(error: BadGame) -> None:
    warnings.warn(str(error), GameWarning, stacklevel=2)


def _path(name: str) -> str:
    """Returns the module and the attribute of a game that is not registered by a program."""
    if name in BUILT_IN:
        return f"{PACKAGE}.games.{name}:GAME"
    if name in installed():
        return installed()[name].path
    raise BadOption("game", name, f"the games are {', '.join(names())}")


def _declared(name: str, constant: str) -> str | None:
    """Returns a constant of a game's rules, read from rules.py if there is such a file.

    Then "" stands for a constant that the file does not assign as a text.
    """
    rules = None if name in _registered else directory(name) / "rules.py"
    if rules is not None and rules.is_file():
        return _constant(rules, constant)
    declared: str | None = getattr(_find(name).parts.rules, constant)
    return declared


def _constant(file: Path, name: str) -> str:
    """Returns the text that a module assigns to a constant, without importing it; "" if none."""
    import ast  # imported here and not above: lists of names do not need it

    try:
        body = ast.parse(file.read_bytes()).body
    except (SyntaxError, ValueError):  # importing it says what is wrong
        return ""
    for node in body:
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Constant)
            and [getattr(target, "id", "") for target in node.targets] == [name]
        ):
            return str(node.value.value)
    return ""
