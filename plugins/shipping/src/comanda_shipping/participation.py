"""Shipping's part in orders: tell whether the address is still to come, and stop what has not left when they end."""

from typing import Final

from comanda import clock
from comanda.contracts.order_participants import Errors, OrderRequest, PlacedOrder
from comanda.db import sql

from comanda_shipping.states import PREPARED, ShipmentStatus

MODE: Final = "ship"

STOP: Final = """
    UPDATE shipping_shipment SET status = $3, updated_at = $4
    WHERE order_id = $1 AND owner_id = $2 AND status = ANY($5::text[])
"""


def note_missing_address(order: OrderRequest) -> Errors:
    """Mark an order that does not say where it goes: the address may follow, at the latest with its first shipment."""
    order.attributes["address_missing"] = not order.body.address
    return {}


async def stop_shipments(order: PlacedOrder) -> None:
    """Give up the shipments of a cancelled order that are not with the carrier yet; the others go on as they are."""
    await sql.execute(STOP, order.id, order.owner_id, ShipmentStatus.FAILED, clock.now(), list(PREPARED))
