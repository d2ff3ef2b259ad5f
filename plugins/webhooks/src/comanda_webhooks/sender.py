"""Sends deliveries: a few at a time to each endpoint, so that a slow or dead receiver holds up nobody but itself."""

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

from comanda_webhooks import results, settings
from comanda_webhooks.claiming import Claim, Claimed, claim
from comanda_webhooks.client import TIMEOUT_SECONDS, Answer, HttpReceiver, Receiver
from comanda_webhooks.results import Result
from comanda_webhooks.signing import headers
from comanda_webhooks.visibility import visible_body

log = structlog.get_logger(__name__)

POLL_SECONDS = 1.0
PER_ENDPOINT: Final = 4
# An endpoint that keeps failing gets one connection, so that a hundred dead receivers cannot fill the process's share.
FAILING_AFTER: Final = 5
# How many deliveries of one endpoint wait here: few until its pace is known, then what it can take in a few seconds.
FIRST_DEPTH: Final = 16
MAX_DEPTH: Final = 512
DEPTH_SECONDS: Final = 5.0
# An attempt starts only if its lease outlasts it, with time to write the result down.
LEAST_LEASE_SECONDS: Final = TIMEOUT_SECONDS + 2
# Results are nobody's hurry: gathering them for a moment makes one statement of dozens.
GATHER_SECONDS = 0.1
BATCH = 500
GRACE_SECONDS = 2.0
# What waits here for longer is held against the table again before it is sent: it may have been superseded.
STALE_SECONDS = 1.0
KEY_MISSING: Final = "The signing secret cannot be read: its encryption key is missing. Rotate the secret."

SELECT_HELD = """
    SELECT d.id FROM webhooks_delivery d JOIN unnest($1::bigint[], $2::bigint[], $3::timestamptz[])
        AS held (id, owner_id, leased_until)
        ON d.id = held.id AND d.owner_id = held.owner_id AND d.leased_until = held.leased_until
"""
RELEASE = """
    UPDATE webhooks_delivery d SET leased_until = NULL FROM unnest($1::bigint[], $2::bigint[], $3::timestamptz[])
        AS r (id, owner_id, leased_until)
    WHERE d.id = r.id AND d.owner_id = r.owner_id AND d.leased_until = r.leased_until
"""


class Lane:
    """One endpoint's deliveries in this process: those that wait, and how many workers are at them."""

    def __init__(self) -> None:
        self.waiting: deque[Claimed] = deque()
        self.workers = 0
        self.depth = FIRST_DEPTH
        self.has_more = False
        self._pace_seconds = 0.0
        # When all that waits here was last known to be ours, and who is about to find out anew.
        self.checked_at = time.monotonic()
        self.checking = asyncio.Lock()

    @property
    def room(self) -> int:
        """How many more to claim: none before half of the last claim is used up."""
        return self.depth - len(self.waiting) if len(self.waiting) <= self.depth // 2 else 0

    @property
    def limit(self) -> int:
        """How many requests the endpoint may have at once."""
        return 1 if self.waiting and self.waiting[0].endpoint_failures >= FAILING_AFTER else PER_ENDPOINT

    def learn(self, answer: Answer) -> None:
        """Take an attempt's duration into account."""
        seconds = answer.duration_ms / 1000
        self._pace_seconds = 0.8 * self._pace_seconds + 0.2 * seconds if self._pace_seconds else seconds
        fitting = int(PER_ENDPOINT * DEPTH_SECONDS / max(self._pace_seconds, 0.001))
        self.depth = min(max(fitting, PER_ENDPOINT), MAX_DEPTH)


class Sender:
    """Claims, posts and writes down. One per process; any number of processes."""

    def __init__(self, receiver: Receiver, max_in_flight: int = 400) -> None:
        self._receiver = receiver
        self._slots = asyncio.Semaphore(max_in_flight)
        self._capacity = max_in_flight * 4
        self._least_room = max_in_flight
        self._lanes: dict[int, Lane] = {}
        self._loaded = 0
        self._is_full = False
        self._cursor = 0
        self._workers: set[asyncio.Task[None]] = set()
        self._results: list[Result] = []
        self._has_results = asyncio.Event()
        self._wake = WakeEvent()

    async def run(self, wake: WakeEvent) -> None:
        """Send until cancelled; then finish what can be finished shortly, and hand back the rest."""
        self._wake = wake
        writer = asyncio.create_task(self._keep_writing())
        try:
            while True:
                try:
                    await self.fill()
                except TRANSIENT_ERRORS as error:
                    log.warning("webhook_sender_waits", error=repr(error))
                    await asyncio.sleep(POLL_SECONDS)
                await wake.wait(POLL_SECONDS)
        finally:
            await self._stop(writer)

    async def work_off(self) -> int:
        """Send everything that is due, write down what came of it, and return how many deliveries that were."""
        count = 0
        while claimed := await self.fill():
            count += claimed
            while self._workers:
                await asyncio.wait(self._workers)
            await self._write()
        return count

    async def fill(self) -> int:
        """Claim as much as there is room for, from all endpoints in turn, and set workers to it; return how many."""
        count = 0
        while (room := self._capacity - self._loaded) >= self._least_room:
            rooms = {endpoint_id: lane.room for endpoint_id, lane in self._lanes.items()}
            after = self._cursor
            found = await claim(after, rooms, FIRST_DEPTH, room)
            self._cursor = found.last_endpoint_id
            count += len(found.deliveries)
            self._load(found.deliveries)
            self._note_what_is_left(after, rooms, found)
            if after == 0 and self._cursor == 0:
                break
        self._is_full = self._capacity - self._loaded < self._least_room
        return count

    def _load(self, deliveries: list[Claimed]) -> None:
        for claimed in deliveries:
            lane = self._lanes.setdefault(claimed.endpoint_id, Lane())
            if not lane.waiting:
                lane.checked_at = time.monotonic()
            lane.waiting.append(claimed)
        self._loaded += len(deliveries)
        for endpoint_id in {claimed.endpoint_id for claimed in deliveries}:
            self._start_workers(endpoint_id, self._lanes[endpoint_id])

    def _note_what_is_left(self, after: int, rooms: dict[int, int], found: Claim) -> None:
        """Remember which endpoints have more: those that filled their room, and the one where the claim was cut off."""
        brought = Counter(claimed.endpoint_id for claimed in found.deliveries)
        for endpoint_id, lane in self._lanes.items():
            room = rooms.get(endpoint_id, FIRST_DEPTH)
            last = found.last_endpoint_id
            if room and endpoint_id > after and (last == 0 or endpoint_id <= last):
                lane.has_more = brought[endpoint_id] >= room or endpoint_id == last

    def _start_workers(self, endpoint_id: int, lane: Lane) -> None:
        for _ in range(min(lane.limit - lane.workers, len(lane.waiting))):
            lane.workers += 1
            task = asyncio.create_task(self._work(endpoint_id, lane))
            self._workers.add(task)
            task.add_done_callback(self._workers.discard)

    async def _work(self, endpoint_id: int, lane: Lane) -> None:
        try:
            while lane.waiting:
                await self._drop_lost(lane)
                if not lane.waiting:
                    break
                claimed = lane.waiting.popleft()
                try:
                    await self._attempt(lane, claimed)
                finally:
                    self._loaded -= 1
                self._ask_for_more(lane)
        finally:
            lane.workers -= 1
            if not lane.workers and not lane.waiting and self._lanes.get(endpoint_id) is lane:
                del self._lanes[endpoint_id]

    async def _drop_lost(self, lane: Lane) -> None:
        """Drop what is no longer ours to send: superseded meanwhile, or leased to another process."""
        async with lane.checking:
            started = time.monotonic()
            if started - lane.checked_at <= STALE_SECONDS or not lane.waiting:
                return
            lost = await _lost(lane.waiting)
            lane.checked_at = started
            # More may have come meanwhile; these are fresh.
            kept = deque(one for one in lane.waiting if one.id not in lost)
            self._loaded -= len(lane.waiting) - len(kept)
            lane.waiting = kept

    def _ask_for_more(self, lane: Lane) -> None:
        has_capacity = self._is_full and self._capacity - self._loaded >= self._least_room
        if has_capacity or (lane.has_more and lane.room):
            # Once is enough: the claim that this brings about will find out anew.
            self._is_full = lane.has_more = False
            self._wake.set()

    async def _attempt(self, lane: Lane, claimed: Claimed) -> None:
        waiting_since = time.monotonic()
        async with self._slots:
            if time.monotonic() - waiting_since > STALE_SECONDS and await _lost([claimed]):
                return
            moment = clock.now()
            if (claimed.leased_until - moment).total_seconds() < LEAST_LEASE_SECONDS:
                return  # it has waited here too long; when its lease ends, anybody may take it
            try:
                body = visible_body(claimed.event, claimed.body, claimed.scopes)
                signed = headers(claimed.message_id, moment, claimed.event, body, claimed.secrets(moment))
                answer = await self._receiver.post(claimed.url, signed, body)
            except DecryptionFailed as error:
                log.error("webhook_secret_unreadable", endpoint_id=claimed.endpoint_id, error=str(error))
                answer = Answer(None, "", KEY_MISSING, None, 0)
            except Exception:
                # A fault of ours; it must count as an attempt, or it would repeat without end.
                log.exception("webhook_attempt_broke", delivery_id=claimed.id)
                answer = Answer(None, "", "The attempt could not be made.", None, 0)
        lane.learn(answer)
        self._results.append(Result(claimed, moment, answer))
        self._has_results.set()

    async def _keep_writing(self) -> None:
        while True:
            await self._has_results.wait()
            await asyncio.sleep(GATHER_SECONDS)
            try:
                await self._write()
            except TRANSIENT_ERRORS as error:
                log.warning("webhook_results_wait", error=repr(error), waiting=len(self._results))
                self._has_results.set()
                await asyncio.sleep(POLL_SECONDS)

    async def _write(self) -> None:
        """Write down the results had so far; those that come meanwhile gather for the next time."""
        self._has_results.clear()
        left = len(self._results)
        while left:
            batch = self._results[: min(left, BATCH)]
            await self._save(batch)
            del self._results[: len(batch)]
            left -= len(batch)

    async def _save(self, batch: list[Result]) -> None:
        """Save a batch; when that fails for good, each result alone, so that one bad result takes no other with it."""
        try:
            await results.save(batch)
        except TRANSIENT_ERRORS:
            raise
        except Exception:
            if len(batch) == 1:
                log.exception("webhook_result_lost", delivery_id=batch[0].claimed.id)
                return
            for result in batch:
                await self._save([result])

    async def _stop(self, writer: asyncio.Task[None]) -> None:
        unsent = [claimed for lane in self._lanes.values() for claimed in lane.waiting]
        for lane in self._lanes.values():
            lane.waiting.clear()
        if self._workers:
            await asyncio.wait(self._workers, timeout=GRACE_SECONDS)
        for task in (*self._workers, writer):
            task.cancel()
        await asyncio.gather(*self._workers, writer, return_exceptions=True)
        try:
            await self._write()
            if unsent:
                columns = zip(*((one.id, one.owner_id, one.leased_until) for one in unsent), strict=True)
                await sql.execute(RELEASE, *map(list, columns))
        except TRANSIENT_ERRORS as error:
            # Nothing is lost: the leases end by themselves, and what was sent will be sent once more.
            log.warning("webhook_sender_stopped_without_writing", error=repr(error))


async def _lost(deliveries: Iterable[Claimed]) -> set[int]:
    """Return the ids of those that are no longer ours to send."""
    asked = list(deliveries)
    columns = zip(*((one.id, one.owner_id, one.leased_until) for one in asked), strict=True)
    try:
        held = {row["id"] for row in await sql.fetch(SELECT_HELD, *map(list, columns))}
    except TRANSIENT_ERRORS as error:
        # Nobody knows. What is sent although it was superseded is a delivery made twice, as it may be.
        log.warning("webhook_check_skipped", error=repr(error))
        return set()
    return {one.id for one in asked} - held


async def run(wake: WakeEvent) -> None:
    """Send for as long as the process lives."""
    async with HttpReceiver(allowed=settings.allowed_targets()) as receiver:
        await Sender(receiver, settings.current().max_in_flight).run(wake)
