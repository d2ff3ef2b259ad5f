"""The API for dependent plugins: the floor of a store, and stays, which are listed among the store's reservations.

The deposit of a stay is that of its reservation. Whoever sells stays hears of it as ``prepayment.changed``.
"""

from datetime import datetime

from comanda.basics import clock, require_found
from comanda.platform.db import sql

from comanda_reservations.events import ReservationCancelled, ReservationCreated, publish_reservation_event
from comanda_reservations.models import CancelledBy, StayStatus
from comanda_reservations.records import FloorTable, ReservationDeposit
from comanda_reservations.services import deposits
from comanda_reservations.services.deposit_views import DEPOSIT_LABELS, DepositView, view_deposit
from comanda_reservations.services.deposits import DepositTerms
from comanda_reservations.services.floor import list_floor
from comanda_reservations.services.reservation_rows import RESERVATION_COLUMNS, load_reservation

__all__ = [
    "DEPOSIT_LABELS",
    "CancelledBy",
    "DepositTerms",
    "DepositView",
    "FloorTable",
    "ReservationDeposit",
    "StayStatus",
    "cancel_stay_deposit",
    "create_stay",
    "create_stay_deposit",
    "find_stay",
    "get_stay_deposit",
    "list_floor",
    "settle_stay_deposit",
    "update_stay",
    "view_deposit",
]

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
SELECT_STAY = f"""
    SELECT {RESERVATION_COLUMNS} FROM reservations_reservation WHERE id = $1 AND owner_id = $2 AND kind = 'stay'
"""
SELECT_STAY_ID = """
    SELECT id FROM reservations_reservation WHERE deposit_id = $1 AND owner_id = $2 AND kind = 'stay'
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


async def create_stay_deposit(owner_id: int, reservation_id: int, terms: DepositTerms) -> int:
    """Create the deposit of a stay in the caller's open transaction, and return its id.

    Raises ``Conflict`` with the reason ``no_online_payment`` if it is to be paid online, and the store cannot be.
    """
    row = await deposits.create_deposit(await sql.one(SELECT_STAY, reservation_id, owner_id), terms)
    return int(row["deposit_id"])


async def get_stay_deposit(owner_id: int, reservation_id: int) -> ReservationDeposit | None:
    """Return the deposit of a stay, if it has one."""
    return (await load_reservation(await sql.one(SELECT_STAY, reservation_id, owner_id))).deposit


async def cancel_stay_deposit(owner_id: int, reservation_id: int) -> None:
    """Refund the deposit of a stay that was paid after the stay was cancelled, in the caller's open transaction."""
    await deposits.cancel_late_deposit(await sql.one(SELECT_STAY, reservation_id, owner_id))


async def find_stay(owner_id: int, deposit_id: int) -> int | None:
    """Return the id of the reservation of the stay that a deposit is for, or None."""
    found: int | None = await sql.fetch_value(SELECT_STAY_ID, deposit_id, owner_id)
    return found


async def settle_stay_deposit(owner_id: int, reservation_id: int, actor: str, price_minor: int | None = None) -> None:
    """Refund the deposit of a stay that is cancelled, keep that of a late guest or a no-show, in the open transaction.

    Once the guests have left, it is used for the ``price_minor`` of their nights, and what is above that goes back.
    """
    await deposits.settle_deposit(await sql.one(SELECT_STAY, reservation_id, owner_id), actor, price_minor)


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
    before = require_found(await sql.fetch_value(LOCK_STAY, reservation_id, owner_id))
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
