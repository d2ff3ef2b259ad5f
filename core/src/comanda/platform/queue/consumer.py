"""The consumer of a leased queue: claims rows, processes a few of each share at a time, and saves the results."""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from typing import Any, Final

import structlog

from comanda.basics import clock
from comanda.basics.outages import Outage
from comanda.contracts.background.queues import ClaimedRow, LeasedQueue, QueueLimits, QueueWork
from comanda.contracts.background.tasks import WakeEvent
from comanda.contracts.tracing import SpanKind
from comanda.platform import runtime, tracing
from comanda.platform.db.errors import TRANSIENT_ERRORS
from comanda.platform.plugin_calls import plugin_context
from comanda.platform.queue.leases import UNLIMITED, ShareRoom, claim_rows, find_lost_rows, release_rows
from comanda.platform.queue.result_writer import ResultWriter
from comanda.platform.queue.share import Share, get_initial_depth

log = structlog.get_logger(__name__)

STOP_GRACE_SECONDS: Final = 2.0
# A row that waits longer in this process is checked against the table first: its lease may have been taken away.
STALE_SECONDS: Final = 1.0
# A call starts only if the leases of its rows outlast it, with time to save the results.
LEASE_MARGIN_SECONDS: Final = 2.0
# How many rows may be claimed for each call that may run at once.
CLAIMED_PER_CALL: Final = 4
MIN_PAUSE_SECONDS: Final = 1.0
MAX_PAUSE_SECONDS: Final = 15.0
# After a claim of more rows than this, the pause of a queue that gathers them grows with their number.
ROWS_OF_SHORT_PAUSE: Final = 4
MAX_PAUSE_FACTOR: Final = 3


class QueueFailed(Exception):
    """A batch failed, and its results are not core's to save."""


def get_gathering_seconds(limits: QueueLimits, claimed: int) -> float:
    """Return how long rows gather before the next claim: longer after many, as larger batches cost less a row."""
    return limits.pause_seconds * min(max(claimed / ROWS_OF_SHORT_PAUSE, 1), MAX_PAUSE_FACTOR)


class QueueConsumer:
    """Works off one queue in this process. There is one per process and queue, in any number of processes."""

    def __init__(self, queue: LeasedQueue, work: QueueWork, spread: Callable[[], None] = lambda: None) -> None:
        """Create a consumer; ``spread`` is called when there is more than this process claims, for the others."""
        limits = work.limits
        self.queue = queue
        self._work = work
        self._spread = spread
        self._slots = asyncio.Semaphore(limits.max_in_flight)
        ahead = CLAIMED_PER_CALL if limits.max_claimed_ahead else 1
        self._min_room = limits.max_in_flight * limits.batch_size if limits.max_claimed_ahead else 1
        self._capacity = limits.max_in_flight * limits.batch_size * ahead
        self._max_per_owner = limits.max_per_owner or limits.max_in_flight
        self._max_rows_per_owner = UNLIMITED
        if limits.max_per_owner is not None:
            self._max_rows_per_owner = limits.max_per_owner * limits.batch_size * ahead
        self._shares: dict[Any, Share] = {}
        self._calls_by_owner: Counter[int] = Counter()
        # Shares that wait only because their owner has as many calls in progress as an owner may have.
        self._held_back: dict[int, deque[Any]] = {}
        self._loaded_count = 0
        self._is_full = False
        self._cursor: Any = None
        self._calls: set[asyncio.Task[None]] = set()
        self._claim_lock = asyncio.Lock()
        self._wake = WakeEvent()
        self._outage = Outage(f"queue_{queue.name}_database", "Rows wait; none is lost.")
        self._writer = ResultWriter(queue, work, self._outage)

    @property
    def is_busy(self) -> bool:
        """Whether rows of this process are being processed."""
        return bool(self._calls)

    def wake(self) -> None:
        """Wake ``run``, so that it claims at once."""
        self._wake.set()

    async def run(self) -> None:
        """Process rows until cancelled, then finish the calls in progress and release the other rows."""
        limits = self._work.limits
        writing = asyncio.create_task(self._writer.run())
        try:
            pause = MIN_PAUSE_SECONDS
            while True:
                claimed = 0
                try:
                    claimed = await self.claim()
                    self._outage.end()
                    pause = MIN_PAUSE_SECONDS
                except TRANSIENT_ERRORS as error:
                    self._outage.begin(error)
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, MAX_PAUSE_SECONDS)
                    continue
                if limits.pause_seconds and not self._is_full:
                    await asyncio.sleep(get_gathering_seconds(limits, claimed))
                await self._wake.wait(limits.poll_seconds)
        finally:
            await self._stop(writing)

    async def claim_if_idle(self) -> None:
        """Claim due rows and start processing them: what the queue's taskiq task does.

        In a queue that gathers rows, during a claim, or while the database is unavailable, ``run`` claims instead.
        """
        if self._work.limits.pause_seconds or self._claim_lock.locked() or self._outage.is_open:
            self._wake.set()
            return
        try:
            await self.claim()
        except TRANSIENT_ERRORS as error:
            self._outage.begin(error)

    async def process_all_due(self) -> int:
        """Process all due rows, save their results, and return their number."""
        count = 0
        while claimed := await self.claim():
            count += claimed
            while self._calls:
                await asyncio.wait(self._calls)
            await self._writer.write()
        return count

    async def claim(self) -> int:
        """Claim as many rows as there is room for, start processing them, and return their number."""
        async with self._claim_lock:
            count = 0
            while (room := self._capacity - self._loaded_count) >= self._min_room:
                is_last, claimed = await self._claim_once(room)
                count += claimed
                if is_last:
                    break
            self._is_full = self._capacity - self._loaded_count < self._min_room
        if self._is_full and count:
            self._spread()
        return count

    async def _claim_once(self, room: int) -> tuple[bool, int]:
        """Claim at most ``room`` rows. Return whether all shares had their turn, and how many rows were claimed."""
        table, after = self.queue.table, self._cursor
        share_room = self._get_share_room(after)
        rows = await claim_rows(table, room, self._work.limits.lease, share_room)
        prepared: Sequence[ClaimedRow] = rows
        if rows and self._work.prepare is not None:
            prepared = await self._work.prepare(rows)
        is_cut = len(rows) >= room
        self._enqueue(prepared)
        if table.share_by is None:
            self._mark_more(rows, share_room, is_cut=is_cut)
            return True, len(prepared)
        self._cursor = max(row.share for row in rows) if is_cut else None
        self._mark_more(rows, share_room, is_cut=is_cut)
        return after is None and self._cursor is None, len(prepared)

    def _get_share_room(self, after: Any) -> ShareRoom:
        depth = get_initial_depth(self._work)
        if self.queue.table.share_by is None:
            return ShareRoom(default=depth)
        owners: Counter[int] = Counter()
        for share in self._shares.values():
            owners[share.owner_id] += len(share.waiting) + share.calls
        most = self._max_rows_per_owner
        room_by_owner = {owner_id: max(0, most - count) for owner_id, count in owners.items()}
        room_by_share = {
            value: 0 if share.owner_id in self._held_back else share.room for value, share in self._shares.items()
        }
        return ShareRoom(after, room_by_share, depth, room_by_owner, most)

    def _enqueue(self, rows: Sequence[ClaimedRow]) -> None:
        for row in rows:
            share = self._shares.get(row.share)
            if share is None:
                share = self._shares[row.share] = Share(row.owner_id, self._work)
            if not share.waiting:
                share.checked_at = time.monotonic()
            share.waiting.append(row)
        self._loaded_count += len(rows)
        for value in {row.share for row in rows}:
            self._start_calls(value, self._shares[value])

    def _mark_more(self, rows: Sequence[ClaimedRow], room: ShareRoom, *, is_cut: bool) -> None:
        """Update which shares have more: those that used up their room, and the one at which the claim ended."""
        brought = Counter(row.share for row in rows)
        for value, share in self._shares.items():
            given = room.by_share.get(value, room.default)
            if self.queue.table.share_by is None:
                share.has_more = is_cut
            elif given and (room.after is None or value > room.after) and (not is_cut or value <= self._cursor):
                share.has_more = brought[value] >= given or (is_cut and value == self._cursor)

    def _start_calls(self, value: Any, share: Share) -> None:
        owner_id = share.owner_id
        batches = -(-len(share.waiting) // self._work.limits.batch_size)
        wanted = min(share.limit - share.calls, batches)
        # Without shares, the rows of a call belong to several owners.
        allowed = self._max_per_owner - self._calls_by_owner[owner_id] if value is not None else wanted
        if allowed < wanted and value not in self._held_back.setdefault(owner_id, deque()):
            self._held_back[owner_id].append(value)
        for _ in range(min(wanted, allowed)):
            share.calls += 1
            self._calls_by_owner[owner_id] += 1
            task = asyncio.create_task(self._process_share(value, share))
            self._calls.add(task)
            task.add_done_callback(self._calls.discard)

    async def _process_share(self, value: Any, share: Share) -> None:
        """Process the rows of a share, batch by batch, until there are none or another share has its turn."""
        try:
            while share.waiting:
                await self._drop_lost_rows(share)
                size = min(len(share.waiting), self._work.limits.batch_size)
                batch = [share.waiting.popleft() for _ in range(size)]
                try:
                    if batch:
                        await self._process(share, batch)
                finally:
                    self._loaded_count -= len(batch)
                self._request_more(share)
                if share.owner_id in self._held_back:
                    break
        finally:
            share.calls -= 1
            self._calls_by_owner[share.owner_id] -= 1
            if not self._calls_by_owner[share.owner_id]:
                del self._calls_by_owner[share.owner_id]
            self._start_held_back(value, share)
            if not share.calls and not share.waiting and self._shares.get(value) is share:
                del self._shares[value]

    def _start_held_back(self, value: Any, share: Share) -> None:
        """Start calls of the shares of an owner that wait for a call to end, this one last."""
        if share.owner_id not in self._held_back:
            return
        waiting = self._held_back.pop(share.owner_id)
        if share.waiting and value not in waiting:
            waiting.append(value)
        for each in waiting:
            if each in self._shares:
                self._start_calls(each, self._shares[each])
        if share.owner_id not in self._held_back:
            self._wake.set()

    async def _process(self, share: Share, batch: list[ClaimedRow]) -> None:
        waiting_since = time.monotonic()
        async with self._slots:
            if time.monotonic() - waiting_since > STALE_SECONDS and (lost := await self._find_lost(batch)):
                batch = [row for row in batch if (row.id, row.owner_id) not in lost]
            deadline = self._work.limits.deadline_seconds
            left = min((row.leased_until for row in batch), default=None)
            if left is None or (left - clock.now()).total_seconds() < deadline + LEASE_MARGIN_SECONDS:
                return  # it has waited too long; any process may claim it once its lease ends
            started = time.monotonic()
            try:
                results = await self._call(batch)
            except QueueFailed:
                return
        share.record_duration(time.monotonic() - started)
        await self._writer.add(batch, results)

    async def _call(self, batch: list[ClaimedRow]) -> Sequence[object] | None:
        """Return a result for each row, or None if all are done.

        Raises ``QueueFailed`` if a queue that saves its own results has failed: it says what that means for its rows.
        """
        plugin = runtime.registry().plugin_of(self.queue)
        with plugin_context(plugin), tracing.span(f"queue {self.queue.name}", SpanKind.BACKGROUND):
            try:
                async with asyncio.timeout(self._work.limits.deadline_seconds):
                    return await self._work.process(batch)
            except Exception as error:
                log.exception("queue_batch_failed", queue=self.queue.name, rows=[row.id for row in batch][:10])
                if self._work.save is not None:
                    raise QueueFailed from error
                return [error] * len(batch)

    async def _drop_lost_rows(self, share: Share) -> None:
        """Drop waiting rows whose lease was taken away meanwhile."""
        async with share.check_lock:
            started = time.monotonic()
            if started - share.checked_at <= STALE_SECONDS or not share.waiting:
                return
            lost = await self._find_lost(list(share.waiting))
            share.checked_at = started
            # Rows added meanwhile are fresh.
            kept = deque(row for row in share.waiting if (row.id, row.owner_id) not in lost)
            self._loaded_count -= len(share.waiting) - len(kept)
            share.waiting = kept

    async def _find_lost(self, rows: Sequence[ClaimedRow]) -> set[tuple[int, int]]:
        try:
            return await find_lost_rows(self.queue.table, rows)
        except TRANSIENT_ERRORS as error:
            # Unknown: processing a row twice is what at-least-once allows.
            self._outage.begin(error)
            return set()

    def _request_more(self, share: Share) -> None:
        has_capacity = self._is_full and self._capacity - self._loaded_count >= self._min_room
        if has_capacity or (share.has_more and share.room):
            # Once is enough: the claim that follows updates both again.
            self._is_full = share.has_more = False
            self._wake.set()

    async def _stop(self, writing: asyncio.Task[None]) -> None:
        unprocessed = [row for share in self._shares.values() for row in share.waiting]
        for share in self._shares.values():
            share.waiting.clear()
        if self._calls:
            await asyncio.wait(self._calls, timeout=STOP_GRACE_SECONDS)
        for task in (*self._calls, writing):
            task.cancel()
        await asyncio.gather(*self._calls, writing, return_exceptions=True)
        try:
            await self._writer.write()
            if unprocessed:
                await release_rows(self.queue.table, unprocessed)
        except TRANSIENT_ERRORS as error:
            # Nothing is lost: the leases end, and what was processed is processed once more.
            log.warning("queue_stopped_without_saving", queue=self.queue.name, error=repr(error))
