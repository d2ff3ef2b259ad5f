"""The orders of a laundry as its people see them: what is due, and one order with its lines and garments."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

import orjson
from comanda.basics import Money, clock, extend_record
from comanda.contracts import Caller, PageRequest, PaymentStatus, RecordPage, Status
from comanda.orders import AMOUNT_DUE
from comanda.platform.db import sql
from comanda.platform.tasks import notifier

from comanda_laundry.models import GarmentState
from comanda_laundry.records import Garment, LaundryLine, LaundryOrder, LaundryOrderSummary
from comanda_laundry.schemas import Due, LaundryQuery, ReadyBody
from comanda_laundry.services.laundries import lock_open_order, require_laundry

GARMENT_COLUMNS: Final = "g.id, g.order_id, g.line_id, g.tag, g.name, g.state, g.note, g.updated_at"
SELECT_ORDERS: Final = f"""
    SELECT o.id AS order_id, o.number, o.customer_name, o.type, o.status, o.payment_status, o.scheduled_for, l.ready_on,
        (SELECT count(*) FROM laundry_weighed_line w
            WHERE w.order_id = l.order_id AND w.owner_id = l.owner_id AND w.grams IS NULL) AS lines_to_weigh,
        c.garments, c.garments_ready, c.garments_returned
    FROM laundry_order l JOIN core_order_v1 o ON o.id = l.order_id AND o.owner_id = l.owner_id
    CROSS JOIN LATERAL (
        SELECT count(*) AS garments,
            count(*) FILTER (WHERE g.state IN ('{GarmentState.READY}', '{GarmentState.RETURNED}')) AS garments_ready,
            count(*) FILTER (WHERE g.state = '{GarmentState.RETURNED}') AS garments_returned
        FROM laundry_garment g WHERE g.order_id = l.order_id AND g.owner_id = l.owner_id) AS c
"""
IN_STORE: Final = "l.store_id = $1 AND l.owner_id = $2"
HAS_TAG: Final = """l.order_id IN (
    SELECT g.order_id FROM laundry_garment g
    WHERE g.store_id = $1 AND g.owner_id = $2 AND g.has_tag AND g.tag = $3)"""
OF_DAY: Final = {Due.OPEN: "$3::date IS NOT NULL", Due.TODAY: "l.ready_on = $3", Due.OVERDUE: "l.ready_on < $3"}
# What a driver has brought is late no more, and an order may have been closed while the plugin was away.
IS_DUE: Final = f"l.is_open AND o.status IN ('{Status.NEW}', '{Status.PREPARING}', '{Status.READY}')"
SELECT_ORDER: Final = f"""
    SELECT o.id AS order_id, o.number, o.customer_name, o.type, o.status, o.payment_status, o.scheduled_for, l.ready_on,
        o.currency, o.total_minor, {AMOUNT_DUE} AS amount_due_minor,
        (SELECT json_agg(json_build_object('id', n.id, 'name', n.name, 'quantity', n.quantity,
                'price_per_kg_minor', w.price_per_kg_minor, 'grams', w.grams) ORDER BY n.position)
            FROM core_order_line_v1 n
            LEFT JOIN laundry_weighed_line w ON w.line_id = n.id AND w.owner_id = n.owner_id
            WHERE n.order_id = o.id AND n.owner_id = o.owner_id) AS lines,
        (SELECT json_agg(g ORDER BY g.id) FROM (
            SELECT {GARMENT_COLUMNS} FROM laundry_garment g
            WHERE g.order_id = o.id AND g.owner_id = o.owner_id) AS g) AS tagged
    FROM core_order_v1 o JOIN laundry_order l ON l.order_id = o.id AND l.owner_id = o.owner_id
    WHERE o.id = $1 AND o.owner_id = $2 AND o.store_id = $3
"""
COUNT_ORDERS: Final = """
    SELECT count(*) FROM laundry_order l JOIN core_order_v1 o ON o.id = l.order_id AND o.owner_id = l.owner_id
"""
SELECT_TAGGED: Final = f"{SELECT_ORDERS} WHERE {IN_STORE} AND {HAS_TAG}"
COUNT_TAGGED: Final = f"{COUNT_ORDERS} WHERE {IN_STORE} AND {HAS_TAG}"
SUMMARY_FIELDS: Final = (
    *("order_id", "number", "customer_name", "type", "scheduled_for", "ready_on"),
    *("lines_to_weigh", "garments", "garments_ready", "garments_returned"),
)
SAVE_READY_DAY: Final = "UPDATE laundry_order SET ready_on = $3 WHERE order_id = $1 AND owner_id = $2"


async def list_orders(
    caller: Caller, store_id: int, query: LaundryQuery, page: PageRequest
) -> RecordPage[LaundryOrderSummary]:
    """List open orders, those promised first at the top; with ``tag`` the one that has this tag. Raises ``NotFound``.

    Raises ``Conflict`` for a store that is not a laundry.
    """
    today = _get_today(await require_laundry(caller, store_id))
    if query.tag is not None:
        value: int | date = query.tag
        listed, counted = SELECT_TAGGED, COUNT_TAGGED
    else:
        conditions = f"WHERE {IN_STORE} AND {IS_DUE} AND {OF_DAY[query.due]}"
        value = today
        listed, counted = f"{SELECT_ORDERS} {conditions}", f"{COUNT_ORDERS} {conditions}"
    window = f"ORDER BY l.ready_on, l.order_id LIMIT {page.size()} OFFSET {page.offset()}"
    rows = await sql.fetch(f"{listed} {window}", store_id, caller.owner_id, value)
    total = await sql.fetch_value(counted, store_id, caller.owner_id, value)
    return page.of([_to_summary(row, today) for row in rows], total)


async def get_order(caller: Caller, store_id: int, order_id: int) -> LaundryOrder:
    """Return an order with its lines and garments. Raises ``NotFound``, also for one of which nothing is cleaned."""
    today = _get_today(await require_laundry(caller, store_id))
    row = await sql.require_one(SELECT_ORDER, order_id, caller.owner_id, store_id)
    lines = [_to_line(line, row["currency"]) for line in orjson.loads(row["lines"] or "[]")]
    tagged = [_to_garment(garment) for garment in orjson.loads(row["tagged"] or "[]")]
    counts = {
        "lines_to_weigh": sum(line.price_per_kg is not None and line.grams is None for line in lines),
        "garments": len(tagged),
        "garments_ready": sum(each.state in {GarmentState.READY, GarmentState.RETURNED} for each in tagged),
        "garments_returned": sum(each.state is GarmentState.RETURNED for each in tagged),
    }
    return extend_record(
        LaundryOrder,
        _to_summary({**dict(row), **counts}, today),
        total=Money(row["total_minor"], row["currency"]),
        amount_due=Money(row["amount_due_minor"], row["currency"]),
        currency=row["currency"],
        lines=lines,
        tagged=tagged,
    )


async def set_ready_day(caller: Caller, store_id: int, order_id: int, body: ReadyBody) -> LaundryOrder:
    """Promise an order for another day. Raises ``NotFound``, and ``Conflict`` for one that is closed."""
    await require_laundry(caller, store_id)
    async with sql.transaction():
        await lock_open_order(caller, store_id, order_id)
        await sql.execute(SAVE_READY_DAY, order_id, caller.owner_id, body.ready_on)
        notifier.announce_change(store_id)
    return await get_order(caller, store_id, order_id)


def _get_today(store: sql.Row) -> date:
    return clock.now().astimezone(ZoneInfo(store["timezone"])).date()


def _to_summary(row: Mapping[str, Any] | sql.Row, today: date) -> LaundryOrderSummary:
    status = Status(row["status"])
    return LaundryOrderSummary(
        **{name: row[name] for name in SUMMARY_FIELDS},
        status=status,
        payment_status=PaymentStatus(row["payment_status"]),
        is_overdue=status.is_open and row["ready_on"] < today,
    )


def _to_line(line: Mapping[str, Any], currency: str) -> LaundryLine:
    price_minor = line["price_per_kg_minor"]
    price = None if price_minor is None else Money(price_minor, currency)
    return LaundryLine(line["id"], line["name"], line["quantity"], price, line["grams"])


def _to_garment(row: Mapping[str, Any]) -> Garment:
    updated_at = datetime.fromisoformat(row["updated_at"])
    return Garment(**{**row, "state": GarmentState(row["state"]), "updated_at": updated_at})
