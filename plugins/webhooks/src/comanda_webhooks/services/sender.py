"""The sender of deliveries: a few at a time to each endpoint, so that a slow receiver delays no other."""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Iterable
from typing import Final

import structlog
from comanda import clock
from comanda.contracts.tasks import WakeEvent
from comanda.db import sql
from comanda.db.errors import TRANSIENT_ERRORS
from comanda.encryption import DecryptionFailed

from comanda_webhooks import settings
from comanda_webhooks.client import TIMEOUT_SECONDS, HttpReceiver, Receiver, ReceiverResponse
from comanda_webhooks.services import attempt_results
from comanda_webhooks.services.attempt_results import AttemptResult
from comanda_webhooks.services.claims import ClaimedDelivery, ClaimResult, claim_due_deliveries
from comanda_webhooks.services.signatures import to_signed_headers
from comanda_webhooks.services.visibility import redact_body

log = structlog.get_logger(__name__)

POLL_SECONDS = 1.0
MAX_PER_ENDPOINT: Final = 4
# An endpoint that keeps failing gets one connection, so that many dead receivers cannot use up the process's limit.
MIN_FAILURES: Final = 5
# How many deliveries of one endpoint are queued here: few until its pace is known, then a few seconds' worth.
INITIAL_DEPTH: Final = 16
MAX_DEPTH: Final = 512
DEPTH_SECONDS: Final = 5.0
# An attempt starts only if its lease outlasts it, with time to write the result.
MIN_LEASE_SECONDS: Final = TIMEOUT_SECONDS + 2
# Results are not urgent: waiting for a moment combines dozens of them into one statement.
BATCH_DELAY_SECONDS = 0.1
MAX_BATCH_SIZE = 500
SHUTDOWN_GRACE_SECONDS = 2.0
# A delivery that waits longer is checked against the table before it is sent: it may have been superseded.
STALE_SECONDS = 1.0
KEY_MISSING_ERROR: Final = "The signing secret cannot be read: its encryption key is missing. Rotate the secret."

SELECT_HELD_DELIVERIES = """
    SELECT d.id FROM webhooks_delivery d JOIN unnest($1::bigint[], $2::bigint[], $3::timestamptz[])
        AS held (id, owner_id, leased_until)
        ON d.id = held.id AND d.owner_id = held.owner_id AND d.leased_until = held.leased_until
"""
RELEASE_DELIVERIES = """
    UPDATE webhooks_delivery d SET leased_until = NULL FROM unnest($1::bigint[], $2::bigint[], $3::timestamptz[])
        AS r (id, owner_id, leased_until)
    WHERE d.id = r.id AND d.owner_id = r.owner_id AND d.leased_until = r.leased_until
"""


class EndpointQueue:
    """The deliveries of one endpoint in this process: those that wait and the number of workers."""

    def __init__(self) -> None:
        self.waiting: deque[ClaimedDelivery] = deque()
        self.workers = 0
        self.depth = INITIAL_DEPTH
        self.has_more = False
        self._average_seconds = 0.0
        # When the leases of all waiting deliveries were last checked, and the lock of the check in progress.
        self.checked_at = time.monotonic()
        self.check_lock = asyncio.Lock()

    @property
    def room(self) -> int:
        """How many more deliveries to claim: none until half of the last claim is used up."""
        return self.depth - len(self.waiting) if len(self.waiting) <= self.depth // 2 else 0

    @property
    def limit(self) -> int:
        """The maximum number of concurrent requests to the endpoint."""
        return 1 if self.waiting and self.waiting[0].endpoint_failures >= MIN_FAILURES else MAX_PER_ENDPOINT

    def record_duration(self, response: ReceiverResponse) -> None:
        """Update the average duration, and the queue depth that follows from it."""
        seconds = response.duration_ms / 1000
        self._average_seconds = 0.8 * self._average_seconds + 0.2 * seconds if self._average_seconds else seconds
        fitting = int(MAX_PER_ENDPOINT * DEPTH_SECONDS / max(self._average_seconds, 0.001))
        self.depth = min(max(fitting, MAX_PER_ENDPOINT), MAX_DEPTH)


class DeliverySender:
    """Claims deliveries, posts them and writes the results. One per process; any number of processes."""

    def __init__(self, receiver: Receiver, max_in_flight: int = 400) -> None:
        self._receiver = receiver
        self._slots = asyncio.Semaphore(max_in_flight)
        self._capacity = max_in_flight * 4
        self._min_room = max_in_flight
        self._queues: dict[int, EndpointQueue] = {}
        self._loaded_count = 0
        self._is_full = False
        self._cursor = 0
        self._workers: set[asyncio.Task[None]] = set()
        self._results: list[AttemptResult] = []
        self._has_results = asyncio.Event()
        self._wake = WakeEvent()

    async def run(self, wake: WakeEvent) -> None:
        """Send until cancelled, then finish the attempts in progress and release the other deliveries."""
        self._wake = wake
        writer = asyncio.create_task(self._run_writer())
        try:
            while True:
                try:
                    await self.claim_deliveries()
                except TRANSIENT_ERRORS as error:
                    log.warning("webhook_sender_waits", error=repr(error))
                    await asyncio.sleep(POLL_SECONDS)
                await wake.wait(POLL_SECONDS)
        finally:
            await self._stop(writer)

    async def send_due(self) -> int:
        """Send all due deliveries, write their results, and return their number."""
        count = 0
        while claimed := await self.claim_deliveries():
            count += claimed
            while self._workers:
                await asyncio.wait(self._workers)
            await self._write_results()
        return count

    async def claim_deliveries(self) -> int:
        """Claim as many deliveries as there is room for, start workers for them, and return their number."""
        count = 0
        while (room := self._capacity - self._loaded_count) >= self._min_room:
            room_by_endpoint = {endpoint_id: queue.room for endpoint_id, queue in self._queues.items()}
            after = self._cursor
            found = await claim_due_deliveries(after, room_by_endpoint, INITIAL_DEPTH, room)
            self._cursor = found.last_endpoint_id
            count += len(found.deliveries)
            self._enqueue(found.deliveries)
            self._update_has_more(after, room_by_endpoint, found)
            if after == 0 and self._cursor == 0:
                break
        self._is_full = self._capacity - self._loaded_count < self._min_room
        return count

    def _enqueue(self, deliveries: list[ClaimedDelivery]) -> None:
        for claimed in deliveries:
            queue = self._queues.setdefault(claimed.endpoint_id, EndpointQueue())
            if not queue.waiting:
                queue.checked_at = time.monotonic()
            queue.waiting.append(claimed)
        self._loaded_count += len(deliveries)
        for endpoint_id in {claimed.endpoint_id for claimed in deliveries}:
            self._start_workers(endpoint_id, self._queues[endpoint_id])

    def _update_has_more(self, after: int, room_by_endpoint: dict[int, int], found: ClaimResult) -> None:
        """Update which endpoints have more: those that used up their room, and the one at which the claim ended."""
        brought = Counter(claimed.endpoint_id for claimed in found.deliveries)
        for endpoint_id, queue in self._queues.items():
            room = room_by_endpoint.get(endpoint_id, INITIAL_DEPTH)
            last = found.last_endpoint_id
            if room and endpoint_id > after and (last == 0 or endpoint_id <= last):
                queue.has_more = brought[endpoint_id] >= room or endpoint_id == last

    def _start_workers(self, endpoint_id: int, queue: EndpointQueue) -> None:
        for _ in range(min(queue.limit - queue.workers, len(queue.waiting))):
            queue.workers += 1
            task = asyncio.create_task(self._work(endpoint_id, queue))
            self._workers.add(task)
            task.add_done_callback(self._workers.discard)

    async def _work(self, endpoint_id: int, queue: EndpointQueue) -> None:
        try:
            while queue.waiting:
                await self._drop_lost_deliveries(queue)
                if not queue.waiting:
                    break
                claimed = queue.waiting.popleft()
                try:
                    await self._send(queue, claimed)
                finally:
                    self._loaded_count -= 1
                self._request_more(queue)
        finally:
            queue.workers -= 1
            if not queue.workers and not queue.waiting and self._queues.get(endpoint_id) is queue:
                del self._queues[endpoint_id]

    async def _drop_lost_deliveries(self, queue: EndpointQueue) -> None:
        """Drop deliveries that were superseded meanwhile or leased to another process."""
        async with queue.check_lock:
            started = time.monotonic()
            if started - queue.checked_at <= STALE_SECONDS or not queue.waiting:
                return
            lost = await _find_lost(queue.waiting)
            queue.checked_at = started
            # Deliveries added meanwhile are fresh.
            kept = deque(one for one in queue.waiting if one.id not in lost)
            self._loaded_count -= len(queue.waiting) - len(kept)
            queue.waiting = kept

    def _request_more(self, queue: EndpointQueue) -> None:
        has_capacity = self._is_full and self._capacity - self._loaded_count >= self._min_room
        if has_capacity or (queue.has_more and queue.room):
            # Once is enough: the claim that follows updates both again.
            self._is_full = queue.has_more = False
            self._wake.set()

    async def _send(self, queue: EndpointQueue, claimed: ClaimedDelivery) -> None:
        waiting_since = time.monotonic()
        async with self._slots:
            if time.monotonic() - waiting_since > STALE_SECONDS and await _find_lost([claimed]):
                return
            moment = clock.now()
            if (claimed.leased_until - moment).total_seconds() < MIN_LEASE_SECONDS:
                return  # it has waited too long; any sender may claim it once its lease ends
            try:
                body = redact_body(claimed.event, claimed.body, claimed.scopes)
                signed = to_signed_headers(claimed.message_id, moment, claimed.event, body, claimed.get_secrets(moment))
                response = await self._receiver.post(claimed.url, signed, body)
            except DecryptionFailed as error:
                log.error("webhook_secret_unreadable", endpoint_id=claimed.endpoint_id, error=str(error))
                response = ReceiverResponse(None, "", KEY_MISSING_ERROR, None, 0)
            except Exception:
                # An error on our side must count as an attempt, or it would be retried forever.
                log.exception("webhook_attempt_broke", delivery_id=claimed.id)
                response = ReceiverResponse(None, "", "The attempt could not be made.", None, 0)
        queue.record_duration(response)
        self._results.append(AttemptResult(claimed, moment, response))
        self._has_results.set()

    async def _run_writer(self) -> None:
        while True:
            await self._has_results.wait()
            await asyncio.sleep(BATCH_DELAY_SECONDS)
            try:
                await self._write_results()
            except TRANSIENT_ERRORS as error:
                log.warning("webhook_results_wait", error=repr(error), waiting=len(self._results))
                self._has_results.set()
                await asyncio.sleep(POLL_SECONDS)

    async def _write_results(self) -> None:
        """Write the results so far; those added meanwhile are written next time."""
        self._has_results.clear()
        left = len(self._results)
        while left:
            batch = self._results[: min(left, MAX_BATCH_SIZE)]
            await self._save_batch(batch)
            del self._results[: len(batch)]
            left -= len(batch)

    async def _save_batch(self, batch: list[AttemptResult]) -> None:
        """Save a batch; on a permanent error save each result alone, so that one bad result does not lose others."""
        try:
            await attempt_results.save_results(batch)
        except TRANSIENT_ERRORS:
            raise
        except Exception:
            if len(batch) == 1:
                log.exception("webhook_result_lost", delivery_id=batch[0].claimed.id)
                return
            for result in batch:
                await self._save_batch([result])

    async def _stop(self, writer: asyncio.Task[None]) -> None:
        unsent = [claimed for queue in self._queues.values() for claimed in queue.waiting]
        for queue in self._queues.values():
            queue.waiting.clear()
        if self._workers:
            await asyncio.wait(self._workers, timeout=SHUTDOWN_GRACE_SECONDS)
        for task in (*self._workers, writer):
            task.cancel()
        await asyncio.gather(*self._workers, writer, return_exceptions=True)
        try:
            await self._write_results()
            if unsent:
                columns = zip(*((one.id, one.owner_id, one.leased_until) for one in unsent), strict=True)
                await sql.execute(RELEASE_DELIVERIES, *map(list, columns))
        except TRANSIENT_ERRORS as error:
            # Nothing is lost: the leases expire, and what was sent is sent once more.
            log.warning("webhook_sender_stopped_without_writing", error=repr(error))


async def _find_lost(deliveries: Iterable[ClaimedDelivery]) -> set[int]:
    """Return the ids of the deliveries that are no longer leased to this process."""
    checked = list(deliveries)
    columns = zip(*((one.id, one.owner_id, one.leased_until) for one in checked), strict=True)
    try:
        held = {row["id"] for row in await sql.fetch(SELECT_HELD_DELIVERIES, *map(list, columns))}
    except TRANSIENT_ERRORS as error:
        # Unknown: sending a superseded delivery is a second delivery, which at-least-once delivery allows.
        log.warning("webhook_check_skipped", error=repr(error))
        return set()
    return {one.id for one in checked} - held


async def run_sender(wake: WakeEvent) -> None:
    """Run the sender for the lifetime of the process."""
    async with HttpReceiver(allowed=settings.get_allowed_targets()) as receiver:
        await DeliverySender(receiver, settings.get_settings().max_in_flight).run(wake)
