"""Games on a Ray cluster of two nodes, one of which dies during a game."""

import os
import select

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
    """The end of a pipe to which players on both nodes write a line when a game starts."""
    file = tmp_path_factory.mktemp("ray") / "log"
    os.mkfifo(file)
    reader = os.open(file, os.O_RDWR)  # also for writing, so that no player waits for a reader
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUINCUNX_TEST_LOG", str(file))
        patch.setenv("QUINCUNX_TEST_PAUSE", "0.6")
        yield reader
    os.close(reader)


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
    finished, started = [], []

    def read_started(seconds):
        """Reads the games that have started; False if none starts within the time."""
        if not select.select([log], [], [], seconds)[0]:
            return False
        started.extend(os.read(log, 4096).split())
        return True

    def kill_a_node(outcome):
        finished.append(outcome.number)
        if len(finished) == 2:
            # Both nodes must be playing another game, whose start takes some seconds.
            while len(started) < 4:
                assert read_started(60), f"only {len(started)} games were started"
            cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)

    results = arena.play("quorum", players, games=6, on="ray", on_outcome=kill_a_node)
    assert sorted(finished) == list(range(6))
    while read_started(0):
        pass
    assert len(started) == 7, "one game was repeated"
    monkeypatch.setenv("QUINCUNX_TEST_PAUSE", "0")
    local_results = arena.play("quorum", players, games=6, workers=2)
    assert games_of(results) == games_of(local_results)
