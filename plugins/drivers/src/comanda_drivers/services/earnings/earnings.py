"""Earnings of drivers: pay for each delivery, tips, and adjustments by the owner."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from comanda.basics import Money, NotFound, Sentence, ValidationFailed, clock, to_minor
from comanda.contracts import Caller, PlacedOrder
from comanda.platform.db import read_from_replica, sql
from comanda.stores import require_store

from comanda_drivers.records.earnings import Adjustment, DeliveryEarning, EarningsAdjustment, EarningsSummary
from comanda_drivers.schemas.shifts import EarningAdjustmentBody, EarningsQuery
from comanda_drivers.services.accounts import drivers

MAX_DAYS: Final = 92
WEEK: Final = timedelta(days=7)
DAY: Final = timedelta(days=1)

# With the current terms and tip; the day is in the store's time zone.
INSERT_EARNING: Final = """
    INSERT INTO drivers_earning (owner_id, store_id, driver_id, order_id, currency, base_minor, tip_minor, earned_on,
        earned_at)
    SELECT o.owner_id, o.store_id, $3, o.id, o.currency, coalesce(t.driver_pay_minor, 0), o.tip_minor,
        ($4::timestamptz AT TIME ZONE s.timezone)::date, $4
    FROM core_order_v1 o JOIN core_store_v1 s ON s.id = o.store_id AND s.owner_id = o.owner_id
    LEFT JOIN drivers_terms t ON t.store_id = o.store_id AND t.owner_id = o.owner_id
    WHERE o.id = $1 AND o.owner_id = $2
    ON CONFLICT (order_id, owner_id) WHERE reversed_at IS NULL AND order_id IS NOT NULL DO NOTHING
"""
REVERSE_EARNING: Final = """
    UPDATE drivers_earning SET reversed_at = $3 WHERE order_id = $1 AND owner_id = $2 AND reversed_at IS NULL
"""
INSERT_ADJUSTMENT: Final = """
    WITH made AS (
        INSERT INTO drivers_earning (owner_id, store_id, driver_id, currency, adjustment_minor, reason, earned_on,
            earned_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id)
    SELECT id FROM made
"""
SELECT_EARNINGS: Final = """
    SELECT e.order_id, e.currency, e.base_minor, e.tip_minor + coalesce(t.tip_minor, 0) AS tip_minor,
        e.adjustment_minor, e.reason, e.earned_at
    FROM drivers_earning e LEFT JOIN drivers_tip t ON t.order_id = e.order_id AND t.owner_id = e.owner_id
    WHERE e.driver_id = $1 AND e.owner_id = $2 AND e.earned_on BETWEEN $3 AND $4 AND e.reversed_at IS NULL
      AND ($5::bigint IS NULL OR e.store_id = $5) AND ($6::text IS NULL OR e.currency = $6)
    ORDER BY e.earned_at DESC, e.id DESC
"""
# The store that determines currency and time zone: the given one, or the owner's first.
SELECT_STORE: Final = """
    SELECT id, currency, timezone FROM core_store_v1
    WHERE owner_id = $1 AND ($2::bigint IS NULL OR id = $2) ORDER BY id LIMIT 1
"""
COUNT_CURRENCIES: Final = "SELECT count(DISTINCT currency) FROM core_store_v1 WHERE owner_id = $1"
UPSERT_TIP: Final = """
    INSERT INTO drivers_tip (order_id, owner_id, tip_minor)
    SELECT o.id, o.owner_id, $3 FROM core_order_v1 o
    WHERE o.id = $1 AND o.owner_id = $2 AND o.delivery_status IS NOT NULL
    ON CONFLICT (order_id, owner_id) DO UPDATE SET tip_minor = EXCLUDED.tip_minor
"""


async def record_earning(order: PlacedOrder, driver_id: int) -> None:
    """Record a driver's earning from a completed delivery, once for each order, in the open transaction."""
    await sql.execute(INSERT_EARNING, order.id, order.owner_id, driver_id, clock.now())


async def reverse_earning(order: PlacedOrder) -> None:
    """Reverse the earning from a delivery that is no longer completed, in the open transaction."""
    await sql.execute(REVERSE_EARNING, order.id, order.owner_id, clock.now())


async def create_adjustment(caller: Caller, driver_id: int, body: EarningAdjustmentBody) -> Adjustment:
    """Create an adjustment of a driver's earnings and return it.

    Raises ``NotFound``; ``ValidationFailed`` for an amount that the currency cannot express, and on ``restaurant_id``
    if the currency is ambiguous.
    """
    async with sql.transaction():
        driver = await drivers.lock_driver(caller.owner_id, driver_id, caller.store_id)
        store = await _get_adjustment_store(caller, driver.store_id, body.restaurant_id)
        try:
            amount = to_minor(body.amount, store["currency"])
        except ValueError as error:
            raise ValidationFailed(amount=[str(error)]) from error
        if amount == 0:
            raise ValidationFailed(amount=[Sentence("Must not be zero.")])
        moment = clock.now()
        day = moment.astimezone(ZoneInfo(store["timezone"])).date()
        values = (caller.owner_id, store["id"], driver_id, store["currency"], amount, body.reason, day, moment)
        adjustment_id = await sql.fetch_value(INSERT_ADJUSTMENT, *values)
    currency = store["currency"]
    return Adjustment(adjustment_id, driver_id, store["id"], currency, Money(amount, currency), body.reason, moment)


@read_from_replica
async def get_earnings(caller: Caller, query: EarningsQuery) -> EarningsSummary:
    """Return the driver's earnings in a period and one currency; the current week by default.

    Raises ``ValidationFailed`` on ``to`` for an invalid period, and on ``currency`` if there are several.
    """
    driver = await drivers.get_current_driver(caller)
    store = await sql.fetch_one(SELECT_STORE, driver.owner_id, query.restaurant_id or driver.store_id)
    if store is None:
        # Does not reveal whether the store exists.
        raise ValidationFailed(restaurant_id=[f"You have no earnings in store {query.restaurant_id}."])
    first, last = _resolve_period(query, clock.now().astimezone(ZoneInfo(store["timezone"])).date())
    rows = await sql.fetch(
        SELECT_EARNINGS, driver.id, driver.owner_id, first, last, query.restaurant_id, query.currency
    )
    currencies = sorted({row["currency"] for row in rows})
    if len(currencies) > 1:
        raise ValidationFailed(
            {"currency": [Sentence("You have earnings in several currencies. Choose one.")]},
            extras={"choices": currencies},
        )
    currency = currencies[0] if currencies else query.currency or store["currency"]
    return _summarize(rows, first, last, currency)


async def _get_adjustment_store(caller: Caller, driver_store_id: int | None, requested_id: int | None) -> sql.Row:
    store_id = requested_id or driver_store_id
    if store_id is None and await sql.fetch_value(COUNT_CURRENCIES, caller.owner_id) > 1:
        raise ValidationFailed(restaurant_id=["Required, as your stores use several currencies."])
    if store_id is not None:
        try:
            await require_store(caller, store_id)
        except NotFound as error:
            raise ValidationFailed(restaurant_id=[f"You have no store {store_id}."]) from error
    store = await sql.fetch_one(SELECT_STORE, caller.owner_id, store_id)
    if store is None:
        raise ValidationFailed(restaurant_id=[Sentence("You have no store yet.")])
    return store


def _resolve_period(query: EarningsQuery, today: date) -> tuple[date, date]:
    monday = today - timedelta(days=today.weekday())
    first = query.from_ or (monday if query.to is None else max(query.to, date.min + WEEK) - WEEK + DAY)
    last = query.to or (monday + WEEK - DAY if query.from_ is None else min(first, date.max - WEEK) + WEEK - DAY)
    if last < first:
        raise ValidationFailed(to=[Sentence("Must not be before `from`.")])
    if (last - first).days >= MAX_DAYS:
        raise ValidationFailed(to=[Sentence("The period must not exceed %(number)s days.", number=MAX_DAYS)])
    return first, last


def _summarize(rows: Sequence[sql.Row], first: date, last: date, currency: str) -> EarningsSummary:
    def to_money(minor: int) -> Money:
        return Money(minor, currency)

    def to_earning(row: sql.Row) -> DeliveryEarning:
        base, tip = to_money(row["base_minor"]), to_money(row["tip_minor"])
        return DeliveryEarning(row["order_id"], row["earned_at"], base, tip, base + tip)

    items = [to_earning(row) for row in rows if row["order_id"] is not None]
    columns = ("base_minor", "tip_minor", "adjustment_minor")
    base, tips, adjustments = (to_money(sum(row[column] for row in rows)) for column in columns)
    return EarningsSummary(
        first,
        last,
        currency,
        deliveries=len(items),
        base=base,
        tips=tips,
        adjustments=adjustments,
        total=base + tips + adjustments,
        items=items,
        adjusted=[
            EarningsAdjustment(to_money(row["adjustment_minor"]), row["reason"], row["earned_at"])
            for row in rows
            if row["order_id"] is None
        ],
    )


async def record_tips(owner_id: int, data: Any) -> None:
    """Store the sum of the tips in the data of an ``order.paid`` event, if its order is a delivery."""
    tip_minor = sum(to_minor(payment["tip"], data["currency"]) for payment in data["payments"])
    if tip_minor:
        await sql.execute(UPSERT_TIP, data["order_id"], owner_id, tip_minor)
