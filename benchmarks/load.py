"""The load: a client of raw sockets in a process of its own, lean so that it is not what is measured.

Asked with ``{port, connections, seconds, requests, pace}`` it keeps that many connections open and sends on each the
next request as soon as the last was answered, or, with ``pace``, that many requests a second over all of them.
"""

import asyncio
import json
import time
from collections import Counter
from itertools import count
from typing import Any, cast

from benchmarks import lines

# Stands in a request where a key must be that no other request has.
KEY = "0" * 24
# A new process starts where no earlier one of the same database has been.
_keys = count(time.time_ns())


class Round:
    """One round: what to send, until when, and what came back."""

    def __init__(self, question: dict[str, Any]) -> None:
        self.port: int = question["port"]
        self.connections: int = question["connections"]
        self.seconds: float = question["seconds"]
        self.pace: float | None = question.get("pace")
        self.requests: list[bytes] = [text.encode() for text in question["requests"]]
        self.positions = count()
        self.latencies: list[float] = []
        self.statuses: Counter[int] = Counter()
        self.answered: list[tuple[int, float]] = []
        self.problem = ""
        self.in_flight = 0
        self.last_at = self.began_at = time.monotonic()
        self.idle = asyncio.Event()

    def next_request(self) -> tuple[bytes, float]:
        """Return the next request and when it is due."""
        position = next(self.positions)
        request = self.requests[position % len(self.requests)].replace(KEY.encode(), b"%024d" % next(_keys))
        return request, self.began_at + position / self.pace if self.pace else 0.0

    def is_over(self) -> bool:
        """Tell whether no more is sent."""
        return time.monotonic() - self.began_at >= self.seconds

    def take(self, status: int, sent_at: float, body: bytes) -> None:
        """Count an answer."""
        now = time.monotonic()
        self.statuses[status] += 1
        self.latencies.append(now - sent_at)
        self.last_at = now
        if self.pace and status == 201:
            self.answered.append((json.loads(body)["id"], now))
        elif status >= 300 and not self.problem:
            self.problem = body[:300].decode(errors="replace")

    def report(self) -> dict[str, Any]:
        """Sum the round up: rate per second, times in milliseconds."""
        ordered = sorted(self.latencies) or [0.0]
        return {
            "requests": len(self.latencies),
            "rate": len(self.latencies) / (self.last_at - self.began_at) if self.latencies else 0.0,
            "p50_ms": ordered[len(ordered) // 2] * 1000,
            "p99_ms": ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)] * 1000,
            "failed": sum(number for status, number in self.statuses.items() if status >= 300),
            "problem": self.problem,
            "answered": self.answered,
        }


class Connection(asyncio.Protocol):
    """A keep-alive connection with one request at a time; opened again where the server closes it."""

    def __init__(self, round_: Round) -> None:
        self._round = round_
        self._received = b""
        self._sent_at = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the first request."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is one by shape only
        self._next()

    def data_received(self, data: bytes) -> None:
        """Take an answer once it is whole, and send the next request."""
        self._received += data
        head_end = self._received.find(b"\r\n\r\n")
        if head_end < 0:
            return
        head = self._received[:head_end].lower()
        length_at = head.find(b"content-length:")
        length = int(head[length_at + 15 :].split(b"\r\n", 1)[0]) if length_at >= 0 else 0
        if len(self._received) < head_end + 4 + length:
            return
        self._round.take(int(head[9:12]), self._sent_at, self._received[head_end + 4 :])
        self._round.in_flight -= 1
        self._received, self._sent_at = b"", 0.0
        if b"connection: close" in head:
            self._transport.close()
        else:
            self._next()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count a request that got no answer; go on with a new connection."""
        if self._sent_at:
            self._round.in_flight -= 1
            self._round.take(599, self._sent_at, b"the connection was lost")
        if self._round.is_over():
            self._settle()
        else:
            asyncio.get_running_loop().create_task(open_connection(self._round))

    def _next(self) -> None:
        if self._round.is_over():
            self._transport.close()
            return
        request, due_at = self._round.next_request()
        wait = due_at - time.monotonic()
        if wait > 0:
            asyncio.get_running_loop().call_later(wait, self._send, request)
        else:
            self._send(request)

    def _send(self, request: bytes) -> None:
        if self._transport.is_closing() or self._round.is_over():
            self._transport.close()
            return
        self._sent_at = time.monotonic()
        self._round.in_flight += 1
        self._transport.write(request)

    def _settle(self) -> None:
        if self._round.in_flight == 0:
            self._round.idle.set()


async def open_connection(round_: Round) -> None:
    """Open one connection of a round."""
    try:
        await asyncio.get_running_loop().create_connection(lambda: Connection(round_), "127.0.0.1", round_.port)
    except OSError as error:
        round_.take(599, time.monotonic(), str(error).encode())
        round_.idle.set()


async def run(question: dict[str, Any]) -> dict[str, Any]:
    """Run a round and report."""
    round_ = Round(question)
    for _ in range(round_.connections):
        await open_connection(round_)
    await asyncio.wait_for(round_.idle.wait(), round_.seconds + 15)
    return round_.report()


if __name__ == "__main__":
    lines.answer(run)
