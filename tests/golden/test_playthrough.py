import pytest

from quincunx.registry import BUILT_IN
from tests.golden.playthrough import HERE, playthrough

pytestmark = pytest.mark.modes


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_same_seed_gives_the_same_game_everywhere(name):
    assert playthrough(name) == (HERE / f"{name}.txt").read_text()


def test_every_game_has_a_golden_playthrough():
    assert {path.stem for path in HERE.glob("*.txt")} == set(BUILT_IN)
