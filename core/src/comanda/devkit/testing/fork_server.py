"""Runs `comanda` commands in forks of a process that has imported everything, for tests that start many of them.

Run as a program with the number of an inherited listening socket, and the path of a lock file. All pytest workers
connect to it and request processes; it exits when the last one disconnects. A fork has its own environment, files and
signals, and can be killed, like an executed process. It only saves the two seconds that importing core and the plugins
and describing their tools would take.
"""

import fcntl
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
from functools import partial
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final, cast
from unittest.mock import patch

from comanda.composition import registry
from comanda.composition.plugin_loader import discover, load
from comanda.devkit.testing.templates import keep_compiled_templates
from comanda.platform.db.orm.model_comments import skip_comment_parsing
from comanda.platform.db.orm.model_filters import defer_filters

MAX_REQUEST: Final = 1 << 20
# Of a process: its id and its exit code.
REPORTS: Final = 2
STANDARD_FILES: Final = 3
# Modules that a command imports only in a setting that most do not have, or that belong to tests.
LEFT_OUT: Final = "comanda.devkit"


def preload() -> None:
    """Import what commands import: core without the devkit, and the packages of the plugins."""
    skip_comment_parsing()
    defer_filters()
    keep_compiled_templates()
    import_module("comanda_migrations.runner")
    packages = {point.module.partition(".")[0] for point in discover()}
    for name in ("comanda", *sorted(packages)):
        for found in pkgutil.walk_packages(import_module(name).__path__, f"{name}."):
            if not found.name.startswith(LEFT_OUT) and not found.name.endswith("__main__"):
                # A missing extra fails in the command that needs it, if any.
                with suppress(ModuleNotFoundError):
                    import_module(found.name)


def fill_caches() -> None:
    """Fill the caches that every start derives from the declarations of the plugins, such as schemas of tools."""
    # The settings of tests belong to their forks, which also report invalid ones.
    with patch.dict(os.environ, clear=True):
        registry.gather(load())


class ForkServer:
    """Forks a process per request, and reports its id and, when it has ended, its exit code."""

    def __init__(self, listening: socket.socket, lock: Path) -> None:
        self._listening = listening
        self._listening.setblocking(False)
        self._lock = lock
        self._clients: set[socket.socket] = set()
        self._selector = selectors.DefaultSelector()
        self._reports: dict[int, socket.socket] = {}
        self._woken, self._wakes = socket.socketpair()
        self._wakes.setblocking(False)

    def serve(self) -> None:
        """Serve until the last client disconnects. Never returns in a fork."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wakes.fileno(), warn_on_full_buffer=False)
        self._selector.register(self._listening, selectors.EVENT_READ, self._accept)
        self._selector.register(self._woken, selectors.EVENT_READ, self._reap)
        is_over = False
        while not is_over:
            for key, _ in self._selector.select():
                key.data()
            is_over = not self._clients and self._close()

    def _accept(self) -> None:
        with suppress(BlockingIOError):
            client, _ = self._listening.accept()
            self._clients.add(client)
            self._selector.register(client, selectors.EVENT_READ, partial(self._fork, client))

    def _close(self) -> bool:
        """Stop listening, unless a client has connected meanwhile; clients connect under the lock."""
        with self._lock.open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            self._accept()
            if self._clients:
                return False
            Path(self._listening.getsockname()).unlink()
            self._listening.close()
            return True

    def _fork(self, client: socket.socket) -> None:
        message, files, _, _ = socket.recv_fds(client, MAX_REQUEST, STANDARD_FILES + 1)
        if not message:
            self._selector.unregister(client)
            self._clients.remove(client)
            client.close()
            return
        pid = os.fork()
        if not pid:
            _run(json.loads(message), files)
        report = socket.socket(fileno=files[STANDARD_FILES])
        for file in files[:STANDARD_FILES]:
            os.close(file)
        self._reports[pid] = report
        report.sendall(b"%d\n" % pid)

    def _reap(self) -> None:
        self._woken.recv(MAX_REQUEST)
        while self._reports:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                break
            with self._reports.pop(pid) as report:
                try:
                    report.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))
                except BrokenPipeError:
                    continue  # The client has disconnected.


def _run(request: dict[str, Any], files: list[int]) -> None:
    """Become the process of a request, run its command and exit."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.path[:0] = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    sys.dont_write_bytecode = bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))
    time.tzset()
    for target, file in enumerate(files[:STANDARD_FILES]):
        os.dup2(file, target)
    os.closerange(STANDARD_FILES, os.sysconf("SC_OPEN_MAX"))
    # Code that is run as `python -c` runs it, or the command `comanda`.
    program = request["arguments"][2] if request["arguments"][1:2] == ["-c"] else None
    sys.argv = request["arguments"] if program is None else request["arguments"][1:2] + request["arguments"][3:]
    # Exit like an interpreter, without spending time on clearing every module.
    code = _run_command(program)
    cast("Any", threading)._shutdown()
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
    # Freeze shared objects so that GC in a fork does not copy their pages.
    gc.freeze()
    ForkServer(socket.socket(fileno=int(sys.argv[1])), Path(sys.argv[2])).serve()
