"""What drivers earn: a fixed amount for each delivery, its tip, and what their owner adds or takes."""

from datetime import date, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from comanda import clock
from comanda.contracts.callers import Caller
from comanda.contracts.order_participants import PlacedOrder
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed
from comanda.money import to_minor, to_number
from comanda.stores.services import require_store

from comanda_drivers.schemas.earnings import EarningAdjustmentBody, EarningsQuery
from comanda_drivers.services import people

MAX_DAYS: Final = 92
WEEK: Final = timedelta(days=7)
DAY: Final = timedelta(days=1)

# As the terms and the tip are at this moment; the day is the store's.
EARN: Final = """
    INSERT INTO drivers_earning (owner_id, store_id, driver_id, order_id, currency, base_minor, tip_minor, earned_on,
        earned_at)
    SELECT o.owner_id, o.store_id, $3, o.id, o.currency, coalesce(t.driver_pay_minor, 0), o.tip_minor,
        ($4::timestamptz AT TIME ZONE s.timezone)::date, $4
    FROM core_order o JOIN core_store s ON s.id = o.store_id AND s.owner_id = o.owner_id
    LEFT JOIN drivers_terms t ON t.store_id = o.store_id AND t.owner_id = o.owner_id
    WHERE o.id = $1 AND o.owner_id = $2
    ON CONFLICT (order_id, owner_id) WHERE reversed_at IS NULL AND order_id IS NOT NULL DO NOTHING
"""
REVERSE: Final = """
    UPDATE drivers_earning SET reversed_at = $3 WHERE order_id = $1 AND owner_id = $2 AND reversed_at IS NULL
"""
ADJUST: Final = """
    WITH made AS (
        INSERT INTO drivers_earning (owner_id, store_id, driver_id, currency, adjustment_minor, reason, earned_on,
            earned_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id)
    SELECT id FROM made
"""
ITEMS: Final = """
    SELECT e.order_id, e.currency, e.base_minor, e.tip_minor + coalesce(t.tip_minor, 0) AS tip_minor,
        e.adjustment_minor, e.reason, e.earned_at
    FROM drivers_earning e LEFT JOIN drivers_tip t ON t.order_id = e.order_id AND t.owner_id = e.owner_id
    WHERE e.driver_id = $1 AND e.owner_id = $2 AND e.earned_on BETWEEN $3 AND $4 AND e.reversed_at IS NULL
      AND ($5::bigint IS NULL OR e.store_id = $5) AND ($6::text IS NULL OR e.currency = $6)
    ORDER BY e.earned_at DESC, e.id DESC
"""
# The store that an amount or a day belongs to: the one that is named, the driver's, or the owner's first.
STORE: Final = """
    SELECT id, currency, timezone FROM core_store
    WHERE owner_id = $1 AND ($2::bigint IS NULL OR id = $2) ORDER BY id LIMIT 1
"""
CURRENCIES: Final = "SELECT count(DISTINCT currency) FROM core_store WHERE owner_id = $1"


async def earn(order: PlacedOrder, driver_id: int) -> None:
    """Note what a driver earned by a delivery that just arrived, in the open transaction; once for each order."""
    await sql.execute(EARN, order.id, order.owner_id, driver_id, clock.now())


async def reverse(order: PlacedOrder) -> None:
    """Take back what was earned by a delivery that did not arrive after all, in the open transaction."""
    await sql.execute(REVERSE, order.id, order.owner_id, clock.now())


async def adjust(caller: Caller, driver_id: int, body: EarningAdjustmentBody) -> dict[str, Any]:
    """Add to what a driver earned, or take from it, and return the adjustment.

    Raises ``NotFound``; ``ValidationFailed`` for an amount that the currency cannot express, and on ``restaurant_id``
    where it is not clear which currency that is.
    """
    async with sql.transaction():
        driver = await people.lock(caller.owner_id, driver_id, caller.store_id)
        store = await _store_of_adjustment(caller, driver.store_id, body.restaurant_id)
        try:
            amount = to_minor(body.amount, store["currency"])
        except ValueError as error:
            raise ValidationFailed(amount=[str(error)]) from error
        if amount == 0:
            raise ValidationFailed(amount=["Must not be zero."])
        moment = clock.now()
        day = moment.astimezone(ZoneInfo(store["timezone"])).date()
        values = (caller.owner_id, store["id"], driver_id, store["currency"], amount, body.reason, day, moment)
        made = await sql.fetch_value(ADJUST, *values)
    return {
        "id": made,
        "driver_id": driver_id,
        "restaurant_id": store["id"],
        "currency": store["currency"],
        "amount": to_number(amount, store["currency"]),
        "reason": body.reason,
        "created_at": moment,
    }


async def report(caller: Caller, query: EarningsQuery) -> dict[str, Any]:
    """Tell what the driver earned from one day to another, in one currency; this week if no days are named.

    Raises ``ValidationFailed`` on ``to`` for days that do not fit, and on ``currency`` where there are several.
    """
    driver = await people.myself(caller)
    store = await sql.fetch_one(STORE, driver["owner_id"], query.restaurant_id or driver["store_id"])
    if store is None:
        # Whose store it is, is not for drivers to find out.
        raise ValidationFailed(restaurant_id=[f"You have earned nothing in a store {query.restaurant_id}."])
    first, last = _days(query, clock.now().astimezone(ZoneInfo(store["timezone"])).date())
    rows = await sql.fetch(ITEMS, driver["id"], driver["owner_id"], first, last, query.restaurant_id, query.currency)
    found = sorted({row["currency"] for row in rows})
    if len(found) > 1:
        raise ValidationFailed(
            {"currency": ["You earned in several currencies: say which."]}, extras={"choices": found}
        )
    currency = found[0] if found else query.currency or store["currency"]
    return {"from": first, "to": last, **_sums(rows, currency)}


async def _store_of_adjustment(caller: Caller, bound_to: int | None, asked: int | None) -> sql.Row:
    store_id = asked or bound_to
    if store_id is None and await sql.fetch_value(CURRENCIES, caller.owner_id) > 1:
        raise ValidationFailed(restaurant_id=["Say for which store, as your stores have several currencies."])
    if store_id is not None:
        try:
            await require_store(caller, store_id)
        except NotFound as error:
            raise ValidationFailed(restaurant_id=[f"You have no store {store_id}."]) from error
    store = await sql.fetch_one(STORE, caller.owner_id, store_id)
    if store is None:
        raise ValidationFailed(restaurant_id=["You have no store yet."])
    return store


def _days(query: EarningsQuery, today: date) -> tuple[date, date]:
    monday = today - timedelta(days=today.weekday())
    first = query.from_ or (monday if query.to is None else max(query.to, date.min + WEEK) - WEEK + DAY)
    last = query.to or (monday + WEEK - DAY if query.from_ is None else min(first, date.max - WEEK) + WEEK - DAY)
    if last < first:
        raise ValidationFailed(to=["Must not be before `from`."])
    if (last - first).days >= MAX_DAYS:
        raise ValidationFailed(to=[f"At most {MAX_DAYS} days at once."])
    return first, last


def _sums(rows: list[sql.Row], currency: str) -> dict[str, Any]:
    def shown(minor: int) -> float:
        return to_number(minor, currency)

    deliveries = [row for row in rows if row["order_id"] is not None]
    base, tips, adjustments = (sum(row[f"{name}_minor"] for row in rows) for name in ("base", "tip", "adjustment"))
    return {
        "currency": currency,
        "deliveries": len(deliveries),
        "base": shown(base),
        "tips": shown(tips),
        "adjustments": shown(adjustments),
        "total": shown(base + tips + adjustments),
        "items": [
            {
                "order_id": row["order_id"],
                "delivered_at": row["earned_at"],
                "base": shown(row["base_minor"]),
                "tip": shown(row["tip_minor"]),
                "total": shown(row["base_minor"] + row["tip_minor"]),
            }
            for row in deliveries
        ],
        "adjusted": [
            {"amount": shown(row["adjustment_minor"]), "reason": row["reason"], "at": row["earned_at"]}
            for row in rows
            if row["order_id"] is None
        ],
    }
