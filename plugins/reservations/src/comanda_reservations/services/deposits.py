"""Deposits of reservations and stays: created, and what becomes of them and of the reservation."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from comanda.basics import clock
from comanda.platform.db import sql
from comanda.web import format_moment
from comanda.web import gettext as _
from comanda_payments import api as payments

from comanda_reservations.events import ReservationCancelled, publish_reservation_event
from comanda_reservations.models import CancelledBy, ReservationStatus, StayStatus
from comanda_reservations.services import table_assignments
from comanda_reservations.services.reservation_rows import RESERVATION_COLUMNS
from comanda_reservations.services.reservation_rules import ReservationRules

CANCELLED: Final = "Reservation cancelled"
# The plugin that sells stays holds them.
SET_DEPOSIT: Final = f"""
    UPDATE reservations_reservation SET deposit_id = $3, deposit_free_until = $4,
        status = CASE kind WHEN 'table' THEN '{ReservationStatus.PENDING}' ELSE status END
    WHERE id = $1 AND owner_id = $2 RETURNING {RESERVATION_COLUMNS}
"""
LOCK_BY_DEPOSIT: Final = f"""
    SELECT {RESERVATION_COLUMNS} FROM reservations_reservation
    WHERE deposit_id = $1 AND owner_id = $2 AND kind = 'table' FOR NO KEY UPDATE
"""
UPDATE_STATUS: Final = f"""
    UPDATE reservations_reservation SET status = $3, cancelled_by = $4, updated_at = $5
    WHERE id = $1 AND owner_id = $2 RETURNING {RESERVATION_COLUMNS}
"""


@dataclass(frozen=True, slots=True)
class DepositTerms:
    """What a guest pays until ``due_at``, and gets back by cancelling until ``free_until``.

    ``page_path`` is the guest's page of what is reserved, ``dashboard_path`` the owner's. One that is not ``is_online``
    is paid at the desk.
    """

    amount_minor: int
    currency: str
    description: str
    due_at: datetime
    free_until: datetime
    page_path: str
    dashboard_path: str
    language: str | None
    is_online: bool = True


async def ask_deposit(rules: ReservationRules, row: sql.Row, page_path: str, language: str | None) -> sql.Row:
    """Hold a new reservation until its deposit is paid, if the rules ask for one, and return the row as it is then.

    In the open transaction. Raises ``Conflict`` with a ``reason`` if the store cannot be paid online.
    """
    amount_minor = rules.get_deposit_minor(row["party_size"])
    if amount_minor == 0:
        return row
    terms = DepositTerms(
        amount_minor=amount_minor,
        currency=rules.currency,
        description=_("Deposit: %(time)s", time=format_moment(row["starts_at"], rules.zone)),
        due_at=clock.now() + rules.deposit_hold,
        free_until=row["starts_at"] - rules.deposit_free,
        page_path=page_path,
        dashboard_path=f"/stores/{row['store_id']}/reservations/{row['id']}",
        language=language,
    )
    return await create_deposit(row, terms)


async def create_deposit(row: sql.Row, terms: DepositTerms) -> sql.Row:
    """Create the deposit of a reservation, and return the row as it is then. Raises like ``ask_deposit``."""
    owner_id, store_id = row["owner_id"], row["store_id"]
    if terms.is_online:
        await payments.require_online_payments(owner_id, store_id)
    deposit_id = await payments.create_deposit(
        owner_id=owner_id,
        store_id=store_id,
        amount_minor=terms.amount_minor,
        currency=terms.currency,
        description=terms.description,
        guest_name=row["guest_name"],
        email=row["email"],
        language=terms.language,
        page_path=terms.page_path,
        dashboard_path=terms.dashboard_path,
        due_at=terms.due_at,
    )
    return await sql.one(SET_DEPOSIT, row["id"], owner_id, deposit_id, terms.free_until)


async def settle_deposit(row: sql.Row, actor: str, price_minor: int | None = None) -> None:
    """Refund, keep or use the deposit of a reservation or a stay whose status has changed.

    In the open transaction. What guests cancel in time and what the store cancels goes back, but what guests had paid
    at the desk waits for somebody there. A stay that is over has a price, for which its deposit is used.
    """
    deposit_id, owner_id = row["deposit_id"], row["owner_id"]
    if deposit_id is None:
        return
    is_by_guest = row["cancelled_by"] == CancelledBy.CUSTOMER
    is_late = is_by_guest and clock.now() > row["deposit_free_until"]
    match row["status"]:
        case ReservationStatus.NO_SHOW:
            await payments.keep_deposit(owner_id, deposit_id)
        case ReservationStatus.CANCELLED if is_late:
            await payments.keep_deposit(owner_id, deposit_id)
        case ReservationStatus.CANCELLED:
            await payments.cancel_deposit(owner_id, deposit_id, CANCELLED, actor, is_unattended=is_by_guest)
        case StayStatus.CHECKED_OUT if price_minor is not None:
            await payments.use_deposit(owner_id, deposit_id, price_minor, actor)


async def confirm_reservation(owner_id: int, deposit_id: int) -> None:
    """Confirm the reservation whose deposit was paid. If it was cancelled meanwhile, the deposit goes back."""
    async with sql.transaction():
        row = await sql.fetch_one(LOCK_BY_DEPOSIT, deposit_id, owner_id)
        if row is None:
            return
        if row["status"] == ReservationStatus.PENDING:
            await _update_status(row, ReservationStatus.CONFIRMED, None)
        elif row["status"] == ReservationStatus.CANCELLED:
            await cancel_late_deposit(row)


async def cancel_late_deposit(row: sql.Row) -> None:
    """Refund the deposit of a reservation or a stay that was cancelled before it was paid, in the open transaction."""
    system = CancelledBy.SYSTEM.value
    await payments.cancel_deposit(row["owner_id"], row["deposit_id"], CANCELLED, system, is_unattended=True)


async def release_reservation(owner_id: int, deposit_id: int) -> None:
    """Cancel the reservation whose deposit nobody has paid in time. Emits ``ReservationCancelled``."""
    async with sql.transaction():
        row = await sql.fetch_one(LOCK_BY_DEPOSIT, deposit_id, owner_id)
        if row is None or row["status"] != ReservationStatus.PENDING:
            return
        changed = await _update_status(row, ReservationStatus.CANCELLED, CancelledBy.SYSTEM)
        await table_assignments.release_tables(owner_id, row["id"])
        await publish_reservation_event(ReservationCancelled, changed)


async def _update_status(row: sql.Row, status: ReservationStatus, by: CancelledBy | None) -> sql.Row:
    return await sql.one(UPDATE_STATUS, row["id"], row["owner_id"], status.value, by and by.value, clock.now())
