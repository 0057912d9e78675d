import ast

import pytest

from tests.mutation.mutants import count_mutants, mutant

SOURCE = '''
"""A module."""
import os
STATE = np.dtype([("turn", "i1", 2)])
SIZE = 4
def f(s, n):
    """Returns 1."""
    s.turn = n
    n += 3
    if not n < SIZE and n:
        return -n
    return True
'''


def changed_lines(source):
    return [mutant(source, index).diff.splitlines() for index in range(count_mutants(source))]


def test_every_operator_constant_condition_and_effect_is_changed():
    assert [removed for removed, _ in changed_lines(SOURCE)].count("-    n += 3") == 3
    assert sorted(added.lstrip("+ ") for _, added in changed_lines(SOURCE)) == sorted(
        [
            "SIZE = 5",
            "pass",
            "pass",
            "n -= 3",
            "n += 4",
            "if not (not n < SIZE and n):",
            "if not n < SIZE or n:",
            "if +(n < SIZE) and n:",
            "if not n <= SIZE and n:",
            "return +n",
            "return False",
        ]
    )


def test_mutants_are_valid_and_differ_from_the_original():
    original = ast.unparse(ast.parse(SOURCE))
    for index in range(count_mutants(SOURCE)):
        made = mutant(SOURCE, index)
        assert made.source != original
        compile(made.source, "mutant", "exec")


def test_the_line_is_that_of_the_original():
    lines = SOURCE.splitlines()
    found = {lines[mutant(SOURCE, index).line - 1] for index in range(count_mutants(SOURCE))}
    assert found == {"SIZE = 4", *lines[7:10], *lines[10:12]}


def test_there_is_no_mutant_after_the_last():
    with pytest.raises(IndexError):
        mutant(SOURCE, count_mutants(SOURCE))
