"""Networks of addresses, and what trusted proxies say about a request."""

import pytest

from quincunx.errors import BadOption
from quincunx.web.addresses import TrustedProxies, network_of, parse_network


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("::1", "::1"),
        ("::ffff:127.0.0.1", "127.0.0.1"),
        ("unknown", "unknown"),
        ("", ""),
    ],
)
def test_limits_count_ipv6_by_network(address, network):
    assert network_of(address) == network


def scope(client, kind="http", **headers):
    pairs = [(name.replace("_", "-").encode(), v.encode()) for name, v in headers.items()]
    return {"type": kind, "client": (client, 5000), "headers": pairs, "scheme": "http"}


def origin(proxies, client, *forwarded):
    """Returns the address from which a request comes, for the values of X-Forwarded-For."""
    request = scope(client)
    request["headers"] += [(b"x-forwarded-for", value.encode("latin-1")) for value in forwarded]
    TrustedProxies(parse_network(text, "proxy") for text in proxies).apply(request)
    return request["client"][0]


PROXIES = ["127.0.0.1", "10.0.0.0/8", "2001:db8:ffff::/48"]


@pytest.mark.parametrize(
    ("client", "forwarded", "expected"),
    [
        # Nobody is trusted, or not the one who says it.
        ("203.0.113.7", ["198.51.100.1"], "203.0.113.7"),
        # The last hop is what the proxy saw; what is left of it was written by the client.
        ("127.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("127.0.0.1", ["1.1.1.1, 2.2.2.2, 198.51.100.1"], "198.51.100.1"),
        ("127.0.0.1", ["127.0.0.1, 198.51.100.1"], "198.51.100.1"),
        # Through several proxies
        ("127.0.0.1", ["1.1.1.1, 198.51.100.1, 10.1.2.3"], "198.51.100.1"),
        ("127.0.0.1", ["1.1.1.1, 198.51.100.1", "10.1.2.3"], "198.51.100.1"),
        ("10.9.9.9", ["10.1.2.3, 10.1.2.4"], "10.1.2.3"),
        ("2001:db8:ffff::1", ["2001:db8::5"], "2001:db8::5"),
        ("::ffff:127.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        # As some proxies write them
        ("127.0.0.1", ["198.51.100.1:4711"], "198.51.100.1"),
        ("127.0.0.1", ["[2001:db8::5]:4711"], "2001:db8::5"),
        ("127.0.0.1", ["::ffff:198.51.100.1"], "198.51.100.1"),
        # Without, or malformed: the proxy itself, or what is right of the fault
        ("127.0.0.1", [], "127.0.0.1"),
        ("127.0.0.1", [""], "127.0.0.1"),
        ("127.0.0.1", [", ,"], "127.0.0.1"),
        ("127.0.0.1", ["unknown"], "127.0.0.1"),
        ("127.0.0.1", ["\xff\x00<script>"], "127.0.0.1"),
        ("127.0.0.1", ["198.51.100.1, nonsense"], "127.0.0.1"),
        ("127.0.0.1", ["198.51.100.1, nonsense, 10.1.2.3"], "10.1.2.3"),
        ("127.0.0.1", ["999.1.1.1"], "127.0.0.1"),
        ("127.0.0.1", ["10.0.0.1," * 100_000], "10.0.0.1"),
    ],
)
def test_forwarded_addresses_are_read_through_trusted_hops_only(client, forwarded, expected):
    assert origin(PROXIES, client, *forwarded) == expected


def test_without_proxies_the_headers_are_ignored():
    assert origin([], "127.0.0.1", "198.51.100.1") == "127.0.0.1"
    request = scope("127.0.0.1", x_forwarded_proto="https")
    assert not TrustedProxies().apply(request)
    assert request["scheme"] == "http"


@pytest.mark.parametrize(
    ("kind", "value", "scheme"),
    [
        ("http", "https", "https"),
        ("websocket", "https", "wss"),
        ("websocket", "http", "ws"),
        ("http", "javascript", "http"),
        ("http", "", "http"),
        ("http", "javascript, https", "https"),
    ],
)
def test_the_scheme_is_that_of_the_last_proxy(kind, value, scheme):
    request = scope("127.0.0.1", kind, x_forwarded_proto=value)
    assert TrustedProxies([parse_network("127.0.0.1", "proxy")]).apply(request)
    assert request["scheme"] == scheme


def test_networks_are_parsed():
    assert str(parse_network("203.0.113.7", "proxy")) == "203.0.113.7/32"
    assert str(parse_network(" 203.0.113.7/24 ", "proxy")) == "203.0.113.0/24"
    assert str(parse_network("::ffff:203.0.113.7", "proxy")) == "203.0.113.7/32"
    assert str(parse_network("2001:db8::1/64", "proxy")) == "2001:db8::/64"
    for wrong in ("", "localhost", "1.2.3.4/33", "1.2.3", "1.2.3.4/-1", "::/200"):
        with pytest.raises(BadOption, match="expected an address or a network"):
            parse_network(wrong, "proxy")
