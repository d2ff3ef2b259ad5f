"""Arguments and results of the tools."""

from datetime import date, datetime
from typing import Annotated

from comanda.contracts import Arguments, Count, Id
from comanda.orders import LineOut, OrderHeader, TrackedItem
from pydantic import BaseModel, Field


class MyOrders(Arguments):
    """The number of orders to list."""

    limit: Annotated[Count, Field(ge=1, le=50, description="Maximum number of orders, 1 to 50, latest first.")] = 10


class OrderInList(BaseModel):
    """An order of the customer."""

    id: int
    number: int = Field(description="The order number that the store uses; it restarts each day.")
    type: str
    status: str
    delivery_status: str | None
    is_paid: bool
    currency: str
    total: float
    amount_due: float = Field(description="The amount still to pay; 0 once it is paid in full.")
    business_date: date
    scheduled_for: datetime | None
    created_at: datetime
    items: list[TrackedItem]


class OrderList(BaseModel):
    """The customer's orders, latest first."""

    orders: list[OrderInList]


class OrderDetail(Arguments):
    """The order to return."""

    order_id: Id = Field(description="The order's id, from my_orders.")


class OrderDriver(BaseModel):
    """The driver who delivers the order."""

    name: str


class MyOrder(OrderHeader):
    """An order of the customer in full, with additional fields of its order type, such as a slot."""

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
    driver: OrderDriver | None
    items: list[LineOut]
    timeline: dict[str, datetime]


class TrackOrder(Arguments):
    """The order to track, by id or by track token."""

    order_id: Id | None = Field(None, description="The order's id, from my_orders. Send this or track_token.")
    track_token: Annotated[str, Field(min_length=1, max_length=200)] | None = Field(
        None, description="The track token returned when the customer placed the order. Send this or order_id."
    )
