"""Shipments as their store sees them, each view read in one statement."""

from typing import Final

import orjson
from comanda.basics import extend_record
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import sql
from comanda.stores import require_store

from comanda_shipping.models import ShipmentStatus
from comanda_shipping.records import OrderShipment, Shipment, ShippedLine
from comanda_shipping.schemas import ShipmentQuery
from comanda_shipping.services.status_transitions import VOID_STATUSES

SELECT_SHIPMENTS: Final = """
    SELECT s.id, s.order_id, s.carrier, s.service, s.tracking_number, s.tracking_url, s.status,
        coalesce(s.address, o.address) AS address, s.shipped_at, s.delivered_at, s.created_at, s.updated_at, (
            SELECT json_agg(json_build_object('order_line_id', l.id, 'item_id', l.item_id, 'name', l.name,
                'quantity', h.quantity) ORDER BY l.position)
            FROM shipping_shipment_line h
            JOIN core_order_line_v1 l ON l.id = h.order_line_id AND l.owner_id = h.owner_id
            WHERE h.shipment_id = s.id AND h.owner_id = s.owner_id) AS items
    FROM shipping_shipment s JOIN core_order_v1 o ON o.id = s.order_id AND o.owner_id = s.owner_id
"""
SELECT_SHIPMENT: Final = f"{SELECT_SHIPMENTS} WHERE s.id = $1 AND s.owner_id = $2 AND s.store_id = $3"
# The newest shipment, preferring those that neither failed nor came back.
SELECT_ORDER_SHIPMENT: Final = f"""
    {SELECT_SHIPMENTS} WHERE s.order_id = $1 AND s.owner_id = $2 AND s.store_id = $3
    ORDER BY s.status IN ({", ".join(f"'{status}'" for status in VOID_STATUSES)}), s.id DESC LIMIT 1
"""
COUNT_ORDER_SHIPMENTS: Final = "SELECT count(*) FROM shipping_shipment WHERE order_id = $1 AND owner_id = $2"


async def get_shipment(caller: Caller, store_id: int, shipment_id: int) -> Shipment:
    """Return one shipment. Raises ``NotFound``."""
    await require_store(caller, store_id)
    row = await sql.require_one(SELECT_SHIPMENT, shipment_id, caller.owner_id, store_id)
    return _to_shipment(row)


async def get_order_shipment(caller: Caller, store_id: int, order_id: int) -> OrderShipment:
    """Return an order's newest shipment that is neither failed nor returned, or else the newest.

    Raises ``NotFound`` for an order without a shipment.
    """
    await require_store(caller, store_id)
    row = await sql.require_one(SELECT_ORDER_SHIPMENT, order_id, caller.owner_id, store_id)
    count = await sql.fetch_value(COUNT_ORDER_SHIPMENTS, order_id, caller.owner_id)
    return extend_record(OrderShipment, _to_shipment(row), shipments_count=count)


async def list_shipments(
    caller: Caller, store_id: int, query: ShipmentQuery, page: PageRequest
) -> RecordPage[Shipment]:
    """Return a page of a store's shipments, newest first, filtered by status and order. Raises ``NotFound``."""
    await require_store(caller, store_id)
    values: list[object] = [store_id, caller.owner_id]
    conditions = "s.store_id = $1 AND s.owner_id = $2"
    for column, value in (("status", query.status), ("order_id", query.order_id)):
        if value is not None:
            values.append(value)
            conditions += f" AND s.{column} = ${len(values)}"
    window = f"ORDER BY s.id DESC LIMIT {page.size()} OFFSET {page.offset()}"
    rows = await sql.fetch(f"{SELECT_SHIPMENTS} WHERE {conditions} {window}", *values)
    total = await sql.fetch_value(f"SELECT count(*) FROM shipping_shipment s WHERE {conditions}", *values)
    return page.of([_to_shipment(row) for row in rows], total)


def _to_shipment(row: sql.Row) -> Shipment:
    items = [ShippedLine(**line) for line in orjson.loads(row["items"])]
    return Shipment(**{**dict(row), "status": ShipmentStatus(row["status"]), "items": items})
