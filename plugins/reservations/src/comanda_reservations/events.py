"""What reservations announce, of tables and of stays alike. They carry no address and no phone number."""

from datetime import datetime
from typing import Annotated, Any

from comanda.contracts.events import Event, Personal
from comanda.db import sql
from comanda.events.outbox import publish
from pydantic import PlainSerializer

# As every answer tells a time: with its offset.
Moment = Annotated[datetime, PlainSerializer(datetime.isoformat, return_type=str, when_used="json")]

SAMPLE = {
    "reservation_id": 311,
    "restaurant_id": 7,
    "kind": "table",
    "status": "confirmed",
    "starts_at": "2026-03-14T19:30:00+00:00",
    "party_size": 4,
    "guest_name": "Ada Costa",
}


class ReservationEvent(Event):
    """The facts of a reservation at that moment."""

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
    sample = SAMPLE


class ReservationCancelled(ReservationEvent):
    """A reservation was called off. Not sent for guests who did not come, nor when it was cancelled already."""

    name = "reservation.cancelled"
    scope = "orders:read"
    sample = {**SAMPLE, "status": "cancelled"}


async def announce(event: type[ReservationEvent], row: sql.Row) -> None:
    """Publish an event about a row of ``reservations_reservation`` in the open transaction."""
    facts: dict[str, Any] = {key: row[key] for key in ("kind", "status", "starts_at", "party_size", "guest_name")}
    made = event(reservation_id=row["id"], restaurant_id=row["store_id"], **facts)
    await publish(made, owner_id=row["owner_id"], store_id=row["store_id"])
