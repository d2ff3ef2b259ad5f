"""A transport that sends what is written in one turn together, and whose ``close`` lets the client read it."""

import asyncio
import math
from typing import Any

from comanda.operations.serving.http_server import connection


class LingeringTransport:
    """Closes in two steps: it ends its own side, and closes once the client does so too or after some seconds.

    Closing a socket with unread bytes would reset it, and the client would lose the response. The head and the body of
    a response, which Uvicorn writes one after the other, need one system call.
    """

    def __init__(self, transport: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._is_closing = False
        self._deadline = self._lingers_until = math.inf
        # Whether the client has ended its side.
        self.is_at_end = False
        self.written_bytes = 0
        self._unsent: list[bytes] = []

    def write(self, data: bytes) -> None:
        """Send data at the end of this turn of the event loop, unless the connection is closing."""
        if self.is_closing():
            return
        self.written_bytes += len(data)
        if not self._unsent:
            self._loop.call_soon(self._flush)
        self._unsent.append(data)

    def close(self) -> None:
        """End our side of the connection once what was written is sent."""
        if self.is_closing():
            return
        self._flush()
        self._is_closing = True
        now = self._loop.time()
        self._lingers_until, self._deadline = now + connection.MAX_LINGER_SECONDS, now + connection.LINGER_SECONDS
        if self.is_at_end:
            self._transport.close()
            return
        try:
            self._transport.write_eof()
            self._transport.resume_reading()
        except (OSError, RuntimeError):
            self._transport.close()

    def linger(self) -> None:
        """Take note that the client has sent something after the end, which is discarded."""
        self._deadline = min(self._lingers_until, self._loop.time() + connection.LINGER_SECONDS)

    def has_lingered(self, now: float) -> bool:
        """Return whether the client has had its time."""
        return now >= self._deadline

    def pass_to(self, protocol: asyncio.Protocol) -> None:
        """Leave the connection to another protocol, which closes it itself."""
        self._transport.set_protocol(protocol)
        protocol.connection_made(self._transport)

    def abort(self) -> None:
        """Close the connection at once, discarding unsent data."""
        self._is_closing = True
        self._unsent = []
        self._transport.abort()

    def is_closing(self) -> bool:
        """Return whether nothing can be written any more."""
        return self._is_closing or bool(self._transport.is_closing())

    def pause_reading(self) -> None:
        """Stop reading, unless the connection is closing."""
        if not self.is_closing():
            self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Read again."""
        if not self.is_closing():
            self._transport.resume_reading()

    def get_write_buffer_size(self) -> int:
        """Return how many bytes wait to be sent."""
        return int(self._transport.get_write_buffer_size()) + sum(map(len, self._unsent))

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Return what the transport knows about the connection."""
        return self._transport.get_extra_info(name, default)

    def _flush(self) -> None:
        if self._unsent:
            unsent, self._unsent = self._unsent, []
            self._transport.write(b"".join(unsent))
