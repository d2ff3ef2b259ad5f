"""Bookings of slots, counted in the transaction of the order, never beyond the capacity of a slot."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from comanda.platform.db import sql

from comanda_collection.services.timetable import TimeSlot

# The slots searched by one statement. They cover several days of a typical store, so one statement is usually enough.
MAX_SLOTS_PER_STATEMENT = 100

# Serializes bookings, so that the counts below hold until the commit, and the first free slot is not lost to another
# order after it has been found.
LOCK_MODE = "SELECT pg_advisory_xact_lock(hashtextextended('collection_slot:' || $1::bigint || ':' || $2::text, 0))"

# Bookings made with another slot length count for the slot in which they begin.
WITH_FIRST_FREE_SLOT = """
    WITH free AS (
        SELECT w.starts_at FROM unnest($4::timestamptz[], $5::timestamptz[]) AS w (starts_at, ends_at)
        WHERE $6::int IS NULL OR $6 > (
            SELECT coalesce(sum(s.taken), 0) FROM collection_slot s
            WHERE s.owner_id = $1 AND s.store_id = $2 AND s.mode = $3
                AND s.starts_at >= w.starts_at AND s.starts_at < w.ends_at)
        ORDER BY w.starts_at LIMIT 1)
"""
SELECT_FIRST_FREE_SLOT = WITH_FIRST_FREE_SLOT + "SELECT starts_at FROM free"
CLAIM_FIRST_FREE_SLOT = (
    WITH_FIRST_FREE_SLOT
    + """
    INSERT INTO collection_slot AS s (owner_id, store_id, mode, starts_at, taken)
    SELECT $1, $2, $3, starts_at, 1 FROM free
    ON CONFLICT (store_id, owner_id, mode, starts_at) DO UPDATE SET taken = s.taken + 1
        WHERE $6::int IS NULL OR s.taken < $6
    RETURNING starts_at
"""
)
RELEASE_SLOT = """
    UPDATE collection_slot SET taken = taken - 1
    WHERE owner_id = $1 AND store_id = $2 AND mode = $3 AND starts_at = $4 AND taken > 0
"""
SELECT_BOOKED_SLOTS = """
    SELECT starts_at, taken FROM collection_slot
    WHERE owner_id = $1 AND store_id = $2 AND mode = $3 AND starts_at >= $4 AND starts_at < $5 AND taken > 0
"""


@dataclass(frozen=True, slots=True)
class SlotBookings:
    """The bookings in one mode of a store; ``capacity`` is the number per slot, None for unlimited."""

    owner_id: int
    store_id: int
    mode: str
    capacity: int | None

    async def claim(self, slots: Iterable[TimeSlot]) -> datetime | None:
        """Book the first slot that is not full in the open transaction, and return its start; None if all are full."""
        if self.capacity is not None:
            await sql.execute(LOCK_MODE, self.store_id, self.mode)
        return await self._fetch_first(CLAIM_FIRST_FREE_SLOT, slots)

    async def find_free(self, slots: Iterable[TimeSlot]) -> datetime | None:
        """Return the start of the first slot that is not full; None if all are full."""
        return await self._fetch_first(SELECT_FIRST_FREE_SLOT, slots)

    async def release(self, starts_at: datetime) -> None:
        """Release a booking in the open transaction."""
        await sql.execute(RELEASE_SLOT, self.owner_id, self.store_id, self.mode, starts_at)

    async def count(self, slots: Sequence[TimeSlot]) -> list[int]:
        """Count the bookings of each slot; the slots are sorted by time."""
        if not slots:
            return []
        first, last = slots[0].starts_at, slots[-1].ends_at
        rows = await sql.fetch(SELECT_BOOKED_SLOTS, self.owner_id, self.store_id, self.mode, first, last)
        return [
            sum(row["taken"] for row in rows if slot.starts_at <= row["starts_at"] < slot.ends_at) for slot in slots
        ]

    async def _fetch_first(self, statement: str, slots: Iterable[TimeSlot]) -> datetime | None:
        remaining = iter(slots)
        while batch := list(islice(remaining, MAX_SLOTS_PER_STATEMENT)):
            starts, ends = [slot.starts_at for slot in batch], [slot.ends_at for slot in batch]
            starts_at: datetime | None = await sql.fetch_value(
                statement, self.owner_id, self.store_id, self.mode, starts, ends, self.capacity
            )
            if starts_at is not None:
                return starts_at
        return None
