"""The skeleton of a game as a package of its own: a tiny game to change step by step."""

from __future__ import annotations

import keyword
import os
import shutil
import tempfile
from pathlib import Path

from quincunx.errors import BadOption
from quincunx.registry import NAME_FORM, default_title, is_game_name, names

SKELETON = Path(__file__).parent / "skeleton"
# The files of the skeleton, and where they belong in the package.
FILES = {
    "README.md.txt": "README.md",
    "pyproject.toml.txt": "pyproject.toml",
    "__init__.py.txt": "src/quincunx_my_game/__init__.py",
    "kernel.py.txt": "src/quincunx_my_game/kernel.py",
    "rules.py.txt": "src/quincunx_my_game/rules.py",
    "guide.md.txt": "src/quincunx_my_game/guide.md",
    "test.py.txt": "tests/test_my_game.py",
    "naive.py.txt": "tests/naive_my_game.py",
}


def write_skeleton(name: str, directory: Path) -> list[Path]:
    """Writes a package with a game of that name into a new directory; returns its files.

    Raises BadOption if the name cannot be used, FileExistsError if the directory exists.
    """
    check_name(name)
    if directory.exists():
        raise FileExistsError(17, "exists already; choose another directory", str(directory))
    directory.parent.mkdir(parents=True, exist_ok=True)
    # Complete or not at all: written beside the directory, then renamed.
    unfinished = Path(tempfile.mkdtemp(prefix=f".{directory.name}-", dir=directory.parent))
    try:
        for source, target in FILES.items():
            path = unfinished / _renamed(target, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            text = (SKELETON / source).read_text(encoding="utf-8")
            path.write_text(_renamed(text, name), encoding="utf-8")
        unfinished.chmod(0o777 & ~_umask())
        unfinished.rename(directory)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    return [directory / _renamed(target, name) for target in FILES.values()]


def check_name(name: str) -> None:
    """Raises BadOption if a new game cannot have this name."""
    if not is_game_name(name) or keyword.iskeyword(name):
        raise BadOption("name", name, f"must be {NAME_FORM}")
    if name in names():
        raise BadOption("name", name, "there is already a game of this name")


def _renamed(text: str, name: str) -> str:
    """Returns a text of the skeleton for a game of that name."""
    for placeholder, value in (
        ("my_game", name),
        ("my-game", name.replace("_", "-")),
        ("My Game", default_title(name)),
    ):
        text = text.replace(placeholder, value)
    return text


def _umask() -> int:
    """Returns the permissions that new files do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
