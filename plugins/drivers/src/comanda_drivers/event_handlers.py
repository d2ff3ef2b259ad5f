"""Handlers of events that other plugins emit."""

from collections.abc import Sequence
from typing import Final

from comanda.contracts import StoredEvent

from comanda_drivers.services.earnings import earnings

# By name, as the plugin that emits it need not be installed.
ORDER_PAID: Final = "order.paid"


async def record_payment_tips(events: Sequence[StoredEvent]) -> None:
    """Record the tips of paid deliveries; idempotent."""
    for event in events:
        await earnings.record_tips(event.owner_id, event.data)
