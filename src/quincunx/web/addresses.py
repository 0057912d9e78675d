"""Who a request comes from: the network of an address, and what trusted proxies say about it."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from functools import lru_cache

from starlette.types import Scope

from quincunx.errors import BadOption

# A provider gives every customer at least this much, so that one person has 2**64 addresses.
IPV6_PREFIX = 64
MAX_HOPS = 16  # of X-Forwarded-For that are read
MAX_CACHED_ADDRESSES = 4096

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def parse_address(text: str) -> Address | None:
    """Returns an address without its zone; one of IPv4 written as IPv6 is one of IPv4.

    Returns None for anything that is not an address.
    """
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        return address.ipv4_mapped
    return address


@lru_cache(MAX_CACHED_ADDRESSES)
def network_of(text: str) -> str:
    """Returns the network that limits count as one client: an IPv4 address or an IPv6 /64.

    What is not an address, such as the name of a Unix socket, stands for itself.
    """
    address = parse_address(text)
    if isinstance(address, ipaddress.IPv6Address) and not address.is_loopback:
        network = ipaddress.IPv6Network((address, IPV6_PREFIX), strict=False)
        return str(network)
    return text if address is None else str(address)


def parse_network(text: str, option: str) -> Network:
    """Returns the network ADDRESS or ADDRESS/PREFIX; raises BadOption."""
    try:
        network = ipaddress.ip_network(text.strip(), strict=False)
    except ValueError as error:
        reason = "expected an address or a network, such as 203.0.113.7 or 2001:db8::/48"
        raise BadOption(option, text, reason) from error
    if isinstance(network, ipaddress.IPv6Network) and network.prefixlen >= 96:
        mapped = network.network_address.ipv4_mapped
        if mapped:
            return ipaddress.IPv4Network((mapped, network.prefixlen - 96))
    return network


def contains(networks: Iterable[Network], address: Address | None) -> bool:
    """True when the address is in one of the networks."""
    return address is not None and any(
        address.version == network.version and address in network for network in networks
    )


class TrustedProxies:
    """The proxies whose headers say where a request comes from. Without any, none is read."""

    def __init__(self, networks: Iterable[Network] = ()) -> None:
        self._networks = tuple(networks)

    def trusts(self, address: str) -> bool:
        """True when an address is that of a trusted proxy."""
        return bool(self._networks) and contains(self._networks, parse_address(address))

    def apply(self, scope: Scope) -> bool:
        """Sets client and scheme of a request as its trusted proxies state them.

        Returns True if the request came through a trusted proxy.
        """
        client = scope.get("client")
        if not client or not self.trusts(client[0]):
            return False
        address = self._origin(_values(scope, b"x-forwarded-for"))
        if address:
            scope["client"] = (address, 0)
        schemes = _values(scope, b"x-forwarded-proto")
        if schemes and schemes[-1] in ("http", "https"):
            secure = schemes[-1] == "https"
            if scope["type"] == "websocket":
                scope["scheme"] = "wss" if secure else "ws"
            else:
                scope["scheme"] = schemes[-1]
        return True

    def _origin(self, hops: list[str]) -> str:
        """Returns the last hop that is not a trusted proxy; empty if there is none.

        Each proxy adds the address that it was called from to the right. What stands left of the
        first address that is not trusted was written by that client, who may write anything.
        """
        origin = ""
        for text in hops[: -MAX_HOPS - 1 : -1]:
            address = parse_address(_without_port(text))
            if address is None:
                break
            origin = str(address)
            if not contains(self._networks, address):
                break
        return origin


def _values(scope: Scope, name: bytes) -> list[str]:
    """Returns the comma-separated values of a header, which may be repeated."""
    text = ",".join(v.decode("latin-1") for k, v in scope["headers"] if k == name)
    return [value.strip() for value in text.split(",") if value.strip()]


def _without_port(text: str) -> str:
    """Returns an address as some proxies write it, `1.2.3.4:567` or `[::1]:567`, without port."""
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text
