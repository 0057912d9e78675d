"""Search over the kernels: `compiled(kernel)` gives it for one game."""

from __future__ import annotations

from functools import cache
from types import FunctionType, ModuleType, SimpleNamespace

from quincunx import jit
from quincunx.search import kernels


@cache
def compiled(kernel: ModuleType) -> SimpleNamespace:
    """Every function of `search.kernels`, compiled for one game."""
    templates = [
        value
        for value in vars(kernels).values()
        if isinstance(value, FunctionType) and value.__module__ == kernels.__name__
    ]
    return jit.specialise(kernel, *templates)
