"""Several machines on one: a network namespace for each, joined by a bridge, whose links can be cut."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from ipaddress import ip_address

# Reserved for benchmarks of networks (RFC 2544), so that no real machine is hidden.
SUBNET = "198.18.64.0/24"
HOST_ADDRESS = "198.18.64.1"
PROGRAMS = ("ip", "nginx")
# Where Debian puts programs of administrators.
SEARCH_PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])


@dataclass(frozen=True, slots=True)
class Node:
    """A machine of the network."""

    namespace: str
    link: str
    bridge: str
    address: str

    def command(self, *words: str) -> list[str]:
        """Return the command that runs a program on this machine."""
        return [find_program("ip"), "netns", "exec", self.namespace, *words]

    def cut_off(self) -> None:
        """Drop every packet from and to this machine, as a broken switch does: nobody is told."""
        _ip("link", "set", self.link, "nomaster")

    def reconnect(self) -> None:
        """Carry packets again."""
        _ip("link", "set", self.link, "master", self.bridge)


class Network:
    """A bridge, on which this process has ``HOST_ADDRESS``, and the machines on it."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._prefix = f"cn{os.getpid() % 100_000}"
        self._count = 0
        self._bridge = f"{self._prefix}b"
        _ip("link", "add", self._bridge, "type", "bridge")
        stack.callback(_ip, "link", "del", self._bridge)
        _ip("addr", "add", f"{HOST_ADDRESS}/24", "dev", self._bridge)
        _ip("link", "set", self._bridge, "address", _hardware_address(HOST_ADDRESS), "up")

    def add_node(self) -> Node:
        """Add a machine."""
        self._count += 1
        link, namespace = f"{self._prefix}n{self._count}", f"comanda-{self._prefix}-{self._count}"
        address = str(ip_address(HOST_ADDRESS) + self._count)
        inside = ("-n", namespace)
        _ip("netns", "add", namespace)
        self._stack.callback(_ip, "netns", "del", namespace)
        _ip("link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", namespace)
        _ip("link", "set", link, "master", self._bridge, "up")
        _ip(*inside, "link", "set", "lo", "up")
        _ip(*inside, "link", "set", "eth0", "address", _hardware_address(address), "up")
        _ip(*inside, "addr", "add", f"{address}/24", "dev", "eth0")
        return Node(namespace, link, self._bridge, address)

    def join(self, nodes: list[Node]) -> None:
        """Tell all machines each other's hardware addresses.

        Otherwise a machine that is cut off would soon be reported as unreachable, which is the easier case.
        """
        everyone = [HOST_ADDRESS, *(node.address for node in nodes)]
        for node in nodes:
            _remember(everyone, node.address, "-n", node.namespace, device="eth0")
        _remember(everyone, HOST_ADDRESS, device=self._bridge)


@contextmanager
def create_network() -> Iterator[Network]:
    """Create a network that is gone at the end."""
    with ExitStack() as stack:
        yield Network(stack)


def find_missing() -> list[str]:
    """List what this machine lacks for such a network."""
    missing = [name for name in PROGRAMS if shutil.which(name, path=SEARCH_PATH) is None]
    return missing if os.geteuid() == 0 else ["root's rights", *missing]


def find_program(name: str) -> str:
    """Return the path of a program."""
    found = shutil.which(name, path=SEARCH_PATH)
    if found is None:
        raise FileNotFoundError(f"{name} is not installed.")
    return found


def _remember(addresses: list[str], own: str, *where: str, device: str) -> None:
    for address in addresses:
        if address != own:
            _ip(*where, "neigh", "replace", address, "lladdr", _hardware_address(address), "dev", device)


def _hardware_address(address: str) -> str:
    return "02:00:" + ":".join(f"{byte:02x}" for byte in ip_address(address).packed)


def _ip(*arguments: str) -> None:
    subprocess.run([find_program("ip"), *arguments], check=True, capture_output=True)
