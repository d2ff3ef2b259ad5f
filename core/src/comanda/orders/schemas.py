"""Orders on the wire."""

from datetime import date, datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from comanda.contracts.fields import Body, Count, Id, Moment, Number, ShortText, Text, example
from comanda.contracts.idempotency import MAX_KEY_LENGTH, is_key
from comanda.contracts.order_status import Status


def _table_number(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _key(text: str) -> str:
    if not is_key(text):
        raise ValueError(f"must have 1 to {MAX_KEY_LENGTH} visible characters")
    return text


ClientKey = Annotated[str, Field(max_length=MAX_KEY_LENGTH), AfterValidator(_key)]
TableNumber = Annotated[ShortText, Field(max_length=20), BeforeValidator(_table_number)]


class LineBody(Body):
    """A line of an order to place."""

    item_id: Id
    quantity: Annotated[Count, Field(ge=1)] = 1
    variation: Id | None = None
    extras: Annotated[list[Id], Field(max_length=100)] = []
    note: Text | None = None


class OrderBody(Body):
    """An order to place. Prices come from the menu; any that a client sends are ignored.

    Fields of the order's mode, and of the plugins that take part in such orders, may stand beside these.
    """

    model_config = ConfigDict(
        extra="allow",
        allow_inf_nan=False,
        **example(
            {
                "type": "takeaway",
                "customer_name": "Ana Silva",
                "phone": "+351912345678",
                "note": "No cutlery, please",
                "items": [{"item_id": 1, "quantity": 2, "variation": 3, "extras": [5], "note": "Well done"}],
            }
        ),
    )

    type: Annotated[str, Field(max_length=30)]
    items: Annotated[list[LineBody], Field(min_length=1)]
    customer_name: ShortText | None = None
    phone: Annotated[ShortText, Field(max_length=50)] | None = None
    address: Annotated[Text, Field(max_length=500)] | None = None
    table_number: TableNumber | None = None
    room_number: TableNumber | None = None
    scheduled_for: Moment | None = None
    tip_amount: Annotated[Number, Field(ge=0)] = 0
    note: Text | None = None
    source: Annotated[ShortText, Field(max_length=50)] | None = None
    client_uuid: ClientKey | None = None
    coupon_code: Annotated[ShortText, Field(max_length=32)] | None = None


class StatusBody(Body):
    """The kitchen status to set."""

    model_config = example({"status": "preparing"})

    status: Status
    note: Annotated[Text, Field(max_length=1000)] | None = None


class Choice(BaseModel):
    """A variation or extra as it was when the order was placed."""

    id: int
    name: str
    price: float


class ExtraChoice(Choice):
    """An extra, and how many of it."""

    quantity: int


class LineOut(BaseModel):
    """A line of an order."""

    id: int
    item_id: int
    name: str
    quantity: int
    unit_price: float
    variation: Choice | None
    extras: list[ExtraChoice]
    note: str | None
    discount: float
    tax: float
    line_total: float
    kds_status: str | None
    station_id: int | None


class OrderSummary(BaseModel):
    """An order in a list. The fields of its mode, and of plugins that take part in such orders, stand beside these."""

    model_config = ConfigDict(extra="allow")

    id: int
    number: int
    restaurant_id: int
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
    customer_id: int | None
    customer_name: str | None
    phone: str | None
    address: str | None
    table_number: str | None
    room_number: str | None
    scheduled_for: datetime | None
    note: str | None
    source: str
    client_uuid: str | None
    track_token: str
    business_date: date
    created_at: datetime
    updated_at: datetime


class Person(BaseModel):
    """Whoever carries the order."""

    id: int
    name: str
    phone: str | None


class OrderOut(OrderSummary):
    """A whole order."""

    driver: Person | None
    items: list[LineOut]
    timeline: dict[str, datetime]


class TrackedItem(BaseModel):
    """A line as the public sees it."""

    name: str
    quantity: int


class Tracking(BaseModel):
    """How an order is coming along, for whoever holds its track token. The keys of plugins' sections stand beside."""

    model_config = ConfigDict(extra="allow")

    id: int
    status: str
    delivery_status: str | None
    is_paid: bool
    total: float
    amount_due: float
    timeline: dict[str, datetime]
    items: list[TrackedItem]
