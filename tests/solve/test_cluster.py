"""Solving on a Ray cluster of two nodes."""

import filecmp
import warnings

import pytest

from quincunx import solve as solve_package
from quincunx.solve.solver import solve

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.xdist_group("ray"),
    pytest.mark.filterwarnings("default"),  # Ray raises warnings
]


@pytest.fixture(scope="module")
def cluster():
    ray = pytest.importorskip("ray", reason="needs Ray: pip install 'quincunx[scale]'")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from ray.cluster_utils import Cluster

        cluster = Cluster(
            initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
        )
        cluster.add_node(num_cpus=1)
        ray.init(address=cluster.address, logging_level="ERROR", log_to_driver=False)
        yield cluster
        ray.shutdown()
        cluster.shutdown()


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
    assert filecmp.cmp(path, solve_package.open_table(5).path, shallow=False)
