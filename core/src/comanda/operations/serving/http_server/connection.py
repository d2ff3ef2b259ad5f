"""The TCP connection of one client: reading, writing and their time limits."""

import asyncio
import fcntl
import math
import sys
import termios
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from hypercorn.asyncio.worker_context import WorkerContext
from hypercorn.config import Config
from hypercorn.events import Closed, Event, RawData, Updated
from hypercorn.protocol.h11 import H2ProtocolAssumedError
from hypercorn.typing import AppWrapper, ConnectionState
from hypercorn.utils import parse_socket_addr

from comanda.operations.serving.http_server.early_refusals import find_early_refusal
from comanda.operations.serving.http_server.http1 import Http1Protocol
from comanda.operations.serving.http_server.http2 import Http2Protocol
from comanda.operations.serving.http_server.request_queue import RequestTasks
from comanda.operations.serving.limits import ConnectionLimits
from comanda.platform.http.overload import LoadShedder

MAX_READ_BYTES = 65_536
# Responses are written in parts, to distinguish a slow client from one that does not read.
MAX_WRITE_BYTES = 65_536
# After the last response the client has this long to read it and to stop sending, and this long between two bytes.
MAX_LINGER_SECONDS = 30.0
LINGER_SECONDS = 5.0
STOPPING_LINGER_SECONDS = 1.0

REQUEST_TIMEOUT_RESPONSE = b"HTTP/1.1 408 \r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class Phase(Enum):
    """What a connection is waiting for."""

    IDLE = auto()  # the first byte of a request
    HEAD = auto()  # the rest of its request line and headers
    BUSY = auto()  # the application
    LINGERING = auto()  # the client to close, after the end of the responses
    CLOSED = auto()


@dataclass(frozen=True, slots=True)
class ServedApp:
    """The application and the state shared by its connections."""

    app: AppWrapper
    config: Config
    context: WorkerContext
    state: dict[str, Any]
    limits: "ConnectionLimits"
    shedder: LoadShedder


class Connection:
    """Serves one client until either side closes.

    A connection has no timer of its own, only a deadline; ``expire`` is called once a second.
    """

    def __init__(self, served: ServedApp, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._served = served
        self._reader = reader
        self._writer = writer
        self._transport = writer.transport
        self._socket = writer.get_extra_info("socket")
        self._loop = asyncio.get_running_loop()
        self._sending = asyncio.Lock()
        self._tasks = RequestTasks(self._loop)
        self._phase = Phase.IDLE
        self._deadline = self._loop.time() + served.limits.header_timeout_seconds
        self._lingers_until = math.inf
        self._written_bytes = 0
        # Bytes that the client had received at its last progress, and the time of that.
        self._sent_bytes, self._sent_at = 0, self._loop.time()
        self._protocol: Http1Protocol | Http2Protocol = Http1Protocol(
            self._tasks, served.limits.max_discarded_bytes, *self._get_protocol_context()
        )

    @property
    def is_busy(self) -> bool:
        """Whether a request is in progress."""
        return self._phase is Phase.BUSY

    async def serve(self) -> None:
        """Read and answer requests until the connection ends."""
        try:
            async with self._tasks:
                await self._read()
                await self._protocol.handle(Closed())
                self._tasks.disconnect()
        finally:
            await self._close()

    def expire(self, now: float) -> None:
        """Close the connection, or reset streams, after their deadline."""
        if self._is_stalled(now) or (now >= self._deadline and self._phase is Phase.LINGERING):
            self.abort()
        elif now >= self._deadline:
            if self._phase is Phase.HEAD:
                self._writer.write(REQUEST_TIMEOUT_RESPONSE)
            self.finish()
        elif isinstance(self._protocol, Http2Protocol):
            self._protocol.reset_stalled(now, self._served.limits.send_timeout_seconds)

    def stop(self) -> None:
        """Close the connection once no request is in progress, because the server stops."""
        if not self.is_busy:
            self.finish()
        if self._phase is Phase.LINGERING:
            self._deadline = min(self._deadline, self._loop.time() + STOPPING_LINGER_SECONDS)

    def finish(self) -> None:
        """Send the remaining data and close once the client has read it.

        Closing a socket with unread bytes would reset it, and the client would lose the response.
        """
        if self._phase in {Phase.LINGERING, Phase.CLOSED}:
            return
        is_at_end = self._reader.at_eof()
        self._phase = Phase.LINGERING
        now = self._loop.time()
        self._lingers_until = now + MAX_LINGER_SECONDS
        self._deadline = now + LINGER_SECONDS
        if self._served.context.terminated.is_set():
            self._deadline = now + STOPPING_LINGER_SECONDS
        try:
            self._writer.write_eof()
        except (OSError, RuntimeError):
            self._transport.abort()
        if is_at_end:
            self._transport.close()

    def abort(self) -> None:
        """Close the connection at once, discarding unsent data."""
        self._phase = Phase.CLOSED
        self._transport.abort()
        self._tasks.disconnect()

    async def _read(self) -> None:
        while True:
            try:
                data = await self._reader.read(MAX_READ_BYTES)
            except OSError:
                return
            if not data:
                return
            if self._phase is Phase.BUSY:
                await self._handle(data)
            elif self._phase is Phase.LINGERING:
                self._deadline = min(self._lingers_until, self._loop.time() + LINGER_SECONDS)
            elif self._phase is Phase.CLOSED:
                return
            elif refusal := self._find_early_refusal(data):
                await self._write(refusal)
                self._become_idle()
            else:
                self._begin_head()
                await self._handle(data)

    def _find_early_refusal(self, data: bytes) -> bytes | None:
        """Return the response to a request that is rejected unparsed; nothing before it may wait to be parsed."""
        protocol = self._protocol
        if (
            self._phase is not Phase.IDLE
            or not isinstance(protocol, Http1Protocol)
            or protocol.connection.trailing_data != (b"", False)
            or self._served.context.terminated.is_set()
        ):
            return None
        return find_early_refusal(self._served.shedder, data)

    def _begin_head(self) -> None:
        if self._phase is Phase.IDLE and isinstance(self._protocol, Http1Protocol):
            self._phase = Phase.HEAD
            self._deadline = self._loop.time() + self._served.limits.header_timeout_seconds

    async def _handle(self, data: bytes) -> None:
        try:
            await self._protocol.handle(RawData(data))
        except H2ProtocolAssumedError as error:
            self._protocol = Http2Protocol(self._tasks, *self._get_protocol_context())
            self._become_idle()
            await self._protocol.initiate()
            await self._protocol.handle(RawData(error.data))

    async def _send(self, event: Event) -> None:
        if isinstance(event, RawData):
            await self._write(event.data)
        elif isinstance(event, Closed):
            self.finish()
        elif isinstance(event, Updated):
            self._update(is_idle=event.idle)

    def _update(self, *, is_idle: bool) -> None:
        if self._phase in {Phase.LINGERING, Phase.CLOSED}:
            return
        if not is_idle:
            self._phase, self._deadline = Phase.BUSY, math.inf
        elif self._served.context.terminated.is_set():
            self.finish()
        else:
            self._become_idle()

    def _become_idle(self) -> None:
        self._phase = Phase.IDLE
        self._deadline = self._loop.time() + self._served.config.keep_alive_timeout

    async def _write(self, data: bytes) -> None:
        async with self._sending:
            try:
                for start in range(0, len(data), MAX_WRITE_BYTES):
                    await self._write_part(data[start : start + MAX_WRITE_BYTES])
            except (OSError, RuntimeError):
                await self._protocol.handle(Closed())

    async def _write_part(self, data: bytes) -> None:
        if self._transport.is_closing():
            return
        self._writer.write(data)
        self._written_bytes += len(data)
        if self._transport.get_write_buffer_size() >= MAX_WRITE_BYTES:
            await self._writer.drain()

    def _is_stalled(self, now: float) -> bool:
        """Return whether the client has received none of the waiting data for ``send_timeout_seconds``."""
        if self._phase is not Phase.BUSY:
            self._sent_at = now
            return False  # other deadlines apply
        waiting = self._transport.get_write_buffer_size() + count_unacknowledged_bytes(self._socket)
        sent = self._written_bytes - waiting
        if not waiting or sent != self._sent_bytes:
            self._sent_bytes, self._sent_at = sent, now
        return now - self._sent_at >= self._served.limits.send_timeout_seconds

    async def _close(self) -> None:
        """Close the transport and wait a limited time until the remaining data is sent."""
        self._deadline = self._loop.time() + LINGER_SECONDS
        if self._phase is not Phase.CLOSED:
            self._phase = Phase.LINGERING
        self._transport.close()
        with suppress(OSError):
            await self._writer.wait_closed()
        self._phase = Phase.CLOSED
        # They refer to this connection. The garbage collector would have to find each connection that has ended.
        del self._protocol, self._tasks

    def _get_protocol_context(self) -> tuple[Any, ...]:
        family = self._socket.family
        client = parse_socket_addr(family, self._writer.get_extra_info("peername"))
        server = parse_socket_addr(family, self._writer.get_extra_info("sockname"))
        served = self._served
        return (served.app, served.config, served.context, ConnectionState(served.state), client, server, self._send)


def count_unacknowledged_bytes(sock: Any) -> int:
    """Return how many sent bytes the client has not acknowledged; 0 if the kernel does not say."""
    try:
        return int.from_bytes(fcntl.ioctl(sock.fileno(), termios.TIOCOUTQ, bytes(4)), sys.byteorder)
    except (OSError, ValueError):  # it is closed
        return 0
