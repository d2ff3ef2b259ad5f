"""Server-sent events of orders: one question a second asks the database for all orders that are watched here."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import asyncpg
import orjson
import structlog
from comanda.db import sql
from comanda.errors import NotFound, Unavailable
from comanda.http.answers import PASSING
from quart import render_template

from comanda_storefront.pages import tracked

log = structlog.get_logger(__name__)

PAUSE_SECONDS: Final = 1.0
HEARTBEAT_SECONDS: Final = 10.0
# A browser opens the next connection by itself. A process that is told to stop waits for the answers that it has begun,
# and gives up on them after 25 seconds.
LONGEST_SECONDS: Final = 20.0
MAX_WATCHERS: Final = 1000
MAX_WATCHERS_OF_ONE: Final = 10

# The page stays open while the database is away.
TROUBLE: Final[tuple[type[Exception], ...]] = (*PASSING, asyncpg.PostgresError)
# A comment, which keeps the connection open and is no event.
WAITING: Final = b": waiting\n\n"

STATES = """
    SELECT o.track_hash, o.updated_at, o.status, o.delivery_status, o.payment_status
    FROM core_order o WHERE o.track_hash = ANY($1::bytea[])
"""
STATE: Final = ("updated_at", "status", "delivery_status", "payment_status")


class Watch:
    """Who of this process watches which orders, and the one loop that looks them up while anybody does."""

    def __init__(self) -> None:
        self._watchers: defaultdict[bytes, set[asyncio.Event]] = defaultdict(set)
        self._seen: dict[bytes, tuple[object, ...]] = {}
        self._looking: asyncio.Task[None] | None = None

    def check_room(self, track_hash: bytes) -> None:
        """Raise ``Unavailable`` where one more would be too many, of this order or of all."""
        of_one = len(self._watchers.get(track_hash, ()))
        if of_one >= MAX_WATCHERS_OF_ONE or sum(map(len, self._watchers.values())) >= MAX_WATCHERS:
            raise Unavailable("Too many pages follow orders here now.", retry_after_seconds=30)

    @contextmanager
    def watching(self, track_hash: bytes) -> Iterator[asyncio.Event]:
        """Give an event that is set whenever the order has changed, while the block runs."""
        changed = asyncio.Event()
        self._watchers[track_hash].add(changed)
        if self._looking is None or self._looking.done():
            self._looking = asyncio.get_running_loop().create_task(self._look())
        try:
            yield changed
        finally:
            self._watchers[track_hash].discard(changed)
            if not self._watchers[track_hash]:
                del self._watchers[track_hash]
                self._seen.pop(track_hash, None)
            if not self._watchers and self._looking is not None:
                self._looking.cancel()
                self._looking = None

    def read(self, track_hash: bytes, order: Mapping[str, Any]) -> None:
        """Note in which state an order was read first, so that only a later one rings."""
        self._seen.setdefault(track_hash, tuple(order[name] for name in STATE))

    async def _look(self) -> None:
        while True:
            try:
                rows = await sql.fetch(STATES, list(self._watchers))
            except TROUBLE as error:
                log.warning("tracking_waits_for_the_database", error=str(error))
                rows = []
            for row in rows:
                self._compare(row["track_hash"], tuple(row[name] for name in STATE))
            await asyncio.sleep(PAUSE_SECONDS)

    def _compare(self, track_hash: bytes, state: tuple[object, ...]) -> None:
        before = self._seen.get(track_hash)
        if before == state or track_hash not in self._watchers:
            return
        self._seen[track_hash] = state
        for changed in self._watchers[track_hash]:
            changed.set()


watch = Watch()


async def events(token: str, track_hash: bytes) -> AsyncIterator[bytes]:
    """Yield the progress of an order now and whenever it changes, until it is finished; needs an app context.

    Each event ``progress`` carries JSON: ``html``, the part of the page that changes, and ``is_finished``.
    """
    loop = asyncio.get_running_loop()
    leaves_at = loop.time() + LONGEST_SECONDS
    sent = b""
    yield b"retry: 1000\n\n"
    with watch.watching(track_hash) as changed:
        while loop.time() < leaves_at:
            # Cleared before it is read: what changes meanwhile rings again.
            changed.clear()
            try:
                message, is_finished = await _progress(token, track_hash)
            except TROUBLE as error:
                log.warning("tracking_waits_for_the_database", error=str(error))
                yield WAITING
                await asyncio.sleep(PAUSE_SECONDS)
                continue
            if message != sent:
                yield message
                sent = message
            if is_finished:
                return
            while not await _rings(changed) and loop.time() < leaves_at:
                yield WAITING


async def _progress(token: str, track_hash: bytes) -> tuple[bytes, bool]:
    try:
        view = await tracked.order_view(token)
    except NotFound:
        return _event({"html": "", "is_finished": True}), True
    watch.read(track_hash, view["order"])
    html = await render_template("storefront/_progress.html", **view)
    return _event({"html": html, "is_finished": view["is_finished"]}), view["is_finished"]


def _event(document: dict[str, object]) -> bytes:
    return b"event: progress\ndata: " + orjson.dumps(document) + b"\n\n"


async def _rings(changed: asyncio.Event) -> bool:
    try:
        await asyncio.wait_for(changed.wait(), HEARTBEAT_SECONDS)
    except TimeoutError:
        return False
    return True
