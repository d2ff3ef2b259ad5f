"""Bodies and filters of requests about shipments."""

from typing import Annotated, Literal
from urllib.parse import urlsplit

from comanda.contracts import Body, Count, Id, ShortText, Text, example
from pydantic import AfterValidator, BaseModel, Field

from comanda_shipping.models import ShipmentStatus


def _check_web_url(text: str) -> str:
    try:
        parts = urlsplit(text)
        is_web = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        is_web = False
    if not is_web or any(mark.isspace() for mark in text):
        raise ValueError("must be a web address that begins with https:// or http://")
    return text


ShortName = Annotated[ShortText, Field(max_length=100)]
TrackingUrl = Annotated[ShortText, Field(max_length=1000), AfterValidator(_check_web_url)]
Pieces = Annotated[Count, Field(ge=1)]


class CarrierFields(Body):
    """A shipment's carrier and tracking."""

    carrier: ShortName | None = None
    service: ShortName | None = None
    tracking_number: ShortName | None = None
    tracking_url: TrackingUrl | None = None


class ContentBody(Body):
    """A line of the order to ship. Without a ``quantity``, all that is left of it."""

    order_line_id: Id
    quantity: Pieces | None = None


class ShipmentBody(CarrierFields):
    """A shipment to create. Without ``items`` it contains everything that is left to ship.

    ``address`` is required if the order has none, and becomes the order's address. Otherwise it applies to this
    shipment only.
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
    """Changes to a shipment. Omitted fields stay as they are; null clears a field."""

    model_config = example({"status": "delivered"})

    status: ShipmentStatus | None = None


class ShipmentQuery(BaseModel):
    """Filters for a list of shipments."""

    status: ShipmentStatus | None = None
    order_id: Id | None = None
