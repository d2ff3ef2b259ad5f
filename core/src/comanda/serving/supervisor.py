"""Supervision of several web processes on one port: start, restart after crashes, common shutdown.

Each process is forked from the supervisor, which has loaded the plugins: it is ready in a fraction of the loading time
and shares that memory. It inherits the bound socket, on which it listens once it can answer, and a pipe: when the
supervisor dies for any reason, the pipe closes and the process stops.
"""

import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import NoReturn

import structlog

from comanda.fork_lock import FORK_LOCK
from comanda.runtime import Runtime
from comanda.serving.process import GRACE_SECONDS, bind_socket, run_server
from comanda.startup_errors import StartupError

log = structlog.get_logger(__name__)

POLL_SECONDS = 0.2
# Pause before replacing a process that died early; one that has served for a while is replaced at once.
RESTART_SECONDS = 1.0
MIN_UPTIME_SECONDS = 10


@dataclass(slots=True)
class WebProcess:
    """A running web process."""

    started: float
    is_ready: bool = False


class Supervisor:
    """Keeps ``count`` web processes running; calls ``ready`` once all of the first ones answer."""

    def __init__(
        self, made: Runtime, sock: socket.socket, count: int, *, with_background: bool, ready: Callable[[], None]
    ) -> None:
        self._made = made
        self._address = sock.getsockname()[:2]
        self._sock = sock
        self._count = count
        self._with_background = with_background
        self._ready = ready
        self._is_ready = False
        self._children: dict[int, WebProcess] = {}
        self._next_start = 0.0
        self._stopping = False

    def run(self) -> None:
        """Serve until SIGTERM or SIGINT. Raises ``StartupError`` when the processes cannot start."""
        before = {number: signal.signal(number, self._stop) for number in (signal.SIGTERM, signal.SIGINT)}
        self._parent_pipe, self._lifeline = os.pipe()
        self._ready_reader, self._ready_writer = os.pipe()
        try:
            while not self._stopping:
                self._start_missing()
                self._read_ready_reports()
                self._reap()
        finally:
            self._end()
            for file in (self._lifeline, self._parent_pipe, self._ready_reader, self._ready_writer):
                os.close(file)
            for number, handler in before.items():
                signal.signal(number, handler)

    def _start_missing(self) -> None:
        while len(self._children) < self._count and time.monotonic() >= self._next_start and not self._stopping:
            sys.stdout.flush()
            sys.stderr.flush()
            # The thread that watches an embedded database must not hold a lock while forking.
            with FORK_LOCK:
                pid = os.fork()
            if pid == 0:
                self._serve()
            self._children[pid] = WebProcess(time.monotonic())

    def _serve(self) -> NoReturn:
        """Run as a web process, and exit without unwinding the stack of the supervisor."""
        code = 1
        try:
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, signal.SIG_DFL)
            os.close(self._lifeline)
            os.close(self._ready_reader)
            run_server(
                self._made,
                self._sock,
                with_background=self._with_background,
                ready=self._report_ready,
                parent_pipe=self._parent_pipe,
            )
            code = 0
        except StartupError as error:
            log.error("web_process_failed", error=str(error))
        except BaseException:
            log.exception("web_process_failed")
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    def _report_ready(self) -> None:
        os.write(self._ready_writer, b"%d\n" % os.getpid())

    def _read_ready_reports(self) -> None:
        """Read which processes have become ready, waiting briefly."""
        if not select.select([self._ready_reader], [], [], POLL_SECONDS)[0]:
            return
        for line in os.read(self._ready_reader, 4096).split():
            if child := self._children.get(int(line)):
                child.is_ready = True
        if not self._is_ready and sum(child.is_ready for child in self._children.values()) == self._count:
            self._is_ready = True
            self._ready()

    def _reap(self) -> None:
        for pid, child in list(self._children.items()):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if not ended:
                continue
            del self._children[pid]
            code = os.waitstatus_to_exitcode(status)
            if self._stopping:
                continue
            if code > 0 and not child.is_ready:
                raise StartupError(
                    f"A web process ended with code {code} before it was ready; see the log for the reason."
                )
            log.error("web_process_died", pid=pid, code=code)
            if time.monotonic() - child.started < MIN_UPTIME_SECONDS:
                self._next_start = time.monotonic() + RESTART_SECONDS
            if not self._children:
                # No process is left to accept the backlog; a closed port refuses connections until there is one.
                self._sock.close()
                self._sock = bind_socket(*self._address)

    def _end(self) -> None:
        self._sock.close()
        for pid in self._children:
            os.kill(pid, signal.SIGTERM)
        deadline = time.monotonic() + GRACE_SECONDS + 5
        while self._children and time.monotonic() < deadline:
            for pid in list(self._children):
                if os.waitpid(pid, os.WNOHANG)[0]:
                    del self._children[pid]
            time.sleep(0.02)
        for pid in self._children:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self._stopping = True
