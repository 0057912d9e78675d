"""Fixed searches visit as many nodes as when signature.txt was written.

After an intended change: `quincunx bench --signature > tests/search/signature.txt`.
"""

from pathlib import Path

import pytest

import quincunx as qx
from quincunx.bench import signature

SIGNATURE = Path(__file__).with_name("signature.txt")


@pytest.mark.parametrize("name", qx.games())
def test_node_counts_are_unchanged(name):
    rows = [line.split() for line in SIGNATURE.read_text().splitlines()]
    expected = {text: int(nodes) for game, text, nodes in rows if game == name}
    assert dict(signature(qx.game(name))) == expected
