"""Reading of stays."""

from datetime import date, datetime
from typing import Any, TypeVar

import orjson
from comanda.basics import Money
from comanda.contracts import Caller
from comanda.orders import balance
from comanda.platform.db import sql
from comanda_reservations.api import get_stay_deposit

from comanda_hotel.models import ChargeKind, StayStatus, StoredNightlyPrice
from comanda_hotel.records.stays import FolioCharge, NightPrice, Stay, StayWithFolio

COLUMNS = """s.id, s.owner_id, s.store_id, s.status, s.room_type_id, t.name AS room_type, s.room_id,
    r.number AS room_number, s.guest_name, s.phone, s.email, s.adults, s.children, s.check_in, s.check_out,
    s.departed_on, s.expires_at, s.total_minor, s.currency, s.note, s.source, s.cancelled_by, s.customer_id,
    s.reservation_id, s.created_at, s.updated_at, s.nightly, s.timeline,
    (SELECT coalesce(sum(c.amount_minor), 0) FROM hotel_charge c
     WHERE c.stay_id = s.id AND c.owner_id = s.owner_id AND c.voided_at IS NULL) AS charges_minor"""
TABLES = """hotel_stay s
    JOIN hotel_room_type t ON t.id = s.room_type_id AND t.owner_id = s.owner_id
    LEFT JOIN hotel_room r ON r.id = s.room_id AND r.owner_id = s.owner_id"""
SELECT_STAY = f"SELECT {COLUMNS} FROM {TABLES} WHERE s.id = $1 AND s.owner_id = $2 AND s.store_id = $3"
SELECT_CHARGES = """
    SELECT c.id, c.kind, c.order_id, o.number AS order_number, o.status, o.payment_status, o.total_minor, o.paid_minor,
        o.refunded_minor, o.paid_at, o.late_due_minor, c.amount_minor, c.created_at, c.voided_at
    FROM hotel_charge c JOIN core_order_v1 o ON o.id = c.order_id AND o.owner_id = c.owner_id
    WHERE c.stay_id = $1 AND c.owner_id = $2 ORDER BY c.id
"""
StayKind = TypeVar("StayKind", bound=Stay)


async def get_stay(caller: Caller, store_id: int, stay_id: int) -> StayWithFolio:
    """Return a stay with its folio. Raises ``NotFound``."""
    row = await sql.require_one(SELECT_STAY, stay_id, caller.owner_id, store_id)
    charges = await sql.fetch(SELECT_CHARGES, stay_id, caller.owner_id)
    folio = [_to_charge(charge, row["currency"]) for charge in charges]
    deposit = await get_stay_deposit(caller.owner_id, row["reservation_id"])
    return _build_stay(StayWithFolio, row, folio=folio, deposit=deposit)


def to_stay(row: sql.Row) -> Stay:
    """Return a stay from a row with ``COLUMNS``."""
    return _build_stay(Stay, row)


def _build_stay(kind: type[StayKind], row: sql.Row, **more: Any) -> StayKind:
    currency = row["currency"]
    timeline: dict[str, str] = orjson.loads(row["timeline"])
    return sql.to_record(
        kind,
        row,
        status=StayStatus(row["status"]),
        total=Money(row["total_minor"], currency),
        charges_total=Money(int(row["charges_minor"]), currency),
        nightly=[_to_night(night, currency) for night in orjson.loads(row["nightly"])],
        timeline={name: datetime.fromisoformat(moment) for name, moment in timeline.items()},
        **more,
    )


def _to_night(night: StoredNightlyPrice, currency: str) -> NightPrice:
    return NightPrice(date.fromisoformat(night["date"]), Money(night["price_minor"], currency))


def _to_charge(row: sql.Row, currency: str) -> FolioCharge:
    return sql.to_record(
        FolioCharge,
        row,
        kind=ChargeKind(row["kind"]),
        amount=Money(row["amount_minor"], currency),
        amount_due=Money(balance.calculate_amount_due(row), currency),
    )
