"""Games on a Ray cluster of two nodes, one of which dies during a game."""

import time

import pytest

from quincunx import arena
from tests.two_node_cluster import two_node_cluster

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.xdist_group("ray"),
    pytest.mark.filterwarnings("default"),  # Ray raises warnings
]

PLAYERS = ["greedy", "random"]


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """The log that players on both nodes write to."""
    file = tmp_path_factory.mktemp("ray") / "log"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUINCUNX_TEST_LOG", str(file))
        patch.setenv("QUINCUNX_TEST_PAUSE", "0.6")
        yield file


@pytest.fixture(scope="module")
def cluster(log):
    with two_node_cluster() as cluster:
        yield cluster


def games_of(results):
    return [(o.number, o.moves, o.result, o.forfeit) for o in results.outcomes]


@pytest.fixture(scope="module")
def local_results():
    return arena.play("quorum", PLAYERS, games=30, workers=2)


def test_results_on_ray_equal_local_results(cluster, local_results):
    ray_results = arena.play("quorum", PLAYERS, games=30, on="ray")
    assert games_of(ray_results) == games_of(local_results)


def test_forfeits_on_ray(cluster):
    bad = ["tests.arena.bad_players:Die", "tests.arena.bad_players:Sleep"]
    results = arena.play("quorum", bad, games=2, on="ray", move_seconds=0.5)
    reasons = [outcome.forfeit[1] for outcome in results.outcomes]
    assert reasons == ["crashed: the process ended (exit code 7)", "hung: no move within 0.5 s"]


def test_games_of_a_dead_node_are_repeated(cluster, log, monkeypatch):
    players = ["greedy", "tests.arena.bad_players:Slow"]
    finished = []

    def started_games():
        return log.read_text().splitlines()

    def kill_a_node(outcome):
        finished.append(outcome.number)
        if len(finished) == 2:
            # Wait until both nodes have started another game, which takes some seconds.
            deadline = time.monotonic() + 60
            while len(started_games()) < 4 and time.monotonic() < deadline:
                time.sleep(0.05)
            cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)

    results = arena.play("quorum", players, games=6, on="ray", on_outcome=kill_a_node)
    assert sorted(finished) == list(range(6))
    assert len(started_games()) > 6, "no game was repeated"
    monkeypatch.setenv("QUINCUNX_TEST_PAUSE", "0")
    local_results = arena.play("quorum", players, games=6, workers=2)
    assert games_of(results) == games_of(local_results)
