"""Export and erasure of personal data: the guests of reservations and of the waitlist. Party size and time stay."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda.contracts import DELETED_CUSTOMER, Person, PersonalDataEraser
from comanda.orders import anonymize_events, find_rows_of, lock_rows_of
from comanda.platform.db import sql
from comanda_payments import api as payments

from comanda_reservations.events import (
    ReservationCancelled,
    ReservationCreated,
    WaitlistCalled,
    WaitlistEnded,
    WaitlistJoined,
)

ANONYMIZE_RESERVATIONS: Final = f"""
    UPDATE reservations_reservation
    SET guest_name = '{DELETED_CUSTOMER}', phone = NULL, email = NULL, note = NULL, body_hash = NULL
    WHERE owner_id = $1 AND id = ANY($2::bigint[]) RETURNING deposit_id
"""
ANONYMIZE_PARTIES: Final = f"""
    UPDATE reservations_waiting_party
    SET guest_name = '{DELETED_CUSTOMER}', phone = NULL, note = NULL, language = NULL, body_hash = NULL
    WHERE owner_id = $1 AND id = ANY($2::bigint[])
"""


RESERVATION_COLUMNS: Final = (
    "starts_at", "status", "guest_name", "phone", "email", "party_size", "table_numbers", "note", "source",
    "created_at",
)  # fmt: skip
PARTY_COLUMNS: Final = ("joined_at", "status", "guest_name", "phone", "party_size", "note", "called_at", "ended_at")


async def export_guests(person: Person) -> Sequence[Mapping[str, Any]]:
    """Return a person's reservations, and then their visits to the waitlist."""
    reservations = await find_rows_of(person, "reservations_reservation", RESERVATION_COLUMNS)
    return [*reservations, *await find_rows_of(person, "reservations_waiting_party", PARTY_COLUMNS, by=("phone",))]


async def erase_guests(person: Person) -> None:
    """Delete a person's name, contact details and notes from reservations, waitlist and stored events."""
    ids = await lock_rows_of(person, "reservations_reservation")
    rows = await sql.fetch(ANONYMIZE_RESERVATIONS, person.owner_id, ids)
    deposit_ids = sorted(row["deposit_id"] for row in rows if row["deposit_id"] is not None)
    await payments.erase_guests(person.owner_id, deposit_ids)
    for event in (ReservationCreated, ReservationCancelled):
        await anonymize_events(person, event, "reservation_id", ids)
    party_ids = await lock_rows_of(person, "reservations_waiting_party", by=("phone",))
    await sql.execute(ANONYMIZE_PARTIES, person.owner_id, party_ids)
    for waitlist_event in (WaitlistJoined, WaitlistCalled, WaitlistEnded):
        await anonymize_events(person, waitlist_event, "party_id", party_ids)


ERASER: Final = PersonalDataEraser("reservations", erase_guests, export=export_guests)
