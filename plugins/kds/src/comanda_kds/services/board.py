"""The board of a kitchen, read in one statement."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, Final

import orjson
from comanda.basics import clock
from comanda.contracts import Status, get_measure
from comanda.menu import list_line_facts, load_order_facts
from comanda.orders import AWAITS_PAYMENT, PAY_BY
from comanda.platform.db import sql
from comanda.stores import get_store_settings

from comanda_kds.models import ItemState
from comanda_kds.records import AllDayCount, KitchenBoard, KitchenItem, KitchenTicket, KitchenTimings, KitchenVoid
from comanda_kds.services import kitchen_settings, order_lines
from comanda_kds.services.station_assignments import StationAssignment
from comanda_kds.settings import get_settings
from comanda_kds.store_settings import KitchenWorkflow

# Limits a board that nobody has cleared for days; the newest orders stay.
MAX_ORDERS: Final = 500

# What had to be paid first is on the board since then.
ORDER_COLUMNS: Final = f"""
    o.id AS order_id, o.number, o.type, o.status AS order_status, o.table_number, o.room_number,
    o.customer_name, o.note AS order_note, o.attributes AS order_attributes, o.created_at, o.scheduled_for,
    coalesce(r.placed_at, CASE WHEN o.attributes ? '{PAY_BY}' THEN o.paid_at END) AS placed_at"""
LINE_COLUMNS: Final = f"""
    l.id, l.item_id, l.name, l.price_label, l.variation, l.extras, l.seat, l.course,
    {order_lines.STATION_ID} AS station_id"""
AT_STATIONS: Final = f"""
    AND NOT {order_lines.IS_EXEMPT}
    AND ($6::bigint[] IS NULL OR {order_lines.STATION_ID} IS NULL OR {order_lines.STATION_ID} = ANY($6))"""
# The first half of `live` is one range of the index `kds_order_due`, by the time an order is due. The second half is
# items that were recalled from closed orders. What was voided comes after the lines, as its order may have none left.
SELECT_BOARD: Final = f"""
    WITH live AS (
        (SELECT o.id FROM core_order_v1 o
         WHERE o.store_id = $1 AND o.owner_id = $2 AND o.status IN ('new', 'preparing', 'ready')
            AND coalesce(o.scheduled_for, o.created_at) BETWEEN $3 AND $4 AND NOT {AWAITS_PAYMENT}
         ORDER BY coalesce(o.scheduled_for, o.created_at) DESC LIMIT {MAX_ORDERS})
        UNION
        (SELECT b.order_id FROM kds_item b
         WHERE b.store_id = $1 AND b.owner_id = $2 AND b.state <> '{ItemState.SERVED}' AND b.updated_at >= $3
         LIMIT {MAX_ORDERS * 10})
    )
    (SELECT {ORDER_COLUMNS}, {LINE_COLUMNS}, l.quantity, l.note, l.round, l.position, made.attributes,
        {order_lines.ITEM_STATE} AS state, c.fired_at,
        {order_lines.IS_HELD} AS is_held, {order_lines.FIRE_AT} AS fire_at, st.bumps,
        {order_lines.STARTED_AT} AS started_at, {order_lines.READY_AT} AS ready_at,
        NULL::bigint AS void_id, NULL::timestamptz AS voided_at
    FROM live JOIN core_order_v1 o ON o.id = live.id AND o.owner_id = $2
    {order_lines.JOIN_STORES_WITH_KITCHEN.format("$5")}
    {order_lines.JOIN_LINES} {order_lines.JOIN_ROUTES} {order_lines.JOIN_STATIONS}
    {order_lines.JOIN_ROUNDS.format("l")} {order_lines.JOIN_COURSES}
    LEFT JOIN core_menu_item_v1 made ON made.id = l.item_id AND made.owner_id = l.owner_id
    WHERE o.store_id = $1 AND o.status <> 'cancelled' AND {order_lines.ITEM_STATE} <> '{ItemState.SERVED}'
        {AT_STATIONS})
    UNION ALL
    (SELECT {ORDER_COLUMNS}, {LINE_COLUMNS}, v.quantity, NULL, v.round, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        NULL, NULL, v.id, v.voided_at
    FROM kds_void v JOIN core_order_v1 o ON o.id = v.order_id AND o.owner_id = v.owner_id
    JOIN core_voided_line_v1 l ON l.id = v.order_line_id AND l.owner_id = v.owner_id
    {order_lines.JOIN_STORES_WITH_KITCHEN.format("$5")}
    {order_lines.JOIN_ROUTES} {order_lines.JOIN_ROUNDS.format("v")}
    WHERE v.store_id = $1 AND v.owner_id = $2 AND v.seen_at IS NULL AND v.voided_at >= $3
        AND o.status NOT IN ('completed', 'cancelled') {AT_STATIONS})
    ORDER BY order_id, round, position, id, void_id
"""


async def load_board(assignment: StationAssignment) -> KitchenBoard:
    """Return the tickets of a member's stations, oldest first."""
    timings = await kitchen_settings.get_timings(assignment.owner_id, assignment.store_id)
    workflow = await get_store_settings(KitchenWorkflow, assignment.owner_id, assignment.store_id)
    now = clock.now()
    rows = await sql.fetch(
        SELECT_BOARD,
        assignment.store_id,
        assignment.owner_id,
        get_earliest_time(now),
        now + timings.lead,
        order_lines.list_kitchen_store_types(),
        None if assignment.station_ids is None else list(assignment.station_ids),
    )
    rounds = groupby(rows, itemgetter("order_id", "round"))
    rows_by_round = [list(found) for _, found in rounds]
    attributes = [_parse_json(found[0]["order_attributes"]) or {} for found in rows_by_round]
    facts = await load_order_facts(assignment.owner_id, attributes)
    tickets = [
        _to_ticket(found, known, timings, workflow.bumps, now)
        for found, known in zip(rows_by_round, facts, strict=True)
    ]
    tickets.sort(key=attrgetter("since", "order_id", "round"))
    return KitchenBoard(timings.soon_minutes * 60, timings.late_minutes * 60, tickets)


def get_earliest_time(now: datetime) -> datetime:
    """Return the earliest due time of orders that are still shown."""
    return now - timedelta(hours=get_settings().board_hours)


def count_all_day(tickets: Sequence[KitchenTicket]) -> list[AllDayCount]:
    """Return the quantities in tickets by item and variation, largest first, without what is held."""
    items: dict[tuple[int, str, str | None], list[KitchenItem]] = {}
    for item in (item for ticket in tickets for item in ticket.items if not item.is_held):
        variation = item.variation["name"] if item.variation else None
        items.setdefault((item.item_id, item.name, variation), []).append(item)
    counts = [_count_items(variation, found) for (_, _, variation), found in items.items()]
    return sorted(counts, key=lambda count: (-count.quantity, count.name, count.variation or ""))


def calculate_etag(entries: Sequence[KitchenTicket | AllDayCount]) -> str:
    """Return an ETag of board entries that ignores the ages of tickets."""
    without_ages = [replace(entry, age_seconds=0) if isinstance(entry, KitchenTicket) else entry for entry in entries]
    return f'W/"{hashlib.blake2b(orjson.dumps(without_ages), digest_size=9).hexdigest()}"'


def _count_items(variation: str | None, items: Sequence[KitchenItem]) -> AllDayCount:
    def count(state: ItemState) -> int:
        return sum(item.quantity for item in items if item.status is state)

    queued, preparing, first = count(ItemState.QUEUED), count(ItemState.PREPARING), items[0]
    return AllDayCount(
        first.item_id,
        first.name,
        variation,
        first.station_id,
        quantity=queued + preparing,
        queued=queued,
        preparing=preparing,
        ready=count(ItemState.READY),
    )


def _to_ticket(
    rows: Sequence[sql.Row], facts: Mapping[str, Sequence[str]], timings: KitchenTimings, bumps: int, now: datetime
) -> KitchenTicket:
    order = rows[0]
    placed_at, promised_at = order["placed_at"] or order["created_at"], order["scheduled_for"]
    items = [_to_item(row, bumps) for row in rows if row["void_id"] is None]
    held = {item.id for item in items if item.is_held}
    # A course that is fired later does not make its ticket late at once.
    starts = [row["fired_at"] or placed_at for row in rows if row["void_id"] is None and row["id"] not in held]
    since = max(placed_at, min(starts, default=placed_at))
    if promised_at is not None:
        since = max(since, promised_at - timings.lead)
    # A scheduled order whose lines were bumped early appears before its time.
    since = min(since, now)
    return KitchenTicket(
        order_id=order["order_id"],
        number=order["number"],
        type=order["type"],
        order_status=Status(order["order_status"]),
        table_number=order["table_number"],
        room_number=order["room_number"],
        customer_name=order["customer_name"],
        note=order["order_note"],
        facts=facts,
        has_notes=bool(order["order_note"] or facts) or any(item.has_note for item in items),
        placed_at=order["created_at"],
        promised_at=promised_at,
        since=since,
        lateness=timings.calculate_lateness(since, now),
        items=items,
        round=order["round"],
        voids=[_to_void(row) for row in rows if row["void_id"] is not None],
        age_seconds=int((now - since).total_seconds()),
    )


def _to_item(row: sql.Row, bumps: int) -> KitchenItem:
    variation, extras = _parse_json(row["variation"]), _parse_json(row["extras"])
    names = [extra["name"] for extra in extras]
    return KitchenItem(
        id=row["id"],
        item_id=row["item_id"],
        name=row["name"],
        measure=get_measure(row["price_label"]),
        quantity=row["quantity"],
        variation=variation,
        extras=extras,
        facts=list_line_facts(_parse_json(row["attributes"]) or {}, variation and variation["name"], names),
        note=row["note"],
        has_note=bool(row["note"]),
        status=ItemState(row["state"]),
        station_id=row["station_id"],
        started_at=row["started_at"],
        ready_at=row["ready_at"],
        seat=row["seat"],
        course=row["course"],
        is_held=row["is_held"],
        fire_at=row["fire_at"],
        bumps=row["bumps"] or bumps,
    )


def _to_void(row: sql.Row) -> KitchenVoid:
    return KitchenVoid(
        id=row["void_id"],
        order_line_id=row["id"],
        item_id=row["item_id"],
        name=row["name"],
        measure=get_measure(row["price_label"]),
        quantity=row["quantity"],
        variation=_parse_json(row["variation"]),
        extras=_parse_json(row["extras"]),
        station_id=row["station_id"],
        seat=row["seat"],
        course=row["course"],
        voided_at=row["voided_at"],
    )


def _parse_json(value: str | None) -> Any:
    return None if value is None else orjson.loads(value)
