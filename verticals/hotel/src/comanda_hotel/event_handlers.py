"""The handler of deposits: what was paid confirms a stay, and what was not paid in time frees its room."""

from collections.abc import Sequence

from comanda.contracts import StoredEvent
from comanda_payments.api import PrepaymentStatus

from comanda_hotel.services import deposits


async def follow_deposits(events: Sequence[StoredEvent]) -> None:
    """Confirm or release the stay of each deposit; a repeated event changes nothing more."""
    for event in events:
        deposit_id = int(str(event.data["prepayment_id"]))
        if event.data["status"] == PrepaymentStatus.PAID:
            await deposits.confirm_stay(event.owner_id, deposit_id)
        elif event.data["status"] == PrepaymentStatus.CANCELLED:
            await deposits.release_stay(event.owner_id, deposit_id)
