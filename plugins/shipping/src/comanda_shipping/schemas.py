"""Shipments on the wire."""

from datetime import datetime
from typing import Annotated, Literal
from urllib.parse import urlsplit

from comanda.contracts.fields import Body, Count, Id, ShortText, Text, example
from pydantic import AfterValidator, BaseModel, Field

from comanda_shipping.states import ShipmentStatus


def _web_address(text: str) -> str:
    try:
        parts = urlsplit(text)
        is_web = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        is_web = False
    if not is_web or any(mark.isspace() for mark in text):
        raise ValueError("must be a web address that begins with https:// or http://")
    return text


ShortName = Annotated[ShortText, Field(max_length=100)]
TrackingUrl = Annotated[ShortText, Field(max_length=1000), AfterValidator(_web_address)]
Pieces = Annotated[Count, Field(ge=1)]


class CarrierFields(Body):
    """Who carries a shipment, and where to follow it."""

    carrier: ShortName | None = None
    service: ShortName | None = None
    tracking_number: ShortName | None = None
    tracking_url: TrackingUrl | None = None


class ContentBody(Body):
    """What to put in of a line of the order; without a ``quantity`` all that is left of it."""

    order_line_id: Id
    quantity: Pieces | None = None


class ShipmentBody(CarrierFields):
    """A shipment to make. Without ``items`` it holds all that has not been shipped yet.

    ``address`` is needed where the order has none, and becomes the order's; else only this shipment goes there.
    """

    model_config = example(
        {
            "carrier": "Correos",
            "tracking_number": "RR123456785PT",
            "tracking_url": "https://track.example.com/RR123456785PT",
        }
    )

    items: Annotated[list[ContentBody], Field(min_length=1, max_length=200)] | None = None
    address: Annotated[Text, Field(max_length=500)] | None = None
    status: Literal["pending", "label_created", "in_transit"] = "pending"


class ShipmentChange(CarrierFields):
    """What to change of a shipment; fields left out stay as they are, null clears one."""

    model_config = example({"status": "delivered"})

    status: ShipmentStatus | None = None


class ShipmentQuery(BaseModel):
    """Which shipments to list."""

    status: ShipmentStatus | None = None
    order_id: Id | None = None


class ContentOut(BaseModel):
    """How many pieces of an order's line are inside."""

    order_line_id: int
    item_id: int
    name: str
    quantity: int


class ShipmentOut(BaseModel):
    """A shipment. ``shipped_at`` is when it left for the carrier."""

    id: int
    order_id: int
    carrier: str | None
    service: str | None
    tracking_number: str | None
    tracking_url: str | None
    status: ShipmentStatus
    address: str | None
    shipped_at: datetime | None
    delivered_at: datetime | None
    items: list[ContentOut]
    created_at: datetime
    updated_at: datetime


class OrderShipmentOut(ShipmentOut):
    """An order's shipment; ``shipments_count`` tells how many it has in all."""

    shipments_count: int
