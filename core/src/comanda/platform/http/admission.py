"""Draining of requests before the database is closed."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import orjson
from hypercorn.typing import ASGISendCallable

from comanda.basics.errors import Unavailable
from comanda.platform.http.cors import READABLE

# Servers finish their requests before the application stops; requests they missed, such as those of a connection
# accepted at the last moment, get this long.
DRAIN_SECONDS = 5.0
RETRY_AFTER_SECONDS = 1


class Admission:
    """Counts the requests in progress and admits none once closed."""

    def __init__(self) -> None:
        self.is_closed = False
        self._in_hand = 0
        self._drained = asyncio.Event()

    @contextmanager
    def request(self) -> Iterator[None]:
        """Count a request while the block runs."""
        self._in_hand += 1
        try:
            yield
        finally:
            self._in_hand -= 1
            if self.is_closed and self._in_hand == 0:
                self._drained.set()

    async def close(self) -> None:
        """Close for new requests and wait a limited time for those in progress."""
        self.is_closed = True
        if self._in_hand:
            try:
                async with asyncio.timeout(DRAIN_SECONDS):
                    await self._drained.wait()
            except TimeoutError:
                return


def create_shutdown_error() -> Unavailable:
    """Return the error of a request that arrives when the process stops."""
    return Unavailable("The server is restarting. Try again shortly.", retry_after_seconds=RETRY_AFTER_SECONDS)


async def send_refusal(send: ASGISendCallable, error: Unavailable, *, closes: bool = False) -> None:
    """Send the envelope of an error; closing the connection makes a retry reach another process."""
    body = orjson.dumps(error.envelope())
    headers = {"content-type": "application/json", "content-length": str(len(body)), **READABLE, **error.headers}
    if closes:
        headers["connection"] = "close"
    await send(
        {
            "type": "http.response.start",
            "status": error.status,
            "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
        }
    )
    await send({"type": "http.response.body", "body": body, "more_body": False})
