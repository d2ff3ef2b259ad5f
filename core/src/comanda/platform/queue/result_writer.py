"""Saving the results of a queue: in batches, again while the database is unavailable, and each only once."""

import asyncio
from collections.abc import Sequence
from typing import Any, Final

import structlog

from comanda.basics.outages import Outage
from comanda.contracts.background.queues import ClaimedRow, LeasedQueue, QueueWork, RowResult
from comanda.platform.db.errors import TRANSIENT_ERRORS
from comanda.platform.queue.leases import save_results

log = structlog.get_logger(__name__)

MAX_BATCH_SIZE: Final = 500
RETRY_SECONDS: Final = 1.0


class ResultWriter:
    """Saves results, at once or after a short delay that lets one statement save many."""

    def __init__(self, queue: LeasedQueue, work: QueueWork, outage: Outage) -> None:
        self._queue = queue
        self._work = work
        self._outage = outage
        self._results: list[Any] = []
        self._has_results = asyncio.Event()
        self._lock = asyncio.Lock()

    async def add(self, rows: Sequence[ClaimedRow], results: Sequence[object] | None) -> None:
        """Take the results of a batch, and save them now unless they may wait."""
        found = [RowResult.DONE] * len(rows) if results is None else results
        self._results.extend(found if self._work.save is not None else zip(rows, found, strict=True))
        if not self._work.limits.save_delay_seconds:
            try:
                await self.write()
            except TRANSIENT_ERRORS as error:
                self._outage.begin(error)
        if self._results:
            self._has_results.set()

    async def run(self) -> None:
        """Save the results that wait, until cancelled."""
        while True:
            await self._has_results.wait()
            await asyncio.sleep(self._work.limits.save_delay_seconds)
            try:
                await self.write()
            except TRANSIENT_ERRORS as error:
                self._outage.begin(error)
                self._has_results.set()
                await asyncio.sleep(RETRY_SECONDS)

    async def write(self) -> None:
        """Save the results so far; those added meanwhile are saved next time."""
        async with self._lock:
            self._has_results.clear()
            left = len(self._results)
            while left:
                batch = self._results[: min(left, MAX_BATCH_SIZE)]
                await self._save(batch)
                del self._results[: len(batch)]
                left -= len(batch)

    async def _save(self, batch: list[Any]) -> None:
        """Save a batch; on a permanent error save each result alone, so that one bad result does not lose others."""
        try:
            if self._work.save is not None:
                await self._work.save(batch)
                return
            for row in await save_results(self._queue.table, self._work.retries, batch):
                log.error("queue_row_given_up", queue=self._queue.name, row_id=row.id, owner_id=row.owner_id)
        except TRANSIENT_ERRORS:
            raise
        except Exception:
            if len(batch) == 1:
                log.exception("queue_result_lost", queue=self._queue.name)
                return
            for result in batch:
                await self._save([result])
