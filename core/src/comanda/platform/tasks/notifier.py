"""Notification after a commit: of background work, and of live pages.

Work is announced within this process, through taskiq, or with NOTIFY; what changes in a store, to all processes with
NOTIFY. A lost notification costs the interval between two checks for due rows, nothing more.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

import asyncpg
import structlog

from comanda.basics.outages import Outage
from comanda.platform.db import sql

log = structlog.get_logger(__name__)

CHANNEL = "comanda"
CHANGES_CHANNEL = "comanda_changes"
HOSTS = "store_hosts"
# Sending a message, or NOTIFY, whose commits share one lock, at most this often per process and name, outside the
# transaction, keeps orders from waiting for it. Workers that are told of much at once are busy, and told less often.
PAUSE_SECONDS = 0.02
MAX_PAUSE_SECONDS = 0.05
RECONNECT_SECONDS = 1.0
NOTIFICATION_ERRORS = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError)

Enqueue = Callable[[str], Awaitable[bool]]
"""Hands the task of a name to any worker; returns False if the message broker is unavailable."""

_local: defaultdict[str, set[Callable[[], None]]] = defaultdict(set)
_catching_up: set[Callable[[], None]] = set()
_pending: dict[str, asyncio.Task[None]] = {}
# How many notifications of a name were sent as one, the last time and now.
_merged: Counter[str] = Counter()
_merging: Counter[str] = Counter()
_changes: set[str] = set()


class _Process:
    """The way of this process to the message broker, if it has one."""

    enqueue: Enqueue | None = None


_process = _Process()


def notify(name: str) -> None:
    """Wake the queue or the task of that name, in this process if it does that work, else in any worker.

    It works once the open transaction has committed, or at once if there is none. One process is enough; if it is busy,
    the others find the work when they look for due rows.
    """
    notify_first(name)


def notify_first(name: str) -> bool:
    """Notify like ``notify``, and return False if the open transaction does so already."""
    return sql.after_commit(_Work(name))


def get_pause_seconds(merged: int) -> float:
    """Return how long notifications of a name are merged into one, after ``merged`` of them were."""
    return min(PAUSE_SECONDS * max(merged, 1), MAX_PAUSE_SECONDS)


async def _notify(name: str) -> None:
    try:
        await asyncio.sleep(get_pause_seconds(_merged[name]))
    finally:
        _pending.pop(name, None)
        _merged[name] = _merging.pop(name, 0)
    try:
        if _process.enqueue is None or not await _process.enqueue(name):
            await sql.execute("SELECT pg_notify($1, $2)", CHANNEL, name)
    except NOTIFICATION_ERRORS as error:
        log.warning("notification_lost", channel=name, error=str(error))


def announce_change(store_id: int) -> None:
    """Wake what listens for changes of a store, in all processes, once the open transaction has committed."""
    sql.after_commit(_Change(f"store_{store_id}"))


def listen_for_changes(store_id: int, wake: Callable[[], None]) -> AbstractContextManager[None]:
    """Call ``wake`` for each change of a store that is announced, and when announcements may have been missed."""
    return listen(f"store_{store_id}", wake)


def announce_host_change() -> None:
    """Announce to all processes that hosts of stores have changed, once the open transaction has committed."""
    sql.after_commit(_Change(HOSTS))


def listen_for_host_changes(wake: Callable[[], None]) -> AbstractContextManager[None]:
    """Call ``wake`` for each announced change of the hosts of stores, and when announcements may have been missed."""
    return listen(HOSTS, wake)


@dataclass(frozen=True, slots=True)
class _Work:
    """Notifies of the work of a name; equal ones of a transaction are one."""

    name: str

    def __call__(self) -> None:
        if self.name in _local:
            for wake in list(_local[self.name]):
                wake()
            return
        _merging[self.name] += 1
        if self.name not in _pending:
            _pending[self.name] = asyncio.get_running_loop().create_task(_notify(self.name))


@dataclass(frozen=True, slots=True)
class _Change:
    """Announces a change under the name that is listened for; equal ones of a transaction are one."""

    name: str

    def __call__(self) -> None:
        _changes.add(self.name)
        if CHANGES_CHANNEL not in _pending:
            _pending[CHANGES_CHANNEL] = asyncio.get_running_loop().create_task(_announce_changes())


async def _announce_changes() -> None:
    """Send the first announcement at once, and those that come meanwhile after a pause, together."""
    try:
        while _changes:
            names = list(_changes)
            _changes.clear()
            await sql.execute("SELECT pg_notify($1, name) FROM unnest($2::text[]) AS name", CHANGES_CHANNEL, names)
            await asyncio.sleep(PAUSE_SECONDS)
    except NOTIFICATION_ERRORS as error:
        log.warning("notification_lost", channel=CHANGES_CHANNEL, error=str(error))
    finally:
        _pending.pop(CHANGES_CHANNEL, None)


async def flush() -> None:
    """Wait until the notifications of this process have been sent."""
    await asyncio.gather(*_pending.values(), return_exceptions=True)


@asynccontextmanager
async def use_task_sender(enqueue: Enqueue) -> AsyncIterator[None]:
    """Send notifications for other processes through ``enqueue`` while the block runs."""
    _process.enqueue = enqueue
    try:
        yield
    finally:
        await flush()
        _process.enqueue = None


@contextmanager
def listen(name: str, wake: Callable[[], None], *, catches_up: bool = True) -> Iterator[None]:
    """Call ``wake`` for each notification of ``name``, of this process or another, while the block runs.

    With ``catches_up`` it is also called when notifications may have been missed.
    """
    _local[name].add(wake)
    if catches_up:
        _catching_up.add(wake)
    try:
        yield
    finally:
        _local[name].discard(wake)
        if not _local[name]:
            del _local[name]
        _catching_up.discard(wake)


class Listener:
    """Receives the NOTIFY of a channel on its own connection and reconnects when it is lost."""

    def __init__(self, connect: Any, channel: str = CHANNEL) -> None:
        self._connect = connect
        self._channel = channel
        self._outage = Outage(f"listener_{channel}_database", "Work and changes are found by polling.")
        self._is_listening = False

    @property
    def is_listening(self) -> bool:
        """Whether notifications of other processes arrive."""
        return self._is_listening

    async def run(self) -> None:
        """Listen until cancelled."""
        while True:
            try:
                await self._listen()
            except NOTIFICATION_ERRORS as error:
                self._outage.begin(error)
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _listen(self) -> None:
        connection = await self._connect()
        closed = asyncio.Event()
        connection.add_termination_listener(lambda _: closed.set())
        try:
            await connection.add_listener(self._channel, _on_notification)
            self._outage.end()
            self._is_listening = True
            for wake in list(_catching_up):
                wake()
            await closed.wait()
            raise ConnectionError("The connection was closed.")
        finally:
            self._is_listening = False
            await connection.close(timeout=1)


def _on_notification(_connection: Any, _pid: int, _channel: str, name: Any) -> None:
    for wake in list(_local.get(str(name), ())):
        wake()
