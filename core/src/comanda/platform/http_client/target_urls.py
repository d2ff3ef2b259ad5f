"""Target URLs of requests: public HTTPS addresses only, so that no tenant can make this server call its own network.

``check_url`` checks the URL as written; ``resolver`` checks the resolved addresses at every new connection. The address
tables are kept here because ``is_global`` of ``ipaddress`` differs between Python releases.
Source: IANA IPv4 and IPv6 Special-Purpose Address Registries, RFC 6761 and RFC 8375 (local names).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Self

from yarl import URL

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

MAX_URL_LENGTH = 2048

NOT_PUBLIC_V4 = tuple(
    IPv4Network(text)
    for text in (
        "0.0.0.0/8",  # this network; Linux takes 0.0.0.0 for itself
        "10.0.0.0/8",  # private use
        "100.64.0.0/10",  # carrier-grade NAT; some clouds' metadata
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # a cloud's host agent: public on paper, answered inside only
        "169.254.0.0/16",  # link-local; most clouds' metadata
        "172.16.0.0/12",  # private use
        "192.0.0.0/24",  # IETF protocol assignments; one cloud's metadata
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # former 6to4 relays
        "192.168.0.0/16",  # private use
        "198.18.0.0/15",  # benchmarking
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
)
# Only this eighth of the space holds global unicast addresses: loopback, unique local (metadata again), link-local,
# site-local, multicast, SRv6 and the local NAT64 prefix 64:ff9b:1::/48 all lie outside it.
GLOBAL_UNICAST_V6 = IPv6Network("2000::/3")
NOT_PUBLIC_V6 = tuple(
    IPv6Network(text)
    for text in (
        "2001::/23",  # IETF protocol assignments: benchmarking, ORCHID, anycast services; no web servers
        "2001:db8::/32",  # documentation
        "3ffe::/16",  # the former 6bone
        "3fff::/20",  # documentation
    )
)
NAT64 = IPv6Network("64:ff9b::/96")

# Names that resolve locally by convention or standard. The address check would catch them too; this reports it at once.
LOCAL_SUFFIXES = (
    "local",
    "localhost",
    "localdomain",
    "internal",
    "intranet",
    "private",
    "corp",
    "home",
    "lan",
    "home.arpa",
)

# Ports from 1024 on of services that do not speak public HTTP, or must never receive a forged request: databases,
# caches, queues, directories, remote desktops, X11, IRC, container and cluster control.
FORBIDDEN_PORTS = frozenset(
    {
        *(1080, 1433, 1434, 1521, 1723, 2049, 2181, 2375, 2376, 2379, 2380, 3128, 3268, 3269, 3306, 3389, 3690, 4369),
        *(
            5432,
            5433,
            5671,
            5672,
            5900,
            5901,
            5984,
            5985,
            5986,
            *range(6000, 6064),
            6379,
            6380,
            6432,
            6443,
            *range(6665, 6670),
        ),
        *(
            6697,
            7000,
            7001,
            7199,
            8086,
            8300,
            8301,
            8500,
            8501,
            8600,
            9042,
            9092,
            9093,
            9100,
            9160,
            9200,
            9300,
            9418,
            10250,
        ),
        *(10255, 11211, 15672, 16379, 25672, 26379, 26257, 27017, 27018, 27019, 33060, 50000, 50070, 61613, 61616),
    }
)

LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?", re.ASCII)
NUMBER_LABEL = re.compile(r"[0-9]+|0x[0-9a-f]*", re.ASCII)
UNPRINTABLE = re.compile(r"[\x00-\x20\x7f-\xa0\\\s]")
USERINFO = re.compile(r"[a-z][a-z0-9+.-]*://[^/?#]*@", re.ASCII | re.IGNORECASE)


class ForbiddenTarget(ValueError):
    """A URL that requests may not be sent to. The message tells the owner what to change."""


@dataclass(frozen=True)
class AllowedTargets:
    """Networks that are allowed although they are not public, for development and tests. None by default.

    Inside them ``http://``, every port and every name are accepted; without ``with_any_name`` only ``localhost`` and
    its subdomains, which always resolve to this machine.
    """

    networks: tuple[Network, ...] = ()
    with_any_name: bool = True

    @classmethod
    def parse(cls, networks: Iterable[str], *, with_any_name: bool = True) -> Self:
        """Parse CIDR notations such as ``127.0.0.0/8``. Raises ``ValueError`` for an invalid one."""
        return cls(tuple(ip_network(text.strip()) for text in networks), with_any_name)

    def accepts_name(self, name: str) -> bool:
        """Return whether a name is accepted if it resolves to one of the networks."""
        is_local = name == "localhost" or name.endswith(".localhost")
        return bool(self.networks) and (self.with_any_name or is_local)

    def covers(self, address: Address) -> bool:
        """Return whether ``address`` lies in one of the networks. An IPv4-mapped address is unwrapped first."""
        if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
            address = address.ipv4_mapped
        return any(address in network for network in self.networks)


NOTHING_ALLOWED = AllowedTargets()


@dataclass(frozen=True)
class DeliveryTarget:
    """A checked URL. ``url`` is both what was checked and what is connected to: parsed once, host in ASCII form.

    ``only_allowed`` marks a URL that is acceptable only if its name resolves to the allowed networks.
    """

    url: URL
    only_allowed: bool = False

    @property
    def host(self) -> str:
        return self.url.raw_host or ""

    @property
    def address(self) -> Address | None:
        """The IP address, or None if the host is a name."""
        return _parse_ip_address(self.host)


def is_public(address: Address) -> bool:
    """Return whether an address, and every IPv4 address embedded in it, is globally routable."""
    if isinstance(address, IPv4Address):
        return not any(address in network for network in NOT_PUBLIC_V4)
    if address.ipv4_mapped is not None:
        return is_public(address.ipv4_mapped)
    if address in NAT64:
        return is_public(IPv4Address(int(address) & 0xFFFF_FFFF))
    if address.teredo is not None:
        return all(is_public(part) for part in address.teredo)  # relay server and client
    if address.sixtofour is not None:
        return is_public(address.sixtofour)
    return address in GLOBAL_UNICAST_V6 and not any(address in network for network in NOT_PUBLIC_V6)


def check_url(url: str, *, allowed: AllowedTargets = NOTHING_ALLOWED) -> DeliveryTarget:
    """Check a URL as written, without resolving its name. Raises ``ForbiddenTarget``."""
    parsed = _parse_url(url)
    host = parsed.raw_host or ""
    address = _parse_ip_address(host)
    if address is not None and allowed.covers(address):
        return DeliveryTarget(parsed, only_allowed=True)
    complaint = _find_fault(parsed, host, address)
    if complaint is None:
        return DeliveryTarget(parsed)
    if address is None and allowed.accepts_name(host):
        return DeliveryTarget(parsed, only_allowed=True)
    raise ForbiddenTarget(complaint)


def _parse_url(url: str) -> URL:
    """Parse a URL that is well-formed for any target, public or allowed, without its fragment."""
    if len(url) > MAX_URL_LENGTH:
        raise ForbiddenTarget(f"The URL is longer than {MAX_URL_LENGTH} characters.")
    # Parsers disagree on these characters: some drop them, some end the host there.
    if UNPRINTABLE.search(url):
        raise ForbiddenTarget("The URL contains a space, a backslash or a control character.")
    if USERINFO.match(url):
        raise ForbiddenTarget("The URL contains a user name or password; remove everything up to the @.")
    try:
        parsed = URL(url).with_fragment(None)
        host = (parsed.raw_host or "").removesuffix(".")
        if parsed.scheme not in ("http", "https") or not host:
            raise ForbiddenTarget("Give a full URL that begins with https:// and a host name.")
        parsed = parsed.with_host(host)
        port = parsed.port
    except ForbiddenTarget:
        raise
    except ValueError as error:
        raise ForbiddenTarget("This is not a valid URL.") from error
    if port == 0:
        raise ForbiddenTarget("Port 0 cannot be connected to.")
    if _parse_ip_address(host) is None:
        _check_name(host)
    elif "%" in host:  # fe80::1%eth0: the zone is a network interface of this machine
        raise ForbiddenTarget("The host is an address with a zone; leave out the % and what follows.")
    return parsed


def _parse_ip_address(host: str) -> Address | None:
    """Return the IP address that ``host`` is, or None."""
    try:
        return ip_address(host)
    except ValueError:
        return None


def _check_name(host: str) -> None:
    labels = host.split(".")
    # The system resolver accepts 127.1, 2130706433, 0x7f.0.0.1 and 017700000001 as addresses.
    if NUMBER_LABEL.fullmatch(labels[-1]):
        raise ForbiddenTarget("Write an IPv4 address as four decimal numbers, such as 198.51.100.7.")
    if len(host) > 253 or not all(LABEL.fullmatch(label) for label in labels):
        raise ForbiddenTarget("The host is not a valid domain name.")


def _find_fault(url: URL, host: str, address: Address | None) -> str | None:
    """Return why a well-formed URL is not a public HTTPS address, or None if it is."""
    if url.scheme != "https":
        return "The URL must begin with https://."
    port = url.port or 0
    if (port != 443 and port < 1024) or port in FORBIDDEN_PORTS:
        return f"Port {port} is not open to requests; use 443 or a port of your own above 1023."
    if address is not None:
        return None if is_public(address) else f"{host} is not a public address."
    if "." not in host:
        return f"{host} is not a full domain name, such as hooks.example.com."
    if any(host.endswith("." + suffix) for suffix in LOCAL_SUFFIXES):
        return f"{host} is a name inside a local network; use a public one."
    return None
