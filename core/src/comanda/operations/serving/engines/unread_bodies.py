"""Bodies that the application does not read, on Uvicorn, which leaves them to it.

A client that is refused (401, 404, 413, 429) is usually still sending. The rest of a small body is read and discarded
before the response starts, so that the connection can be used again; a large or slow one closes the connection.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from hypercorn.typing import ASGIFramework

Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]

# A response waits this long for the rest of a small body before it closes the connection.
DISCARD_SECONDS = 1.0
REQUEST_TIMEOUT = 408
CLOSE_HEADER = (b"connection", b"close")


def discard_unread_bodies(app: ASGIFramework, max_bytes: int) -> ASGIFramework:
    """Return the application with at most ``max_bytes`` of each unread body discarded before the response."""

    async def serve(scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not _has_body(scope["headers"]):
            await app(scope, receive, send)
            return
        body = _Body(scope["headers"], receive, max_bytes)

        async def send_after_body(message: Any) -> None:
            if message["type"] == "http.response.start" and await body.must_close_after(message["status"]):
                message = {**message, "headers": [*message.get("headers", ()), CLOSE_HEADER]}
            await send(message)

        await app(scope, body.receive, send_after_body)

    return serve


class _Body:
    """The body of one request: how much of it has been received."""

    def __init__(self, headers: Any, receive: Receive, max_bytes: int) -> None:
        self._receive = receive
        self._max_bytes = max_bytes
        self._declared_bytes = next((int(value) for name, value in headers if name == b"content-length"), 0)
        self._expects_continue = any(name == b"expect" and value.lower() == b"100-continue" for name, value in headers)
        self._received_bytes = 0
        self._is_complete = False
        self._reading = asyncio.Lock()

    async def receive(self) -> Any:
        """Receive a message for the application."""
        async with self._reading:
            # The engine sends 100 now, and the client the body.
            self._expects_continue = False
            message = await self._receive()
            self._count(message)
            return message

    async def must_close_after(self, status: int) -> bool:
        """Discard the rest of the body if it is small; return whether the connection must be closed."""
        if self._is_complete:
            return False
        if self._expects_continue or status == REQUEST_TIMEOUT or self._reading.locked():
            return True
        if self._declared_bytes - self._received_bytes > self._max_bytes:
            return True
        with suppress(TimeoutError):
            await self._discard()
        return not self._is_complete

    async def _discard(self) -> None:
        limit = self._received_bytes + self._max_bytes
        async with asyncio.timeout(DISCARD_SECONDS):
            while not self._is_complete and self._received_bytes <= limit:
                self._count(await self._receive())

    def _count(self, message: Any) -> None:
        if message["type"] == "http.request":
            self._received_bytes += len(message.get("body", b""))
            self._is_complete = not message.get("more_body", False)
        else:
            self._is_complete = True


def _has_body(headers: Any) -> bool:
    return any(name == b"transfer-encoding" or (name == b"content-length" and value != b"0") for name, value in headers)
