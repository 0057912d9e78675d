"""Host names, origins, the root path: which requests are allowed, and what they mean."""

import pytest

from quincunx.errors import BadOption
from quincunx.rooms.messages import RequestError
from quincunx.web.middleware import HostPolicy, RootPath, site_path


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


def test_names_of_a_domain_are_allowed_on_request_only():
    for host in ("laptop.local", "evil.local:8200"):
        with pytest.raises(RequestError, match="unknown host name"):
            HostPolicy().check(scope(host=host))
        HostPolicy(["*.local"]).check(scope(host=host))
    for host in ("local", "laptop.local.evil.example", "evillocal"):
        with pytest.raises(RequestError, match="unknown host name"):
            HostPolicy(["*.local"]).check(scope(host=host))


@pytest.mark.parametrize(
    ("path", "inside"),
    [
        ("/play/room/x", "/room/x"),
        ("/room/x", "/room/x"),
        ("/play", "/"),
        ("/play/", "/"),
        ("/", "/"),
        ("/player", "/player"),
        ("/play/play", "/play"),
    ],
)
def test_a_proxy_may_or_may_not_remove_the_root_path(path, inside):
    request = {**scope(), "path": path, "raw_path": path.encode()}
    RootPath("/play/").apply(request)
    assert request["root_path"] == "/play"
    assert request["path"].startswith("/play")
    assert request["raw_path"].startswith(b"/play")
    assert site_path(request) == inside


@pytest.mark.parametrize("path", ["play", "/a b", "//x", "/api", "/static/x", "/pl?y", "/<b>", "."])
def test_invalid_root_paths_are_rejected(path):
    with pytest.raises(BadOption, match="root-path"):
        RootPath(path)


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
