"""Metrics, health and readiness of a running server."""

import asyncio
import json
import socket
from contextlib import closing
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from quincunx import __version__
from quincunx.rooms.errors import RequestError
from quincunx.web.metrics import LATENCIES, Histogram
from quincunx.web.metrics_server import metrics_server
from tests.web.conftest import running_server


@pytest.fixture
def listener():
    with closing(socket.socket()) as listening:
        listening.bind(("127.0.0.1", 0))
        yield listening


@pytest.fixture
def server(tmp_path, listener):
    with running_server(tmp_path, metrics_listener=listener) as running:
        yield running


def read_metrics(listener):
    """Returns the samples by name and labels, as Prometheus reads them."""
    with urlopen(f"http://127.0.0.1:{listener.getsockname()[1]}/metrics") as response:
        families = list(text_string_to_metric_families(response.read().decode()))
    return {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in families
        for sample in family.samples
    }


def test_metrics_count_what_the_server_does(server, listener):
    with server.client() as client:
        made = client.create("quorum", ["human", "human"])
        room = client.join(made["id"], made["secrets"])
        room.play("a1e3", 0)
        room.play("h8d6", 1)
        with pytest.raises(RequestError):
            client.ask("play", room=room.id, seat=0, move="zz", number=room.number)
        with pytest.raises(RequestError):
            client.request("/api/rooms/nowhere")
        values = read_metrics(listener)
    assert values["quincunx_rooms",] == values["quincunx_sockets",] == 1
    assert values["quincunx_subscriptions",] == 1
    assert values["quincunx_rooms_created_total",] == 1
    assert values["quincunx_moves_total",] == 2
    assert values["quincunx_events_total",] >= 2
    assert values["quincunx_rejected_total", "syntax"] == 1
    assert values["quincunx_rejected_total", "room"] == 1
    assert values["quincunx_database_failures_total",] == 0
    for name in ("commit", "broadcast"):
        events = values["quincunx_events_total",]
        assert values[f"quincunx_{name}_seconds_count",] == events
        assert values[f"quincunx_{name}_seconds_bucket", "+Inf"] == events
        assert values[f"quincunx_{name}_seconds_sum",] > 0
    assert any(key[0] == "quincunx_info" and __version__ in key for key in values)
    assert values["process_resident_memory_bytes",] > 0
    assert ("quincunx_queue", "analyses") in values


def test_metrics_are_not_served_to_players(server, listener):
    for path in ("/metrics", "/api/metrics"):
        with pytest.raises(HTTPError) as error:
            urlopen(f"http://{server.host}{path}")
        error.value.close()
        assert error.value.code == 404
    with pytest.raises(HTTPError) as error:
        urlopen(f"http://127.0.0.1:{listener.getsockname()[1]}/api/rooms")
    error.value.close()
    assert error.value.code == 404


@pytest.mark.parametrize(
    "request_text", [b"POST /metrics HTTP/1.1\r\n\r\n", b"\r\n\r\n", b"x" * 10_000]
)
def test_other_requests_for_metrics_get_no_metrics(server, listener, request_text):
    with socket.create_connection(listener.getsockname(), 60) as connection:
        connection.sendall(request_text)
        response = b""
        try:
            while chunk := connection.recv(4096):
                response += chunk
        except ConnectionError:
            pass
    assert b"quincunx_" not in response


@pytest.mark.parametrize(
    "request_text", [b"x" * 10_000, b"GET /metrics"], ids=["too long", "incomplete"]
)
def test_a_wrong_request_for_metrics_is_not_logged_as_a_defect(listener, request_text):
    defects = []

    async def send():
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: defects.append(context["message"]))
        async with metrics_server(listener, bytes):
            _, writer = await asyncio.open_connection(*listener.getsockname())
            writer.write(request_text)
            writer.write_eof()
            while not (answers := asyncio.all_tasks() - {asyncio.current_task()}):
                await asyncio.sleep(0)
            await asyncio.wait(answers)
            await asyncio.sleep(0)  # for what is called when they are done
            writer.close()

    asyncio.run(send())
    assert defects == []


def test_a_histogram_counts_values_up_to_each_bound():
    histogram = Histogram()
    for value in (0.0, 0.001, 0.0011, 99.0):
        histogram.observe(value)
    buckets = dict(histogram.buckets())
    assert (buckets["0.001"], buckets["0.0025"], buckets["10.0"], buckets["+Inf"]) == (2, 3, 3, 4)
    assert len(buckets) == len(LATENCIES) + 1


def get_json(server, path):
    try:
        with urlopen(f"http://{server.host}{path}") as response:
            return response.status, json.load(response)
    except HTTPError as error:
        with error:
            return error.code, json.load(error)


def test_health(server):
    assert get_json(server, "/healthz") == (200, {"status": "alive", "version": __version__})


def test_readiness_names_the_reasons(server, monkeypatch):
    assert get_json(server, "/readyz") == (200, {"ready": True, "reasons": []})
    state = server.app.state
    with monkeypatch.context() as compiling:
        compiling.setattr(state.lobby.games, "_compiled", set(state.lobby.games.playable()[1:]))
        name = state.lobby.games.playable()[0]
        reasons = [f"games are being compiled: {name}"]
        assert get_json(server, "/readyz") == (503, {"ready": False, "reasons": reasons})

    async def ping():
        raise RequestError("busy", "the password is wrong")

    with monkeypatch.context() as broken:
        broken.setattr(state.store, "ping", ping)
        reasons = ["the database does not answer"]
        assert get_json(server, "/readyz") == (503, {"ready": False, "reasons": reasons})
        assert get_json(server, "/healthz")[0] == 200

    with monkeypatch.context() as full:
        full.setattr(state.store.writer, "_problem", "database or disk is full")
        reasons = ["the database cannot be written"]
        assert get_json(server, "/readyz") == (503, {"ready": False, "reasons": reasons})
