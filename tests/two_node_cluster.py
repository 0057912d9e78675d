"""A Ray cluster on this machine, for tests."""

import warnings
from contextlib import contextmanager

import pytest


@contextmanager
def two_node_cluster():
    """Yields a cluster of two nodes with a core each; skips the test without Ray."""
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
