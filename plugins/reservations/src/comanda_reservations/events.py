"""The events of reservations, for tables and stays alike. They carry no e-mail address and no phone number."""

from datetime import datetime
from typing import Annotated, Any

from comanda.contracts import Event, Personal
from comanda.platform.db import sql
from comanda.platform.events import publish
from pydantic import PlainSerializer

# Formatted as in every API response, with the UTC offset.
Moment = Annotated[datetime, PlainSerializer(datetime.isoformat, return_type=str, when_used="json")]

SAMPLE_RESERVATION = {
    "reservation_id": 311,
    "restaurant_id": 7,
    "kind": "table",
    "status": "confirmed",
    "starts_at": "2026-03-14T19:30:00+00:00",
    "party_size": 4,
    "guest_name": "Ada Costa",
}


class ReservationEvent(Event):
    """The facts of a reservation at the time of the event."""

    personal = ("guest_name",)

    reservation_id: int
    restaurant_id: int
    kind: str
    status: str
    starts_at: Moment
    party_size: int
    guest_name: Annotated[str | None, Personal("orders:read")]


class ReservationCreated(ReservationEvent):
    """A table or a stay was reserved. Not sent for an idempotent repeat, nor for a change."""

    name = "reservation.created"
    scope = "orders:read"
    sample = SAMPLE_RESERVATION


class ReservationCancelled(ReservationEvent):
    """A reservation was cancelled. Not sent for a no-show, nor for a reservation that was already cancelled."""

    name = "reservation.cancelled"
    scope = "orders:read"
    sample = {**SAMPLE_RESERVATION, "status": "cancelled"}


async def publish_reservation_event(event: type[ReservationEvent], row: sql.Row) -> None:
    """Publish an event about a row of ``reservations_reservation`` in the open transaction."""
    facts: dict[str, Any] = {key: row[key] for key in ("kind", "status", "starts_at", "party_size", "guest_name")}
    published = event(reservation_id=row["id"], restaurant_id=row["store_id"], **facts)
    await publish(published, owner_id=row["owner_id"], store_id=row["store_id"])
