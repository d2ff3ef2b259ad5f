"""Background tasks of the mobile shell."""

from comanda_mobile.services import handoffs


async def prune() -> None:
    """Delete handoffs that have expired unused."""
    await handoffs.delete_expired_handoffs()
