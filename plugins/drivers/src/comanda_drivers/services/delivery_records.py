"""Records of deliveries for drivers, limited to what a driver needs."""

from typing import Any, Final

import orjson
from comanda.contracts.order_status import DeliveryStatus, Status
from comanda.db import sql
from comanda.errors import NotFound
from comanda.money import to_number
from comanda.orders.balance import calculate_amount_due, is_paid, round_to_cash_step

from comanda_drivers.models import Pod
from comanda_drivers.services.deliveries import ACTIVE_STATUSES

DELIVERY_COLUMNS: Final = """
    o.id, o.owner_id, o.store_id, o.number, o.type, o.status, o.delivery_status, o.payment_status, o.currency,
    o.total_minor, o.paid_minor, o.refunded_minor, o.paid_at, o.tip_minor, o.customer_name, o.phone,
    o.address, o.note, o.scheduled_for, o.timeline, o.attributes, o.created_at, o.updated_at, s.title AS store_title,
    s.cash_rounding_minor, s.address AS store_address, s.phone AS store_phone, t.lat AS store_lat, t.lng AS store_lng,
    coalesce(t.pod, 'none') AS pod, (
        SELECT json_build_object('otp', count(*) FILTER (WHERE p.kind = 'otp') > 0,
            'photos', count(*) FILTER (WHERE p.kind = 'photo'))
        FROM drivers_proof p JOIN drivers_assignment c ON c.id = p.assignment_id AND c.owner_id = p.owner_id
        WHERE p.order_id = o.id AND p.owner_id = o.owner_id AND c.released_at IS NULL) AS proof, (
        SELECT json_agg(json_build_object('name', l.name, 'quantity', l.quantity, 'note', l.note,
            'variation', l.variation, 'extras', l.extras) ORDER BY l.position)
        FROM core_order_line l WHERE l.order_id = o.id AND l.owner_id = o.owner_id) AS lines"""
DELIVERY_TABLES: Final = """core_order o JOIN core_store s ON s.id = o.store_id AND s.owner_id = o.owner_id
    LEFT JOIN drivers_terms t ON t.store_id = o.store_id AND t.owner_id = o.owner_id"""
SELECT_DELIVERY: Final = f"""
    SELECT {DELIVERY_COLUMNS} FROM {DELIVERY_TABLES}
    WHERE o.id = $1 AND o.owner_id = $2 AND o.delivery_status IS NOT NULL
"""


async def get_delivery(owner_id: int, order_id: int) -> dict[str, Any]:
    """Return the record of a delivery; the caller has checked access. Raises ``NotFound``."""
    row = await sql.fetch_one(SELECT_DELIVERY, order_id, owner_id)
    if row is None:
        raise NotFound
    return to_record(row)


def to_record(row: sql.Row) -> dict[str, Any]:
    """Return a delivery's record from a row with ``DELIVERY_COLUMNS``."""
    attributes = orjson.loads(row["attributes"] or "{}")
    names = ("number", "type", "status", "delivery_status", "currency", "note", "scheduled_for")
    return {
        "id": row["id"],
        "order_id": row["id"],
        "restaurant_id": row["store_id"],
        **{name: row[name] for name in names},
        "total": to_number(row["total_minor"], row["currency"]),
        "tip_amount": to_number(row["tip_minor"], row["currency"]),
        "amount_to_collect": to_number(_calculate_cash_due_minor(row), row["currency"]),
        "is_paid": is_paid(row),
        "pickup": _to_pickup(row),
        "dropoff": {
            "address": row["address"],
            "lat": attributes.get("address_lat"),
            "lng": attributes.get("address_lng"),
            "instructions": attributes.get("address_instructions"),
        },
        "customer": _to_customer(row),
        "items": [_to_item(line) for line in orjson.loads(row["lines"] or "[]")],
        "pod": row["pod"],
        "proof": _to_proof(row),
        "timeline": orjson.loads(row["timeline"]),
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
    }


def _calculate_cash_due_minor(row: sql.Row) -> int:
    return round_to_cash_step(calculate_amount_due(row), row["cash_rounding_minor"])


def _to_pickup(row: sql.Row) -> dict[str, Any]:
    names = {"name": "title", "address": "address", "phone": "phone", "lat": "lat", "lng": "lng"}
    return {key: row[f"store_{name}"] for key, name in names.items()}


def _to_customer(row: sql.Row) -> dict[str, Any] | None:
    if DeliveryStatus(row["delivery_status"]) not in ACTIVE_STATUSES or row["status"] == Status.CANCELLED:
        return None
    first_name = next(iter((row["customer_name"] or "").split()), None)
    return {"name": first_name, "phone": row["phone"]}


def _to_proof(row: sql.Row) -> dict[str, Any]:
    proof = orjson.loads(row["proof"])
    is_met = Pod(row["pod"]).is_met(otp=proof["otp"], photo=proof["photos"] > 0)
    return {"code_verified": proof["otp"], "photos": proof["photos"], "is_enough": is_met}


def _to_item(line: dict[str, Any]) -> dict[str, Any]:
    variation = line["variation"]
    return {
        "name": line["name"],
        "quantity": line["quantity"],
        "variation": variation["name"] if variation else None,
        "extras": [{"name": extra["name"], "quantity": extra["quantity"]} for extra in line["extras"]],
        "note": line["note"],
    }
