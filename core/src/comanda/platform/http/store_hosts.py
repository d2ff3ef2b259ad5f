"""Requests to the hosts of stores: each is one for a page of the store, and nothing else answers there."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final
from urllib.parse import quote

from hypercorn.typing import ASGISendCallable

from comanda.basics.outages import Outage
from comanda.contracts.registry import Registry
from comanda.contracts.stores.hosts import StoreHost, StoreHosts
from comanda.platform.http.host_header import send_invalid_host
from comanda.platform.photos.urls import PREFIX as PHOTO_PREFIX
from comanda.platform.tasks import notifier

# Changes whose announcement was lost are found so soon.
RENEW_SECONDS: Final = 30.0
# Changes that follow one another are loaded together.
PAUSE_SECONDS: Final = 0.1
# Where the scope of a request keeps the store's host that it is for.
SCOPE_KEY: Final = "comanda.store_host"
SAFE_IN_PATH: Final = "/:@!$&'()*+,;="


@asynccontextmanager
async def keep_store_hosts(hosts: StoreHosts | None) -> AsyncIterator[None]:
    """Load the hosts of stores, and renew them while the block runs."""
    if hosts is None:
        yield
        return
    outage = Outage("store_hosts", "Those that were loaded before still count.")
    await _renew(hosts, outage)
    task = asyncio.create_task(_renew_after_changes(hosts, outage))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _renew_after_changes(hosts: StoreHosts, outage: Outage) -> None:
    changed = asyncio.Event()
    with notifier.listen_for_host_changes(changed.set):
        while True:
            try:
                async with asyncio.timeout(RENEW_SECONDS):
                    await changed.wait()
            except TimeoutError:
                pass
            changed.clear()
            await _renew(hosts, outage)
            await asyncio.sleep(PAUSE_SECONDS)


async def _renew(hosts: StoreHosts, outage: Outage) -> None:
    try:
        await hosts.renew()
        outage.end()
    except notifier.NOTIFICATION_ERRORS as error:
        outage.begin(error)


def find_store_host(scope: Mapping[str, Any]) -> StoreHost | None:
    """Return the host of a store that a request is for, by its scope; None at the installation's own address."""
    return scope.get(SCOPE_KEY)


class StoreHostRouter:
    """Leads requests to a store's host to the pages of the store, and others from its shared address to its host."""

    def __init__(self, registry: Registry, site_url: str) -> None:
        self._site_url = site_url
        self._hosts = registry.store_hosts
        self._store_pages = registry.store_path("")
        blueprints = [pages.blueprint for pages in registry.pages if pages.blueprint.url_prefix is None]
        static = (blueprint.static_url_path for blueprint in blueprints if blueprint.static_url_path)
        paths = {path for pages in registry.pages for path in pages.guest_paths}
        self._exact_paths = frozenset(path for path in paths if not path.endswith("/"))
        self._prefixes = (*(path for path in paths if path.endswith("/")), *(f"{path}/" for path in static))
        self._prefixes += (f"{PHOTO_PREFIX}/",)

    async def answer(self, scope: Any, send: ASGISendCallable) -> bool:
        """Send a redirect or a refusal, or return False after changing the request into one for the store's page."""
        if not self._hosts:
            return False
        found = [self._hosts.find(_parse_name(value)) for name, value in scope["headers"] if name == b"host"]
        host = found[0] if len(found) == 1 else None
        if host is not None:
            self._lead_to_store(scope, host)
        elif any(found):
            # Of two, a proxy may follow one, and this server the other.
            await send_invalid_host(send)
            return True
        elif (location := self._find_redirect(scope)) is not None:
            await _send_redirect(send, location)
            return True
        return False

    def _lead_to_store(self, scope: Any, host: StoreHost) -> None:
        scope[SCOPE_KEY] = host
        path, store_path = scope["path"], f"{self._store_pages}{host.slug}"
        if path in {store_path, f"{store_path}.md"} or path.startswith(f"{store_path}/") or self._is_for_guests(path):
            return
        # Whatever else there is, such as the dashboard, is thereby an unknown page of the store.
        below = "" if path == "/" else path
        scope["path"] = f"{store_path}{below}"
        if raw := scope.get("raw_path"):
            scope["raw_path"] = store_path.encode() + (raw if below else b"")

    def _is_for_guests(self, path: str) -> bool:
        return path in self._exact_paths or path.startswith(self._prefixes)

    def _find_redirect(self, scope: Any) -> str | None:
        """Return where a page of a store has moved, for a browser that opens it at the shared address."""
        path, query = scope["path"], scope["query_string"]
        if scope["method"] not in {"GET", "HEAD"} or not path.startswith(self._store_pages) or self._hosts is None:
            return None
        slug, _, below = path.removeprefix(self._store_pages).partition("/")
        host = self._hosts.find_main_by_slug(slug)
        # Scripts of pages that are open stay here, and so do previews, which the dashboard shows in a frame.
        if host is None or not host.is_redirected_to or not _accepts_page(scope["headers"]) or b"preview=" in query:
            return None
        # Not as it was sent: letters of the slug may be encoded, and the address would lead back here for ever.
        page = f"{host.to_origin(self._site_url)}/{quote(below, safe=SAFE_IN_PATH)}"
        return page + (f"?{query.decode('latin-1')}" if query else "")


def _parse_name(value: bytes) -> str:
    """Return the name of a header ``Host``, without its port and without the dot of a name from the root."""
    return value.decode("latin-1").partition(":")[0].removesuffix(".").lower()


def _accepts_page(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    return any(name == b"accept" and b"text/html" in value for name, value in headers)


async def _send_redirect(send: ASGISendCallable, location: str) -> None:
    # Not 301: browsers would follow it for ever, also after the host was removed.
    headers = [(b"location", location.encode("latin-1")), (b"cache-control", b"no-store"), (b"vary", b"Accept")]
    await send({"type": "http.response.start", "status": 302, "headers": headers})
    await send({"type": "http.response.body", "body": b"", "more_body": False})
