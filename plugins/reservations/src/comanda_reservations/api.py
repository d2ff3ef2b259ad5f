"""The API for dependent plugins: the floor of a store, and stays, which are listed among the store's reservations."""

from datetime import datetime

from comanda.basics import NotFound, clock
from comanda.platform.db import sql

from comanda_reservations.events import ReservationCancelled, ReservationCreated, publish_reservation_event
from comanda_reservations.models import CancelledBy, StayStatus
from comanda_reservations.records import FloorTable
from comanda_reservations.services.floor import list_floor
from comanda_reservations.services.reservation_rows import RESERVATION_COLUMNS

__all__ = ["CancelledBy", "FloorTable", "StayStatus", "create_stay", "list_floor", "update_stay"]

INSERT_STAY = f"""
    INSERT INTO reservations_reservation (owner_id, store_id, kind, status, guest_name, phone, email, party_size,
        starts_at, ends_at, table_numbers, note, source, customer_id, created_at, updated_at)
    VALUES ($1, $2, 'stay', $3, $4, $5, $6, $7, $8::timestamptz, greatest($8::timestamptz, $9), '{{}}',
        $10, $11, $12, $13, $13)
    RETURNING {RESERVATION_COLUMNS}
"""
LOCK_STAY = """
    SELECT status FROM reservations_reservation WHERE id = $1 AND owner_id = $2 AND kind = 'stay' FOR NO KEY UPDATE
"""
# Null leaves a column unchanged; an empty string clears an optional column.
UPDATE_STAY = f"""
    UPDATE reservations_reservation SET
        status = coalesce($3, status),
        cancelled_by = CASE WHEN coalesce($3, status) = 'cancelled' THEN coalesce(cancelled_by, $4) END,
        guest_name = coalesce($5, guest_name),
        phone = nullif(coalesce($6, phone), ''),
        email = nullif(coalesce($7, email), ''),
        party_size = coalesce($8, party_size),
        starts_at = coalesce($9::timestamptz, starts_at),
        ends_at = greatest(coalesce($9::timestamptz, starts_at), coalesce($10, ends_at)),
        note = nullif(coalesce($11, note), ''),
        customer_id = coalesce($12, customer_id),
        updated_at = $13
    WHERE id = $1 AND owner_id = $2
    RETURNING {RESERVATION_COLUMNS}
"""


async def create_stay(
    *,
    owner_id: int,
    store_id: int,
    status: StayStatus,
    guest_name: str,
    phone: str | None,
    email: str | None,
    party_size: int,
    starts_at: datetime,
    ends_at: datetime,
    note: str | None,
    source: str,
    customer_id: int | None = None,
) -> int:
    """Create the reservation of a stay in the caller's open transaction, and return its id for the stay to store.

    ``starts_at`` and ``ends_at`` are arrival and departure, aware; a departure before the arrival is stored as the
    arrival. A new stay must not be ``cancelled``. ``guest_name`` and ``email`` hold up to 255 characters, ``phone`` and
    ``source`` 50; ``party_size`` is 1 to 1000. The caller has checked that the store belongs to the owner. Emits
    ``ReservationCreated``.
    """
    row = await sql.one(
        INSERT_STAY,
        owner_id,
        store_id,
        status.value,
        guest_name,
        phone or None,
        email or None,
        party_size,
        starts_at,
        ends_at,
        note or None,
        source,
        customer_id,
        clock.now(),
    )
    await publish_reservation_event(ReservationCreated, row)
    return int(row["id"])


async def update_stay(
    *,
    owner_id: int,
    reservation_id: int,
    status: StayStatus | None = None,
    cancelled_by: CancelledBy | None = None,
    guest_name: str | None = None,
    phone: str | None = None,
    email: str | None = None,
    party_size: int | None = None,
    starts_at: datetime | None = None,
    ends_at: datetime | None = None,
    note: str | None = None,
    customer_id: int | None = None,
) -> None:
    """Update the reservation of a stay in the caller's open transaction, and lock it.

    None leaves a field unchanged; an empty string clears ``phone``, ``email`` or ``note``. Status transitions are not
    checked here. ``cancelled_by`` defaults to ``store`` and is stored only while the stay is cancelled. Raises
    ``NotFound`` for another owner's reservation, and for one that is not a stay. Emits ``ReservationCancelled`` when
    the status becomes ``cancelled``; not for ``no_show``, nor if it was cancelled before.
    """
    before = await sql.fetch_value(LOCK_STAY, reservation_id, owner_id)
    if before is None:
        raise NotFound
    row = await sql.fetch_one(
        UPDATE_STAY,
        reservation_id,
        owner_id,
        status and status.value,
        (cancelled_by or CancelledBy.STORE).value,
        guest_name or None,
        phone,
        email,
        party_size,
        starts_at,
        ends_at,
        note,
        customer_id,
        clock.now(),
    )
    if row is not None and status is StayStatus.CANCELLED and before != status:
        await publish_reservation_event(ReservationCancelled, row)
