"""What owners see of their guests, and what they note about them."""

from typing import Any

from comanda import clock, money
from comanda.contracts.callers import Caller
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import NotFound

from comanda_customers.models import Guest
from comanda_customers.schemas.guests import GuestChange, GuestQuery
from comanda_customers.searching import fold, phone_digits
from comanda_customers.segments import BAR, LABELS, SEGMENT, Segment, business_day

STORE = "SELECT currency, timezone, day_start_minutes FROM core_store WHERE id = $1 AND owner_id = $2"

# Texts are looked for as they are: no sign in them stands for others.
GUESTS = f"""
    WITH {BAR}, guest AS (
        SELECT g.id, coalesce(g.own_name, g.name) AS name, g.phone, g.email, g.visits, g.orders, g.total_spent_minor,
            g.first_seen_at, g.last_seen_at, g.tags, {SEGMENT} AS segment
        FROM customers_guest g, bar
        WHERE g.store_id = $1 AND g.owner_id = $2 AND g.orders > 0
            AND ($4 = '' OR strpos(g.search, $4) > 0 OR strpos(g.email, $4) > 0
                 OR $5 <> '' AND strpos(g.phone, $5) > 0))
"""
WANTED = "FROM guest WHERE ($6::text IS NULL OR segment = $6)"
PAGE = f"{GUESTS} SELECT * {WANTED} ORDER BY last_seen_at DESC, id DESC LIMIT $7 OFFSET $8"
COUNT = f"{GUESTS} SELECT count(*) {WANTED}"
ONE = f"""
    WITH {BAR}
    SELECT g.id, coalesce(g.own_name, g.name) AS name, g.phone, g.email, g.visits, g.orders, g.total_spent_minor,
        g.first_seen_at, g.last_seen_at, g.tags, {SEGMENT} AS segment
    FROM customers_guest g, bar WHERE g.store_id = $1 AND g.owner_id = $2 AND g.orders > 0 AND g.id = $4
"""
SEGMENTS = f"""
    WITH {BAR}
    SELECT segment, count(*) AS count, sum(total_spent_minor) AS total_spent_minor
    FROM (SELECT g.total_spent_minor, {SEGMENT} AS segment
          FROM customers_guest g, bar WHERE g.store_id = $1 AND g.owner_id = $2 AND g.orders > 0) AS guest
    WHERE segment IS NOT NULL GROUP BY segment
"""


async def page_of_guests(caller: Caller, store_id: int, query: GuestQuery, page: PageRequest) -> dict[str, Any]:
    """List a store's guests, who was there last first. Raises ``NotFound`` for another owner's store."""
    store = await _own_store(caller, store_id)
    wanted = (store_id, caller.owner_id, _today(store), fold(query.search), phone_digits(query.search), query.segment)
    rows = await sql.fetch(PAGE, *wanted, page.size(), page.offset())
    total = await sql.fetch_value(COUNT, *wanted)
    return page.envelope([_record(row, store["currency"]) for row in rows], total)


async def page_of_segments(caller: Caller, store_id: int, page: PageRequest) -> dict[str, Any]:
    """List every segment with its guests and what they spent, empty ones too. Raises ``NotFound``."""
    store = await _own_store(caller, store_id)
    rows = {row["segment"]: row for row in await sql.fetch(SEGMENTS, store_id, caller.owner_id, _today(store))}
    segments = [
        {
            "key": key.value,
            "label": LABELS[key],
            "count": rows[key]["count"] if key in rows else 0,
            "total_spent": money.to_number(
                int(rows[key]["total_spent_minor"]) if key in rows else 0, store["currency"]
            ),
        }
        for key in Segment
    ]
    return page.envelope(segments[page.offset() : page.offset() + page.size()], len(segments))


async def guest(caller: Caller, store_id: int, guest_id: int) -> dict[str, Any]:
    """Describe one guest. Raises ``NotFound``, also for one whose orders were all cancelled."""
    store = await _own_store(caller, store_id)
    row = await sql.fetch_one(ONE, store_id, caller.owner_id, _today(store), guest_id)
    if row is None:
        raise NotFound
    return _record(row, store["currency"])


async def change_guest(caller: Caller, store_id: int, guest_id: int, change: GuestChange) -> dict[str, Any]:
    """Set a guest's tags, and what the owner calls them whatever their orders say. Raises ``NotFound``."""
    await _own_store(caller, store_id)
    async with sql.transaction():
        # The name that orders give may change at this moment, and with it what the guest is found by.
        mine = Guest.select_for_update(no_key=True).filter(owner_id=caller.owner_id, store_id=store_id, orders__gt=0)
        found = await mine.get_or_none(id=guest_id)
        if found is None:
            raise NotFound
        if change.tags is not None:
            found.tags = change.tags
        if "name" in change.model_fields_set:
            found.own_name = change.name
            found.search = fold(change.name or found.name or "")
        await found.save(update_fields=["tags", "own_name", "search"])
    return await guest(caller, store_id, guest_id)


async def _own_store(caller: Caller, store_id: int) -> sql.Row:
    reaches = caller.store_id in (None, store_id)
    store = await sql.fetch_one(STORE, store_id, caller.owner_id) if reaches else None
    if store is None:
        raise NotFound
    return store


def _today(store: sql.Row) -> Any:
    return business_day(clock.now(), store["timezone"], store["day_start_minutes"])


def _record(row: sql.Row, currency: str) -> dict[str, Any]:
    spent_minor, orders = row["total_spent_minor"], row["orders"]
    return {
        "id": row["id"],
        "name": row["name"],
        "phone": row["phone"],
        "email": row["email"],
        "visits": row["visits"],
        "orders": orders,
        "total_spent": money.to_number(spent_minor, currency),
        "avg_order": money.to_number(money.round_half_up(spent_minor, orders), currency),
        "first_seen_at": row["first_seen_at"],
        "last_seen_at": row["last_seen_at"],
        "tags": row["tags"],
        "segment": row["segment"],
    }
