"""Supervision of several processes: web processes on one port and workers; start, restart after crashes, common end.

Each process is forked from the supervisor, which has loaded the plugins and created the application: it is ready in a
fraction of the loading time and shares that memory. A web process inherits the bound socket, on which it listens once
it can answer. All inherit a pipe: when the supervisor dies for any reason, the pipe closes and the process stops.
"""

import gc
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from types import FrameType
from typing import NoReturn

import structlog

from comanda.basics.fork_lock import FORK_LOCK
from comanda.basics.lazy_imports import LazyModule
from comanda.basics.startup_errors import StartupError
from comanda.operations.serving.engines import Engine
from comanda.operations.serving.limits import GRACE_SECONDS
from comanda.operations.serving.process import WebServer, bind_socket, run_worker
from comanda.platform.runtime import Runtime
from comanda.platform.shared_metrics import take_slot

log = structlog.get_logger(__name__)

POLL_SECONDS = 0.2
# Pause before replacing a process that died early; one that has served for a while is replaced at once.
RESTART_SECONDS = 1.0
MIN_UPTIME_SECONDS = 10


# Modules that processes import once they serve; loaded before, they are loaded once.
MODULES_WITH_REDIS = ("comanda.platform.tasks.broker", "comanda.platform.tasks.worker")


@dataclass(frozen=True, slots=True)
class ProcessCounts:
    """How many processes serve requests and how many do background work; ``web_works`` if web processes do it too."""

    web: int
    workers: int
    web_works: bool

    @property
    def total(self) -> int:
        """The number of processes beside the supervisor."""
        return self.web + self.workers


@dataclass(slots=True)
class ChildProcess:
    """A running web process or worker."""

    is_worker: bool
    started: float
    is_ready: bool = False


class Supervisor:
    """Keeps the counted processes running; calls ``ready`` once all of the first ones are ready.

    Once they are, a process that cannot start is started again: the database may be away, or full, for a while.
    """

    def __init__(
        self,
        made: Runtime,
        sock: socket.socket,
        counts: ProcessCounts,
        engine: Engine = Engine.UVICORN,
        *,
        ready: Callable[[], None],
    ) -> None:
        self._made = made
        self._address = sock.getsockname()[:2]
        self._sock = sock
        self._counts = counts
        self._ready = ready
        self._is_ready = False
        self._children: dict[int, ChildProcess] = {}
        self._next_start = 0.0
        self._stopping = False
        self._server = WebServer(made, engine, with_background=counts.web_works)
        if made.settings.redis_url is not None:
            for module in MODULES_WITH_REDIS:
                import_module(module)
        LazyModule.preload()

    def run(self) -> None:
        """Serve until SIGTERM or SIGINT. Raises ``StartupError`` when the processes cannot start."""
        before = {number: signal.signal(number, self._stop) for number in (signal.SIGTERM, signal.SIGINT)}
        self._parent_pipe, self._lifeline = os.pipe()
        self._ready_reader, self._ready_writer = os.pipe()
        try:
            # Objects that the collector never looks at are not written to, and so stay shared.
            gc.collect()
            gc.freeze()
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
        while time.monotonic() >= self._next_start and not self._stopping:
            workers = sum(child.is_worker for child in self._children.values())
            if len(self._children) - workers < self._counts.web:
                self._start(is_worker=False)
            elif workers < self._counts.workers:
                self._start(is_worker=True)
            else:
                return

    def _start(self, *, is_worker: bool) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        # The thread that watches an embedded database must not hold a lock while forking.
        with FORK_LOCK:
            pid = os.fork()
        if pid == 0:
            self._run_child(self._work if is_worker else self._serve)
        self._children[pid] = ChildProcess(is_worker, time.monotonic())

    def _run_child(self, run: Callable[[], None]) -> NoReturn:
        """Run in a forked process, and exit without unwinding the stack of the supervisor."""
        code = 1
        try:
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, signal.SIG_DFL)
            os.close(self._lifeline)
            os.close(self._ready_reader)
            take_slot()
            run()
            code = 0
        except StartupError as error:
            log.error("process_failed", error=str(error))
        except BaseException:
            log.exception("process_failed")
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    def _serve(self) -> None:
        self._server.run(self._sock, ready=self._report_ready, parent_pipe=self._parent_pipe)

    def _work(self) -> None:
        self._sock.close()
        run_worker(self._made, ready=self._report_ready, parent_pipe=self._parent_pipe)

    def _report_ready(self) -> None:
        os.write(self._ready_writer, b"%d\n" % os.getpid())

    def _read_ready_reports(self) -> None:
        """Read which processes have become ready, waiting briefly."""
        if not select.select([self._ready_reader], [], [], POLL_SECONDS)[0]:
            return
        for line in os.read(self._ready_reader, 4096).split():
            if child := self._children.get(int(line)):
                child.is_ready = True
        if not self._is_ready and sum(child.is_ready for child in self._children.values()) == self._counts.total:
            self._is_ready = True
            self._ready()

    def _reap(self) -> None:
        for pid, child in list(self._children.items()):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if not ended:
                continue
            del self._children[pid]
            if not self._stopping:
                self._handle_death(pid, child, os.waitstatus_to_exitcode(status))

    def _handle_death(self, pid: int, child: ChildProcess, code: int) -> None:
        kind = "worker" if child.is_worker else "web process"
        if code > 0 and not child.is_ready and not self._is_ready:
            raise StartupError(f"A {kind} ended with code {code} before it was ready; see the log for the reason.")
        log.error("worker_died" if child.is_worker else "web_process_died", pid=pid, code=code)
        if time.monotonic() - child.started < MIN_UPTIME_SECONDS:
            self._next_start = time.monotonic() + RESTART_SECONDS
        if not child.is_worker and all(other.is_worker for other in self._children.values()):
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
