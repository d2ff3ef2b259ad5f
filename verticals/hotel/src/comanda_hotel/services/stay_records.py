"""Stays in the form that the API returns."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import orjson
from comanda.contracts.callers import Caller
from comanda.db import sql
from comanda.errors import NotFound
from comanda.money import to_number

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
    SELECT c.id, c.kind, c.order_id, o.number AS order_number, c.amount_minor, c.created_at, c.voided_at
    FROM hotel_charge c JOIN core_order o ON o.id = c.order_id AND o.owner_id = c.owner_id
    WHERE c.stay_id = $1 AND c.owner_id = $2 ORDER BY c.id
"""
PLAIN_COLUMNS = (
    "id",
    "status",
    "room_type_id",
    "room_type",
    "room_id",
    "room_number",
    "guest_name",
    "phone",
    "email",
    "adults",
    "children",
    "check_in",
    "check_out",
    "departed_on",
    "expires_at",
    "currency",
    "note",
    "source",
    "cancelled_by",
    "customer_id",
    "reservation_id",
    "created_at",
    "updated_at",
)

StayRow = Mapping[str, Any] | sql.Row


async def get_stay_record(caller: Caller, store_id: int, stay_id: int) -> dict[str, Any]:
    """Return a stay with its folio. Raises ``NotFound``."""
    row = await sql.fetch_one(SELECT_STAY, stay_id, caller.owner_id, store_id)
    if row is None:
        raise NotFound
    charges = await sql.fetch(SELECT_CHARGES, stay_id, caller.owner_id)
    currency = row["currency"]
    return {
        **to_summary(row),
        "nightly": to_nightly(row),
        "folio": [{**_to_charge(charge), "amount": to_number(charge["amount_minor"], currency)} for charge in charges],
        "folio_total": to_number(row["total_minor"] + int(row["charges_minor"]), currency),
        "timeline": orjson.loads(row["timeline"]),
    }


def to_summary(row: StayRow) -> dict[str, Any]:
    """Return a stay as lists show it."""
    return {
        **{name: row[name] for name in PLAIN_COLUMNS},
        "restaurant_id": row["store_id"],
        "nights": (row["check_out"] - row["check_in"]).days,
        "total": to_number(row["total_minor"], row["currency"]),
        "charges_total": to_number(int(row["charges_minor"]), row["currency"]),
    }


def to_nightly(row: StayRow) -> list[dict[str, Any]]:
    """Return the booked nights with their prices."""
    return [
        {"date": date.fromisoformat(night["date"]), "price": to_number(night["price_minor"], row["currency"])}
        for night in orjson.loads(row["nightly"])
    ]


def _to_charge(charge: StayRow) -> dict[str, Any]:
    return {name: charge[name] for name in ("id", "kind", "order_id", "order_number", "created_at", "voided_at")}
