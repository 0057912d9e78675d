"""The contract as data: signature texts, and the constants that Python code reads."""

import ast
from pathlib import Path

import pytest

from quincunx import contract
from quincunx.contract import ENTRY_POINTS, parse_signature
from quincunx.registry import BUILT_IN, directory, game


def test_a_signature_text_has_names_types_and_results():
    assert parse_signature("(s: state, planes: f32[:,:,:]) -> void") == (
        ("s", "planes"),
        ("state", "f32[:,:,:]"),
        ("void",),
    )
    assert parse_signature("(state[:], i64)->(i64, f64[:])") == (
        ("", ""),
        ("state[:]", "i64"),
        ("i64", "f64[:]"),
    )
    assert parse_signature("() -> bool") == ((), (), ("bool",))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "(s: state)",
        "(s: state) -> ",
        "s: state -> i64",
        "(s: state,) -> i64",
        "(s: state seat: i64) -> i64",
        "(s: state i64) -> i64",
        "(s: state[]) -> i64",
        "(s: state[3]) -> i64",
        "(s:) -> i64",
        "(s: state) -> (i64)",
        "(s: state) -> i64, i64",
    ],
)
def test_other_texts_are_rejected(text):
    with pytest.raises(ValueError, match=r"invalid signature .*: expected the form"):
        parse_signature(text)


def test_every_entry_point_has_a_signature_and_the_kernel_protocol_lists_the_required_ones():
    for text in ENTRY_POINTS.values():
        assert parse_signature(text).results
    required = set(contract.KERNEL_NAMES) - {"STATE", *contract.CONSTANTS}
    assert required == set(ENTRY_POINTS) - set(contract.OPTIONAL_KERNEL_NAMES)
    assert required <= set(contract.Kernel.__annotations__)
    assert set(contract.REQUIRED_KERNEL_NAMES) <= set(contract.KERNEL_NAMES)
    assert set(contract.RequiredKernel.__annotations__) == {
        *contract.REQUIRED_KERNEL_NAMES,
        "__name__",
    }


@pytest.mark.parametrize("name", BUILT_IN)
def test_constants_that_python_code_reads_are_plain_values(name):
    kernel = game(name).kernel
    for file in directory(name).glob("*.py"):
        for constant in filter(str.isupper, _kernel_attributes(file)):
            assert _is_plain(getattr(kernel, constant)), f"{file.name}: kernel.{constant}"


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_game_declares_the_functions_that_its_python_code_calls(name):
    kernel = game(name).kernel
    declared = {*ENTRY_POINTS, *getattr(kernel, "HELPERS", {})}
    called = {
        attribute
        for file in directory(name).glob("*.py")
        for attribute in _kernel_attributes(file)
        if callable(getattr(kernel, attribute, None))
    }
    assert called <= declared
    assert set(getattr(kernel, "HELPERS", {})) <= called, "HELPERS lists what nothing calls"


def _kernel_attributes(file: Path) -> set[str]:
    """Returns the names that a module reads as attributes of the kernel."""
    return {
        node.attr
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "kernel"
    }


def _is_plain(value: object) -> bool:
    """Returns True for numbers and strings of Python, and tuples of them."""
    if type(value) is tuple:
        return all(map(_is_plain, value))
    return type(value) in (int, float, str)
