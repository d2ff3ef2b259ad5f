"""Reading the totals of days: those that are stored, and what orders count for whose events are still pending."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

from comanda.platform.db import sql
from comanda.stores import DayKind

from comanda_closings.services import day_counts
from comanda_closings.services.day_counts import HANDLER_NAME
from comanda_closings.services.figures import Sums

# One statement sees one snapshot: an order is either in the totals or pending. $5 are the names of the events.
SELECT_TOTALS: Final = {
    kind: f"""
    SELECT t.store_id, t.{kind}_day AS day, t.section, t.code, t.count, t.amount_minor::bigint, t.tax_minor::bigint,
        NULL::bigint AS order_id, NULL::jsonb AS counted
    FROM closings_day_total t
    WHERE t.owner_id = $1 AND t.store_id = ANY($2::bigint[]) AND t.{kind}_day BETWEEN $3 AND $4
    UNION ALL
    SELECT pending.store_id, NULL, NULL, NULL, NULL, NULL, NULL, pending.id, c.counted
    FROM (
        SELECT DISTINCT e.store_id, (e.data ->> 'order_id')::bigint AS id FROM core_pending_event_v1 e
        WHERE (e.handler IS NULL OR e.handler = '{HANDLER_NAME}') AND e.owner_id = $1
            AND e.store_id = ANY($2::bigint[]) AND e.name = ANY($5::text[])) AS pending
    LEFT JOIN closings_order c ON c.order_id = pending.id AND c.owner_id = $1
    """
    for kind in DayKind
}
SELECT_PENDING: Final = f"""
    SELECT e.id, (e.data ->> 'order_id')::bigint AS order_id FROM core_pending_event_v1 e
    WHERE (e.handler IS NULL OR e.handler = '{HANDLER_NAME}') AND e.owner_id = $1 AND e.store_id = $2
        AND e.name = ANY($3::text[])
"""
SELECT_STATES: Final = """
    SELECT s.id AS store_id, s.owner_id, c.closed_to FROM core_store_v1 s
    LEFT JOIN closings_store c ON c.store_id = s.id AND c.owner_id = s.owner_id
    WHERE s.owner_id = $1 AND s.id = ANY($2::bigint[])
"""


async def list_day_totals(
    owner_id: int, store_ids: Sequence[int], kind: DayKind, first: date, last: date
) -> dict[date, Sums]:
    """Return the sums of stores by day, as of now."""
    days = await day_counts.get_store_days(await sql.fetch(SELECT_STATES, owner_id, list(store_ids)))
    rows = await sql.fetch(SELECT_TOTALS[kind], owner_id, list(store_ids), first, last, day_counts.EVENT_NAMES)
    by_day: dict[date, Sums] = defaultdict(Sums)
    pending: dict[int, str | None] = {}
    for row in rows:
        if row["order_id"] is None:
            by_day[row["day"]].add(row["section"], row["code"], row["count"], row["amount_minor"], row["tax_minor"])
        else:
            pending[row["order_id"]] = row["counted"]
    for on, sums in (await _list_pending(owner_id, pending, days)).items():
        day = on.business if kind is DayKind.BUSINESS else on.calendar
        if first <= day <= last:
            by_day[day].add_all(sums)
    return by_day


async def list_pending_events(owner_id: int, store_id: int) -> dict[int, int]:
    """Return the pending events of a store's orders, each with its order."""
    rows = await sql.fetch(SELECT_PENDING, owner_id, store_id, day_counts.EVENT_NAMES)
    return {row["id"]: row["order_id"] for row in rows}


async def _list_pending(
    owner_id: int, pending: Mapping[int, str | None], days: Mapping[day_counts.StoreKey, day_counts.StoreDays]
) -> dict[day_counts.DayPair, Sums]:
    """Return what orders count for beyond what they had been counted as when the totals were read."""
    found: dict[day_counts.DayPair, Sums] = defaultdict(Sums)
    if not pending:
        return found
    for difference in await day_counts.list_differences(list(pending), [owner_id] * len(pending), days, pending):
        for on, sums in difference.by_day.items():
            found[on].add_all(sums)
    return found
