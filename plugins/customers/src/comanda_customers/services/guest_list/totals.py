"""Guest totals, kept in step with orders.

Totals are recomputed, never incremented: the order's row is overwritten, then its day and its guest are summed up
again. An event may therefore arrive twice, late or out of order, and the cost does not grow with the number of a
guest's orders: the orders of one day and the days of one guest are read, never all orders.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from comanda.basics import normalize_phone
from comanda.orders import erasure
from comanda.platform.db import split_by_statement, sql

from comanda_customers.services.guest_list.search import normalize_text

GuestKey = tuple[int, int, str]  # owner, store, identity

# Most orders of a busy counter belong to no guest; they are filtered out before any lock is taken.
SELECT_ORDERS_WITH_IDENTITY = """
    SELECT o.id, o.owner_id FROM unnest($1::bigint[], $2::bigint[]) AS given (id, owner_id)
    JOIN core_order_v1 o ON o.id = given.id AND o.owner_id = given.owner_id
    WHERE o.phone IS NOT NULL OR o.customer_id IS NOT NULL OR EXISTS (
        SELECT FROM customers_guest_order recorded WHERE recorded.order_id = o.id AND recorded.owner_id = o.owner_id)
"""
# An order stays with its guest, even when the store's country changes.
SELECT_ORDERS = """
    SELECT o.id, o.owner_id, o.store_id, o.customer_id, o.customer_name, o.phone, s.country, g.identity
    FROM unnest($1::bigint[], $2::bigint[]) AS given (id, owner_id)
    JOIN core_order_v1 o ON o.id = given.id AND o.owner_id = given.owner_id
    JOIN core_store_v1 s ON s.id = o.store_id AND s.owner_id = o.owner_id
    LEFT JOIN customers_guest_order recorded ON recorded.order_id = o.id AND recorded.owner_id = o.owner_id
    LEFT JOIN customers_guest g ON g.id = recorded.guest_id AND g.owner_id = recorded.owner_id
    ORDER BY o.id
"""
# Existing guests are locked too, always in the same order: two dispatchers may process events of one guest.
UPSERT_AND_LOCK_GUESTS = """
    INSERT INTO customers_guest (owner_id, store_id, identity)
    SELECT owner_id, store_id, identity FROM unnest($1::bigint[], $2::bigint[], $3::text[])
        AS given (owner_id, store_id, identity)
    ORDER BY owner_id, store_id, identity COLLATE "C"
    ON CONFLICT (store_id, owner_id, identity) DO UPDATE SET identity = EXCLUDED.identity
    RETURNING id, owner_id, store_id, identity
"""
# Runs after the guests are locked, so the last writer has read the latest orders.
UPSERT_GUEST_ORDERS = """
    INSERT INTO customers_guest_order AS recorded
        (order_id, owner_id, guest_id, business_date, spent_minor, is_counted, placed_at)
    SELECT o.id, o.owner_id, given.guest_id, o.business_date, greatest(o.paid_minor - o.refunded_minor, 0),
        o.status <> 'cancelled', o.created_at
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS given (id, owner_id, guest_id)
    JOIN core_order_v1 o ON o.id = given.id AND o.owner_id = given.owner_id
    ORDER BY o.id
    ON CONFLICT (order_id, owner_id) DO UPDATE
        SET spent_minor = EXCLUDED.spent_minor, is_counted = EXCLUDED.is_counted
    RETURNING guest_id, owner_id, business_date
"""
# The maximum of the columns. Only orders from before totals were limited can exceed it; the sum is capped then.
MAX_SPENT_MINOR = 2**63 - 1
UPSERT_VISITS = f"""
    INSERT INTO customers_visit
        (owner_id, guest_id, business_date, orders, spent_minor, first_placed_at, last_placed_at)
    SELECT o.owner_id, o.guest_id, o.business_date, count(*) FILTER (WHERE o.is_counted),
        least(coalesce(sum(o.spent_minor) FILTER (WHERE o.is_counted), 0), {MAX_SPENT_MINOR}),
        min(o.placed_at) FILTER (WHERE o.is_counted), max(o.placed_at) FILTER (WHERE o.is_counted)
    FROM (SELECT DISTINCT * FROM unnest($1::bigint[], $2::bigint[], $3::date[])) AS day (guest_id, owner_id, date)
    JOIN customers_guest_order o
        ON o.guest_id = day.guest_id AND o.owner_id = day.owner_id AND o.business_date = day.date
    GROUP BY o.owner_id, o.guest_id, o.business_date
    ON CONFLICT (guest_id, owner_id, business_date) DO UPDATE
        SET orders = EXCLUDED.orders, spent_minor = EXCLUDED.spent_minor,
            first_placed_at = EXCLUDED.first_placed_at, last_placed_at = EXCLUDED.last_placed_at
"""
UPDATE_GUEST_TOTALS = f"""
    UPDATE customers_guest g
    SET visits = totals.visits, orders = totals.orders, total_spent_minor = totals.spent_minor,
        first_visit_on = totals.first_on, last_visit_on = totals.last_on,
        first_seen_at = totals.first_at, last_seen_at = totals.last_at,
        third_last_on = (
            SELECT o.business_date FROM customers_guest_order o
            WHERE o.guest_id = given.id AND o.owner_id = given.owner_id AND o.is_counted
              AND o.owner_id = ANY($8::bigint[])
            ORDER BY o.business_date DESC OFFSET 2 LIMIT 1),
        name = CASE WHEN given.name_order_id >= coalesce(g.name_order_id, 0) THEN given.name ELSE g.name END,
        search = CASE WHEN given.name_order_id >= coalesce(g.name_order_id, 0) AND g.own_name IS NULL
            THEN given.search ELSE g.search END,
        name_order_id = greatest(given.name_order_id, g.name_order_id),
        phone = CASE WHEN given.phone_order_id >= coalesce(g.phone_order_id, 0) THEN given.phone ELSE g.phone END,
        phone_order_id = greatest(given.phone_order_id, g.phone_order_id)
    FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::bigint[])
        AS given (id, owner_id, name, search, name_order_id, phone, phone_order_id),
    LATERAL (
        SELECT count(*) AS visits, coalesce(sum(v.orders), 0) AS orders,
            least(coalesce(sum(v.spent_minor), 0), {MAX_SPENT_MINOR}) AS spent_minor,
            min(v.business_date) AS first_on, max(v.business_date) AS last_on,
            min(v.first_placed_at) AS first_at, max(v.last_placed_at) AS last_at
        FROM customers_visit v WHERE v.guest_id = given.id AND v.owner_id = given.owner_id AND v.orders > 0
          AND v.owner_id = ANY($8::bigint[])
    ) AS totals
    WHERE g.id = given.id AND g.owner_id = given.owner_id AND g.owner_id = ANY($8::bigint[])
"""


@dataclass(slots=True)
class GuestOrders:
    """The orders of one guest in a batch: their ids, and the name and phone of the latest that has one."""

    order_ids: list[int] = field(default_factory=list)
    name: str | None = None
    name_order_id: int | None = None
    phone: str | None = None
    phone_order_id: int | None = None

    def add_order(self, order_id: int, name: str | None, phone: str | None) -> None:
        """Add an order; orders are added by ascending id."""
        self.order_ids.append(order_id)
        if name is not None:
            self.name, self.name_order_id = name, order_id
        if phone is not None:
            self.phone, self.phone_order_id = phone, order_id


async def update_guests(orders: Collection[tuple[int, int]]) -> None:
    """Update the guests of these orders, given as pairs of order id and owner id.

    Orders with neither customer nor phone belong to no guest.
    """
    identified = [tuple(row) for row in await sql.fetch(SELECT_ORDERS_WITH_IDENTITY, *_to_columns(orders, 2))]
    if not identified:
        return
    async with sql.transaction():
        await erasure.lock_for_copying()
        guests = _group_by_guest(await sql.fetch(SELECT_ORDERS, *_to_columns(identified, 2)))
        if guests:
            await _save_guests(guests)


def _group_by_guest(rows: Sequence[sql.Row]) -> dict[GuestKey, GuestOrders]:
    guests: dict[GuestKey, GuestOrders] = {}
    for row in rows:
        phone = normalize_phone(row["phone"], row["country"]) if row["phone"] else None
        identity = row["identity"] or _get_identity(row["customer_id"], phone)
        if identity is not None:
            guest = guests.setdefault((row["owner_id"], row["store_id"], identity), GuestOrders())
            guest.add_order(row["id"], row["customer_name"], phone)
    return guests


def _get_identity(customer_id: int | None, phone: str | None) -> str | None:
    return phone if customer_id is None else f"customer:{customer_id}"


async def _save_guests(orders_by_guest: dict[GuestKey, GuestOrders]) -> None:
    locked = await sql.fetch(UPSERT_AND_LOCK_GUESTS, *_to_columns(orders_by_guest, 3))
    guests = [
        (row["id"], orders_by_guest[row["owner_id"], row["store_id"], row["identity"]], row["owner_id"])
        for row in locked
    ]
    orders = [(order_id, owner_id, guest_id) for guest_id, guest, owner_id in guests for order_id in guest.order_ids]
    days = await sql.fetch(UPSERT_GUEST_ORDERS, *_to_columns(orders, 3))
    await sql.execute(UPSERT_VISITS, *_to_columns([tuple(day) for day in days], 3))
    for owner_ids in await split_by_statement("customers_guest", [owner_id for _, _, owner_id in guests]):
        await _update_totals(owner_ids, [guest for guest in guests if guest[2] in owner_ids])


async def _update_totals(owner_ids: list[int], guests: list[tuple[int, GuestOrders, int]]) -> None:
    updates = [
        (id, owner_id, guest.name, normalize_text(guest.name or ""), guest.name_order_id, guest.phone,
         guest.phone_order_id)
        for id, guest, owner_id in guests
    ]  # fmt: skip
    await sql.execute(UPDATE_GUEST_TOTALS, *_to_columns(updates, 7), owner_ids)


def _to_columns(rows: Any, width: int) -> list[list[Any]]:
    """Return rows as the column arrays that a statement unnests."""
    return [list(column) for column in zip(*rows, strict=True)] or [[] for _ in range(width)]
