"""The task that lets points expire."""

from comanda_loyalty.services import expiry


async def expire_points() -> None:
    """Take what has expired off all accounts."""
    await expiry.expire_points()
