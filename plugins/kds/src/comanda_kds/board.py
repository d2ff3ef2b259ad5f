"""The board of a kitchen: what is to be made, read in one statement."""

import hashlib
from collections.abc import Mapping
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, Final

import orjson
from comanda import clock
from comanda.db import sql

from comanda_kds import lines, rules
from comanda_kds.members import Post
from comanda_kds.rules import Rules
from comanda_kds.settings import current
from comanda_kds.states import ItemState

# The newest, should nobody clear a board for days.
MAX_ORDERS: Final = 500

# The first half is one range of the index `kds_order_due`: orders for later come when they are due. The second is what
# was recalled from orders that were over.
BOARD: Final = f"""
    WITH live AS (
        (SELECT o.id FROM core_order o
         WHERE o.store_id = $1 AND o.owner_id = $2 AND o.status IN ('new', 'preparing', 'ready')
            AND coalesce(o.scheduled_for, o.created_at) BETWEEN $3 AND $4
         ORDER BY coalesce(o.scheduled_for, o.created_at) DESC LIMIT {MAX_ORDERS})
        UNION
        (SELECT b.order_id FROM kds_item b
         WHERE b.store_id = $1 AND b.owner_id = $2 AND b.state <> '{ItemState.SERVED}' AND b.updated_at >= $3
         LIMIT {MAX_ORDERS * 10})
    )
    SELECT o.id AS order_id, o.number, o.type, o.status AS order_status, o.table_number, o.room_number,
        o.customer_name, o.note AS order_note, o.created_at, o.scheduled_for,
        l.id, l.item_id, l.name, l.quantity, l.variation, l.extras, l.note,
        {lines.STATE} AS state, {lines.STATION} AS station_id,
        {lines.STARTED_AT} AS started_at, {lines.READY_AT} AS ready_at
    FROM live JOIN core_order o ON o.id = live.id AND o.owner_id = $2
    {lines.OF_KITCHENS.format("$5")}
    {lines.ROWS} {lines.ROUTING}
    WHERE o.store_id = $1 AND o.status <> 'cancelled' AND {lines.STATE} <> '{ItemState.SERVED}'
        AND NOT {lines.IS_EXEMPT}
        AND ($6::bigint[] IS NULL OR {lines.STATION} IS NULL OR {lines.STATION} = ANY($6))
    ORDER BY greatest(o.created_at, o.scheduled_for - $7::interval), o.id, l.position, l.id
"""


async def tickets(post: Post) -> list[dict[str, Any]]:
    """Return the tickets of a member's stations, the one that waits longest first."""
    return (await read(post))[1]


async def read(post: Post) -> tuple[Rules, list[dict[str, Any]]]:
    """Return a kitchen's rules and its tickets."""
    known = await rules.of_store(post.owner_id, post.store_id)
    now = clock.now()
    rows = await sql.fetch(
        BOARD,
        post.store_id,
        post.owner_id,
        earliest(now),
        now + known.lead,
        lines.store_types(),
        None if post.station_ids is None else list(post.station_ids),
        known.lead,
    )
    orders = groupby(rows, lambda row: row["order_id"])
    return known, [_ticket(list(found), known, now) for _, found in orders]


def earliest(now: datetime) -> datetime:
    """Return the time of the oldest orders that are still shown."""
    return now - timedelta(hours=current().board_hours)


def all_day(board: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Count what tickets hold, by item and variation, what is to be made most of first."""
    counts: dict[tuple[int, str, str | None], dict[str, Any]] = {}
    for item in (item for ticket in board for item in ticket["items"]):
        variation = (item["variation"] or {}).get("name")
        key = (item["item_id"], item["name"], variation)
        fresh = {"item_id": item["item_id"], "name": item["name"], "variation": variation}
        count = counts.setdefault(
            key, {**fresh, "station_id": item["station_id"], "quantity": 0, "queued": 0, "preparing": 0, "ready": 0}
        )
        count[item["status"]] += item["quantity"]
        if item["status"] != ItemState.READY:
            count["quantity"] += item["quantity"]
    return sorted(counts.values(), key=lambda count: (-count["quantity"], count["name"], count["variation"] or ""))


def etag(board: list[dict[str, Any]]) -> str:
    """Return what changes with a board; that its tickets grow older by the second is no change."""
    ageless = [{name: value for name, value in entry.items() if name != "age_seconds"} for entry in board]
    return f'W/"{hashlib.blake2b(orjson.dumps(ageless), digest_size=9).hexdigest()}"'


def _ticket(rows: list[sql.Row], known: Rules, now: datetime) -> dict[str, Any]:
    order = rows[0]
    placed_at, promised_at = order["created_at"], order["scheduled_for"]
    since = placed_at if promised_at is None else max(placed_at, promised_at - known.lead)
    # An order for later whose lines were touched early is there before its time.
    since = min(since, now)
    items = [_item(row) for row in rows]
    return {
        "order_id": order["order_id"],
        "number": order["number"],
        "type": order["type"],
        "order_status": order["order_status"],
        "table_number": order["table_number"],
        "room_number": order["room_number"],
        "customer_name": order["customer_name"],
        "note": order["order_note"],
        "has_notes": bool(order["order_note"]) or any(item["has_note"] for item in items),
        "placed_at": placed_at,
        "promised_at": promised_at,
        "since": since,
        "age_seconds": int((now - since).total_seconds()),
        "lateness": known.lateness(since, now),
        "items": items,
    }


def _item(row: Mapping[str, Any] | sql.Row) -> dict[str, Any]:
    return {
        "id": row["id"],
        "item_id": row["item_id"],
        "name": row["name"],
        "quantity": row["quantity"],
        "variation": _json(row["variation"]),
        "extras": _json(row["extras"]),
        "note": row["note"],
        "has_note": bool(row["note"]),
        "status": row["state"],
        "station_id": row["station_id"],
        "started_at": row["started_at"],
        "ready_at": row["ready_at"],
    }


def _json(value: str | None) -> Any:
    return None if value is None else orjson.loads(value)
