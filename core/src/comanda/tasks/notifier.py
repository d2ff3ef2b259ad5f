"""Notification of queue workers: NOTIFY between processes, asyncio events within one.

A lost notification costs one poll interval, nothing more.
"""

import asyncio
from collections import defaultdict
from typing import Any

import asyncpg
import structlog

from comanda.contracts.tasks import WakeEvent
from comanda.db import sql
from comanda.outages import Outage

log = structlog.get_logger(__name__)

CHANNEL = "comanda"
# All commits with a NOTIFY share one lock. Notifying outside the transaction, and at most this often per process and
# channel, keeps orders from waiting for it.
PAUSE_SECONDS = 0.01
RECONNECT_SECONDS = 1.0

_local: defaultdict[str, set[WakeEvent]] = defaultdict(set)
_pending: dict[str, asyncio.Task[None]] = {}


def notify(channel: str) -> None:
    """Notify the workers of ``channel``: those of this process at once, or other processes within milliseconds.

    One process is enough; if it is busy, the polls of the others find the work within a second.
    """
    if _local[channel]:
        for wake_event in _local[channel]:
            wake_event.set()
    elif channel not in _pending:
        _pending[channel] = asyncio.get_running_loop().create_task(_notify(channel))


async def _notify(channel: str) -> None:
    try:
        await asyncio.sleep(PAUSE_SECONDS)
    finally:
        _pending.pop(channel, None)
    try:
        await sql.execute("SELECT pg_notify($1, $2)", CHANNEL, channel)
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        log.warning("notification_lost", channel=channel, error=str(error))


async def flush() -> None:
    """Wait until the notifications of this process have been sent."""
    await asyncio.gather(*_pending.values(), return_exceptions=True)


class Listener:
    """Receives notifications of other processes on its own connection and reconnects when it is lost."""

    def __init__(self, connect: Any) -> None:
        self._connect = connect
        self._outage = Outage("listener_database", "Work is found by polling.")

    def subscribe(self, channel: str) -> WakeEvent:
        """Return an event that is set by each notification of ``channel``."""
        wake_event = WakeEvent()
        _local[channel].add(wake_event)
        return wake_event

    def unsubscribe(self, channel: str, wake_event: WakeEvent) -> None:
        """Stop setting an event."""
        _local[channel].discard(wake_event)

    async def run(self) -> None:
        """Listen until cancelled."""
        while True:
            try:
                await self._listen()
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                self._outage.begin(error)
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _listen(self) -> None:
        connection = await self._connect()
        closed = asyncio.Event()
        connection.add_termination_listener(lambda _: closed.set())
        try:
            await connection.add_listener(CHANNEL, _on_notification)
            self._outage.end()
            # Notifications may have been missed before, so wake every worker.
            for wake_events in list(_local.values()):
                for wake_event in wake_events:
                    wake_event.set()
            await closed.wait()
            raise ConnectionError("The connection was closed.")
        finally:
            await connection.close(timeout=1)


def _on_notification(_connection: Any, _pid: int, _channel: str, channel: Any) -> None:
    for wake_event in _local[str(channel)]:
        wake_event.set()
