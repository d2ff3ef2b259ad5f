"""What other plugins may call: the one that sells stays keeps each of them in the store's list of reservations."""

from datetime import datetime

from comanda import clock
from comanda.db import sql
from comanda.errors import NotFound

from comanda_reservations.events import ReservationCancelled, ReservationCreated, announce
from comanda_reservations.models import CancelledBy, StayStatus
from comanda_reservations.records import COLUMNS

__all__ = ["CancelledBy", "StayStatus", "add_stay", "change_stay"]

ADD = f"""
    INSERT INTO reservations_reservation (owner_id, store_id, kind, status, guest_name, phone, email, party_size,
        starts_at, ends_at, table_numbers, note, source, customer_id, created_at, updated_at)
    VALUES ($1, $2, 'stay', $3, $4, $5, $6, $7, $8::timestamptz, greatest($8::timestamptz, $9), '{{}}',
        $10, $11, $12, $13, $13)
    RETURNING {COLUMNS}
"""
LOCK = """
    SELECT status FROM reservations_reservation WHERE id = $1 AND owner_id = $2 AND kind = 'stay' FOR NO KEY UPDATE
"""
# What is null stays as it is; an empty text clears a field that may be empty.
CHANGE = f"""
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
    RETURNING {COLUMNS}
"""


async def add_stay(
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
    """List a new stay and return the reservation's id, which the stay keeps; runs in the caller's open transaction.

    ``starts_at`` and ``ends_at`` are arrival and departure, aware; who leaves before the hour of arrival is listed as
    leaving at it. A new stay is not ``cancelled``. ``guest_name`` and ``email`` hold up to 255
    characters, ``phone`` and ``source`` 50; ``party_size`` is 1 to 1000. The store must be the owner's, which the
    caller has checked. Emits ``ReservationCreated``.
    """
    row = await sql.fetch_one(
        ADD,
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
    assert row is not None  # noqa: S101 - an insert without a conflict clause returns its row or raises
    await announce(ReservationCreated, row)
    return int(row["id"])


async def change_stay(
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
    """Change what is listed of a stay; runs in the caller's open transaction and locks the reservation.

    None leaves a field as it is, an empty text clears ``phone``, ``email`` or ``note``. Which status may follow which
    is for the caller to know. ``cancelled_by`` is ``store`` unless it is given, and kept only while the stay is
    cancelled. Raises ``NotFound`` for a reservation that is another owner's, or no stay. Emits
    ``ReservationCancelled`` when the status becomes ``cancelled``; not for ``no_show``, nor when it was cancelled
    before.
    """
    before = await sql.fetch_value(LOCK, reservation_id, owner_id)
    if before is None:
        raise NotFound
    row = await sql.fetch_one(
        CHANGE,
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
        await announce(ReservationCancelled, row)
