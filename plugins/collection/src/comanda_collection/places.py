"""How many customers each slot has: counted in the order's own transaction, never beyond what the slot takes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from comanda.db import sql

from comanda_collection.timetable import Slot

# So many slots are looked at in one statement: days of an ordinary store, so that nearly always the first one finds.
LOOKED_AT = 100

# Whoever takes a place waits here for whoever is taking one, so that what is counted below stays true until the commit,
# and the first free slot is found once rather than lost and looked for again.
QUEUE = "SELECT pg_advisory_xact_lock(hashtextextended('collection_slot:' || $1::bigint || ':' || $2::text, 0))"

# What was taken while slots were cut in another way counts for the slot in whose time it begins.
FREE = """
    WITH free AS (
        SELECT w.starts_at FROM unnest($4::timestamptz[], $5::timestamptz[]) AS w (starts_at, ends_at)
        WHERE $6::int IS NULL OR $6 > (
            SELECT coalesce(sum(s.taken), 0) FROM collection_slot s
            WHERE s.owner_id = $1 AND s.store_id = $2 AND s.mode = $3
                AND s.starts_at >= w.starts_at AND s.starts_at < w.ends_at)
        ORDER BY w.starts_at LIMIT 1)
"""
FIND = FREE + "SELECT starts_at FROM free"
TAKE = (
    FREE
    + """
    INSERT INTO collection_slot AS s (owner_id, store_id, mode, starts_at, taken)
    SELECT $1, $2, $3, starts_at, 1 FROM free
    ON CONFLICT (store_id, owner_id, mode, starts_at) DO UPDATE SET taken = s.taken + 1
        WHERE $6::int IS NULL OR s.taken < $6
    RETURNING starts_at
"""
)
GIVE_BACK = """
    UPDATE collection_slot SET taken = taken - 1
    WHERE owner_id = $1 AND store_id = $2 AND mode = $3 AND starts_at = $4 AND taken > 0
"""
TAKEN = """
    SELECT starts_at, taken FROM collection_slot
    WHERE owner_id = $1 AND store_id = $2 AND mode = $3 AND starts_at >= $4 AND starts_at < $5 AND taken > 0
"""


@dataclass(frozen=True, slots=True)
class Places:
    """The places in the slots of one mode of a store; ``capacity`` None is any number of them in each."""

    owner_id: int
    store_id: int
    mode: str
    capacity: int | None

    async def take(self, slots: Iterable[Slot]) -> datetime | None:
        """Take a place in the first of the slots that has one, in the open transaction; None if none has."""
        if self.capacity is not None:
            await sql.execute(QUEUE, self.store_id, self.mode)
        return await self._first(TAKE, slots)

    async def find(self, slots: Iterable[Slot]) -> datetime | None:
        """Tell the first of the slots that has a place; None if none has."""
        return await self._first(FIND, slots)

    async def give_back(self, starts_at: datetime) -> None:
        """Free a place that was taken, in the open transaction."""
        await sql.execute(GIVE_BACK, self.owner_id, self.store_id, self.mode, starts_at)

    async def taken(self, slots: Sequence[Slot]) -> list[int]:
        """Count what is taken in each of the slots, which are in the order of their times."""
        if not slots:
            return []
        first, last = slots[0].starts_at, slots[-1].ends_at
        rows = await sql.fetch(TAKEN, self.owner_id, self.store_id, self.mode, first, last)
        return [
            sum(row["taken"] for row in rows if slot.starts_at <= row["starts_at"] < slot.ends_at) for slot in slots
        ]

    async def _first(self, statement: str, slots: Iterable[Slot]) -> datetime | None:
        remaining = iter(slots)
        while looked_at := list(islice(remaining, LOOKED_AT)):
            starts, ends = [slot.starts_at for slot in looked_at], [slot.ends_at for slot in looked_at]
            found: datetime | None = await sql.fetch_value(
                statement, self.owner_id, self.store_id, self.mode, starts, ends, self.capacity
            )
            if found is not None:
                return found
        return None
