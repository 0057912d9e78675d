"""Host names and origins: which requests are allowed."""

import pytest

from quincunx.rooms.messages import RequestError
from quincunx.web.middleware import HostPolicy


def scope(kind="http", method="GET", **headers):
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    return {"type": kind, "method": method, "headers": pairs, "path": "/"}


@pytest.mark.parametrize("host", ["localhost:8200", "127.0.0.1", "[::1]:80", "192.168.1.5:8200"])
def test_local_names_and_ip_addresses_are_allowed(host):
    HostPolicy().check(scope(host=host))


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example:8200", "", "127.0.0.1.x"])
def test_unknown_host_names_are_rejected(host):
    with pytest.raises(RequestError, match="unknown host name; allow it with `serve --name`"):
        HostPolicy().check(scope(host=host))


def test_configured_host_names_are_allowed():
    HostPolicy(["Games.Example"]).check(scope(host="games.example"))


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://localhost:8201", "null", "https://localhost"]
)
def test_pages_of_other_sites_can_read_but_not_change(origin):
    hosts = HostPolicy()
    for kind, method in (("http", "POST"), ("websocket", "GET"), ("http", "DELETE")):
        with pytest.raises(RequestError, match="other sites"):
            hosts.check(scope(kind, method, host="localhost:8200", origin=origin))
    hosts.check(scope(host="localhost:8200", origin=origin))
    hosts.check(scope("http", "POST", host="localhost:8200", origin="http://localhost:8200"))
