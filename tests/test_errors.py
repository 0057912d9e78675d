import pickle

import pytest

from quincunx.errors import (
    BadOption,
    BadPosition,
    BadRecord,
    IllegalMove,
    MissingExtra,
    MissingTable,
    MoveSyntax,
    did_you_mean,
    shorten,
)

ERRORS = [
    MoveSyntax("zz", "write a1e3"),
    IllegalMove("a1e3", "8/8 w", "no stone there"),
    BadPosition("8/8", "too short"),
    BadOption("pawns", 9, "must be 3 to 8"),
    BadRecord(7, "no tag"),
    MissingTable("pawns", 8, "/data", "quincunx solve x --pawns 8", "Small ones are built."),
    MissingExtra("image", "a PNG"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_errors_can_be_pickled(error):
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


def test_all_errors_except_missing_extra_are_value_errors():
    assert all(isinstance(error, ValueError) for error in ERRORS[:-1])
    assert isinstance(ERRORS[-1], ImportError)


def test_long_texts_are_shortened_and_escaped():
    assert shorten("a" * 1000).count("a") == 120
    assert shorten("\x1b[31m") == r"'\x1b[31m'"


def test_did_you_mean_suggests_the_nearest_word():
    assert did_you_mean("onro", ["onoro", "quorum"]) == "did you mean onoro? "
    assert did_you_mean("xyz", ["onoro"]) == ""
