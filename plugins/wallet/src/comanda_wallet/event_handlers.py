"""The handler that tells owners of a low balance."""

from collections.abc import Sequence

from comanda.contracts import StoredEvent

from comanda_wallet.services import low_balance


async def notify_owners(events: Sequence[StoredEvent]) -> None:
    """Send owners the message of a low balance, once per event."""
    await low_balance.notify_owners(events)
