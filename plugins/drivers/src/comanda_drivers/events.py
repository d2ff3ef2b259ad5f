"""Events of deliveries."""

from datetime import datetime
from typing import Annotated, Any

from comanda.contracts import Event, Personal
from pydantic import BaseModel


class AssignedDriver(BaseModel):
    """The driver who is assigned to the order."""

    id: int
    name: Annotated[str | None, Personal("drivers:read")]
    phone: Annotated[str | None, Personal("drivers:read")]


class DriverAssigned(Event):
    """A delivery was assigned to a driver, by the owner or by claiming it. Sent again for the next driver.

    ``driver`` is null if the owner set the status without a driver. Not sent if the same driver is assigned again.
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


class DeliveryStatusEvent(Event):
    """The fields that the events below share; never sent itself."""

    personal = ("note",)

    order_id: int
    restaurant_id: int
    driver_id: int | None
    delivery_status: str
    note: Annotated[str | None, Personal("orders:read")]
    at: datetime


def _build_sample(status: str, note: str | None = None) -> dict[str, Any]:
    return {
        "order_id": 1024,
        "restaurant_id": 7,
        "driver_id": 31,
        "delivery_status": status,
        "note": note,
        "at": "2026-03-14T19:31:52+00:00",
    }


class OutForDelivery(DeliveryStatusEvent):
    """The driver is on the way to the customer. Not sent if the delivery was already out for delivery."""

    name = "order.out_for_delivery"
    scope = "orders:read"
    sample = _build_sample("out_for_delivery")


class DriverNear(DeliveryStatusEvent):
    """The driver has come within 500 metres of the customer. Sent once for each assignment with a position."""

    name = "order.driver_near"
    scope = "orders:read"
    sample = _build_sample("out_for_delivery")


class Delivered(DeliveryStatusEvent):
    """A delivery arrived. Not sent if only the order's status became ``delivered``."""

    name = "order.delivered"
    scope = "orders:read"
    sample = _build_sample("delivered")


class DeliveryFailed(DeliveryStatusEvent):
    """A delivery could not be completed; ``note`` may say why."""

    name = "order.delivery_failed"
    scope = "orders:read"
    sample = _build_sample("failed", "Nobody opened.")
