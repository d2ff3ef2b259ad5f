"""Load of many connections whose requests are answered before their bodies are read."""

import asyncio
import os
import random
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from comanda.devkit.testing.polling import MAX_WAIT_SECONDS

SIZES = [0, 1, 100, 5_000, 60_000, 66_000, 200_000, 1_000_000, 1_500_000, 2_000_000]
WEIGHTS = [2, 3, 4, 4, 3, 3, 2, 1, 1, 1]
PIECE = 16_384
ESTABLISHED, CLOSE_WAIT, LISTEN = "01", "08", "0A"
WITHOUT_BODY = {204, 304}


@dataclass
class Figures:
    """The results of requests. ``lost`` counts those without an answer, by how they were sent."""

    statuses: Counter = field(default_factory=Counter)
    lost: Counter = field(default_factory=Counter)
    unexpected: list = field(default_factory=list)
    lost_on_kept: int = 0
    answered_on_kept: int = 0
    connections: int = 0
    descriptors: tuple[int, int] = (0, 0)
    resident_mb: tuple[float, float] = (0, 0)
    close_wait: int = 0
    seconds: float = 0

    def __str__(self):
        answered = sum(self.statuses.values())
        return (
            f"answered {answered} ({self.answered_on_kept} on kept connections), lost {dict(self.lost)} "
            f"({self.lost_on_kept} on kept connections), {dict(self.statuses)}, {self.connections} connections, "
            f"descriptors {self.descriptors[0]} -> {self.descriptors[1]}, CLOSE-WAIT {self.close_wait}, "
            f"memory {self.resident_mb[0]:.0f} -> {self.resident_mb[1]:.0f} MB, {self.seconds:.0f} s"
        )


@dataclass(frozen=True)
class Target:
    """The target of requests, and those that are rejected: (method, path, headers, statuses)."""

    port: int
    requests: list[tuple[str, str, dict[str, str], set[int]]]


def descriptors(pid):
    """Count the open files of a process."""
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def resident_mb(pid):
    """Return the resident memory of a process, in MB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def sockets(port, state):
    """Count the sockets of a local port in a state."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(row[1].endswith(f":{port:04X}") and row[3] == state for row in rows)


class Campaign:
    """Sends ``count`` requests over ``width`` connections at a time."""

    def __init__(self, target, count, width, seed=1):
        self._target = target
        self._left = count
        self._width = width
        self._random = random.Random(seed)
        self.figures = Figures()

    async def run(self):
        """Send all requests and return the results."""
        await asyncio.gather(*(self._client() for _ in range(self._width)))
        return self.figures

    async def _client(self):
        while self._left > 0:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", self._target.port)
            except OSError:
                self._left -= 1
                self.figures.lost["connect"] += 1
                continue
            self.figures.connections += 1
            is_kept = False
            try:
                while self._left > 0:
                    self._left -= 1
                    if not await self._exchange(reader, writer, is_kept):
                        break
                    is_kept = True
            finally:
                writer.transport.abort()

    async def _exchange(self, reader, writer, is_kept):
        """Send a request and read its answer; return whether the connection stays open."""
        method, path, headers, wanted = self._random.choice(self._target.requests)
        size = self._random.choices(SIZES, WEIGHTS)[0]
        way = self._random.choice(["plain", "plain", "apart", "chunked", "expect", "slow"])
        framing = {"Transfer-Encoding": "chunked"} if way == "chunked" else {"Content-Length": str(size)}
        if way == "expect":
            framing["Expect"] = "100-continue"
        head = "".join(f"{name}: {value}\r\n" for name, value in {**headers, **framing}.items())
        started = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{head}\r\n".encode()
        goes_on = asyncio.Event()
        sending = asyncio.ensure_future(self._send(writer, started, size, way, goes_on))
        try:
            async with asyncio.timeout(MAX_WAIT_SECONDS):
                status, stays_open = await self._answer(reader, method, goes_on)
        except (OSError, EOFError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
            self.figures.lost[f"{way} {type(error).__name__}"] += 1
            self.figures.lost_on_kept += is_kept
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
            return False
        self.figures.statuses[status] += 1
        self.figures.answered_on_kept += is_kept
        if status not in wanted | {429}:
            self.figures.unexpected.append((method, path, way, size, status))
        if not stays_open:
            sending.cancel()
        goes_on.set()
        await asyncio.gather(sending, return_exceptions=True)
        return stays_open

    async def _send(self, writer, head, size, way, goes_on):
        with suppress(OSError):
            body = bytes(size)
            if way == "plain":
                writer.write(head + body[:1000])
                body = body[1000:]
            else:
                writer.write(head)
                await writer.drain()
            if way == "apart":
                await asyncio.sleep(self._random.uniform(0, 0.01))
            elif way == "expect":
                with suppress(TimeoutError):
                    await asyncio.wait_for(goes_on.wait(), 5)
            elif way == "slow":
                body = body[:PIECE]
                for _ in range(4):
                    await asyncio.sleep(self._random.uniform(0, 0.4))
                    writer.write(body[: len(body) // 4])
                    await writer.drain()
                body = bytes(size - len(body) // 4 * 4)
            for start in range(0, len(body), PIECE):
                part = body[start : start + PIECE]
                writer.write(b"%x\r\n%b\r\n" % (len(part), part) if way == "chunked" else part)
                await writer.drain()
            if way == "chunked":
                writer.write(b"0\r\n\r\n")
                await writer.drain()

    async def _answer(self, reader, method, goes_on):
        head = await reader.readuntil(b"\r\n\r\n")
        status = int(head.split(b" ", 2)[1])
        if status == 100:
            goes_on.set()
            return await self._answer(reader, method, goes_on)
        fields = dict(line.lower().split(b": ", 1) for line in head.strip().split(b"\r\n")[1:])
        if method != "HEAD" and status not in WITHOUT_BODY:
            if fields.get(b"transfer-encoding") == b"chunked":
                await reader.readuntil(b"0\r\n\r\n")
            else:
                await reader.readexactly(int(fields[b"content-length"]))
        return status, fields.get(b"connection") != b"close"


async def campaign(target, pid, count, width, server_port=None):
    """Run a campaign against the server of ``pid``; return its figures, measured when the server has settled."""
    server_port = server_port or target.port
    await Campaign(target, max(width, count // 10), width, seed=2).run()
    await settle(pid, server_port)
    before = descriptors(pid), resident_mb(pid)
    started = time.monotonic()
    figures = await Campaign(target, count, width).run()
    figures.seconds = time.monotonic() - started
    await settle(pid, server_port, before[0])
    figures.descriptors = before[0], descriptors(pid)
    figures.resident_mb = before[1], resident_mb(pid)
    figures.close_wait = sockets(server_port, CLOSE_WAIT)
    return figures


async def settle(pid, port, wanted=0):
    """Wait a limited time until the server has no connections left, or as few files as before."""
    deadline = time.monotonic() + MAX_WAIT_SECONDS
    while time.monotonic() < deadline:
        await asyncio.sleep(0.5)
        if descriptors(pid) <= wanted or not sockets(port, ESTABLISHED) + sockets(port, CLOSE_WAIT):
            return
