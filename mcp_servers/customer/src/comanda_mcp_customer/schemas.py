"""What the tools take and give."""

from datetime import date, datetime
from typing import Annotated

from comanda.contracts.fields import Count, Id
from comanda.contracts.mcp import Arguments
from comanda.orders.schemas import LineOut, TrackedItem
from pydantic import BaseModel, ConfigDict, Field


class MyOrders(Arguments):
    """How many orders to list."""

    limit: Annotated[Count, Field(ge=1, le=50, description="At most so many orders, 1 to 50, the latest first.")] = 10


class OrderInList(BaseModel):
    """An order of the customer's."""

    id: int
    number: int = Field(description="What the store calls it by; it begins anew each day.")
    type: str
    status: str
    delivery_status: str | None
    is_paid: bool
    currency: str
    total: float
    amount_due: float = Field(description="What is still to pay; 0 once it was paid in full.")
    business_date: date
    scheduled_for: datetime | None
    created_at: datetime
    items: list[TrackedItem]


class OrderList(BaseModel):
    """The customer's orders, the latest first."""

    orders: list[OrderInList]


class OrderDetail(Arguments):
    """Which order to show."""

    order_id: Id = Field(description="The order's id, from my_orders.")


class Courier(BaseModel):
    """Who brings it."""

    name: str


class MyOrder(BaseModel):
    """A whole order of the customer's. The fields of its kind, such as a slot, stand beside these."""

    model_config = ConfigDict(extra="allow")

    id: int
    number: int
    type: str
    status: str
    delivery_status: str | None
    payment_status: str
    is_paid: bool
    currency: str
    subtotal: float
    discount_total: float
    coupon_code: str | None
    service_charge: float
    delivery_fee: float
    tax_total: float
    tax_included: bool
    tip_amount: float
    rounding: float
    total: float
    paid_total: float
    refunded_total: float
    amount_due: float
    customer_name: str | None
    phone: str | None
    address: str | None
    table_number: str | None
    room_number: str | None
    scheduled_for: datetime | None
    note: str | None
    track_token: str
    business_date: date
    created_at: datetime
    updated_at: datetime
    driver: Courier | None
    items: list[LineOut]
    timeline: dict[str, datetime]


class TrackOrder(Arguments):
    """Which order to follow, named in one of two ways."""

    order_id: Id | None = Field(None, description="The order's id, from my_orders. Give this or track_token.")
    track_token: Annotated[str, Field(min_length=1, max_length=200)] | None = Field(
        None, description="What the order's placing gave; of the customer's own order. Give this or order_id."
    )
