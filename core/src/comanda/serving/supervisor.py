"""Several web processes on one port: started, watched, started again when they die, and stopped together.

Every process runs ``python -m comanda.serving.child``, which is the server of ``process`` on the listening socket that
it inherits. It also inherits a pipe: when the supervisor dies, however it dies, the pipe closes and the process stops.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from types import FrameType

import structlog

from comanda.serving.environment import environment
from comanda.serving.process import BACKLOG, GRACE_SECONDS
from comanda.settings import Settings
from comanda.startup import StartupError

log = structlog.get_logger(__name__)

POLL_SECONDS = 0.2
RESTART_SECONDS = 1.0
# A process that ends by itself this soon would do so again.
TOO_SOON_SECONDS = 10


class Supervisor:
    """Keeps ``count`` web processes running."""

    def __init__(self, settings: Settings, sock: socket.socket, count: int, *, with_background: bool) -> None:
        self._environment = environment(settings, with_background=with_background)
        self._sock = sock
        self._count = count
        self._children: dict[subprocess.Popen[bytes], float] = {}
        self._stopping = False

    def run(self) -> None:
        """Serve until SIGTERM or SIGINT. Raises ``StartupError`` when the processes cannot start."""
        self._sock.listen(BACKLOG)
        before = {number: signal.signal(number, self._stop) for number in (signal.SIGTERM, signal.SIGINT)}
        watched, self._lifeline = os.pipe()
        try:
            while not self._stopping:
                while len(self._children) < self._count:
                    self._start(watched)
                time.sleep(POLL_SECONDS)
                self._bury()
        finally:
            self._end()
            os.close(self._lifeline)
            os.close(watched)
            for number, handler in before.items():
                signal.signal(number, handler)

    def _start(self, watched: int) -> None:
        command = [sys.executable, "-m", "comanda.serving.child", str(self._sock.fileno()), str(watched)]
        child = subprocess.Popen(  # noqa: S603 - this very package
            command, pass_fds=(self._sock.fileno(), watched), env=self._environment, stdin=subprocess.DEVNULL
        )
        self._children[child] = time.monotonic()

    def _bury(self) -> None:
        for child, started in list(self._children.items()):
            if child.poll() is None:
                continue
            del self._children[child]
            if self._stopping:
                continue
            if child.returncode > 0 and time.monotonic() - started < TOO_SOON_SECONDS:
                raise StartupError(f"A web process ended with code {child.returncode} as soon as it had started.")
            log.error("web_process_died", pid=child.pid, code=child.returncode)
            time.sleep(RESTART_SECONDS)

    def _end(self) -> None:
        self._sock.close()
        for child in self._children:
            child.terminate()
        deadline = time.monotonic() + GRACE_SECONDS + 5
        for child in self._children:
            try:
                child.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self._stopping = True
