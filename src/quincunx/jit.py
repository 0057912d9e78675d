"""The only module that uses numba: compiling functions from types, their cache, bit operations.

Importing this module imports numba, so only kernels and the code that runs them import it.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

import numba
import numpy as np
from numba.extending import intrinsic, overload
from numba.np import arrayobj

from quincunx import code_cache
from quincunx.code_cache import python_function as python_function
from quincunx.contract import KERNEL_NAMES, OPTIONAL_KERNEL_NAMES, Kernel, parse_signature

UNCOMPILED = bool(numba.config.DISABLE_JIT)


def ignore_integer_overflow() -> None:
    """Disables numpy's overflow warnings in this thread when kernels run uncompiled."""
    if UNCOMPILED:
        np.seterr(over="ignore")


ignore_integer_overflow()


# numba's CACHE_DIR is global to the process, and a server loads games in several threads.
_CACHE_DIR_LOCK = threading.Lock()


def jit(function: Callable[..., Any]) -> Any:
    """Compiles a function on its first call, or loads it from the cache; it releases the GIL.

    A function that was not read from a file, such as one of a notebook, has no cache.
    """
    return function if UNCOMPILED else _dispatcher(function, code_cache.function_cache(function))


def _dispatcher(function: Callable[..., Any], directory: Path | None) -> Any:
    """Returns the compiled function; the directory is that of its cache, if it has one."""
    settings = {"cache": directory is not None, "nogil": True, "error_model": "numpy"}
    with _CACHE_DIR_LOCK:
        before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(directory or "")
        try:
            return numba.njit(**settings)(function)
        finally:
            numba.config.CACHE_DIR = before  # other packages keep their own cache directory


def specialise(kernel: Kernel, *templates: Callable[..., Any]) -> SimpleNamespace:
    """Compiles the templates for one game, with the contract's names bound to its kernel.

    The templates may call each other.
    """
    contract = {name: getattr(kernel, name) for name in KERNEL_NAMES}
    overrides = {
        name: getattr(kernel, name) for name in OPTIONAL_KERNEL_NAMES if hasattr(kernel, name)
    }
    directory = _kernel_cache(kernel.__name__, {**contract, **overrides}, templates)
    compiled = {
        template.__name__: _specialised(template, kernel.__name__, contract, directory)
        for template in templates
    }
    for dispatcher in compiled.values():
        python_function(dispatcher).__globals__.update({**compiled, **overrides})
    return SimpleNamespace(**{**compiled, **overrides})


def specialise_for_module(names: Mapping[str, Any], template: Callable[..., Any]) -> Any:
    """Compiles a template for the kernel module with these globals, which may still be importing.

    The contract's names are bound to those that the module has defined so far.
    """
    kernel = names["__name__"]
    contract = {name: names[name] for name in KERNEL_NAMES if name in names}
    directory = _kernel_cache(kernel, contract, [template])
    return _specialised(template, kernel, contract, directory)


def _kernel_cache(
    kernel: str, bound: Mapping[str, Any], templates: Sequence[Callable[..., Any]]
) -> Path | None:
    """Returns the directory for templates compiled for a kernel, if they are compiled."""
    return None if UNCOMPILED else code_cache.kernel_cache(kernel, bound, templates)


def _specialised(
    template: Callable[..., Any], kernel: str, contract: Mapping[str, Any], directory: Path | None
) -> Any:
    """Returns a dispatcher for a template with other globals.

    It gets a qualified name of its own, because numba identifies functions by file, line and
    qualified name only and would otherwise return the code compiled for another game.
    """
    names = {**template.__globals__, **contract}
    bound = FunctionType(template.__code__, names, template.__name__, template.__defaults__, None)
    bound.__qualname__ = f"{template.__name__}.{kernel}"
    bound.__module__ = template.__module__
    bound.__doc__ = template.__doc__
    return bound if UNCOMPILED else _dispatcher(bound, directory)


# The types of signature texts; records have names too, and `[:]` makes an array of any of them.
SCALAR_TYPES = {
    "i8": numba.types.int8,
    "i16": numba.types.int16,
    "i32": numba.types.int32,
    "i64": numba.types.int64,
    "u8": numba.types.uint8,
    "u16": numba.types.uint16,
    "u32": numba.types.uint32,
    "u64": numba.types.uint64,
    "f32": numba.types.float32,
    "f64": numba.types.float64,
    "bool": numba.types.boolean,
    "void": numba.types.none,
}


def signature(text: str, records: Mapping[str, np.dtype[Any]]) -> Any:
    """Returns the numba signature of a text such as `(s: state, seat: i64, out: i32[:]) -> i64`.

    `records` are the record types that the text may name. Raises ValueError for other texts.
    """
    parsed = parse_signature(text)
    results = [_type(name, records, text) for name in parsed.results]
    result = results[0] if len(results) == 1 else numba.types.Tuple(results)
    return result(*(_type(name, records, text) for name in parsed.types))


def _type(name: str, records: Mapping[str, np.dtype[Any]], text: str) -> Any:
    """Returns the numba type of one type of a signature text."""
    item, bracket, _ = name.partition("[")
    dimensions = name.count(":")
    if item in SCALAR_TYPES and not (bracket and item == "void"):
        scalar = SCALAR_TYPES[item]
        return numba.types.Array(scalar, dimensions, "C") if bracket else scalar
    if item in records:
        # The type of an array of records says whether they are aligned, so numba must see one.
        array = numba.typeof(np.zeros((0,) * max(dimensions, 1), records[item]))
        return array if bracket else array.dtype
    known = ", ".join((*SCALAR_TYPES, *records))
    raise ValueError(f"unknown type {name!r} in {text!r}: expected one of {known}, or an array")


def compile_signature(function: Any, expected: Any) -> None:
    """Compiles a function for a signature, or loads it from the cache."""
    if not UNCOMPILED:
        function.compile(expected)


def compiled_signatures(function: Any, records: Mapping[str, np.dtype[Any]]) -> list[str]:
    """Returns the texts of all signatures for which a function has been compiled."""
    signatures = [] if UNCOMPILED else function.nopython_signatures
    return [signature_text(compiled, records) for compiled in signatures]


def signature_text(typed: Any, records: Mapping[str, np.dtype[Any]]) -> str:
    """Returns the text of a numba signature, without names; types that have none as numba's."""
    names = {kind: name for name, kind in SCALAR_TYPES.items()}
    names |= {_type(name, records, name): name for name in records}

    def name_of(kind: Any) -> str:
        kind = numba.types.unliteral(kind)
        if isinstance(kind, numba.types.BaseTuple):
            return f"({', '.join(map(name_of, kind))})"
        if isinstance(kind, numba.types.Array) and kind.dtype in names:
            name = f"{names[kind.dtype]}[{','.join(':' * kind.ndim)}]"
            if kind == _type(name, records, name):
                return name
        return names.get(kind, str(kind))

    return f"({', '.join(map(name_of, typed.args))}) -> {name_of(typed.return_type)}"


# What compiled code must not call: numba's allocator, and the mathematical functions whose results
# differ between machines, as functions of the C library or of LLVM, which calls that library. And
# what it must not refer to: numba replaces a global array over 1 MB by its address in the process
# that compiles.
_FORBIDDEN = re.compile(
    r"\bcall [^\n]*@(NRT_(?:Allocate|Reallocate|MemInfo_alloc|MemInfo_new|MemInfo_varsize)\w*"
    r"|(?:llvm\.)?(?:log|log2|log10|log1p|exp|exp2|exp10|expm1|pow|powi|fmod|hypot|cbrt"
    r"|a?sinh?|a?cosh?|a?tanh?|atan2)f?(?:\.f\d+)?(?:\.i\d+)?)\(|(?<=@)(numba\.dynamic\.globals)"
)


def forbidden_names(function: Any) -> set[str]:
    """Returns what a compiled function uses but must not: allocation, libm, large globals."""
    overloads = {} if UNCOMPILED else function.overloads
    return {
        match[1] or match[2]
        for compiled in overloads.values()
        # numba also keeps this module in its cache, unlike the one that `inspect_llvm` shows.
        for match in _FORBIDDEN.finditer(str(compiled.library._get_module_for_linking()))
    }


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def _ctpop(context: Any, x: Any) -> Any:
    return numba.types.int64(numba.types.uint64), lambda _, builder, __, args: builder.ctpop(
        args[0]
    )


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def _cttz(context: Any, x: Any) -> Any:
    return numba.types.int64(numba.types.uint64), lambda ctx, builder, __, args: builder.cttz(
        args[0], ctx.get_constant(numba.types.boolean, False)
    )


def popcount(x: Any) -> int:
    """Returns the number of set bits of a 64-bit integer."""
    return (int(x) & 0xFFFF_FFFF_FFFF_FFFF).bit_count()


def lowest_bit(x: Any) -> int:
    """Returns the index of the lowest set bit of x; undefined for x = 0."""
    return (int(x) & -int(x)).bit_length() - 1


# numba requires an overload and its implementation to have equal parameters and annotations.
@overload(popcount, inline="always")
def _popcount(x):  # type: ignore[no-untyped-def]
    return lambda x: _ctpop(x)


@overload(lowest_bit, inline="always")
def _lowest_bit(x):  # type: ignore[no-untyped-def]
    return lambda x: _cttz(x)


def _empty(count: int, dtype: Any) -> Any:
    """Returns an uninitialised array of one dimension."""
    return np.empty(count, dtype).view(np.recarray if np.dtype(dtype).names else np.ndarray)


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator, unused-ignore]
def _stack_array(context: Any, count: Any, dtype: Any) -> Any:
    """Types and compiles `stack_array`: the memory is reserved once, on entry to the caller."""
    if not isinstance(count, numba.types.IntegerLiteral):
        return None
    length, item = count.literal_value, dtype.dtype
    array = numba.types.Array(item, 1, "C", aligned=getattr(item, "aligned", True))

    def generate(ctx: Any, builder: Any, _: Any, __: Any) -> Any:
        number = partial(ctx.get_constant, numba.types.intp)
        stored = ctx.get_data_type(item)
        size = number(ctx.get_abi_sizeof(stored))
        with builder.goto_entry_block():
            data = builder.alloca(stored, number(length))
            data.align = 16
        view = arrayobj.make_array(array)(ctx, builder)
        arrayobj.populate_array(
            view,
            data=builder.bitcast(data, view.data.type),
            shape=[number(length)],
            strides=[size],
            itemsize=size,
            meminfo=None,
        )
        return view._getvalue()

    return array(count, dtype), generate


# stack_array(count, dtype): an uninitialised array in the stack frame of the function that calls
# it, which must not return it. `count` is a constant. Kernels take their scratch memory from here:
# it needs no allocator, costs nothing, and is safe in loops and with any number of threads. LLVM
# moves the memory of an inlined function to the frame of its caller, still reserved once. Frames
# should stay below 32 KB.
stack_array = _empty if UNCOMPILED else _stack_array
