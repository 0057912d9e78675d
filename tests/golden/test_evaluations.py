import json

import pytest

from quincunx.registry import BUILT_IN, game
from tests.golden.evaluations import FILE, evaluations

ROWS = json.loads(FILE.read_text())


@pytest.mark.modes
@pytest.mark.parametrize("name", BUILT_IN)
def test_static_evaluations_change_only_on_purpose(name):
    rows = [row for row in ROWS if row["game"] == name]
    assert len({str(row["evaluations"]) for row in rows}) > 5
    for row in rows:
        state = game(name, **row["options"]).read(row["position"])
        assert evaluations(state) == pytest.approx(row["evaluations"], abs=1e-8), f"\n{state}"
