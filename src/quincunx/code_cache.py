"""The directories of compiled code.

numba's cache notices changes only in a function's own file, but kernels call functions of other
files. So the code of a function is in a directory that is named by the full name of its package
and by a digest of all that it depends on: it is never stale, two games never share code, and a
change of one game leaves the code of the others alone.

    ~/.cache/quincunx/quincunx/<digest>/              what games share
    ~/.cache/quincunx/quincunx.games.NAME/<digest>/   functions of one game
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from quincunx.module_sources import (
    PACKAGE_NAME,
    Source,
    compiled_sources,
    digest,
    shared_compiled_sources,
)


def cache_home() -> Path:
    """Returns the directory that holds the compiled code of all packages and versions."""
    configured = os.environ.get("NUMBA_CACHE_DIR")
    if configured:
        return Path(configured)
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(home) / "quincunx"


def function_cache(function: Callable[..., Any]) -> Path | None:
    """Returns the directory for the compiled code of a function; None if it has no file."""
    source = _source_of(function)
    return module_cache(source) if source else None


@cache
def module_cache(source: Source) -> Path:
    """Returns the directory for the compiled functions of a module."""
    shared = source.file in shared_compiled_sources()
    package = PACKAGE_NAME if shared else source.module.rpartition(".")[0] or source.module
    return _writable_directory(package, _source_digest(source))


def kernel_cache(
    kernel: str, bound: Mapping[str, Any], templates: Iterable[Callable[..., Any]]
) -> Path | None:
    """Returns the directory for templates whose names are bound to the values of a kernel.

    Its digest covers what the templates and the bound functions depend on, which functions these
    are, and the bound constants. None if one of the functions has no file.
    """
    functions = {name: python_function(value) for name, value in bound.items() if callable(value)}
    sources = {_source_of(function) for function in (*functions.values(), *templates)}
    if None in sources:
        return None
    parts = {_source_digest(source) for source in sources if source}
    parts |= {f"{name}={value!r}" for name, value in bound.items() if not callable(value)}
    for name, function in functions.items():
        line = function.__code__.co_firstlineno
        parts.add(f"{name}={function.__module__}.{function.__qualname__}:{line}")
    code = hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()[:16]
    return _writable_directory(kernel.removesuffix(".kernel"), code)


def _source_of(function: Callable[..., Any]) -> Source | None:
    """Returns the module of a function with its file; None if it was not read from a file."""
    python = python_function(function)
    code, module = getattr(python, "__code__", None), python.__module__
    if code is None or module is None or not os.path.isfile(code.co_filename):
        return None
    # What `python -m` runs has a name of its own; a script has none.
    spec = getattr(sys.modules.get(module), "__spec__", None) if module == "__main__" else None
    return Source(spec.name if spec else module, Path(code.co_filename))


def python_function(function: Any) -> Any:
    """Returns the Python function of a compiled function, or an uncompiled function itself."""
    return getattr(function, "py_func", function)


@cache
def _source_digest(source: Source) -> str:
    """Returns the digest of all that the compiled functions of a module depend on.

    It is computed when the first function of the module is decorated: what is compiled from a
    module that changes while the process runs is never stored as code of the changed module.
    """
    return digest(compiled_sources(source))


@cache
def _writable_directory(package: str, code: str) -> Path:
    """Returns the directory for code of a package with this digest, in the cache if possible."""
    for home in (cache_home, _temporary_home):
        directory = home() / package / code
        try:
            directory.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(directory, os.W_OK):
            break
    return directory


@cache
def _temporary_home() -> Path:
    """Returns the directory for compiled code where the cache cannot be written."""
    temporary = Path(tempfile.mkdtemp(prefix="quincunx-cache-"))
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    return temporary
