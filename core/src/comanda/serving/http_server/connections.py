"""All connections of one process: limits, timeouts and shutdown."""

import asyncio
import resource
from collections import Counter
from contextlib import suppress

import structlog

from comanda.contracts.client_addresses import client_network
from comanda.errors import ComandaError, RateLimited, Unavailable
from comanda.serving.http_server.connection import Connection, ServedApp
from comanda.serving.http_server.early_refusals import encode_response

log = structlog.get_logger(__name__)

SWEEP_SECONDS = 1.0
# File descriptors for other uses: database, Redis, webhook deliveries, files.
RESERVED_DESCRIPTORS = 256
# Rejected connections that get a response at the same time, and for how long; further ones are just closed.
MAX_REFUSALS = 100
REFUSAL_SECONDS = 2.0
REFUSAL_RETRY_SECONDS = 5
# Rejections are logged this often.
LOG_SECONDS = 10.0
# Aborted connections have this long to end before their tasks are cancelled, and this long after that.
ABORT_SECONDS = 1.0


class Connections:
    """Accepts connections within the limits, closes slow ones, and closes all at shutdown."""

    def __init__(self, served: ServedApp) -> None:
        self._served = served
        self._max_connections = raise_descriptor_limit(served.limits.max_connections)
        self._open: dict[asyncio.Task[None], Connection] = {}
        self._by_network: Counter[str] = Counter()
        self._refusals = 0
        self._loop = asyncio.get_running_loop()
        self._logs_from = 0.0
        self._sweep_timer = self._loop.call_later(SWEEP_SECONDS, self._sweep)

    def create_protocol(self) -> asyncio.StreamReaderProtocol:
        """Return the protocol of a connection that is served in a task of its own."""
        return asyncio.StreamReaderProtocol(asyncio.StreamReader(), self.accept)

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a new connection until it ends."""
        peer = writer.get_extra_info("peername")
        task = asyncio.current_task()
        if task is None or peer is None:  # the client left before it was accepted
            writer.transport.abort()
            return
        network = client_network(peer[0])
        if refusal := self._find_refusal(network):
            await self._refuse(refusal, network, reader, writer)
            return
        connection = self._open[task] = Connection(self._served, reader, writer)
        self._by_network[network] += 1
        try:
            await connection.serve()
        except Exception:
            log.exception("connection_failed")
        finally:
            writer.transport.abort()
            del self._open[task]
            self._by_network[network] -= 1
            if not self._by_network[network]:
                del self._by_network[network]

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

    def _find_refusal(self, network: str) -> ComandaError | None:
        most = self._served.limits.max_connections_per_address
        if len(self._open) >= self._max_connections:
            return Unavailable("Too many connections.", retry_after_seconds=REFUSAL_RETRY_SECONDS)
        if most and self._by_network[network] >= most:
            return RateLimited(REFUSAL_RETRY_SECONDS)
        return None

    async def _refuse(
        self, refusal: ComandaError, network: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        if self._loop.time() >= self._logs_from:
            self._logs_from = self._loop.time() + LOG_SECONDS
            log.warning("connection_refused", code=refusal.code, client=network, open=len(self._open))
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


def raise_descriptor_limit(connections: int) -> int:
    """Increase the limit of open files as far as allowed; return how many connections it permits."""
    wanted = connections + RESERVED_DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    fitting = connections if soft == resource.RLIM_INFINITY else min(connections, soft - RESERVED_DESCRIPTORS)
    if fitting < connections:
        log.warning("fewer_connections_than_set", wanted=connections, possible=fitting, open_files=soft)
    return max(fitting, 1)
