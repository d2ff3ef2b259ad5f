"""Keeps the embedded PostgreSQL up under a process that needs it: a server that dies is started again."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from comanda.basics.fork_lock import FORK_LOCK
from comanda.operations.embedded.server import EmbeddedPostgres

log = structlog.get_logger(__name__)

POLL_SECONDS = 1.0
# A start that failed twice will mostly fail again, and each one adds to the server's log.
RETRY_SECONDS = 10.0
# A service manager tells the server and its users to stop at once: what they have in hand must not lose the server.
STOPPING_SECONDS = 10.0


@contextmanager
def kept_up(postgres: EmbeddedPostgres) -> Iterator[None]:
    """Watch a started server from a thread while the block runs; leave it before ``postgres.stop()``.

    Leaving waits for a restart that is under way. Any number of processes may do this for one data folder.
    """
    leaving = threading.Event()
    # A thread, as commands run several event loops, one after the other, and starting a server blocks.
    watch = threading.Thread(target=_watch, args=(postgres, leaving), name="embedded-postgres", daemon=True)
    watch.start()
    try:
        yield
    finally:
        leaving.set()
        watch.join()


def _watch(postgres: EmbeddedPostgres, leaving: threading.Event) -> None:
    stopping_since: float | None = None
    reason = ""
    pause = POLL_SECONDS
    while not leaving.wait(pause):
        pause = POLL_SECONDS
        with FORK_LOCK:
            try:
                server = postgres.server()
                if server is not None and server.is_stopping():
                    stopping_since = stopping_since or time.monotonic()
                    if time.monotonic() - stopping_since < STOPPING_SECONDS:
                        continue
                elif server is not None and not server.is_deaf():
                    stopping_since, reason = None, ""
                    continue
                if postgres.ensure():
                    log.warning("embedded_postgres_restarted", data=str(postgres.data_dir))
            except Exception as error:  # whatever it was, only a later look can find the server up again
                pause = RETRY_SECONDS if reason else POLL_SECONDS
                if repr(error) != reason:
                    log.error("embedded_postgres_down", error=str(error))
                reason = repr(error)
