"""Reads shipments, each view in one statement."""

from typing import Any, Final

import orjson
from comanda.contracts.callers import Caller
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import NotFound
from comanda.stores.services import require_store

from comanda_shipping.schemas import ShipmentQuery
from comanda_shipping.states import VOID

SHIPMENT: Final = """
    SELECT s.id, s.order_id, s.carrier, s.service, s.tracking_number, s.tracking_url, s.status,
        coalesce(s.address, o.address) AS address, s.shipped_at, s.delivered_at, s.created_at, s.updated_at, (
            SELECT json_agg(json_build_object('order_line_id', l.id, 'item_id', l.item_id, 'name', l.name,
                'quantity', h.quantity) ORDER BY l.position)
            FROM shipping_shipment_line h
            JOIN core_order_line l ON l.id = h.order_line_id AND l.owner_id = h.owner_id
            WHERE h.shipment_id = s.id AND h.owner_id = s.owner_id) AS items
    FROM shipping_shipment s JOIN core_order o ON o.id = s.order_id AND o.owner_id = s.owner_id
"""
ONE: Final = f"{SHIPMENT} WHERE s.id = $1 AND s.owner_id = $2 AND s.store_id = $3"
# The newest, but for those that came to nothing while another is well.
OF_ORDER: Final = f"""
    {SHIPMENT} WHERE s.order_id = $1 AND s.owner_id = $2 AND s.store_id = $3
    ORDER BY s.status IN ({", ".join(f"'{status}'" for status in VOID)}), s.id DESC LIMIT 1
"""
COUNT_OF_ORDER: Final = "SELECT count(*) FROM shipping_shipment WHERE order_id = $1 AND owner_id = $2"


async def shipment(caller: Caller, store_id: int, shipment_id: int) -> dict[str, Any]:
    """Describe one shipment. Raises ``NotFound``."""
    await require_store(caller, store_id)
    row = await sql.fetch_one(ONE, shipment_id, caller.owner_id, store_id)
    if row is None:
        raise NotFound
    return _record(row)


async def shipment_of_order(caller: Caller, store_id: int, order_id: int) -> dict[str, Any]:
    """Describe an order's shipment: the newest that did not come to nothing, else the newest.

    Raises ``NotFound`` for an order that has none, or is not the caller's.
    """
    await require_store(caller, store_id)
    row = await sql.fetch_one(OF_ORDER, order_id, caller.owner_id, store_id)
    if row is None:
        raise NotFound
    return {**_record(row), "shipments_count": await sql.fetch_value(COUNT_OF_ORDER, order_id, caller.owner_id)}


async def page_of_shipments(caller: Caller, store_id: int, query: ShipmentQuery, page: PageRequest) -> dict[str, Any]:
    """List a store's shipments, newest first, of one status or order if asked. Raises ``NotFound``."""
    await require_store(caller, store_id)
    values: list[object] = [store_id, caller.owner_id]
    narrowed = "s.store_id = $1 AND s.owner_id = $2"
    for column, value in (("status", query.status), ("order_id", query.order_id)):
        if value is not None:
            values.append(value)
            narrowed += f" AND s.{column} = ${len(values)}"
    window = f"ORDER BY s.id DESC LIMIT {page.size()} OFFSET {page.offset()}"
    rows = await sql.fetch(f"{SHIPMENT} WHERE {narrowed} {window}", *values)
    total = await sql.fetch_value(f"SELECT count(*) FROM shipping_shipment s WHERE {narrowed}", *values)
    return page.envelope([_record(row) for row in rows], total)


def _record(row: sql.Row) -> dict[str, Any]:
    return {**dict(row), "items": orjson.loads(row["items"])}
