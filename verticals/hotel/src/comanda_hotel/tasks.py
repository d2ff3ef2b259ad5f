"""Background tasks of hotels."""

from comanda_hotel.services import holds


async def expire_holds() -> None:
    """Cancel the holds that have expired."""
    await holds.expire_holds()
