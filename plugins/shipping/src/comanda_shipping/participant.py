"""Order participant: marks orders without an address, and fails prepared shipments of cancelled orders."""

from typing import Final

from comanda import clock
from comanda.contracts.order_participants import Errors, OrderRequest, PlacedOrder
from comanda.db import sql

from comanda_shipping.models import ShipmentStatus
from comanda_shipping.services.status_transitions import PREPARED_STATUSES

FAIL_PREPARED_SHIPMENTS: Final = """
    UPDATE shipping_shipment SET status = $3, updated_at = $4
    WHERE order_id = $1 AND owner_id = $2 AND status = ANY($5::text[])
"""


def record_missing_address(order: OrderRequest) -> Errors:
    """Set ``address_missing`` in the order's attributes. The address may follow, at the latest with a shipment."""
    order.attributes["address_missing"] = not order.body.address
    return {}


async def fail_prepared_shipments(order: PlacedOrder) -> None:
    """Set the shipments of a cancelled order to ``failed`` unless the carrier already has them."""
    await sql.execute(
        FAIL_PREPARED_SHIPMENTS, order.id, order.owner_id, ShipmentStatus.FAILED, clock.now(), list(PREPARED_STATUSES)
    )
