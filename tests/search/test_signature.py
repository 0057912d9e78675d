"""Fixed searches visit what they visited when the file was written: a change must be meant.

After a change that is meant: `quincunx bench --signature > tests/search/signature.txt`.
"""

from pathlib import Path

import pytest

import quincunx as qx
from quincunx.bench import signature

KEPT = Path(__file__).with_name("signature.txt")


@pytest.mark.parametrize("name", qx.games())
def test_searches_visit_what_they_did(name):
    kept = [line.split() for line in KEPT.read_text().splitlines()]
    expected = {text: int(nodes) for game, text, nodes in kept if game == name}
    assert dict(signature(qx.game(name))) == expected
