"""Totals of days, updated by counting single orders.

An order is counted as it is now, and what it counted for until now is taken off, while its store is locked. So events
may be repeated, late or out of order. A difference belongs to the day on which the order changed, payments and refunds
to the days on which they were made; and nothing is added to a day that is closed, but to the first that is open.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple, TypedDict
from zoneinfo import ZoneInfo

import orjson
from comanda.orders import OrderAmended, OrderChargeAdded, OrderCreated, OrderPaymentChanged, OrderStatusChanged
from comanda.platform.db import sql
from comanda.platform.tasks import notifier
from comanda.stores import get_day
from comanda_payments.api import MoneyMovement, list_money_movements

from comanda_closings.services.figures import Sums, count_allowances, count_movement, count_sale

BACKFILL_TASK: Final = "closings_fill"
HANDLER_NAME: Final = "closings_days"
EVENTS: Final = (OrderCreated, OrderAmended, OrderStatusChanged, OrderChargeAdded, OrderPaymentChanged)
EVENT_NAMES: Final = tuple(event.name for event in EVENTS)
DAY: Final = timedelta(days=1)
# Orders are counted in Python, and other work of the process goes on between batches.
BATCH_SIZE: Final = 100

SELECT_STORES: Final = """
    SELECT DISTINCT o.store_id, o.owner_id FROM unnest($1::bigint[], $2::bigint[]) AS requested (id, owner_id)
    JOIN core_order_v1 o ON o.id = requested.id AND o.owner_id = requested.owner_id
"""
# Rows are locked in a fixed order.
LOCK_STORES: Final = """
    INSERT INTO closings_store AS known (store_id, owner_id)
    SELECT store_id, owner_id FROM unnest($1::bigint[], $2::bigint[]) AS requested (store_id, owner_id)
    ORDER BY store_id, owner_id
    ON CONFLICT (store_id, owner_id) DO UPDATE SET store_id = EXCLUDED.store_id
    RETURNING store_id, owner_id, counted_to, is_complete, closed_to, last_number
"""
SELECT_CALENDARS: Final = """
    SELECT s.id, s.owner_id, s.timezone, s.day_start_minutes
    FROM unnest($1::bigint[], $2::bigint[]) AS requested (id, owner_id)
    JOIN core_store_v1 s ON s.id = requested.id AND s.owner_id = requested.owner_id
"""
# Orders as they are now, and what they have been counted as.
SELECT_ORDERS: Final = """
    SELECT o.id, o.owner_id, o.store_id, o.business_date, o.type, o.status, o.source, o.subtotal_minor,
        o.discount_total_minor, o.service_charge_minor, o.delivery_fee_minor, o.charges_minor, o.tax_total_minor,
        o.is_tax_included, o.tip_minor, o.total_minor, o.paid_minor, o.refunded_minor, o.late_due_minor, o.paid_at,
        o.taxes, o.given_discounts, o.attributes, o.created_at, o.updated_at, voided.quantity AS voided_quantity,
        voided.amount_minor AS voided_minor, c.counted,
        (SELECT json_agg(json_build_object('id', l.id, 'item_id', l.item_id, 'quantity', l.quantity,
                'gross_minor', l.unit_price_minor * l.quantity, 'discount_minor', l.discount_minor,
                'category_id', i.category_id) ORDER BY l.id)
            FROM core_order_line_v1 l
            LEFT JOIN core_menu_item_v1 i ON i.id = l.item_id AND i.owner_id = l.owner_id
            WHERE l.order_id = o.id AND l.owner_id = o.owner_id) AS lines
    FROM unnest($1::bigint[], $2::bigint[]) AS requested (id, owner_id)
    JOIN core_order_v1 o ON o.id = requested.id AND o.owner_id = requested.owner_id
    LEFT JOIN closings_order c ON c.order_id = o.id AND c.owner_id = o.owner_id
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(v.voided_quantity), 0)::bigint AS quantity,
            coalesce(sum(v.voided_quantity * v.unit_price_minor), 0)::bigint AS amount_minor
        FROM core_voided_line_v1 v WHERE v.order_id = o.id AND v.owner_id = o.owner_id AND o.amendments > 0) AS voided
"""
SAVE_COUNTED: Final = """
    INSERT INTO closings_order AS c (order_id, owner_id, store_id, counted)
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::jsonb[])
    ON CONFLICT (order_id, owner_id) DO UPDATE SET counted = EXCLUDED.counted WHERE c.counted <> EXCLUDED.counted
"""
ADD_TOTALS: Final = """
    INSERT INTO closings_day_total AS t (store_id, owner_id, business_day, calendar_day, section, code, count,
        amount_minor, tax_minor)
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::date[], $4::date[], $5::text[], $6::text[], $7::bigint[],
        $8::bigint[], $9::bigint[])
    ON CONFLICT (store_id, owner_id, business_day, calendar_day, section, code) DO UPDATE SET
        count = t.count + EXCLUDED.count, amount_minor = t.amount_minor + EXCLUDED.amount_minor,
        tax_minor = t.tax_minor + EXCLUDED.tax_minor
"""

NOTHING_COUNTED: Final[Mapping[str, Any]] = {"sale": [], "money": {}, "categories": {}}

StoreKey = tuple[int, int]


class DayPair(NamedTuple):
    """The day of a moment, of each kind: what counts for one counts for the other, and is one row of the totals."""

    business: date
    calendar: date


class StoredMovement(TypedDict):
    """A payment or refund as it has been counted: its day of each kind, and its sums."""

    days: dict[str, str]
    sums: list[list[Any]]


@dataclass(frozen=True, slots=True)
class StoreDays:
    """The days of a store: its calendar, when its business days begin, and the last of them that is closed."""

    zone: ZoneInfo
    start_minutes: int
    closed_to: date | None

    def get_days(self, moment: datetime) -> DayPair:
        return DayPair(get_day(moment, self.zone, self.start_minutes), get_day(moment, self.zone))

    def get_open_days(self, days: DayPair) -> DayPair:
        """Return days, with the first business day that is open in place of one that is closed."""
        if self.closed_to is None or days.business > self.closed_to:
            return days
        return DayPair(self.closed_to + DAY, days.calendar)


@dataclass(frozen=True, slots=True)
class Difference:
    """What an order counts for beyond what it has been counted as, by day, and the row to store for it."""

    order: sql.Row
    by_day: Mapping[DayPair, Sums]
    counted: str


async def count_orders(orders: Collection[tuple[int, int]]) -> None:
    """Count orders, given as ``(order_id, owner_id)``."""
    ids, owner_ids = [order_id for order_id, _ in orders], [owner_id for _, owner_id in orders]
    stores = [(row["store_id"], row["owner_id"]) for row in await sql.fetch(SELECT_STORES, ids, owner_ids)]
    if not stores:
        return
    async with sql.transaction():
        states = await lock_stores(stores)
        await update_totals(ids, owner_ids, await get_store_days(states))
    if not all(state["is_complete"] for state in states):
        request_backfill()


async def lock_stores(stores: Sequence[StoreKey]) -> list[sql.Row]:
    """Lock the rows of stores, which are inserted if they are missing, and return them."""
    return await sql.fetch(LOCK_STORES, [store_id for store_id, _ in stores], [owner_id for _, owner_id in stores])


async def get_store_days(states: Iterable[sql.Row]) -> dict[StoreKey, StoreDays]:
    """Return the days of stores, given as their rows."""
    closed_to = {(state["store_id"], state["owner_id"]): state["closed_to"] for state in states}
    keys = list(closed_to)
    rows = await sql.fetch(SELECT_CALENDARS, [store_id for store_id, _ in keys], [owner_id for _, owner_id in keys])
    return {
        key: StoreDays(ZoneInfo(row["timezone"]), row["day_start_minutes"], closed_to[key])
        for row in rows
        if (key := (row["id"], row["owner_id"]))
    }


async def update_totals(ids: Sequence[int], owner_ids: Sequence[int], days: Mapping[StoreKey, StoreDays]) -> None:
    """Add the differences of orders to the totals of their stores, which are locked."""
    for start in range(0, len(ids), BATCH_SIZE):
        part = slice(start, start + BATCH_SIZE)
        await _update_totals(ids[part], owner_ids[part], days)


async def _update_totals(ids: Sequence[int], owner_ids: Sequence[int], days: Mapping[StoreKey, StoreDays]) -> None:
    differences = await list_differences(ids, owner_ids, days)
    sums: dict[tuple[StoreKey, DayPair], Sums] = defaultdict(Sums)
    for difference in differences:
        for on, added in difference.by_day.items():
            sums[(difference.order["store_id"], difference.order["owner_id"]), on].add_all(added)
    await add_totals(sums)
    rows = [(each.order["id"], each.order["owner_id"], each.order["store_id"], each.counted) for each in differences]
    if rows:
        await sql.execute(SAVE_COUNTED, *(list(column) for column in zip(*rows, strict=True)))


async def add_totals(sums: Mapping[tuple[StoreKey, DayPair], Sums]) -> None:
    """Add sums to the days of stores, which are locked."""
    totals = sorted(
        (*store, *on, *key, *amounts) for (store, on), added in sums.items() for key, amounts in added.by_key.items()
    )
    if totals:
        await sql.execute(ADD_TOTALS, *(list(column) for column in zip(*totals, strict=True)))


async def list_differences(
    ids: Sequence[int],
    owner_ids: Sequence[int],
    days: Mapping[StoreKey, StoreDays],
    counted: Mapping[int, str | None] | None = None,
) -> list[Difference]:
    """Return what orders of these stores count for beyond what they have been counted as.

    ``counted`` is what they had been counted as at an earlier moment, by order.
    """
    orders = await sql.fetch(SELECT_ORDERS, ids, owner_ids)
    movements = await list_money_movements(ids, owner_ids)
    return [
        _compare(
            order,
            movements.get(order["id"], ()),
            days[order["store_id"], order["owner_id"]],
            order["counted"] if counted is None else counted[order["id"]],
        )
        for order in orders
        if (order["store_id"], order["owner_id"]) in days
    ]


def request_backfill() -> None:
    """Start the task that counts the orders of incomplete stores, unless it runs."""
    notifier.notify(BACKFILL_TASK)


def _compare(order: sql.Row, movements: Sequence[MoneyMovement], days: StoreDays, counted: str | None) -> Difference:
    before: Mapping[str, Any] = orjson.loads(counted) if counted else NOTHING_COUNTED
    lines = orjson.loads(order["lines"] or "[]")
    # An item that has moved to another category since then stays where it was sold.
    categories = {line["item_id"]: _get_category(line, before["categories"]) for line in lines}
    by_day: dict[DayPair, Sums] = defaultdict(Sums)

    money = _count_money(by_day, before["money"], movements, order, days)
    moved = Sums()
    for stored in money.values():
        moved.add_all(Sums.from_json(stored["sums"]))
    sale = count_sale(order, lines, categories, days.zone)
    sale.add_all(count_allowances(order, moved))
    changed = Sums()
    changed.add_all(sale)
    changed.add_all(Sums.from_json(before["sale"]), -1)
    placed = DayPair(order["business_date"], get_day(order["created_at"], days.zone))
    on = placed if counted is None else DayPair(*map(max, placed, days.get_days(order["updated_at"])))
    by_day[days.get_open_days(on)].add_all(changed)

    after = {"sale": sale.to_json(), "money": money, "categories": categories}
    return Difference(order, by_day, orjson.dumps(after, option=orjson.OPT_NON_STR_KEYS).decode())


def _count_money(
    by_day: dict[DayPair, Sums],
    before: Mapping[str, StoredMovement],
    movements: Sequence[MoneyMovement],
    order: sql.Row,
    days: StoreDays,
) -> dict[str, StoredMovement]:
    """Add new payments and refunds to their days, and return what is stored of all."""
    money = dict(before)
    for movement in movements:
        if movement.key not in money:
            moved, on = count_movement(movement, order), days.get_days(movement.moved_at)
            stored_days = {"business": on.business.isoformat(), "calendar": on.calendar.isoformat()}
            money[movement.key] = {"days": stored_days, "sums": moved.to_json()}
            by_day[days.get_open_days(on)].add_all(moved)
    # Payments go with the lines of an order that is merged into another one.
    for key in money.keys() - {movement.key for movement in movements}:
        stored = money.pop(key)
        on = DayPair(**{name: date.fromisoformat(day) for name, day in stored["days"].items()})
        by_day[days.get_open_days(on)].add_all(Sums.from_json(stored["sums"]), -1)
    return money


def _get_category(line: Mapping[str, Any], known: Mapping[str, str]) -> str:
    current = "" if line["category_id"] is None else str(line["category_id"])
    return known.get(str(line["item_id"]), current)
