"""Rows of reservations, and the records made of them."""

from collections.abc import Sequence
from typing import Final

from comanda.basics import Money, extend_record
from comanda.platform.db import sql
from comanda_payments import api as payments

from comanda_reservations.models import CancelledBy, ReservationKind
from comanda_reservations.records import Reservation, ReservationDeposit

RESERVATION_COLUMNS: Final = """
    id, owner_id, store_id, kind, status, guest_name, phone, email, party_size, starts_at, ends_at, table_numbers,
    note, source, cancelled_by, created_at, deposit_id, deposit_free_until
"""


async def load_reservations(rows: Sequence[sql.Row]) -> list[Reservation]:
    """Return the reservations of an owner's rows with their deposits."""
    ids = [row["deposit_id"] for row in rows if row["deposit_id"] is not None]
    deposits = await payments.list_deposits(rows[0]["owner_id"], ids) if ids else {}
    return [to_reservation(row, deposits.get(row["deposit_id"])) for row in rows]


async def load_reservation(row: sql.Row) -> Reservation:
    """Return the reservation of a row with its deposit."""
    return (await load_reservations([row]))[0]


def to_reservation(row: sql.Row, deposit: payments.Deposit | None = None) -> Reservation:
    """Return the reservation of a row with ``RESERVATION_COLUMNS``."""
    return sql.to_record(
        Reservation,
        row,
        kind=ReservationKind(row["kind"]),
        cancelled_by=None if row["cancelled_by"] is None else CancelledBy(row["cancelled_by"]),
        deposit=None if deposit is None else _to_deposit(deposit, row),
    )


def _to_deposit(deposit: payments.Deposit, row: sql.Row) -> ReservationDeposit:
    return extend_record(
        ReservationDeposit,
        deposit,
        amount=Money(deposit.amount_minor, deposit.currency),
        held=Money(deposit.held_minor, deposit.currency),
        free_until=row["deposit_free_until"],
    )
