"""Order participant: charges for shipping, marks orders without an address, and fails shipments of cancelled orders."""

from typing import Final

from comanda.basics import clock
from comanda.contracts import Contribution, OrderRequest, PlacedOrder
from comanda.platform.db import sql

from comanda_shipping.models import ShipmentStatus
from comanda_shipping.services.rates import ShippingTerms
from comanda_shipping.services.status_transitions import PREPARED_STATUSES

FAIL_PREPARED_SHIPMENTS: Final = """
    UPDATE shipping_shipment SET status = $3, updated_at = $4
    WHERE order_id = $1 AND owner_id = $2 AND status = ANY($5::text[])
"""


def price_shipping(request: OrderRequest, terms: ShippingTerms) -> Contribution:
    """Contribute the shipping rate, and ``address_missing``: the address may follow, at the latest with a shipment."""
    return Contribution(
        attributes={"address_missing": not request.body.address}, charges=terms.list_charges(request.subtotal_minor)
    )


async def fail_prepared_shipments(order: PlacedOrder) -> None:
    """Set the shipments of a cancelled order to ``failed`` unless the carrier already has them."""
    await sql.execute(
        FAIL_PREPARED_SHIPMENTS, order.id, order.owner_id, ShipmentStatus.FAILED, clock.now(), list(PREPARED_STATUSES)
    )
