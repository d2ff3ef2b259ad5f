"""Erasure of customers: their bookings stay, and no longer say whose they were."""

from typing import Final

from comanda.contracts import Person, PersonalDataEraser
from comanda.orders import lock_rows_of

from comanda_rental.models import Booking


async def erase_customer(person: Person) -> None:
    """Take a person's id out of their bookings."""
    ids = await lock_rows_of(person, "rental_booking", by=("customer_id",))
    await Booking.filter(owner_id=person.owner_id, id__in=ids).update(customer_id=None)


ERASER: Final = PersonalDataEraser("rental", erase_customer)
