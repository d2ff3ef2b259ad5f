"""Prepayments: money that is owed until its order or visit, and deposits that end without an order.

Neither is in a sum of sales. As with orders, what a prepayment was counted as is stored, so that events may be
repeated; and nothing is added to a day that is closed.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Final

import orjson
from comanda.basics import clock
from comanda.platform.db import sql
from comanda_payments.api import PrepaidEntry, PrepaidEntryKind, PrepaymentChanged, list_prepaid_entries

from comanda_closings.services import day_counts
from comanda_closings.services.day_counts import HANDLER_NAME, DayPair, StoreDays, StoreKey
from comanda_closings.services.figures import Figure, Section, Sums

SELECT_COUNTED: Final = """
    SELECT c.prepayment_id, c.owner_id, c.store_id, c.counted
    FROM unnest($1::bigint[], $2::bigint[]) AS requested (id, owner_id)
    JOIN closings_prepayment c ON c.prepayment_id = requested.id AND c.owner_id = requested.owner_id
"""
SAVE_COUNTED: Final = """
    INSERT INTO closings_prepayment (prepayment_id, owner_id, store_id, counted) VALUES ($1, $2, $3, $4::jsonb)
    ON CONFLICT (prepayment_id, owner_id) DO UPDATE SET counted = EXCLUDED.counted
"""
SELECT_PENDING: Final = f"""
    SELECT DISTINCT (e.data ->> 'prepayment_id')::bigint AS id FROM core_pending_event_v1 e
    WHERE (e.handler IS NULL OR e.handler = '{HANDLER_NAME}') AND e.owner_id = $1 AND e.store_id = $2
        AND e.name = '{PrepaymentChanged.name}'
"""
FIGURES: Final = {
    PrepaidEntryKind.HELD: Figure.PREPAYMENTS,
    PrepaidEntryKind.KEPT: Figure.KEPT_DEPOSITS,
    PrepaidEntryKind.USED: Figure.PREPAID_STAYS,
}


async def count_prepayments(prepayments: Collection[tuple[int, int]]) -> None:
    """Count prepayments, given as ``(prepayment_id, owner_id)``."""
    known = await _list_entries(prepayments)
    if not known:
        return
    async with sql.transaction():
        states = await day_counts.lock_stores(sorted({(each.store_id, each.owner_id) for each in known}))
        await _update_totals(prepayments, await day_counts.get_store_days(states))


async def count_pending(owner_id: int, store_id: int, days: Mapping[StoreKey, StoreDays]) -> None:
    """Count the prepayments of a store whose events are pending. The store is locked."""
    pending = await sql.fetch(SELECT_PENDING, owner_id, store_id)
    await _update_totals([(row["id"], owner_id) for row in pending], days)


async def _list_entries(prepayments: Collection[tuple[int, int]]) -> list[PrepaidEntry]:
    return await list_prepaid_entries([id for id, _ in prepayments], [owner_id for _, owner_id in prepayments])


async def _update_totals(prepayments: Collection[tuple[int, int]], days: Mapping[StoreKey, StoreDays]) -> None:
    ids, owner_ids = [id for id, _ in prepayments], [owner_id for _, owner_id in prepayments]
    rows = await sql.fetch(SELECT_COUNTED, ids, owner_ids)
    counted = {row["prepayment_id"]: orjson.loads(row["counted"]) for row in rows}
    by_prepayment: dict[int, list[PrepaidEntry]] = defaultdict(list)
    for entry in await _list_entries(prepayments):
        by_prepayment[entry.prepayment_id].append(entry)
    sums: dict[tuple[StoreKey, DayPair], Sums] = defaultdict(Sums)
    for id, entries in by_prepayment.items():
        store, before = (entries[0].store_id, entries[0].owner_id), counted.get(id, {})
        after = {entry.key: _count(entry).to_json() for entry in entries}
        if store not in days or after == before:
            continue
        moments = {entry.key: entry.moved_at for entry in entries}
        for key in sorted(after.keys() | before.keys()):
            # What is kept or used no longer is taken off today.
            on = days[store].get_days(moments.get(key) or clock.now())
            total = sums[store, days[store].get_open_days(on)]
            total.add_all(Sums.from_json(after.get(key, [])))
            total.add_all(Sums.from_json(before.get(key, [])), -1)
        await sql.execute(SAVE_COUNTED, id, store[1], store[0], orjson.dumps(after).decode())
    await day_counts.add_totals(sums)


def _count(entry: PrepaidEntry) -> Sums:
    sums = Sums()
    if entry.amount_minor:
        sums.add(Section.FIGURE, FIGURES[entry.kind], 1, entry.amount_minor)
    if entry.method is not None:
        sums.add(Section.PREPAID, f"{entry.of_kind}:{entry.method}", 1, entry.amount_minor)
    return sums
