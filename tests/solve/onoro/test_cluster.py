"""Solving on a Ray cluster of two nodes."""

import filecmp

import pytest

from quincunx.solve.onoro.solver import solve
from tests.solve.tables import small_table
from tests.two_node_cluster import two_node_cluster

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.xdist_group("ray"),
    pytest.mark.filterwarnings("default"),  # Ray raises warnings
]


@pytest.fixture(scope="module")
def cluster():
    with two_node_cluster() as cluster:
        yield cluster


class Stopped(Exception):
    pass


def test_a_resumed_run_on_ray_writes_the_same_bytes(cluster, tmp_path):
    path = tmp_path / "table"

    def stop(phase, done, total):
        if phase == "round 20":
            raise Stopped

    with pytest.raises(Stopped):
        solve(5, path, progress=stop, checkpoint_seconds=0, on="ray")
    solve(5, path, on="ray")
    assert filecmp.cmp(path, small_table(5).path, shallow=False)
