"""What the records of orders say of drivers."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from comanda.contracts.order_status import DeliveryStatus
from comanda.contracts.sections import Record, Section
from comanda.db import sql
from comanda.orders.records import Row
from comanda.orders.schemas import Person
from pydantic import BaseModel

from comanda_drivers.schemas.proofs import ProofOut
from comanda_drivers.services import proving

# While these last, whoever follows the order sees who brings it, and where they are.
SHOWN: Final = frozenset({DeliveryStatus.PICKED_UP, DeliveryStatus.OUT_FOR_DELIVERY})
HOLDERS: Final = """
    SELECT a.order_id, d.id, d.name, d.phone, d.lat, d.lng, d.located_at FROM drivers_assignment a
    JOIN drivers_driver d ON d.id = a.driver_id AND d.owner_id = a.owner_id
    WHERE a.owner_id = $1 AND a.order_id = ANY($2::bigint[]) AND a.released_at IS NULL
"""


class OrderDriver(BaseModel):
    """Whoever carries the order, or null."""

    driver: Person | None = None


class TrackedDriver(BaseModel):
    """Whoever brings the order, by first name, and where they were last."""

    name: str
    lat: float | None
    lng: float | None
    location_updated_at: datetime | None


class TrackingDriver(BaseModel):
    """Who brings the order; only there while it is picked up or on its way."""

    driver: TrackedDriver | None = None


class OrderProof(BaseModel):
    """What proves that the order arrived, or null."""

    proof: ProofOut | None = None


async def of_orders(owner_id: int, order_ids: Sequence[int]) -> Mapping[int, Mapping[str, Any]]:
    """Tell who carries orders."""
    rows = await sql.fetch(HOLDERS, owner_id, list(order_ids))
    return {row["order_id"]: {"driver": {name: row[name] for name in ("id", "name", "phone")}} for row in rows}


async def of_tracking(owner_id: int, order_ids: Sequence[int]) -> Mapping[int, Mapping[str, Any]]:
    """Tell who brings orders that are on their way, and where they are."""
    rows = await sql.fetch(HOLDERS, owner_id, list(order_ids))
    return {row["order_id"]: {"driver": _tracked(row)} for row in rows}


def is_delivery(order: Row) -> bool:
    """Tell whether an order may have a driver."""
    return order["delivery_status"] is not None


def may_be_proved(order: Row) -> bool:
    """Tell whether an order may have a proof: nobody has it before somebody has the order."""
    return order["delivery_status"] not in {None, DeliveryStatus.PENDING}


def is_on_its_way(order: Row) -> bool:
    """Tell whether the public may see who brings an order."""
    return order["delivery_status"] in SHOWN


def _tracked(row: sql.Row) -> dict[str, Any]:
    return {
        "name": row["name"].split()[0],
        "lat": row["lat"],
        "lng": row["lng"],
        "location_updated_at": row["located_at"],
    }


SECTIONS: Final = (
    Section("drivers", Record.ORDER, OrderDriver, of_orders, is_delivery),
    Section("drivers_proof", Record.ORDER, OrderProof, proving.of_orders, may_be_proved),
    Section("drivers_tracking_proof", Record.TRACKING, OrderProof, proving.of_orders, may_be_proved),
    Section("drivers_tracking", Record.TRACKING, TrackingDriver, of_tracking, is_on_its_way),
)
