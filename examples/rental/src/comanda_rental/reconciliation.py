"""Catching up on orders that were cancelled or reopened while the plugin was away."""

from datetime import datetime

from comanda.contracts import Status
from comanda.orders import queries
from comanda.stores import Store

from comanda_rental.models import Booking
from comanda_rental.services.bookings import STORE_TYPE


async def update_bookings(since: datetime) -> None:
    """Cancel the bookings of orders that are cancelled now, and book again those of orders that no longer are."""
    for store in await Store.filter(store_type=STORE_TYPE).only("id", "owner_id"):
        of_store = Booking.filter(owner_id=store.owner_id, store_id=store.id)
        for row in await of_store.filter(last_day__gte=since.date(), returned_on=None):
            order = await queries.get_order(store.owner_id, store.id, row.order_id)
            is_cancelled = order.status is Status.CANCELLED
            if is_cancelled != row.is_cancelled:
                await Booking.filter(id=row.id, owner_id=row.owner_id).update(is_cancelled=is_cancelled)
