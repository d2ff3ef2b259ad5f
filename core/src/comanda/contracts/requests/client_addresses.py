"""Client addresses behind proxies, and the networks that rate limits count as one client."""

from collections.abc import Mapping
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

# What one customer of a provider is given at least; each device chooses its address within.
IPV6_PREFIX_LENGTH = 64


def client_address(scope: Any, headers: Mapping[str, str], trusted_proxies: int) -> str:
    """Return the address of the client of an ASGI scope, looking past as many proxies as are trusted.

    ``headers`` holds all lines of ``x-forwarded-for``, joined with commas. A hop that is no address is not believed:
    the address is then that of whoever connected.
    """
    client = scope.get("client")
    connected = client[0] if client else "local"
    if trusted_proxies and (forwarded := headers.get("x-forwarded-for")):
        hops = [stripped for hop in forwarded.split(",") if (stripped := hop.strip())]
        if hops and (address := parse_hop(hops[-min(trusted_proxies, len(hops))])):
            return str(address)
    return str(connected)


def parse_hop(hop: str) -> IPv4Address | IPv6Address | None:
    """Return the address of one hop, which may carry a port, brackets or a zone; None where it has none."""
    if hop.startswith("["):
        hop = hop[1:].partition("]")[0]
    elif hop.count(":") == 1:
        hop = hop.partition(":")[0]
    try:
        return ip_address(hop.partition("%")[0])
    except ValueError:
        return None


@lru_cache(maxsize=4096)
def client_network(address: str) -> str:
    """Return what limits count as one client: an IPv4 address, or the /64 of an IPv6 address."""
    parsed = parse_hop(address)
    if parsed is None:
        return address
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped is None:
            return str(ip_network((parsed, IPV6_PREFIX_LENGTH), strict=False))
        parsed = parsed.ipv4_mapped
    return str(parsed)
