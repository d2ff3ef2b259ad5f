"""The handler that sends the receipts of prepayments."""

from collections.abc import Sequence

from comanda.contracts import StoredEvent

from comanda_payments.services.prepaid import receipts


async def send_receipts(events: Sequence[StoredEvent]) -> None:
    """Send the receipt of each prepayment that was paid, once."""
    for event in events:
        if event.data["status"] == "paid":
            await receipts.send_receipt(event.owner_id, int(str(event.data["prepayment_id"])))
