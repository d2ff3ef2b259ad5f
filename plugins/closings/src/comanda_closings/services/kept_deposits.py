"""Deposits that a store keeps, counted on the day on which it keeps them: revenue of no order, and in no sum of sales.

As with orders, what a deposit was counted as is stored, so that events may be repeated; and nothing is added to a day
that is closed.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Final

from comanda.basics import clock
from comanda.platform.db import sql
from comanda_payments.api import KeptDeposit, PrepaymentChanged, list_kept_deposits

from comanda_closings.services import day_counts
from comanda_closings.services.day_counts import HANDLER_NAME, DayPair, StoreDays, StoreKey
from comanda_closings.services.figures import Figure, Section, Sums

SELECT_COUNTED: Final = """
    SELECT d.prepayment_id, d.counted_minor FROM unnest($1::bigint[], $2::bigint[]) AS requested (id, owner_id)
    JOIN closings_deposit d ON d.prepayment_id = requested.id AND d.owner_id = requested.owner_id
"""
SAVE_COUNTED: Final = """
    INSERT INTO closings_deposit (prepayment_id, owner_id, store_id, counted_minor) VALUES ($1, $2, $3, $4)
    ON CONFLICT (prepayment_id, owner_id) DO UPDATE SET counted_minor = EXCLUDED.counted_minor
"""
SELECT_PENDING: Final = f"""
    SELECT DISTINCT (e.data ->> 'prepayment_id')::bigint AS id FROM core_pending_event_v1 e
    WHERE (e.handler IS NULL OR e.handler = '{HANDLER_NAME}') AND e.owner_id = $1 AND e.store_id = $2
        AND e.name = '{PrepaymentChanged.name}'
"""


async def count_deposits(deposits: Collection[tuple[int, int]]) -> None:
    """Count deposits, given as ``(deposit_id, owner_id)``."""
    known = await list_kept_deposits([id for id, _ in deposits], [owner_id for _, owner_id in deposits])
    if not known:
        return
    async with sql.transaction():
        states = await day_counts.lock_stores(sorted({(each.store_id, each.owner_id) for each in known}))
        await _update_totals(deposits, await day_counts.get_store_days(states))


async def count_pending(owner_id: int, store_id: int, days: Mapping[StoreKey, StoreDays]) -> None:
    """Count the deposits of a store whose events are pending. The store is locked."""
    pending = await sql.fetch(SELECT_PENDING, owner_id, store_id)
    await _update_totals([(row["id"], owner_id) for row in pending], days)


async def _update_totals(deposits: Collection[tuple[int, int]], days: Mapping[StoreKey, StoreDays]) -> None:
    ids, owner_ids = [id for id, _ in deposits], [owner_id for _, owner_id in deposits]
    rows = await sql.fetch(SELECT_COUNTED, ids, owner_ids)
    counted = {row["prepayment_id"]: row["counted_minor"] for row in rows}
    sums: dict[tuple[StoreKey, DayPair], Sums] = defaultdict(Sums)
    for deposit in await list_kept_deposits(ids, owner_ids):
        store, before = (deposit.store_id, deposit.owner_id), counted.get(deposit.id, 0)
        if store in days and deposit.kept_minor != before:
            count = int(deposit.kept_minor > 0) - int(before > 0)
            on = _get_day(deposit, days[store])
            sums[store, on].add(Section.FIGURE, Figure.KEPT_DEPOSITS, count, deposit.kept_minor - before)
            await sql.execute(SAVE_COUNTED, deposit.id, deposit.owner_id, deposit.store_id, deposit.kept_minor)
    await day_counts.add_totals(sums)


def _get_day(deposit: KeptDeposit, days: StoreDays) -> DayPair:
    """Return the day on which a deposit was kept, or is lost; the first open one if that is closed."""
    moment = deposit.closed_at if deposit.kept_minor and deposit.closed_at else clock.now()
    return days.get_open_days(days.get_days(moment))
