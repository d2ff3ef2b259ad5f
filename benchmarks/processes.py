"""Child processes: started, asked, counted, and ended by their id."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

TICKS = os.sysconf("SC_CLK_TCK")
STOP_SECONDS = 15
ANSWER_SECONDS = 180


class ProcessFailed(RuntimeError):
    """A child ended or did not answer; says what it wrote last."""


class Child:
    """A process of ours. Its output goes to ``log``; leaving the block ends it."""

    def __init__(
        self, command: Sequence[str], log: Path, environment: Mapping[str, str], *, piped: bool = False
    ) -> None:
        self._log = log
        self._output = log.open("ab")
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE if piped else subprocess.DEVNULL,
            stdout=subprocess.PIPE if piped else self._output,
            stderr=self._output,
            env=dict(environment),
            # A session of its own: Ctrl-C reaches us alone, and we end our children in order.
            start_new_session=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    def stop(self) -> None:
        """Ask the process to end, and end it if it does not."""
        members = tree(self.pid)
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                for pid in members:
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._output):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()

    async def wait(self, seconds: float) -> int:
        """Wait for the end of the process and return its exit code. Raises ``ProcessFailed``."""
        try:
            return await asyncio.to_thread(self._process.wait, seconds)
        except subprocess.TimeoutExpired as error:
            raise ProcessFailed(f"{self._process.args!r} did not end: {self.last_words()}") from error

    async def terminate(self, seconds: float) -> int:
        """Send SIGTERM, wait for the end and return the exit code. Raises ``ProcessFailed``."""
        self._process.terminate()
        return await self.wait(seconds)

    def last_words(self) -> str:
        """Return the end of what the process wrote."""
        return self._log.read_bytes()[-2000:].decode(errors="replace")

    async def ask(self, seconds: float = ANSWER_SECONDS, /, **question: Any) -> dict[str, Any]:
        """Send a line to a piped child and return its answer, which may take ``seconds``. Raises ``ProcessFailed``."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(question).encode() + b"\n")
            self._process.stdin.flush()
            line = await asyncio.wait_for(asyncio.to_thread(self._process.stdout.readline), seconds)
        except (OSError, TimeoutError) as error:
            raise ProcessFailed(f"{self._process.args!r} did not answer: {self.last_words()}") from error
        if not line:
            raise ProcessFailed(f"{self._process.args!r} ended: {self.last_words()}")
        found: dict[str, Any] = json.loads(line)
        return found

    async def answers(self, port: int, path: str, seconds: float = 60) -> float:
        """Wait until ``GET path`` gives 200, looking every 5 ms, and return when that was (monotonic).

        Raises ``ProcessFailed``.
        """
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                raise ProcessFailed(f"{self._process.args!r} ended: {self.last_words()}")
            if _is_200(port, path):
                return time.monotonic()
            await asyncio.sleep(0.005)
        raise ProcessFailed(f"{self._process.args!r} did not answer {path}: {self.last_words()}")


def module(name: str, *arguments: str) -> list[str]:
    """Make the command that runs a module with this Python."""
    return [sys.executable, "-m", name, *arguments]


def free_port() -> int:
    """Find a port of the loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def now() -> float:
    """Return the time by the clock of ``Child.answers``."""
    return time.monotonic()


def _is_200(port: int, path: str) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
            return connection.recv(12) == b"HTTP/1.1 200"
    except OSError:
        return False


def tree(root: int) -> list[int]:
    """List a process and all its descendants that live."""
    children: dict[int, list[int]] = {}
    for pid, fields in _stats():
        children.setdefault(int(fields[1]), []).append(pid)
    found, waiting = [], [root]
    while waiting:
        pid = waiting.pop()
        found.append(pid)
        waiting += children.get(pid, [])
    return found


def cpu_seconds(*roots: int) -> float:
    """Sum the CPU time of process trees so far, user and system, with children that ended and were waited for."""
    members = {pid for root in roots for pid in tree(root)}
    ticks = sum(sum(map(int, fields[11:15])) for pid, fields in _stats() if pid in members)
    return ticks / TICKS


def memory_mib(root: int) -> tuple[float, float]:
    """Return RSS and PSS of a process tree in MiB. PSS shares a page among the processes that map it."""
    rss = pss = 0
    for pid in tree(root):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            name, _, rest = line.partition(":")
            if name == "Rss":
                rss += int(rest.split()[0])
            elif name == "Pss":
                pss += int(rest.split()[0])
    return rss / 1024, pss / 1024


def count_descriptors(root: int) -> int:
    """Count the open descriptors of a process tree."""
    return sum(len(list(Path(f"/proc/{pid}/fd").iterdir())) for pid in tree(root))


def _stats() -> Iterator[tuple[int, list[str]]]:
    """Give the fields of ``/proc/<pid>/stat`` after the name: state first, parent second, times from the 12th."""
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                yield int(folder.name), (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()


@contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """Let SIGTERM unwind like Ctrl-C, so that what was started is ended."""

    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
