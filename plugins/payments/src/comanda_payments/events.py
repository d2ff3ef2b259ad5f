"""The events of payments. Amounts are decimal strings, as in every webhook."""

from typing import Annotated, Any

from comanda.contracts.events import Event, Personal


class OrderPaid(Event):
    """An order was paid in full, with one tender or several. Sent once for an order, even if it is refunded later."""

    name = "order.paid"
    scope = "orders:read"
    sample = {
        "order_id": 1024,
        "restaurant_id": 7,
        "total": "23.50",
        "paid_total": "23.50",
        "currency": "EUR",
        "payments": [
            {"payment_id": 311, "method": "gift_card", "amount": "10.00", "tip": "0.00"},
            {"payment_id": 312, "method": "cash", "amount": "13.50", "tip": "1.50"},
        ],
    }

    order_id: int
    restaurant_id: int
    total: str
    paid_total: str
    currency: str
    payments: list[dict[str, Any]]


class RefundCompleted(Event):
    """A refund of an order is complete. Not sent if every part of it failed."""

    name = "refund.completed"
    scope = "orders:read"
    sample = {
        "refund_id": 41,
        "order_id": 1024,
        "restaurant_id": 7,
        "amount": "7.50",
        "currency": "EUR",
        "reason": "The soup was cold.",
        "lines": [{"line_id": 2201, "quantity": 1, "amount": "7.50", "restock": False}],
    }
    personal = ("reason",)

    refund_id: int
    order_id: int
    restaurant_id: int
    amount: str
    currency: str
    reason: Annotated[str | None, Personal("orders:read")]
    lines: list[dict[str, Any]]
