"""Background work of hotels."""

from comanda_hotel.services import holds


async def expire_holds() -> None:
    """Call off the holds whose time is over."""
    await holds.expire_holds()
