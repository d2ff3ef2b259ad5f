"""Keeps guests in step with orders, from the events that orders send.

Nothing is counted up: an order's part is written over, then its day and its guest are added up anew. So an event may
come twice, late or before another, and costs no more for a guest of many orders than for a new one: the orders of one
day and the days of one guest are read, never all orders.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from comanda.contracts.events import StoredEvent
from comanda.db import sql
from comanda.orders import erasure
from comanda.phones import normalize_phone

from comanda_customers.searching import fold

Key = tuple[int, int, str]  # owner, store, identity

# Most orders of a busy counter are nobody's; those are told apart before anything is locked for the others.
SOMEBODYS = """
    SELECT o.id, o.owner_id FROM unnest($1::bigint[], $2::bigint[]) AS asked (id, owner_id)
    JOIN core_order o ON o.id = asked.id AND o.owner_id = asked.owner_id
    WHERE o.phone IS NOT NULL OR o.customer_id IS NOT NULL OR EXISTS (
        SELECT FROM customers_guest_order known WHERE known.order_id = o.id AND known.owner_id = o.owner_id)
"""
# Whose an order is does not change any more, even when the store's country does.
READ = """
    SELECT o.id, o.owner_id, o.store_id, o.customer_id, o.customer_name, o.phone, s.country, g.identity
    FROM unnest($1::bigint[], $2::bigint[]) AS asked (id, owner_id)
    JOIN core_order o ON o.id = asked.id AND o.owner_id = asked.owner_id
    JOIN core_store s ON s.id = o.store_id AND s.owner_id = o.owner_id
    LEFT JOIN customers_guest_order known ON known.order_id = o.id AND known.owner_id = o.owner_id
    LEFT JOIN customers_guest g ON g.id = known.guest_id AND g.owner_id = known.owner_id
    ORDER BY o.id
"""
# Locks the guests that are there too, always in one order. Two dispatchers may hold events of one guest.
HOLD = """
    INSERT INTO customers_guest (owner_id, store_id, identity)
    SELECT owner_id, store_id, identity FROM unnest($1::bigint[], $2::bigint[], $3::text[])
        AS asked (owner_id, store_id, identity)
    ORDER BY owner_id, store_id, identity COLLATE "C"
    ON CONFLICT (store_id, owner_id, identity) DO UPDATE SET identity = EXCLUDED.identity
    RETURNING id, owner_id, store_id, identity
"""
# Read after the guests are locked: whoever writes last has read last.
RECORD = """
    INSERT INTO customers_guest_order AS known
        (order_id, owner_id, guest_id, business_date, spent_minor, is_counted, placed_at)
    SELECT o.id, o.owner_id, asked.guest_id, o.business_date, greatest(o.total_minor - o.refunded_minor, 0),
        o.status <> 'cancelled', o.created_at
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS asked (id, owner_id, guest_id)
    JOIN core_order o ON o.id = asked.id AND o.owner_id = asked.owner_id
    ORDER BY o.id
    ON CONFLICT (order_id, owner_id) DO UPDATE
        SET spent_minor = EXCLUDED.spent_minor, is_counted = EXCLUDED.is_counted
    RETURNING guest_id, owner_id, business_date
"""
# What the columns hold. Only orders from before totals had a limit come to more; their guest stops there.
MAX_SPENT_MINOR = 2**63 - 1
ADD_UP_DAYS = f"""
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
ADD_UP_GUESTS = f"""
    UPDATE customers_guest g
    SET visits = added.visits, orders = added.orders, total_spent_minor = added.spent_minor,
        first_visit_on = added.first_on, last_visit_on = added.last_on,
        first_seen_at = added.first_at, last_seen_at = added.last_at,
        third_last_on = (
            SELECT o.business_date FROM customers_guest_order o
            WHERE o.guest_id = asked.id AND o.owner_id = asked.owner_id AND o.is_counted
            ORDER BY o.business_date DESC OFFSET 2 LIMIT 1),
        name = CASE WHEN asked.name_order_id >= coalesce(g.name_order_id, 0) THEN asked.name ELSE g.name END,
        search = CASE WHEN asked.name_order_id >= coalesce(g.name_order_id, 0) AND g.own_name IS NULL
            THEN asked.search ELSE g.search END,
        name_order_id = greatest(asked.name_order_id, g.name_order_id),
        phone = CASE WHEN asked.phone_order_id >= coalesce(g.phone_order_id, 0) THEN asked.phone ELSE g.phone END,
        phone_order_id = greatest(asked.phone_order_id, g.phone_order_id)
    FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::bigint[])
        AS asked (id, owner_id, name, search, name_order_id, phone, phone_order_id),
    LATERAL (
        SELECT count(*) AS visits, coalesce(sum(v.orders), 0) AS orders,
            least(coalesce(sum(v.spent_minor), 0), {MAX_SPENT_MINOR}) AS spent_minor,
            min(v.business_date) AS first_on, max(v.business_date) AS last_on,
            min(v.first_placed_at) AS first_at, max(v.last_placed_at) AS last_at
        FROM customers_visit v WHERE v.guest_id = asked.id AND v.owner_id = asked.owner_id AND v.orders > 0
    ) AS added
    WHERE g.id = asked.id AND g.owner_id = asked.owner_id
"""


@dataclass(slots=True)
class Told:
    """What a batch's orders tell of one guest: their ids, and the name and number that the latest of them has."""

    order_ids: list[int] = field(default_factory=list)
    name: str | None = None
    name_order_id: int | None = None
    phone: str | None = None
    phone_order_id: int | None = None

    def hear(self, order_id: int, name: str | None, phone: str | None) -> None:
        """Take an order in; they come in the order of their ids."""
        self.order_ids.append(order_id)
        if name is not None:
            self.name, self.name_order_id = name, order_id
        if phone is not None:
            self.phone, self.phone_order_id = phone, order_id


async def follow(events: Sequence[StoredEvent]) -> None:
    """Bring the guests of these events' orders up to date. Orders with neither customer nor phone are nobody's."""
    orders = {(int(str(event.data["order_id"])), event.owner_id) for event in events}
    somebodys = [tuple(row) for row in await sql.fetch(SOMEBODYS, *_columns(orders, 2))]
    if not somebodys:
        return
    async with sql.transaction():
        await erasure.lock_for_copying()
        told = _sorted_by_guest(await sql.fetch(READ, *_columns(somebodys, 2)))
        if told:
            await _write(told)


def _sorted_by_guest(rows: Sequence[sql.Row]) -> dict[Key, Told]:
    told: dict[Key, Told] = {}
    for row in rows:
        phone = normalize_phone(row["phone"], row["country"]) if row["phone"] else None
        identity = row["identity"] or _identity(row["customer_id"], phone)
        if identity is not None:
            guest = told.setdefault((row["owner_id"], row["store_id"], identity), Told())
            guest.hear(row["id"], row["customer_name"], phone)
    return told


def _identity(customer_id: int | None, phone: str | None) -> str | None:
    return phone if customer_id is None else f"customer:{customer_id}"


async def _write(told: dict[Key, Told]) -> None:
    held = await sql.fetch(HOLD, *_columns(told, 3))
    guests = [(row["id"], told[row["owner_id"], row["store_id"], row["identity"]], row["owner_id"]) for row in held]
    parts = [(order_id, owner_id, guest_id) for guest_id, guest, owner_id in guests for order_id in guest.order_ids]
    days = await sql.fetch(RECORD, *_columns(parts, 3))
    await sql.execute(ADD_UP_DAYS, *_columns([tuple(day) for day in days], 3))
    facts = [
        (id, owner_id, told.name, fold(told.name or ""), told.name_order_id, told.phone, told.phone_order_id)
        for id, told, owner_id in guests
    ]
    await sql.execute(ADD_UP_GUESTS, *_columns(facts, 7))


def _columns(rows: Any, width: int) -> list[list[Any]]:
    """Turn rows into the arrays that a statement unnests."""
    return [list(column) for column in zip(*rows, strict=True)] or [[] for _ in range(width)]
