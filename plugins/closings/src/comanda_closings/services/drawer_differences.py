"""Differences of cash drawers: what was counted beyond what should be there, or short of it, on the day of counting.

A shift is closed once, and its difference never changes; so it is enough to store that it has been counted.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from comanda.platform.db import sql
from comanda_drawer.api import CountedDrawer, ShiftClosed, list_counted_drawers

from comanda_closings.services import day_counts
from comanda_closings.services.day_counts import HANDLER_NAME, DayPair, StoreDays, StoreKey
from comanda_closings.services.figures import Figure, Section, Sums

SAVE_COUNTED: Final = """
    INSERT INTO closings_shift (shift_id, owner_id, store_id)
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])
    ON CONFLICT (shift_id, owner_id) DO NOTHING RETURNING shift_id, owner_id
"""
SELECT_PENDING: Final = f"""
    SELECT DISTINCT (e.data ->> 'shift_id')::bigint AS id FROM core_pending_event_v1 e
    WHERE (e.handler IS NULL OR e.handler = '{HANDLER_NAME}') AND e.owner_id = $1 AND e.store_id = $2
        AND e.name = '{ShiftClosed.name}'
"""


async def count_shifts(shifts: Collection[tuple[int, int]]) -> None:
    """Count the drawers of shifts, given as ``(shift_id, owner_id)``."""
    drawers = await list_counted_drawers([id for id, _ in shifts], [owner_id for _, owner_id in shifts])
    if not drawers:
        return
    async with sql.transaction():
        states = await day_counts.lock_stores(sorted({(each.store_id, each.owner_id) for each in drawers}))
        await _update_totals(drawers, await day_counts.get_store_days(states))


async def count_pending(owner_id: int, store_id: int, days: Mapping[StoreKey, StoreDays]) -> None:
    """Count the drawers of a store whose events are pending. The store is locked."""
    pending = await sql.fetch(SELECT_PENDING, owner_id, store_id)
    ids = [row["id"] for row in pending]
    await _update_totals(await list_counted_drawers(ids, [owner_id] * len(ids)), days)


async def _update_totals(drawers: Sequence[CountedDrawer], days: Mapping[StoreKey, StoreDays]) -> None:
    known = [each for each in drawers if each.difference_minor and (each.store_id, each.owner_id) in days]
    if not known:
        return
    columns = zip(*((each.shift_id, each.owner_id, each.store_id) for each in known), strict=True)
    rows = await sql.fetch(SAVE_COUNTED, *(list(column) for column in columns))
    added = {(row["shift_id"], row["owner_id"]) for row in rows}
    sums: dict[tuple[StoreKey, DayPair], Sums] = defaultdict(Sums)
    for each in known:
        if (each.shift_id, each.owner_id) in added:
            store = each.store_id, each.owner_id
            on = days[store].get_open_days(days[store].get_days(each.closed_at))
            sums[store, on].add(Section.FIGURE, Figure.DRAWER_DIFFERENCES, 1, each.difference_minor)
    await day_counts.add_totals(sums)
