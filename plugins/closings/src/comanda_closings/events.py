"""The event of closings. Amounts are decimal strings, as in every webhook."""

from datetime import date, datetime

from comanda.contracts import Event
from pydantic import Field


class DayClosed(Event):
    """The business days of a store from ``from`` to ``to`` were closed, usually one; their totals never change."""

    name = "day.closed"
    scope = "analytics:read"
    sample = {
        "closing_id": 12,
        "restaurant_id": 7,
        "number": 12,
        "from": "2026-03-02",
        "to": "2026-03-02",
        "currency": "EUR",
        "net_sales": "1820.50",
        "sales_total": "1960.10",
        "collected": "2004.60",
        "refunds": "12.00",
        "closed_by": "staff:12",
        "closed_at": "2026-03-02T23:10:00+00:00",
    }

    closing_id: int
    restaurant_id: int
    number: int
    from_: date = Field(serialization_alias="from")
    to: date
    currency: str
    net_sales: str
    sales_total: str
    collected: str
    refunds: str
    closed_by: str
    closed_at: datetime
