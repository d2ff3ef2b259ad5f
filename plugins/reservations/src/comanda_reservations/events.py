"""The events of reservations, for tables and stays alike, and of the waitlist.

They carry no e-mail address and no phone number.
"""

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


SAMPLE_PARTY = {"party_id": 18, "restaurant_id": 7, "status": "waiting", "party_size": 4, "guest_name": "Ada Costa"}


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


class WaitlistEvent(Event):
    """The facts of a party on the waitlist at the time of the event."""

    personal = ("guest_name",)

    party_id: int
    restaurant_id: int
    status: str
    party_size: int
    guest_name: Annotated[str | None, Personal("orders:read")]


class WaitlistJoined(WaitlistEvent):
    """A party joined the waitlist. Not sent for an idempotent repeat."""

    name = "waitlist.joined"
    scope = "orders:read"
    sample = SAMPLE_PARTY


class WaitlistCalled(WaitlistEvent):
    """A party was called to its table, for the first time or again."""

    name = "waitlist.called"
    scope = "orders:read"
    sample = {**SAMPLE_PARTY, "status": "called"}


class WaitlistEnded(WaitlistEvent):
    """A party was seated, left, or did not come when it was called: ``seated``, ``left`` or ``no_show``."""

    name = "waitlist.ended"
    scope = "orders:read"
    sample = {**SAMPLE_PARTY, "status": "seated"}


async def publish_reservation_event(event: type[ReservationEvent], row: sql.Row) -> None:
    """Publish an event about a row of ``reservations_reservation`` in the open transaction."""
    facts: dict[str, Any] = {key: row[key] for key in ("kind", "status", "starts_at", "party_size", "guest_name")}
    published = event(reservation_id=row["id"], restaurant_id=row["store_id"], **facts)
    await publish(published, owner_id=row["owner_id"], store_id=row["store_id"])


async def publish_waitlist_event(event: type[WaitlistEvent], row: sql.Row, status: str | None = None) -> None:
    """Publish an event about a row of ``reservations_waiting_party``, and its new status, in the open transaction."""
    published = event(
        party_id=row["id"],
        restaurant_id=row["store_id"],
        status=status or row["status"],
        party_size=row["party_size"],
        guest_name=row["guest_name"],
    )
    await publish(published, owner_id=row["owner_id"], store_id=row["store_id"])
