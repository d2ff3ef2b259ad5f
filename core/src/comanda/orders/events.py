"""Events of orders. Totals are decimal strings, as in every webhook."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel, Field

from comanda.contracts.background.events import Event


class OrderCreated(Event):
    """A new order was placed by the owner, a storefront, a customer or staff. Not sent for an idempotent replay.

    An order that was split off another one has ``split_from``, its id.
    """

    name = "order.created"
    scope = "orders:read"
    sample = {
        "order_id": 1024,
        "restaurant_id": 7,
        "number": 18,
        "type": "takeaway",
        "source": "api",
        "status": "new",
        "total": "23.50",
        "currency": "EUR",
        "created_at": "2026-03-14T19:02:11+00:00",
        "split_from": None,
    }

    order_id: int
    restaurant_id: int
    number: int
    type: str
    source: str
    status: str
    total: str
    currency: str
    created_at: datetime
    split_from: int | None = None


class OrderStatusChanged(Event):
    """An order's kitchen status changed. Not sent if it is set to the same status."""

    name = "order.status_changed"
    scope = "orders:read"
    sample = {"order_id": 1024, "restaurant_id": 7, "from": "new", "to": "preparing", "actor": "owner:3"}

    order_id: int
    restaurant_id: int
    from_: str = Field(serialization_alias="from")
    to: str
    actor: str


class OrderChargeAdded(Event):
    """A charge was added to an order after it was placed, such as a late fee. Not sent for charges of a new order."""

    name = "order.charge_added"
    scope = "orders:read"
    sample = {
        "order_id": 1024,
        "restaurant_id": 7,
        "code": "late_fee",
        "label": "Returned a day late",
        "amount": "10.00",
        "tax": "1.90",
        "total": "33.50",
        "amount_due": "10.00",
        "currency": "EUR",
        "actor": "owner:3",
    }

    order_id: int
    restaurant_id: int
    code: str
    label: str
    amount: str
    tax: str
    total: str
    amount_due: str
    currency: str
    actor: str


class AmendedLine(BaseModel):
    """A line that an amendment added to an order, or took a quantity off."""

    line_id: int
    item_id: int
    item: str
    quantity: int


class OrderAmended(Event):
    """Lines, discounts or the place of an order changed after it was placed. Not sent for charges and statuses.

    ``amendment`` counts those of the order from 1. ``total`` is that of the order after it. An amendment of the kind
    ``price`` settles the price of a line, of which nothing is ``added`` or ``voided``. ``merged_from`` and
    ``split_into`` are the other order of a merge or a split.
    """

    name = "order.amended"
    scope = "orders:read"
    sample = {
        "order_id": 1024,
        "restaurant_id": 7,
        "number": 18,
        "amendment": 2,
        "kind": "add",
        "added": [{"line_id": 5120, "item_id": 31, "item": "Lemonade", "quantity": 2}],
        "voided": [],
        "total": "31.50",
        "currency": "EUR",
        "actor": "staff:12",
        "merged_from": None,
        "split_into": None,
    }

    order_id: int
    restaurant_id: int
    number: int
    amendment: int
    kind: str
    added: list[AmendedLine]
    voided: list[AmendedLine]
    total: str
    currency: str
    actor: str
    merged_from: int | None = None
    split_into: int | None = None


class OrderPaymentChanged(Event):
    """Something was paid or refunded for an order. Sent for each payment and refund that is complete.

    ``order.paid`` says when nothing is due any more.
    """

    name = "order.payment_changed"
    scope = "orders:read"
    sample = {
        "order_id": 1024,
        "restaurant_id": 7,
        "payment_status": "partially_paid",
        "paid_total": "10.00",
        "refunded_total": "0.00",
        "amount_due": "13.50",
        "currency": "EUR",
        "actor": "staff:12",
    }

    order_id: int
    restaurant_id: int
    payment_status: str
    paid_total: str
    refunded_total: str
    amount_due: str
    currency: str
    actor: str


class OrderPaid(Event):
    """An order was paid in full, with one tender or several. Sent once for an order, even if it is refunded later.

    Only an order that is reopened sends it again when it is paid again, with all its payments and the total of then, so
    a receiver keys what it does by ``order_id`` and lets the later event replace the earlier.

    An order of 0.00 is paid when it is placed, without payments.
    """

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
