"""The files that a module depends on, found through import statements, and their digest.

Nothing is imported for that, and modules are found wherever they are installed.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, TypeAlias

PACKAGE = Path(__file__).parent
PACKAGE_NAME = "quincunx"

# The compiled files that games share: patterns relative to the package.
SHARED_COMPILED_FILES = (
    "jit.py",
    "position.py",
    "arithmetic.py",
    "defaults.py",
    "batch.py",
    "search/*.py",
    "train/temporal_difference.py",
)

# Files in the folder of a game that no compiled code reads.
NOT_DATA = {".py", ".pyi", ".pyc", ".typed", ".md", ".svg", ".png", ".gif", ".jpg", ".webp", ".qx"}

# Numba's cache compares its own version; the others do not change what a kernel compiles to.
NOT_FOLLOWED = {*sys.stdlib_module_names, "numpy", "numba", "llvmlite"}

# Regular expressions, because parsing the kernels would add 0.1 s to the start of a process.
FROM_IMPORT = re.compile(
    r"(?:^|[;:])[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+import\b([ \t]*\([^)]*|[^;\n]*)", re.MULTILINE
)
IMPORT = re.compile(r"(?:^|[;:])[ \t]*import[ \t]+([\w., \t]+)", re.MULTILINE)
TYPE_CHECKING_BLOCK = re.compile(r"^if TYPE_CHECKING:\n(?:[ \t]+.*\n|\n)*", re.MULTILINE)
COMMENT = re.compile(r"#.*")
NAME = re.compile(r"[A-Za-z_][\w.]*")


class Source(NamedTuple):
    """A module and its file."""

    module: str
    file: Path


class PythonFile(NamedTuple):
    """What a file imports: the leading dots, the module and the members of each statement."""

    imports: list[tuple[str, str, list[str]]]
    uses_quincunx: bool


# Decides whether an import is followed: called with the importing and the imported module.
Follows: TypeAlias = Callable[[Source, Source], bool]


def compiled_sources(source: Source) -> list[Path]:
    """Returns every file that the compiled functions of a module depend on.

    They are the compiled files that games share, the module and what it imports from its own
    top-level package and from packages that use Quincunx, and the data files in their folders.
    """
    shared = shared_compiled_sources()
    if source.file in shared:
        return list(shared)
    found = imports(source, may_be_compiled)
    return [*shared, *in_order(found), *data_files(found)]


@cache
def shared_compiled_sources() -> tuple[Path, ...]:
    """Returns the compiled files that games share."""
    return tuple(matching(SHARED_COMPILED_FILES))


def imports(start: Source, follows: Follows) -> set[Source]:
    """Returns a module and the modules that it imports, directly or not, and that are followed.

    Shared compiled files are left out: they are part of every digest.
    """
    shared = set(shared_compiled_sources())
    found: set[Source] = set()
    pending = [start]
    while pending:
        source = pending.pop()
        if source not in found and source.file not in shared:
            found.add(source)
            pending += [other for other in _imported_by(source) if follows(source, other)]
    return found


def locate(module: str) -> Source | None:
    """Returns a module with its file, without importing it; None if it has no Python file."""
    top, *names = module.split(".")
    try:
        spec = find_spec(top)
    except ValueError:  # an empty name, or `__main__` of a script
        return None
    if spec is None:
        return None
    if not names and spec.origin:
        return Source(module, Path(spec.origin)) if spec.origin.endswith(".py") else None
    for directory in spec.submodule_search_locations or ():
        path = os.path.join(directory, *names)
        for file in (f"{path}.py", os.path.join(path, "__init__.py")):
            if os.path.isfile(file):
                return Source(module, Path(file))
    return None


def digest(files: Iterable[Path]) -> str:
    """Returns a hash of the names and the content of files."""
    state = hashlib.sha256()
    for file in files:
        state.update(f"{file.name} ".encode() + _content_hash(file, _version(file)))
    return state.hexdigest()[:16]


def matching(patterns: Iterable[str]) -> Iterator[Path]:
    """Yields the files of the package that match the patterns, in a fixed order."""
    for pattern in patterns:
        yield from sorted(PACKAGE.glob(pattern)) if "*" in pattern else [PACKAGE / pattern]


def in_order(sources: Iterable[Source]) -> list[Path]:
    """Returns the files of modules in an order that does not depend on where they are installed."""
    return [source.file for source in sorted(sources)]


def may_be_compiled(importing: Source, imported: Source) -> bool:
    """Returns whether compiled code of one module may depend on another that it imports."""
    return (
        top_level(imported.module) in (top_level(importing.module), PACKAGE_NAME)
        # Scripts and other modules outside packages import what is next to them.
        or ("." not in importing.module and imported.file.parent == importing.file.parent)
        or _python_file(imported.file, _version(imported.file)).uses_quincunx
    )


def _imported_by(source: Source) -> Iterator[Source]:
    """Yields the modules with a Python file that the import statements of a module name."""
    package = source.module if is_package(source.file) else source.module.rpartition(".")[0]
    for dots, name, members in _python_file(source.file, _version(source.file)).imports:
        parents = package.split(".")[: len(package.split(".")) + 1 - len(dots)] if dots else []
        base = ".".join([*parents, *([name] if name else [])])
        if not base or top_level(base) in NOT_FOLLOWED:
            continue
        module = locate(base)
        if module and not is_package(module.file):
            yield module
            continue
        found = [locate(f"{base}.{member}") for member in members]
        yield from (member for member in found if member)
        if module and (not members or not all(found)):
            yield module  # a package that defines a member itself


def _names(listed: str) -> list[str]:
    """Returns the names of a list such as `first, second as other`."""
    matches = [NAME.search(part) for part in listed.split(",")]
    return [match[0] for match in matches if match]


def data_files(sources: Iterable[Source]) -> list[Path]:
    """Returns the data files in the folders of modules, and in subfolders without Python code."""
    # The folder of a module outside packages, such as a script, holds anything.
    folders = {file.parent for module, file in sources if "." in module or is_package(file)}
    found = [(file.relative_to(folder), file) for folder in folders for file in _data_in(folder)]
    return [file for _, file in sorted(found)]


def _data_in(folder: Path) -> Iterator[Path]:
    """Yields the data files in a folder and in its subfolders without Python code."""
    for path in folder.iterdir():
        if path.name.startswith((".", "__pycache__")):
            continue
        if path.is_dir():
            if not (path / "__init__.py").exists():
                yield from _data_in(path)
        elif path.suffix not in NOT_DATA:
            yield path


def _version(file: Path) -> tuple[int, int]:
    """Returns the time of modification and the size, which change with the content of a file."""
    status = file.stat()
    return status.st_mtime_ns, status.st_size


@cache
def _content_hash(file: Path, _: tuple[int, int]) -> bytes:
    return hashlib.sha256(file.read_bytes()).digest()


@cache
def _python_file(file: Path, _: tuple[int, int]) -> PythonFile:
    text = file.read_text(encoding="utf-8", errors="replace")
    code = COMMENT.sub("", TYPE_CHECKING_BLOCK.sub("", text)).replace("\\\n", " ")
    found = [(dots, name, _names(listed)) for dots, name, listed in FROM_IMPORT.findall(code)]
    found += [("", name, []) for listed in IMPORT.findall(code) for name in _names(listed)]
    return PythonFile(found, PACKAGE_NAME in text)


def is_package(file: Path) -> bool:
    """Returns whether a file is the code of a package itself."""
    return file.name == "__init__.py"


def top_level(module: str) -> str:
    """Returns the top-level package of a module."""
    return module.partition(".")[0]
