"""Runs `comanda` commands in forks of a process that has imported everything, for tests that start many of them.

Run as a program with the number of an inherited socket, on which it is asked for processes until the other side closes
it. A fork is a process of its own like one that was executed: it has its own environment, files and signals, and can be
killed. It only saves the two seconds in which a command of its own would import core and the plugins, and describe
their tools.
"""

import gc
import json
import os
import pkgutil
import selectors
import signal
import socket
import sys
import threading
import time
import traceback
from contextlib import suppress
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Final
from unittest.mock import patch

from comanda import registry
from comanda.db.model_comments import skip_comment_parsing
from comanda.db.model_filters import defer_filters
from comanda.plugin_loader import discover, load

MAX_REQUEST: Final = 1 << 20
START_SECONDS: Final = 60
# Of a process: its id and its exit code.
REPORTS: Final = 2
STANDARD_FILES: Final = 3
# Modules that a command imports only in a setting that most do not have, or that belong to tests.
LEFT_OUT: Final = ("comanda.devkit", "comanda.serving.engines.granian")


def preload() -> None:
    """Import what commands import: all of core but the devkit, and the packages of the plugins."""
    skip_comment_parsing()
    defer_filters()
    import_module("comanda_migrations.runner")
    packages = {point.module.partition(".")[0] for point in discover()}
    for name in ("comanda", *sorted(packages)):
        for found in pkgutil.walk_packages(import_module(name).__path__, f"{name}."):
            if not found.name.startswith(LEFT_OUT) and not found.name.endswith("__main__"):
                # A module of an extra that is not installed is for the command that needs it to miss.
                with suppress(ModuleNotFoundError):
                    import_module(found.name)


def fill_caches() -> None:
    """Compute what every start derives from the declarations of the plugins and keeps, such as schemas of tools."""
    # Settings of the tests are nobody else's, and a wrong one is the fork's to report.
    with patch.dict(os.environ, clear=True):
        registry.gather(load())


class ForkServer:
    """Forks a process for each request, and reports its id and, when it has ended, its exit code."""

    def __init__(self, requests: socket.socket) -> None:
        self._requests = requests
        self._reports: dict[int, socket.socket] = {}
        self._woken, self._wakes = socket.socketpair()
        self._wakes.setblocking(False)

    def serve(self) -> None:
        """Serve until the other side is closed. Returns in no fork."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wakes.fileno(), warn_on_full_buffer=False)
        with selectors.DefaultSelector() as selector:
            selector.register(self._requests, selectors.EVENT_READ, self._fork)
            selector.register(self._woken, selectors.EVENT_READ, self._reap)
            while True:
                for key, _ in selector.select():
                    if not key.data():
                        return

    def _fork(self) -> bool:
        message, files, _, _ = socket.recv_fds(self._requests, MAX_REQUEST, STANDARD_FILES + 1)
        if not message:
            return False
        pid = os.fork()
        if not pid:
            _run(json.loads(message), files)
        report = socket.socket(fileno=files[STANDARD_FILES])
        for file in files[:STANDARD_FILES]:
            os.close(file)
        self._reports[pid] = report
        report.sendall(b"%d\n" % pid)
        return True

    def _reap(self) -> bool:
        self._woken.recv(MAX_REQUEST)
        while self._reports:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                break
            with self._reports.pop(pid) as report:
                try:
                    report.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))
                except BrokenPipeError:
                    continue  # Nobody asks any more.
        return True


def _run(request: dict[str, Any], files: list[int]) -> None:
    """Become the process of a request, run its command and exit."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    time.tzset()
    for target, file in enumerate(files[:STANDARD_FILES]):
        os.dup2(file, target)
    os.closerange(STANDARD_FILES, os.sysconf("SC_OPEN_MAX"))
    # Code that is run as `python -c` runs it, or the command `comanda`.
    program = request["arguments"][2] if request["arguments"][1:2] == ["-c"] else None
    sys.argv = request["arguments"] if program is None else request["arguments"][1:2] + request["arguments"][3:]
    # As at the end of an interpreter, without the time that it takes to clear every module.
    code = _run_command(program)
    threading._shutdown()  # type: ignore[attr-defined]
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _run_command(program: str | None) -> int:
    try:
        if program is not None:
            exec(compile(program, "<string>", "exec"), {"__name__": "__main__"})  # noqa: S102 - code of the tests
            return 0
        (command,) = entry_points(group="console_scripts", name="comanda")
        command.load()()
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return (end.code or 0) & 0xFF
        sys.stderr.write(f"{end.code}\n")
        return 1
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    preload()
    fill_caches()
    gc.collect()
    # Collections in a fork need not touch, and so copy, what all forks share.
    gc.freeze()
    ForkServer(socket.socket(fileno=int(sys.argv[1]))).serve()
