"""Forgets whose reservations were: the party and the time stay."""

from typing import Final

from comanda.contracts.erasure import NOBODY, Eraser, Person
from comanda.db import sql
from comanda.orders.erasure import forget_events, rows_of

from comanda_reservations.events import ReservationCancelled, ReservationCreated

FORGET: Final = f"""
    UPDATE reservations_reservation
    SET guest_name = '{NOBODY}', phone = NULL, email = NULL, note = NULL, body_hash = NULL
    WHERE owner_id = $1 AND id = ANY($2::bigint[])
"""


async def erase(person: Person) -> None:
    """Take a person's name, contact and notes from their reservations, and from what was announced of these."""
    ids = await rows_of(person, "reservations_reservation")
    await sql.execute(FORGET, person.owner_id, ids)
    for event in (ReservationCreated, ReservationCancelled):
        await forget_events(person, event, "reservation_id", ids)


ERASER: Final = Eraser("reservations", erase)
