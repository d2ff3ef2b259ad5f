"""Erasure of personal data: the guests of reservations. Party size and time stay."""

from typing import Final

from comanda.contracts import DELETED_CUSTOMER, Person, PersonalDataEraser
from comanda.orders import anonymize_events, lock_rows_of
from comanda.platform.db import sql

from comanda_reservations.events import ReservationCancelled, ReservationCreated

ANONYMIZE_RESERVATIONS: Final = f"""
    UPDATE reservations_reservation
    SET guest_name = '{DELETED_CUSTOMER}', phone = NULL, email = NULL, note = NULL, body_hash = NULL
    WHERE owner_id = $1 AND id = ANY($2::bigint[])
"""


async def erase_guests(person: Person) -> None:
    """Delete a person's name, contact details and notes from their reservations and from the stored events."""
    ids = await lock_rows_of(person, "reservations_reservation")
    await sql.execute(ANONYMIZE_RESERVATIONS, person.owner_id, ids)
    for event in (ReservationCreated, ReservationCancelled):
        await anonymize_events(person, event, "reservation_id", ids)


ERASER: Final = PersonalDataEraser("reservations", erase_guests)
