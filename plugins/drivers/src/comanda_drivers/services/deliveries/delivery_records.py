"""Reading of deliveries for drivers, limited to what a driver needs."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

import orjson
from comanda.basics import Money
from comanda.contracts import DeliveryStatus, Status
from comanda.orders import calculate_amount_due, is_paid, round_to_cash_step
from comanda.platform.db import sql

from comanda_drivers.models import Pod
from comanda_drivers.records.deliveries import (
    Delivery,
    DeliveryContact,
    DeliveryExtra,
    DeliveryItem,
    DropoffPlace,
    PickupPlace,
    ProofProgress,
)
from comanda_drivers.services.deliveries.deliveries import ACTIVE_STATUSES

DELIVERY_COLUMNS: Final = """
    o.id, o.owner_id, o.store_id, o.number, o.type, o.status, o.delivery_status, o.payment_status, o.currency,
    o.total_minor, o.paid_minor, o.refunded_minor, o.late_due_minor, o.paid_at, o.tip_minor, o.customer_name,
    o.phone,
    o.address, o.note, o.scheduled_for, o.timeline, o.attributes, o.created_at, o.updated_at, s.title AS store_title,
    s.cash_rounding_minor, s.address AS store_address, s.phone AS store_phone, t.lat AS store_lat, t.lng AS store_lng,
    coalesce(t.pod, 'none') AS pod, (
        SELECT json_build_object('otp', count(*) FILTER (WHERE p.kind = 'otp') > 0,
            'photos', count(*) FILTER (WHERE p.kind = 'photo'))
        FROM drivers_proof p JOIN drivers_assignment c ON c.id = p.assignment_id AND c.owner_id = p.owner_id
        WHERE p.order_id = o.id AND p.owner_id = o.owner_id AND c.released_at IS NULL) AS proof, (
        SELECT json_agg(json_build_object('name', l.name, 'quantity', l.quantity, 'note', l.note,
            'variation', l.variation, 'extras', l.extras) ORDER BY l.position)
        FROM core_order_line_v1 l WHERE l.order_id = o.id AND l.owner_id = o.owner_id) AS lines"""
DELIVERY_TABLES: Final = """core_order_v1 o JOIN core_store_v1 s ON s.id = o.store_id AND s.owner_id = o.owner_id
    LEFT JOIN drivers_terms t ON t.store_id = o.store_id AND t.owner_id = o.owner_id"""
SELECT_DELIVERY: Final = f"""
    SELECT {DELIVERY_COLUMNS} FROM {DELIVERY_TABLES}
    WHERE o.id = $1 AND o.owner_id = $2 AND o.delivery_status IS NOT NULL
"""


async def get_delivery(owner_id: int, order_id: int) -> Delivery:
    """Return a delivery; the caller has checked access. Raises ``NotFound``."""
    row = await sql.require_one(SELECT_DELIVERY, order_id, owner_id)
    return to_delivery(row)


def requires_id_check(attributes: Mapping[str, Any]) -> bool:
    """Return whether something in an order is sold from a certain age: orders of other things keep no confirmation."""
    return bool(attributes.get("age_confirmed"))


def to_delivery(row: sql.Row) -> Delivery:
    """Return a delivery from a row with ``DELIVERY_COLUMNS``."""
    attributes = orjson.loads(row["attributes"] or "{}")
    pod, currency = Pod(row["pod"]), row["currency"]
    timeline: dict[str, str] = orjson.loads(row["timeline"])
    return sql.to_record(
        Delivery,
        row,
        order_id=row["id"],
        currency=currency,
        total=Money(row["total_minor"], currency),
        tip_amount=Money(row["tip_minor"], currency),
        amount_to_collect=Money(round_to_cash_step(calculate_amount_due(row), row["cash_rounding_minor"]), currency),
        is_paid=is_paid(row),
        pickup=PickupPlace(
            row["store_title"], row["store_address"], row["store_phone"], row["store_lat"], row["store_lng"]
        ),
        dropoff=DropoffPlace(
            row["address"],
            attributes.get("address_lat"),
            attributes.get("address_lng"),
            attributes.get("address_instructions"),
        ),
        customer=_to_contact(row),
        items=[_to_item(line) for line in orjson.loads(row["lines"] or "[]")],
        pod=pod,
        requires_id_check=requires_id_check(attributes),
        proof=_to_proof_progress(pod, orjson.loads(row["proof"])),
        timeline={name: datetime.fromisoformat(moment) for name, moment in timeline.items()},
    )


def _to_contact(row: sql.Row) -> DeliveryContact | None:
    if DeliveryStatus(row["delivery_status"]) not in ACTIVE_STATUSES or row["status"] == Status.CANCELLED:
        return None
    first_name = next(iter((row["customer_name"] or "").split()), None)
    return DeliveryContact(first_name, row["phone"])


def _to_proof_progress(pod: Pod, proof: Mapping[str, Any]) -> ProofProgress:
    is_enough = pod.is_met(otp=proof["otp"], photo=proof["photos"] > 0)
    return ProofProgress(code_verified=proof["otp"], photos=proof["photos"], is_enough=is_enough)


def _to_item(line: Mapping[str, Any]) -> DeliveryItem:
    variation = line["variation"]
    return DeliveryItem(
        name=line["name"],
        quantity=line["quantity"],
        variation=variation["name"] if variation else None,
        extras=[DeliveryExtra(extra["name"], extra["quantity"]) for extra in line["extras"]],
        note=line["note"],
    )
