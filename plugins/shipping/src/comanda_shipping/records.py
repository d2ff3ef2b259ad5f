"""Records of shipments, as services return them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from comanda_shipping.models import ShipmentStatus


@dataclass(frozen=True, slots=True)
class ShippedLine:
    """The quantity of an order line in a shipment."""

    order_line_id: int
    item_id: int
    name: str
    quantity: int


@dataclass(frozen=True, slots=True)
class Shipment:
    """A shipment of an order. ``shipped_at`` is when it was handed to the carrier."""

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
    items: Sequence[ShippedLine]
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class OrderShipment(Shipment):
    """An order's shipment; ``shipments_count`` is the number of all shipments of the order."""

    shipments_count: int
