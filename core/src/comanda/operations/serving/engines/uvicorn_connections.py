"""Connections of Uvicorn with the limits of our own ones, which take over those that begin with HTTP/2.

Written against uvicorn 0.54. Its protocol has no limit on the time that a client takes for its headers or to read a
response, none on connections per address, and it closes connections with unread bytes, so that the client may lose the
response. It rejects nothing before it is parsed, and speaks HTTP/1.1 only.
"""

import asyncio
import math
from collections import Counter
from contextlib import suppress
from typing import Any

import httptools
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from comanda.contracts.requests.client_addresses import client_network
from comanda.operations.serving.connection_counts import ConnectionCounts
from comanda.operations.serving.engines.lingering_transport import LingeringTransport
from comanda.operations.serving.http_server.connection import REQUEST_TIMEOUT_RESPONSE, count_unacknowledged_bytes
from comanda.operations.serving.http_server.connections import Connections
from comanda.operations.serving.http_server.early_refusals import encode_response, find_early_refusal
from comanda.operations.serving.limits import ConnectionLimits
from comanda.platform.http.overload import LoadShedder

SWEEP_SECONDS = 1.0
# The limit of h11, by which Hypercorn parses.
MAX_HEAD_BYTES = 65_536
# A client that has ended its side gets an answer that is ready this soon; for later ones it counts as disconnected.
HALF_CLOSED_SECONDS = 0.5
# Source: RFC 9113, 3.4. What comes before the first frame of HTTP/2.
HTTP_2_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
FRAMING_HEADERS = frozenset({b"host", b"content-length", b"transfer-encoding"})
HEADERS_TOO_LARGE_RESPONSE = b"HTTP/1.1 431 \r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class OpenConnections:
    """The connections of one process, and a timer that closes slow ones. Those of HTTP/2 are passed to ``http2``."""

    def __init__(self, limits: ConnectionLimits, http2: Connections, shedder: LoadShedder) -> None:
        self.limits = limits
        self.counts = ConnectionCounts(limits)
        self.http2 = http2
        self.shedder = shedder
        self.is_stopping = False
        self._open: set[LimitedConnection] = set()
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_later(SWEEP_SECONDS, self._sweep)

    def add(self, connection: "LimitedConnection", network: str) -> None:
        """Count a connection, and watch over it, until it is removed."""
        self._open.add(connection)
        self.counts.add(network)

    def remove(self, connection: "LimitedConnection", network: str) -> None:
        """Remove a connection that has ended."""
        self._open.discard(connection)
        self.counts.remove(network)

    def abort(self) -> None:
        """Close all connections at once."""
        self._timer.cancel()
        for connection in list(self._open):
            connection.abort()

    def _sweep(self) -> None:
        self._timer = self._loop.call_later(SWEEP_SECONDS, self._sweep)
        now = self._loop.time()
        for connection in list(self._open):
            connection.expire(now)


class LimitedConnection(HttpToolsProtocol):
    """The connection of one client. It has no timer of its own: ``expire`` is called once a second."""

    transport: Any

    def __init__(
        self, connections: OpenConnections, config: uvicorn.Config, server_state: ServerState, app_state: dict[str, Any]
    ) -> None:
        super().__init__(config, server_state, app_state)
        self._open_connections = connections
        self._limits = connections.limits
        self._network: str | None = None
        self._head_deadline = math.inf
        self._head_bytes = 0
        # What may be the beginning of HTTP/2, until enough has arrived.
        self._preface: bytes | None = b""
        self._is_between_requests = True
        self._is_passed_on = False
        # Bytes that the client had received at its last progress, and the time of that.
        self._sent_bytes, self._sent_at = 0, self.loop.time()

    def connection_made(self, transport: Any) -> None:
        """Accept a connection within the limits."""
        peer = transport.get_extra_info("peername")
        if peer is None:  # the client left before it was accepted
            transport.abort()
            return
        self.transport = LingeringTransport(transport, self.loop)
        network = client_network(peer[0])
        if refusal := self._open_connections.counts.find_refusal(network):
            self.transport.write(encode_response(refusal, {"connection": "close"}))
            self.transport.close()
            return
        self._network = network
        self._open_connections.add(self, network)
        super().connection_made(self.transport)
        self._head_deadline = self.loop.time() + self._limits.header_timeout_seconds

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection; its request is told that the client has disconnected."""
        if self._network is None:
            return
        self._forget()
        super().connection_lost(exc)
        self._unset_keepalive_if_required()

    def data_received(self, data: bytes) -> None:
        """Parse a part of a request, unless the connection is closing."""
        if self._network is None or self.transport.is_closing():
            self.transport.linger()
            return
        if self._preface is not None:
            data = self._preface + data
            if HTTP_2_PREFACE.startswith(data) and data != HTTP_2_PREFACE:
                self._preface, self._head_bytes = data, len(data)
                return
            self._preface, self._head_bytes = None, 0
            if data.startswith(HTTP_2_PREFACE):
                self._pass_to_http2(data)
                return
        if refusal := self._find_early_refusal(data):
            self.transport.write(refusal)
            self._await_next_request()
            return
        if not self._is_busy and self._head_deadline == math.inf:
            self._head_deadline = self.loop.time() + self._limits.header_timeout_seconds
            self._head_bytes = 0
        self._head_bytes += len(data)
        super().data_received(data)
        is_in_head = self._head_deadline != math.inf and not self.transport.is_closing()
        if is_in_head and self._head_bytes > MAX_HEAD_BYTES:
            self._refuse(HEADERS_TOO_LARGE_RESPONSE)

    def eof_received(self) -> bool:  # type: ignore[override] # uvicorn returns nothing; asyncio asks for a bool
        """Keep the connection of a client that has ended its side until the answer is sent, for a moment."""
        if self._network is None or not self._is_busy or self.transport.is_closing():
            return False
        self.cycle.keep_alive = False
        self.transport.is_at_end = True
        self.loop.call_later(HALF_CLOSED_SECONDS, self.transport.close)
        return True

    def on_message_begin(self) -> None:
        """Begin a request."""
        self._is_between_requests = False
        super().on_message_begin()

    def on_message_complete(self) -> None:
        """End the body of a request."""
        self._is_between_requests = True
        super().on_message_complete()

    def on_headers_complete(self) -> None:
        """Start the application, unless a proxy may see another host or another end of the body."""
        if _is_ambiguous(self.headers, self.parser.get_http_version()):
            raise httptools.HttpParserError("ambiguous headers")
        self._head_deadline = math.inf
        super().on_headers_complete()
        # Nothing but another protocol may follow a request to upgrade, and we speak none.
        if self.parser.should_upgrade() or self._open_connections.is_stopping:
            self.cycle.keep_alive = False

    def expire(self, now: float) -> None:
        """Close the connection after one of its deadlines."""
        if self._is_passed_on:
            return
        if self._is_stalled(now) or self.transport.has_lingered(now):
            self.abort()
        elif now >= self._head_deadline and not self.transport.is_closing():
            self._refuse(REQUEST_TIMEOUT_RESPONSE if self._head_bytes else b"")

    def abort(self) -> None:
        """Close the connection at once, discarding unsent data."""
        self.transport.abort()

    @property
    def _is_busy(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _find_early_refusal(self, data: bytes) -> bytes | None:
        """Return the response to a request that is rejected unparsed; nothing before it may wait to be answered."""
        if self._is_busy or not self._is_between_requests or self._open_connections.is_stopping:
            return None
        return find_early_refusal(self._open_connections.shedder, data)

    def _await_next_request(self) -> None:
        self._head_deadline = math.inf
        self._unset_keepalive_if_required()
        self.timeout_keep_alive_task = self.loop.call_later(self.timeout_keep_alive, self.timeout_keep_alive_handler)

    def _pass_to_http2(self, data: bytes) -> None:
        """Leave the connection, with what was received of it, to the protocol of HTTP/2 until it ends."""
        self._is_passed_on = True
        self.connections.discard(self)
        protocol = asyncio.StreamReaderProtocol(asyncio.StreamReader(), self._serve_http2)
        self.transport.pass_to(protocol)
        protocol.data_received(data)

    async def _serve_http2(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._open_connections.http2.serve(reader, writer)
        finally:
            self._forget()

    def _forget(self) -> None:
        if self._network is not None:
            self._open_connections.remove(self, self._network)

    def _refuse(self, response: bytes) -> None:
        self._unset_keepalive_if_required()
        self.transport.write(response)
        self.transport.close()

    def _is_stalled(self, now: float) -> bool:
        """Return whether the client has received none of the waiting data for ``send_timeout_seconds``."""
        if self._sent_bytes == self.transport.written_bytes:  # nothing waits, as on most connections
            self._sent_at = now
            return False
        sock = self.transport.get_extra_info("socket")
        waiting = self.transport.get_write_buffer_size()
        with suppress(OSError):
            waiting += count_unacknowledged_bytes(sock)
        sent = self.transport.written_bytes - waiting
        if not waiting or sent != self._sent_bytes:
            self._sent_bytes, self._sent_at = sent, now
        return now - self._sent_at >= self._limits.send_timeout_seconds

    def _unsupported_upgrade_warning(self) -> None:
        """Log nothing: clients and scanners ask for upgrades as they like."""


def _is_ambiguous(headers: list[tuple[bytes, bytes]], version: str) -> bool:
    """Return whether a proxy may see another host or another end of the body: RFC 9112, 3.2, 6.1 and 6.3."""
    counts = Counter(name for name, _ in headers if name in FRAMING_HEADERS)
    if counts[b"host"] > 1:
        return True
    if not counts[b"transfer-encoding"]:
        return False
    codings = [value.strip().lower() for name, value in headers if name == b"transfer-encoding"]
    return bool(counts[b"content-length"]) or version != "1.1" or codings != [b"chunked"]
