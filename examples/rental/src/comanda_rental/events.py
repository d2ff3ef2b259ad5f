"""Events of the rental plugin."""

from datetime import date

from comanda.contracts import Event


class ToolsReturned(Event):
    """All tools of an order were brought back. The late fee is zero, and no charge of the order, if in time."""

    name = "rental.tools_returned"
    scope = "rentals:read"
    sample = {
        "order_id": 1024,
        "restaurant_id": 7,
        "returned_on": "2026-05-05",
        "late_days": 2,
        "late_fee": "40.00",
        "currency": "EUR",
    }

    order_id: int
    restaurant_id: int
    returned_on: date
    late_days: int
    late_fee: str
    currency: str
