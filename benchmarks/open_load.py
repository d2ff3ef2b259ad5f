"""An open load: requests are sent at their time, however many are still unanswered, as many independent clients do.

Asked with ``{port, rate, seconds, requests}`` it sends that many requests a second, each on an idle connection or else
on a new one, and reports what was answered.
"""

import asyncio
import resource
import time
from collections import Counter
from itertools import count
from typing import Any, cast

from benchmarks import lines
from benchmarks.load import KEY

ANSWER_SECONDS = 20
MAX_CONNECTIONS = 7500
_keys = count(time.time_ns())


class OpenLoad:
    """One round: what was sent and what came back."""

    def __init__(self, question: dict[str, Any]) -> None:
        self.port: int = question["port"]
        self.requests: list[bytes] = [text.encode() for text in question["requests"]]
        self.total = round(question["rate"] * question["seconds"])
        self.rate: float = question["rate"]
        self.idle: list[Client] = []
        self.open = self.most_open = 0
        self.sent = self.unsent = 0
        self.statuses: Counter[int] = Counter()
        self.latencies: list[float] = []
        self.began_at = self.last_at = time.monotonic()
        self.is_done = asyncio.Event()

    async def run(self) -> None:
        """Send every request when it is due and wait for the answers."""
        loop = asyncio.get_running_loop()
        tasks = []
        while self.sent + self.unsent < self.total:
            due = min(self.total, int((time.monotonic() - self.began_at) * self.rate) + 1)
            for _ in range(due - self.sent - self.unsent):
                tasks += self._send(loop)
            await asyncio.sleep(0.002)
        await asyncio.gather(*tasks)
        self._check()
        async with asyncio.timeout(ANSWER_SECONDS):
            await self.is_done.wait()

    def take(self, status: int, seconds: float) -> None:
        """Count an answer."""
        self.statuses[status] += 1
        if status < 300:
            self.latencies.append(seconds)
            self.last_at = time.monotonic()
        self._check()

    def report(self) -> dict[str, Any]:
        """Return the rate of what succeeded, until the last success, and the times of that in milliseconds."""
        ordered = sorted(self.latencies) or [0.0]
        return {
            "requests": self.sent,
            "rate": len(self.latencies) / max(self.last_at - self.began_at, 1e-9),
            "p50_ms": ordered[len(ordered) // 2] * 1000,
            "p99_ms": ordered[len(ordered) * 99 // 100] * 1000,
            "shed": self.statuses[503],
            "failed": sum(number for status, number in self.statuses.items() if status >= 300 and status != 503),
            "unsent": self.unsent,
            "connections": self.most_open,
        }

    def _send(self, loop: asyncio.AbstractEventLoop) -> list[asyncio.Task[None]]:
        request = self.requests[self.sent % len(self.requests)].replace(KEY.encode(), b"%024d" % next(_keys))
        while self.idle:
            client = self.idle.pop()
            if client.send(request):
                self.sent += 1
                return []
        if self.open >= MAX_CONNECTIONS:
            self.unsent += 1
            return []
        self.sent += 1
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        return [loop.create_task(self._connect(request))]

    async def _connect(self, request: bytes) -> None:
        loop = asyncio.get_running_loop()
        try:
            _, client = await loop.create_connection(lambda: Client(self), "127.0.0.1", self.port)
        except OSError:
            self.open -= 1
            self.take(599, 0.0)
        else:
            client.send(request)

    def _check(self) -> None:
        if self.sent + self.unsent >= self.total and self.statuses.total() >= self.sent:
            self.is_done.set()


class Client(asyncio.Protocol):
    """A keep-alive connection with one request at a time."""

    def __init__(self, load: OpenLoad) -> None:
        self._load = load
        self._received = b""
        self._sent_at = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = cast("asyncio.Transport", transport)

    def send(self, request: bytes) -> bool:
        """Send a request, unless the connection is closed."""
        if self._transport.is_closing():
            return False
        self._sent_at = time.monotonic()
        self._transport.write(request)
        return True

    def close(self) -> None:
        """Close the connection."""
        self._transport.close()

    def data_received(self, data: bytes) -> None:
        """Count a complete answer and become idle."""
        self._received += data
        head_end = self._received.find(b"\r\n\r\n")
        if head_end < 0:
            return
        head = self._received[:head_end].lower()
        length = int(head.partition(b"content-length:")[2].split(b"\r\n", 1)[0] or 0)
        if len(self._received) < head_end + 4 + length:
            return
        sent_at, self._sent_at, self._received = self._sent_at, 0.0, b""
        if b"connection: close" in head:
            self._transport.close()
        else:
            self._load.idle.append(self)
        self._load.take(int(head[9:12]), time.monotonic() - sent_at)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count a request that got no answer."""
        self._load.open -= 1
        if self._sent_at:
            self._load.take(599, 0.0)


def allow_connections() -> None:
    """Raise the limit of open files of this process as far as it may."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = 2 * MAX_CONNECTIONS if hard == resource.RLIM_INFINITY else min(hard, 2 * MAX_CONNECTIONS)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


async def run(question: dict[str, Any]) -> dict[str, Any]:
    """Run a round and report."""
    load = OpenLoad(question)
    await load.run()
    for client in load.idle:
        client.close()
    return load.report()


if __name__ == "__main__":
    allow_connections()
    lines.answer(run)
