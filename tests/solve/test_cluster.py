"""The same table on a Ray cluster of two nodes."""

import filecmp
import warnings

import pytest

from quincunx import solve as room
from quincunx.solve.solver import solve

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.xdist_group("ray"),
    pytest.mark.filterwarnings("default"),  # Ray's own
]


@pytest.fixture(scope="module")
def cluster():
    ray = pytest.importorskip("ray", reason="needs Ray: pip install 'quincunx[scale]'")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from ray.cluster_utils import Cluster

        made = Cluster(
            initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
        )
        made.add_node(num_cpus=1)
        ray.init(address=made.address, logging_level="ERROR", log_to_driver=False)
        yield made
        ray.shutdown()
        made.shutdown()


class Stopped(Exception):
    pass


def test_the_same_bytes_on_ray(cluster, tmp_path):
    path = tmp_path / "table"

    def stop(phase, done, total):
        if phase == "round 20":
            raise Stopped

    with pytest.raises(Stopped):
        solve(5, path, progress=stop, checkpoint_seconds=0, on="ray")
    solve(5, path, on="ray")
    assert filecmp.cmp(path, room.open_table(5).path, shallow=False)
