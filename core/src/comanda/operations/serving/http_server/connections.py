"""All connections of one process: limits, timeouts and shutdown."""

import asyncio

import structlog

from comanda.basics.errors import ComandaError
from comanda.contracts.requests.client_addresses import client_network
from comanda.operations.serving.connection_counts import ConnectionCounts
from comanda.operations.serving.http_server.connection import Connection, ServedApp
from comanda.operations.serving.http_server.early_refusals import encode_response

log = structlog.get_logger(__name__)

SWEEP_SECONDS = 1.0
# Rejected connections that get a response at the same time, and for how long; further ones are just closed.
MAX_REFUSALS = 100
REFUSAL_SECONDS = 2.0
# Aborted connections have this long to end before their tasks are cancelled, and this long after that.
ABORT_SECONDS = 1.0


class Connections:
    """Accepts connections within the limits, closes slow ones, and closes all at shutdown."""

    def __init__(self, served: ServedApp) -> None:
        self._served = served
        self._counts = ConnectionCounts(served.limits)
        self._open: dict[asyncio.Task[None], Connection] = {}
        self._refusals = 0
        self._loop = asyncio.get_running_loop()
        self._sweep_timer = self._loop.call_later(SWEEP_SECONDS, self._sweep)

    def create_protocol(self) -> asyncio.StreamReaderProtocol:
        """Return the protocol of a connection that is served in a task of its own."""
        return asyncio.StreamReaderProtocol(asyncio.StreamReader(), self.accept)

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a new connection until it ends, if there may be more."""
        peer = writer.get_extra_info("peername")
        if peer is None:  # the client left before it was accepted
            writer.transport.abort()
            return
        network = client_network(peer[0])
        if refusal := self._counts.find_refusal(network):
            await self._refuse(refusal, reader, writer)
            return
        self._counts.add(network)
        try:
            await self.serve(reader, writer)
        finally:
            self._counts.remove(network)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a connection, which others may have counted, until it ends."""
        connection = Connection(self._served, reader, writer)
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("Connections are served in tasks.")
        self._open[task] = connection
        try:
            await connection.serve()
        except Exception:
            log.exception("connection_failed")
        finally:
            writer.transport.abort()
            del self._open[task]

    async def shut_down(self, seconds: float) -> None:
        """Close all connections: idle ones at once, others after their request or after ``seconds``."""
        await self._served.context.terminated.set()
        for connection in list(self._open.values()):
            connection.stop()
        await self._wait(seconds)
        for connection in list(self._open.values()):
            connection.abort()
        await self._wait(ABORT_SECONDS)
        for task in list(self._open):
            task.cancel()
        await self._wait(ABORT_SECONDS)
        self._sweep_timer.cancel()

    async def _wait(self, seconds: float) -> None:
        if self._open:
            await asyncio.wait(list(self._open), timeout=seconds)

    def _sweep(self) -> None:
        self._sweep_timer = self._loop.call_later(SWEEP_SECONDS, self._sweep)
        now = self._loop.time()
        for connection in list(self._open.values()):
            connection.expire(now)

    async def _refuse(self, refusal: ComandaError, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._refusals += 1
        try:
            if self._refusals <= MAX_REFUSALS:
                writer.write(encode_response(refusal, {"connection": "close"}))
                writer.write_eof()
                async with asyncio.timeout(REFUSAL_SECONDS):
                    while await reader.read(65_536):
                        pass
        except (OSError, RuntimeError, TimeoutError):
            pass  # the connection is closed anyway
        finally:
            self._refusals -= 1
            writer.transport.abort()
