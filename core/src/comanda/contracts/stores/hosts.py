"""Hosts of stores: names beside the installation's own, each of which shows the pages of one store."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class StoreHost:
    """A host name that belongs to a store, in lower case and ASCII, without a port.

    With ``is_redirected_to`` the store's page at the address of the installation leads to it.
    """

    name: str
    store_id: int
    slug: str
    is_redirected_to: bool = False

    def to_origin(self, site_url: str) -> str:
        """Return the origin of the host, which has the scheme and the port of the installation."""
        parts = urlsplit(site_url)
        return f"{parts.scheme}://{self.name}{f':{parts.port}' if parts.port else ''}"


class StoreHosts:
    """The hosts of all stores, kept in memory, so that a request looks them up without the database.

    ``load()`` returns them from the database; the first of a store is its main host, which canonical addresses and
    links have. Core renews them when ``notifier.announce_host_change`` was called in any process, and now and then.
    """

    def __init__(self, load: Callable[[], Awaitable[Iterable[StoreHost]]]) -> None:
        self.load = load
        self._by_name: dict[str, StoreHost] = {}
        self._by_slug: dict[str, StoreHost] = {}
        self._by_store: dict[int, StoreHost] = {}

    def __bool__(self) -> bool:
        """Return whether any store has a host."""
        return bool(self._by_name)

    def find(self, name: str) -> StoreHost | None:
        """Return a host by its name."""
        return self._by_name.get(name)

    def find_main_by_slug(self, slug: str) -> StoreHost | None:
        """Return the main host of a store."""
        return self._by_slug.get(slug)

    def find_main(self, store_id: int) -> StoreHost | None:
        """Return the main host of a store."""
        return self._by_store.get(store_id)

    async def renew(self) -> None:
        """Load the hosts."""
        by_name: dict[str, StoreHost] = {}
        by_slug: dict[str, StoreHost] = {}
        by_store: dict[int, StoreHost] = {}
        for host in await self.load():
            by_name[host.name] = host
            by_slug.setdefault(host.slug, host)
            by_store.setdefault(host.store_id, host)
        self._by_name, self._by_slug, self._by_store = by_name, by_slug, by_store
