"""Processes of `comanda` that are forked, not executed: they start in a fifth of the time."""

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from comanda.devkit.testing import fork_server

# The interpreter and the C library read these when they start, and a fork cannot read them again.
READ_AT_START = ("PYTHON", "LD_", "LC_", "LANG", "MALLOC_", "OPENSSL_", "SSL_")
# Of these, those that make no difference here: no fork imports enough to compile, and the server is unbuffered, too.
INDIFFERENT = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")


def can_fork(environment: Mapping[str, str]) -> bool:
    """Return whether a fork behaves as a process that is executed with ``environment`` would."""
    return _get_read_at_start(environment) == _get_read_at_start(os.environ)


class ForkedProcess:
    """A forked process, with the methods of ``subprocess.Popen`` that tests use.

    The first of ``arguments`` is the path of `comanda` or of Python in an environment. One server forks all processes
    of that environment; what is installed there later they see only after ``stop_server``.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        *,
        stdout: IO[str],
        stderr: IO[str],
        stdin: IO[str] | None = None,
    ) -> None:
        self.args = list(arguments)
        self.returncode: int | None = None
        self._reports, report = socket.socketpair()
        request = {"arguments": self.args, "environment": dict(environment), "folder": str(Path.cwd())}
        with report, Path(os.devnull).open() as nothing:
            files = [each.fileno() for each in (stdin or nothing, stdout, stderr, report)]
            socket.send_fds(_find_server(Path(arguments[0])), [json.dumps(request).encode()], files)
        self._received = b""
        while b"\n" not in self._received:
            self._receive(fork_server.START_SECONDS)
        self.pid = int(self._received.partition(b"\n")[0])

    def poll(self) -> int | None:
        """Return the exit code, negative for a signal, or None while the process runs."""
        self._receive(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end and return the exit code. Raises ``subprocess.TimeoutExpired``."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while self.returncode is None:
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                raise subprocess.TimeoutExpired(self.args, timeout or 0)
            self._receive(left)
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Send SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.send_signal(signal.SIGKILL)

    def _receive(self, seconds: float | None) -> None:
        """Wait for the next report: the id, then the exit code."""
        if self.returncode is not None or not select.select([self._reports], [], [], seconds)[0]:
            return
        received = self._reports.recv(64)
        if not received:
            raise RuntimeError("The fork server has ended.")
        self._received += received
        if self._received.count(b"\n") == fork_server.REPORTS:
            self.returncode = int(self._received.splitlines()[1])
            self._reports.close()


class _Server:
    """A process that forks others, and the socket on which it is asked for them."""

    def __init__(self, python: Path) -> None:
        self.requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [str(python), "-m", fork_server.__name__, str(theirs.fileno())]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        with theirs:
            self._process = subprocess.Popen(
                command, env=environment, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL
            )

    def stop(self) -> None:
        # Killed, the process of the tests lets the server end, too: nobody else holds the socket.
        self.requests.close()
        self._process.wait()


# By the folder of the environment's programs; threads of one test may start processes at once.
_servers: dict[Path, _Server] = {}
_lock = threading.Lock()


def stop_server(folder: Path) -> None:
    """Stop the server of the environment whose programs are in ``folder``, if it has one; the next fork starts anew."""
    if server := _servers.pop(folder, None):
        server.stop()


def _find_server(program: Path) -> socket.socket:
    """Return the socket of the server of the environment that a program belongs to."""
    folder = program.parent
    with _lock:
        if folder not in _servers:
            _servers[folder] = _Server(folder / "python")
            atexit.register(stop_server, folder)
        return _servers[folder].requests


def _get_read_at_start(environment: Mapping[str, str]) -> dict[str, str]:
    return {
        name: text for name, text in environment.items() if name.startswith(READ_AT_START) and name not in INDIFFERENT
    }
