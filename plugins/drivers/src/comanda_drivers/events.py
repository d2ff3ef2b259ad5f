"""What is announced of deliveries, whoever moved them: the owner or the driver."""

from datetime import datetime
from typing import Annotated, Any

from comanda.contracts.events import Event, Personal
from pydantic import BaseModel


class AssignedDriver(BaseModel):
    """Whoever carries the order."""

    id: int
    name: Annotated[str | None, Personal("drivers:read")]
    phone: Annotated[str | None, Personal("drivers:read")]


class DriverAssigned(Event):
    """A delivery was given to a driver: by the owner, or because the driver claimed it. Sent again for the next driver.

    Without ``driver`` the owner set the status and named nobody. Not sent when the same driver gets it again while it
    is assigned.
    """

    name = "order.driver_assigned"
    scope = "orders:read"
    sample = {
        "order_id": 1024,
        "restaurant_id": 7,
        "driver": {"id": 31, "name": "Rui Costa", "phone": "+351912345678"},
        "delivery_status": "assigned",
    }

    order_id: int
    restaurant_id: int
    driver: AssignedDriver | None
    delivery_status: str


class DeliveryMoved(Event):
    """What the three below have in common; never sent itself."""

    personal = ("note",)

    order_id: int
    restaurant_id: int
    driver_id: int | None
    delivery_status: str
    note: Annotated[str | None, Personal("orders:read")]
    at: datetime


def _sample(status: str, note: str | None = None) -> dict[str, Any]:
    return {
        "order_id": 1024,
        "restaurant_id": 7,
        "driver_id": 31,
        "delivery_status": status,
        "note": note,
        "at": "2026-03-14T19:31:52+00:00",
    }


class OutForDelivery(DeliveryMoved):
    """The driver is on the way to the customer. Not sent when the delivery was on its way already."""

    name = "order.out_for_delivery"
    scope = "orders:read"
    sample = _sample("out_for_delivery")


class Delivered(DeliveryMoved):
    """A delivery arrived. Not sent when only the kitchen's status became ``delivered``."""

    name = "order.delivered"
    scope = "orders:read"
    sample = _sample("delivered")


class DeliveryFailed(DeliveryMoved):
    """A delivery could not be completed; ``note`` may tell why."""

    name = "order.delivery_failed"
    scope = "orders:read"
    sample = _sample("failed", "Nobody opened.")
