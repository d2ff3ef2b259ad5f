"""The handler that issues credit notes of refunds."""

from collections.abc import Sequence

from comanda.contracts import StoredEvent

from comanda_invoices.services import credit_notes


async def credit_refunds(events: Sequence[StoredEvent]) -> None:
    """Issue the credit notes of the orders that these events are about."""
    orders = sorted({(int(str(event.data["order_id"])), event.owner_id) for event in events})
    for owner_id, store_id, order_id in await credit_notes.list_invoiced(orders):
        await credit_notes.credit_order(owner_id, store_id, order_id)
