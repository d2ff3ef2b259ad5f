"""Name resolution that returns acceptable addresses only, so that this server never calls its own network."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Executor
from functools import partial
from ipaddress import ip_address
from typing import TYPE_CHECKING

from comanda.platform.http_client.target_urls import Address, ForbiddenTarget

if TYPE_CHECKING:
    from aiohttp.abc import AbstractResolver, ResolveResult
else:
    # Processes that send no request need no aiohttp, which takes any object with these methods.
    AbstractResolver = object

Lookup = Callable[[str], Awaitable[Sequence[str]]]
"""Returns every address of a host name, as text. Raises ``OSError`` if there is none."""


async def find_addresses(host: str, threads: Executor | None = None) -> Sequence[str]:
    """Return the addresses of a host name from the system's resolver. Raises ``OSError`` if there is none."""
    found = await asyncio.get_running_loop().run_in_executor(
        threads, partial(socket.getaddrinfo, host, None, type=socket.SOCK_STREAM)
    )
    return [str(address[0]) for *_, address in found]


class CheckedResolver(AbstractResolver):
    """Resolves a name to its addresses if all of them are acceptable.

    aiohttp connects to exactly the addresses returned here, while ``Host``, SNI and the certificate check use the name,
    so DNS rebinding has no effect. It is not called for hosts that are addresses.
    """

    def __init__(self, lookup: Lookup, accepts: Callable[[Address], bool]) -> None:
        self._lookup = lookup
        self._accepts = accepts

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the addresses of ``host``.

        Raises ``ForbiddenTarget`` if one of them is not acceptable, ``OSError`` if there is none.
        """
        addresses = [ip_address(text) for text in await self._lookup(host)]
        if not addresses:
            raise OSError(f"{host} has no address")
        if not all(map(self._accepts, addresses)):
            # The address is not disclosed: it may be known only to this server's name servers.
            raise ForbiddenTarget(f"{host} leads to an address that is not public.")
        return [
            {
                "hostname": host,
                "host": str(address),
                "port": port,
                "family": socket.AF_INET if address.version == 4 else socket.AF_INET6,
                "proto": socket.IPPROTO_TCP,
                "flags": socket.AI_NUMERICHOST,
            }
            for address in addresses
        ]

    async def close(self) -> None:
        """Do nothing: the resolver holds no resources."""
