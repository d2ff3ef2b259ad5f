"""Closing business days (Z), looking at those that are open (X), and the closings that were made.

The row of the store is locked while days are closed, as it is whenever something is counted: what is counted before is
in the closing, and what is counted after it belongs to a later day.
"""

from datetime import date
from typing import Final
from zoneinfo import ZoneInfo

import orjson
from comanda.basics import Conflict, Sentence, ValidationFailed, clock, extend_record
from comanda.contracts import Caller, IdempotencyKey, IdempotentResult, PageRequest, RecordPage
from comanda.orders import AMOUNT_DUE
from comanda.platform.db import KeyedTable, sql
from comanda.platform.events import publish
from comanda.stores import DayKind, get_day, get_store_settings, require_store
from comanda_drawer.api import list_open_drawers

from comanda_closings.events import DayClosed
from comanda_closings.records import Closing, ClosingSummary, OpenDays
from comanda_closings.schemas import ClosingBody
from comanda_closings.services import day_counts, drawer_differences, prepayments
from comanda_closings.services.day_counts import DAY
from comanda_closings.services.day_totals import list_day_totals, list_pending_events
from comanda_closings.services.figures import Sums
from comanda_closings.services.reports import require_counted
from comanda_closings.services.totals import create_figures, create_totals, get_category_names
from comanda_closings.store_settings import ClosingSettings

MAX_PASSES: Final = 5
NO_DAY: Final = date(1970, 1, 1)

SELECT_STATE: Final = "SELECT closed_to, last_number FROM closings_store WHERE store_id = $1 AND owner_id = $2"
# Of days that are not closed; $4 is the last one that is.
SELECT_OPEN_TOTALS: Final = """
    SELECT t.section, t.code, min(t.business_day) AS first_day, sum(t.count)::bigint AS count,
        sum(t.amount_minor)::bigint AS amount_minor, sum(t.tax_minor)::bigint AS tax_minor
    FROM closings_day_total t
    WHERE t.owner_id = $1 AND t.store_id = $2 AND t.business_day > $4 AND t.business_day <= $3
    GROUP BY t.section, t.code
"""
COUNT_OPEN_CHECKS: Final = f"""
    SELECT count(*) FROM core_order_v1 o
    WHERE o.store_id = $1 AND o.owner_id = $2 AND o.status IN ('new', 'preparing', 'ready', 'delivered')
        AND {AMOUNT_DUE} > 0 AND o.business_date <= $3
"""
INSERT_CLOSING: Final = """
    WITH closed AS (
        UPDATE closings_store SET closed_to = $5, last_number = $3 WHERE store_id = $2 AND owner_id = $1)
    INSERT INTO closings_closing (owner_id, store_id, number, first_day, last_day, currency, totals, closed_by,
        closed_at, idempotency_key, body_hash)
    VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9, $10, $11) RETURNING id
"""
CLOSING_COLUMNS: Final = "id, store_id, number, first_day, last_day, currency, totals, closed_by, closed_at"
SELECT_CLOSING: Final = f"""
    SELECT {CLOSING_COLUMNS} FROM closings_closing WHERE id = $1 AND owner_id = $2 AND store_id = $3
"""
SELECT_CLOSINGS: Final = f"""
    SELECT {CLOSING_COLUMNS} FROM closings_closing WHERE store_id = $1 AND owner_id = $2
    ORDER BY number DESC LIMIT $3 OFFSET $4
"""
COUNT_CLOSINGS: Final = "SELECT count(*) FROM closings_closing WHERE store_id = $1 AND owner_id = $2"
EVENT_FIGURES: Final = ("net_sales", "sales_total", "collected", "refunds")
CLOSING_KEYS: Final = KeyedTable("closings_closing", "store_id")


async def get_open_days(caller: Caller, store_id: int) -> OpenDays:
    """Return the totals of the business days up to today that are not closed.

    Raises ``NotFound``, and ``Conflict`` with the reason ``counting`` like ``create_report``.
    """
    store = await require_store(caller, store_id)
    await require_counted(caller.owner_id, store_id)
    state = await sql.one(SELECT_STATE, store_id, caller.owner_id)
    today = _get_today(store)
    closed_to = state["closed_to"] or NO_DAY
    by_day = await list_day_totals(
        caller.owner_id, [store_id], DayKind.BUSINESS, closed_to + DAY, max(today, closed_to + DAY)
    )
    sums = Sums()
    for each in by_day.values():
        sums.add_all(each)
    first = closed_to + DAY if state["closed_to"] else min([today, *by_day])
    return extend_record(
        OpenDays,
        await create_totals(caller.owner_id, sums, store["currency"]),
        store_id=store_id,
        number=state["last_number"] + 1,
        currency=store["currency"],
        first=first,
        last=max(first, today),
        open_checks=await sql.fetch_value(COUNT_OPEN_CHECKS, store_id, caller.owner_id, today),
        open_drawers=await list_open_drawers(caller.owner_id, store_id),
    )


async def close_day(caller: Caller, store_id: int, body: ClosingBody, key: IdempotencyKey) -> IdempotentResult[Closing]:
    """Close the business days of a store up to one of them; a repeated ``key`` returns the closing of the first.

    Emits ``DayClosed``. Raises ``NotFound``; ``ValidationFailed`` for a day that has not begun; ``Conflict`` with the
    reason ``day_closed``, ``open_checks``, ``open_drawers`` or ``counting``.
    """
    store = await require_store(caller, store_id)

    async def create() -> int:
        last = _check_begun(body.day or _get_today(store), _get_today(store))
        await require_counted(caller.owner_id, store_id)
        async with sql.transaction():
            (state,) = await day_counts.lock_stores([(store_id, caller.owner_id)])
            _check_open(state, last)
            await _check_finished(caller.owner_id, store_id, last)
            await _count_pending(caller.owner_id, store_id, state)
            return await _insert_closing(caller, store, state, last, key)

    async def load(closing_id: int) -> Closing:
        return await get_closing(caller, store_id, closing_id)

    return await CLOSING_KEYS.create_once(caller.owner_id, store_id, key, create, load)


async def get_closing(caller: Caller, store_id: int, closing_id: int) -> Closing:
    """Return a closing. Raises ``NotFound``."""
    await require_store(caller, store_id)
    row = await sql.require_one(SELECT_CLOSING, closing_id, caller.owner_id, store_id)
    stored = orjson.loads(row["totals"])
    totals = await create_totals(caller.owner_id, Sums.from_json(stored["sums"]), row["currency"], stored["categories"])
    return extend_record(
        Closing,
        totals,
        id=row["id"],
        store_id=row["store_id"],
        number=row["number"],
        first=row["first_day"],
        last=row["last_day"],
        currency=row["currency"],
        closed_by=row["closed_by"],
        closed_at=row["closed_at"],
    )


async def list_closings(caller: Caller, store_id: int, page: PageRequest) -> RecordPage[ClosingSummary]:
    """List the closings of a store, newest first. Raises ``NotFound``."""
    await require_store(caller, store_id)
    rows = await sql.fetch(SELECT_CLOSINGS, store_id, caller.owner_id, page.size(), page.offset())
    total = await page.get_total(rows, lambda: sql.fetch_value(COUNT_CLOSINGS, store_id, caller.owner_id))
    return page.of([_to_summary(row) for row in rows], total)


def _get_today(store: sql.Row) -> date:
    return get_day(clock.now(), ZoneInfo(store["timezone"]), store["day_start_minutes"])


def _check_begun(day: date, today: date) -> date:
    if day > today:
        raise ValidationFailed(day=[Sentence("This day has not begun.")])
    return day


def _check_open(state: sql.Row, last: date) -> None:
    closed_to = state["closed_to"]
    if closed_to is not None and last <= closed_to:
        raise Conflict(
            Sentence("The days up to %(day)s are closed.", day=closed_to.isoformat()), extras={"reason": "day_closed"}
        )


async def _check_finished(owner_id: int, store_id: int, last: date) -> None:
    """Raise ``Conflict`` for checks and drawers that are open, unless the store lets days close with them."""
    settings = await get_store_settings(ClosingSettings, owner_id, store_id)
    if not settings.allows_open_checks:
        count = await sql.fetch_value(COUNT_OPEN_CHECKS, store_id, owner_id, last)
        if count:
            raise Conflict(
                Sentence("There are open checks. Take their payments, or complete or cancel them."),
                extras={"reason": "open_checks", "open_checks": count},
            )
    if not settings.allows_open_drawers and (drawers := await list_open_drawers(owner_id, store_id)):
        raise Conflict(
            Sentence("There are open cash drawers. Count and close them."),
            extras={"reason": "open_drawers", "open_drawers": drawers},
        )


async def _count_pending(owner_id: int, store_id: int, state: sql.Row) -> None:
    """Count what events are pending for, orders until no event was sent meanwhile: two of them may change at once."""
    days = await day_counts.get_store_days([state])
    await prepayments.count_pending(owner_id, store_id, days)
    await drawer_differences.count_pending(owner_id, store_id, days)
    counted: frozenset[int] = frozenset()
    for _ in range(MAX_PASSES):
        pending = await list_pending_events(owner_id, store_id)
        if pending.keys() <= counted:
            return
        ids = sorted(set(pending.values()))
        await day_counts.update_totals(ids, [owner_id] * len(ids), days)
        counted = frozenset(pending)


async def _insert_closing(caller: Caller, store: sql.Row, state: sql.Row, last: date, key: IdempotencyKey) -> int:
    closed_to = state["closed_to"]
    rows = await sql.fetch(SELECT_OPEN_TOTALS, caller.owner_id, store["id"], last, closed_to or NO_DAY)
    sums = Sums()
    for row in rows:
        sums.add(row["section"], row["code"], row["count"], row["amount_minor"], row["tax_minor"])
    first = closed_to + DAY if closed_to else min([last, *(row["first_day"] for row in rows)])
    stored = {"sums": sums.to_json(), "categories": await get_category_names(caller.owner_id, sums)}
    number, moment = state["last_number"] + 1, clock.now()
    closing_id: int = await sql.fetch_value(
        INSERT_CLOSING,
        *(caller.owner_id, store["id"], number, first, last, store["currency"], orjson.dumps(stored).decode()),
        *(caller.actor, moment, key.text, key.body_hash),
    )
    figures = create_figures(sums, store["currency"])
    event = DayClosed(
        closing_id=closing_id,
        restaurant_id=store["id"],
        number=number,
        from_=first,
        to=last,
        currency=store["currency"],
        **{name: getattr(figures, name).to_decimal_string() for name in EVENT_FIGURES},
        closed_by=caller.actor,
        closed_at=moment,
    )
    await publish(event, owner_id=caller.owner_id, store_id=store["id"])
    return closing_id


def _to_summary(row: sql.Row) -> ClosingSummary:
    figures = create_figures(Sums.from_json(orjson.loads(row["totals"])["sums"]), row["currency"])
    return sql.to_record(
        ClosingSummary,
        row,
        first=row["first_day"],
        last=row["last_day"],
        net_sales=figures.net_sales,
        collected=figures.collected,
        refunds=figures.refunds,
    )
