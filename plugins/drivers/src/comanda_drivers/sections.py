"""Drivers, proofs and routes in order records and on tracking pages."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import orjson
from comanda.contracts import DeliveryStatus, OrderState, Record, Section
from comanda.orders import Person
from comanda.platform.db import sql
from pydantic import BaseModel

from comanda_drivers.schemas.proofs import ProofOut
from comanda_drivers.services.deliveries import proof_of_delivery

# In these statuses the public tracking record shows the driver and their location.
TRACKABLE_STATUSES: Final = frozenset({DeliveryStatus.PICKED_UP, DeliveryStatus.OUT_FOR_DELIVERY})
SELECT_ASSIGNEES: Final = """
    SELECT a.order_id, d.id, d.name, d.phone, d.lat, d.lng, d.located_at FROM drivers_assignment a
    JOIN drivers_driver d ON d.id = a.driver_id AND d.owner_id = a.owner_id
    WHERE a.owner_id = $1 AND a.order_id = ANY($2::bigint[]) AND a.released_at IS NULL
"""
# The driver's stops are the orders that are out for delivery with the same driver.
SELECT_ROUTES: Final = """
    SELECT a.order_id, t.lat AS store_lat, t.lng AS store_lng, o.attributes, (
        SELECT count(*) FROM drivers_assignment b JOIN core_order_v1 p ON p.id = b.order_id AND p.owner_id = b.owner_id
        WHERE b.driver_id = a.driver_id AND b.owner_id = a.owner_id AND b.order_id <> a.order_id
          AND b.released_at IS NULL AND b.ended_at IS NULL AND p.delivery_status = 'out_for_delivery'
          AND p.status <> 'cancelled') AS other_stops
    FROM drivers_assignment a JOIN core_order_v1 o ON o.id = a.order_id AND o.owner_id = a.owner_id
    LEFT JOIN drivers_terms t ON t.store_id = o.store_id AND t.owner_id = o.owner_id
    WHERE a.owner_id = $1 AND a.order_id = ANY($2::bigint[]) AND a.released_at IS NULL
"""


class OrderDriver(BaseModel):
    """The driver of the order, or null."""

    driver: Person | None = None


class TrackedDriver(BaseModel):
    """The first name of the driver, and their last location."""

    name: str
    lat: float | None
    lng: float | None
    location_updated_at: datetime | None


class TrackingDriver(BaseModel):
    """The driver; present only while the order is picked up or out for delivery."""

    driver: TrackedDriver | None = None


class RoutePoint(BaseModel):
    """A position in degrees."""

    lat: float
    lng: float


class DeliveryRoute(BaseModel):
    """Where an order comes from and where it goes, and how many other stops its driver has on this trip."""

    store: RoutePoint | None
    dropoff: RoutePoint | None
    other_stops: int


class TrackingRoute(BaseModel):
    """The route of the order, for the tracking page; present only while the driver is shown."""

    route: DeliveryRoute | None = None


class OrderProof(BaseModel):
    """The proof of delivery, or null."""

    proof: ProofOut | None = None


async def load_order_drivers(owner_id: int, order_ids: Sequence[int]) -> Mapping[int, Mapping[str, Any]]:
    """Return the drivers of orders by order id."""
    rows = await sql.fetch(SELECT_ASSIGNEES, owner_id, list(order_ids))
    return {row["order_id"]: {"driver": {name: row[name] for name in ("id", "name", "phone")}} for row in rows}


async def load_tracked_drivers(owner_id: int, order_ids: Sequence[int]) -> Mapping[int, Mapping[str, Any]]:
    """Return the drivers of tracked orders and their locations by order id."""
    rows = await sql.fetch(SELECT_ASSIGNEES, owner_id, list(order_ids))
    return {row["order_id"]: {"driver": _to_tracked_driver(row)} for row in rows}


async def load_routes(owner_id: int, order_ids: Sequence[int]) -> Mapping[int, Mapping[str, Any]]:
    """Return the routes of orders by order id."""
    rows = await sql.fetch(SELECT_ROUTES, owner_id, list(order_ids))
    return {row["order_id"]: {"route": _to_route(row)} for row in rows}


def is_delivery(order: OrderState) -> bool:
    """Return whether an order may have a driver."""
    return order.delivery_status is not None


def may_have_proof(order: OrderState) -> bool:
    """Return whether an order may have a proof; there is none before it is assigned."""
    return order.delivery_status not in {None, DeliveryStatus.PENDING}


def is_trackable(order: OrderState) -> bool:
    """Return whether the public may see the driver of an order."""
    return order.delivery_status in TRACKABLE_STATUSES


def _to_tracked_driver(row: sql.Row) -> dict[str, Any]:
    return {
        "name": row["name"].split()[0],
        "lat": row["lat"],
        "lng": row["lng"],
        "location_updated_at": row["located_at"],
    }


def _to_route(row: sql.Row) -> dict[str, Any]:
    attributes = orjson.loads(row["attributes"] or "{}")
    return {
        "store": _to_point(row["store_lat"], row["store_lng"]),
        "dropoff": _to_point(attributes.get("address_lat"), attributes.get("address_lng")),
        "other_stops": row["other_stops"],
    }


def _to_point(lat: float | None, lng: float | None) -> dict[str, float] | None:
    return None if lat is None or lng is None else {"lat": lat, "lng": lng}


SECTIONS: Final = (
    # A new order has no driver yet.
    Section("drivers", Record.ORDER, OrderDriver, load_order_drivers, is_delivery, is_set_by_participant=True),
    Section("drivers_proof", Record.ORDER, OrderProof, proof_of_delivery.load_order_proofs, may_have_proof),
    Section("drivers_tracking_proof", Record.TRACKING, OrderProof, proof_of_delivery.load_order_proofs, may_have_proof),
    Section("drivers_tracking", Record.TRACKING, TrackingDriver, load_tracked_drivers, is_trackable),
    Section("drivers_route", Record.TRACKING_PAGE, TrackingRoute, load_routes, is_trackable),
)
