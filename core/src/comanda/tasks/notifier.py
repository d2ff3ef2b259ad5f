"""Bells: NOTIFY between processes, an asyncio event within one. A lost bell costs a poll interval, nothing more."""

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
# NOTIFY takes a lock that every notifying commit shares. Ringing outside the transaction, and at most this often per
# process and bell, keeps that lock off the path of orders.
PAUSE_SECONDS = 0.01
RECONNECT_SECONDS = 1.0

_local: defaultdict[str, set[WakeEvent]] = defaultdict(set)
_ringing: dict[str, asyncio.Task[None]] = {}


def notify(bell: str) -> None:
    """Wake whoever works on ``bell``: this process at once if it does, else the others within milliseconds.

    Work needs one process. What this one has no time for, the polls of the others find within a second.
    """
    if _local[bell]:
        for wake in _local[bell]:
            wake.set()
    elif bell not in _ringing:
        _ringing[bell] = asyncio.get_running_loop().create_task(_notify(bell))


async def _notify(bell: str) -> None:
    try:
        await asyncio.sleep(PAUSE_SECONDS)
    finally:
        _ringing.pop(bell, None)
    try:
        await sql.execute("SELECT pg_notify($1, $2)", CHANNEL, bell)
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        log.warning("bell_lost", bell=bell, error=str(error))


async def flush() -> None:
    """Wait until the bells rung so far have left this process."""
    await asyncio.gather(*_ringing.values(), return_exceptions=True)


class Listener:
    """Hears the bells of other processes on a connection of its own, and opens it again when it breaks."""

    def __init__(self, connect: Any) -> None:
        self._connect = connect
        self._outage = Outage("listener_database", "Work is found by polling.")

    def wake(self, bell: str) -> WakeEvent:
        """Return a wake that rings with ``bell``."""
        wake = WakeEvent()
        _local[bell].add(wake)
        return wake

    def forget(self, bell: str, wake: WakeEvent) -> None:
        """Stop ringing a wake."""
        _local[bell].discard(wake)

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
            await connection.add_listener(CHANNEL, _heard)
            self._outage.end()
            # Whatever was rung while nobody listened is found now.
            for wakes in list(_local.values()):
                for wake in wakes:
                    wake.set()
            await closed.wait()
            raise ConnectionError("The connection was closed.")
        finally:
            await connection.close(timeout=1)


def _heard(_connection: Any, _pid: int, _channel: str, bell: Any) -> None:
    for wake in _local[str(bell)]:
        wake.set()
