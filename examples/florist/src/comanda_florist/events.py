"""Events of the florist plugin."""

from datetime import date
from typing import Annotated

from comanda.contracts import Event, Personal


class BouquetPromised(Event):
    """A gift was ordered for a delivery day. Not sent for purchases at the stall."""

    name = "florist.bouquet_promised"
    scope = "orders:read"
    sample = {"order_id": 1024, "restaurant_id": 7, "recipient_name": "Ana Moura", "delivery_day": "2026-05-03"}
    personal = ("recipient_name",)

    order_id: int
    restaurant_id: int
    recipient_name: Annotated[str | None, Personal("orders:read")]
    delivery_day: date


class OccasionNear(Event):
    """An occasion is as near as the owner wants to be reminded of it. Not sent for an occasion that has passed."""

    name = "florist.occasion_near"
    scope = "customers:read"
    sample = {
        "occasion_id": 12,
        "restaurant_id": 7,
        "recipient_name": "Ana Moura",
        "what": "Birthday",
        "on": "2026-05-03",
    }
    personal = ("recipient_name", "what")

    occasion_id: int
    restaurant_id: int
    recipient_name: Annotated[str | None, Personal("customers:read")]
    what: Annotated[str | None, Personal("customers:read")]
    on: date
