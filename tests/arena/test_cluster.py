"""The same games on a Ray cluster of two nodes, one of which dies in the middle."""

import time
import warnings

import pytest

from quincunx import arena

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.xdist_group("ray"),
    pytest.mark.filterwarnings("default"),  # Ray's own
]

PLAYERS = ["greedy", "random"]


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """A file that both nodes know of."""
    file = tmp_path_factory.mktemp("ray") / "book"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUINCUNX_TEST_BOOK", str(file))
        patch.setenv("QUINCUNX_TEST_PAUSE", "0.6")
        yield file


@pytest.fixture(scope="module")
def cluster(book):
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


def told(results):
    return [(o.number, o.moves, o.result, o.forfeit) for o in results.outcomes]


@pytest.fixture(scope="module")
def here():
    return arena.play("quorum", PLAYERS, games=30, workers=2)


def test_the_same_results_on_ray(cluster, here):
    assert told(arena.play("quorum", PLAYERS, games=30, on="ray")) == told(here)


def test_forfeits_on_ray(cluster):
    bad = ["tests.arena.bad_players:Die", "tests.arena.bad_players:Sleep"]
    results = arena.play("quorum", bad, games=2, on="ray", move_seconds=0.5)
    reasons = [outcome.forfeit[1] for outcome in results.outcomes]
    assert reasons == ["crashed: the process ended (exit code 7)", "hung: no move within 0.5 s"]


def test_a_node_that_dies_in_the_middle_loses_no_game(cluster, book, monkeypatch):
    players = ["greedy", "tests.arena.bad_players:Slow"]
    finished = []

    def begun():
        return book.read_text().splitlines()

    def kill_a_node(outcome):
        finished.append(outcome.number)
        if len(finished) == 2:
            # Both nodes have begun a game more, which takes some seconds.
            until = time.monotonic() + 60
            while len(begun()) < 4 and time.monotonic() < until:
                time.sleep(0.05)
            cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)

    results = arena.play("quorum", players, games=6, on="ray", on_outcome=kill_a_node)
    assert sorted(finished) == list(range(6))
    assert len(begun()) > 6, "no game was begun again"
    monkeypatch.setenv("QUINCUNX_TEST_PAUSE", "0")
    assert told(results) == told(arena.play("quorum", players, games=6, workers=2))
