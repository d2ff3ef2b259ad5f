"""Processes of `comanda` that are forked, not executed: they start in a fifth of the time."""

import atexit
import fcntl
import hashlib
import json
import os
import select
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from comanda.devkit.testing import fork_server
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS

# The interpreter and the C library read these when they start, and a fork cannot read them again.
READ_AT_START = ("PYTHON", "LD_", "LC_", "LANG", "MALLOC_", "OPENSSL_", "SSL_")
# Of these, those that make no difference here: a fork adds the folders of PYTHONPATH and writes bytecode or not, and
# the server is unbuffered, too.
INDIFFERENT = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "PYTHONPATH")


def can_fork(environment: Mapping[str, str]) -> bool:
    """Return whether a fork behaves as a process that is executed with ``environment`` would."""
    return _get_read_at_start(environment) == _get_read_at_start(os.environ)


class ForkedProcess:
    """A forked process, with the methods of ``subprocess.Popen`` that tests use.

    The first of ``arguments`` is the path of `comanda` or of Python in an environment. One server forks all processes
    of that environment for all pytest workers; what is installed there later they see only after ``stop_server``.
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
            self._receive(MAX_WAIT_SECONDS)
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
    """A connection to a process that forks others; started here unless another pytest worker has done so."""

    def __init__(self, python: Path) -> None:
        self.requests = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._pid: int | None = None
        path = _choose_socket(python)
        lock = path.with_name(f"comanda-forks-{os.getuid()}.lock")
        with lock.open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            try:
                self.requests.connect(str(path))
            except (FileNotFoundError, ConnectionRefusedError):
                path.unlink(missing_ok=True)
                self._start(python, path, lock)
                self.requests.connect(str(path))

    def _start(self, python: Path, path: Path, lock: Path) -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening:
            listening.bind(str(path))
            listening.listen()
            listening.set_inheritable(True)
            command = [str(python), "-m", fork_server.__name__, str(listening.fileno()), str(lock)]
            nothing = (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)
            self._pid = os.posix_spawn(python, command, {**os.environ, "PYTHONUNBUFFERED": "1"}, file_actions=[nothing])

    def disconnect(self) -> None:
        """Release the server, which ends once nobody uses it. It also notices when this process is killed."""
        self.requests.close()

    def stop(self) -> None:
        """Disconnect and wait for the end of a server that nobody else uses."""
        self.disconnect()
        if self._pid is not None:
            os.waitpid(self._pid, 0)


def get_run_id() -> str:
    """Return what names this run of the tests, the same in all of its pytest workers."""
    return os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))


def _choose_socket(python: Path) -> Path:
    """Return the path of the socket of an environment's server in this run of the tests."""
    what = json.dumps([get_run_id(), str(python), sorted(_get_read_at_start(os.environ).items())])
    return Path(tempfile.gettempdir(), f"comanda-forks-{hashlib.sha256(what.encode()).hexdigest()[:16]}.socket")


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
            _servers[folder] = server = _Server(folder / "python")
            atexit.register(server.disconnect)
        return _servers[folder].requests


def _get_read_at_start(environment: Mapping[str, str]) -> dict[str, str]:
    return {
        name: text for name, text in environment.items() if name.startswith(READ_AT_START) and name not in INDIFFERENT
    }
