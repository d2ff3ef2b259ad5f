"""What Deliverect sends, signed."""

from comanda.contracts import PUBLIC, Call, Routes

from comanda_deliverect.records import Receipt
from comanda_deliverect.services import webhooks

routes = Routes("Deliverect", callers=PUBLIC, is_documented=False)

WEBHOOKS_PER_MINUTE = 1200


@routes.post("/deliverect/{ownerId}/{connectionId}/orders", status=200)
async def receive_order(call: Call, owner_id: int, connection_id: int) -> Receipt:
    """Receive an order, or that one is cancelled."""
    await call.count(f"deliverect:{call.client_network}", WEBHOOKS_PER_MINUTE, is_exact=False)
    await webhooks.receive_order(owner_id, connection_id, call.headers, call.body)
    return Receipt()
