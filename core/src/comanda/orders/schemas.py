"""Request and response bodies of orders."""

from datetime import date, datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from comanda.contracts.orders.sections import SectionKey
from comanda.contracts.orders.status import Status
from comanda.contracts.requests.fields import Body, Text, example


class StatusBody(Body):
    """The kitchen status to set."""

    model_config = example({"status": "preparing"})

    status: Status
    note: Annotated[Text, Field(max_length=1000)] | None = None


class Choice(BaseModel):
    """A variation or extra, as of the moment the order was placed."""

    id: int
    name: str
    price: float


class ExtraChoice(Choice):
    """An extra and its quantity."""

    quantity: int


class OrderChargeOut(BaseModel):
    """A charge besides the service charge and the delivery fee. A charge that is not refundable is never paid back."""

    code: str
    label: str
    amount: float
    tax: float
    is_refundable: bool


class TaxOut(BaseModel):
    """What an order costs at one tax rate in percent, without its tip: ``gross`` is ``net`` and ``tax``."""

    rate: float
    net: float
    tax: float
    gross: float


class LineCombo(BaseModel):
    """The combo that a line belongs to: its item, and an ``id`` that its lines have in common.

    The line that ``is_heading`` is the combo as it was ordered. The others are its items, which have its price.
    """

    id: str
    item_id: int
    name: str
    is_heading: bool


class LineOut(BaseModel):
    """A line of an order."""

    id: int
    item_id: int
    name: str
    quantity: int
    unit_price: float
    price_label: str | None
    variation: Choice | None
    extras: list[ExtraChoice]
    note: str | None
    discount: float
    tax: float
    line_total: float
    round: int
    seat: int | None
    course: int | None
    voided_quantity: int
    combo: LineCombo | None
    kds_status: Annotated[str | None, SectionKey()]
    station_id: Annotated[int | None, SectionKey()]


class PromotionOut(BaseModel):
    """A promotion that needs no code and what it takes off, which is part of ``discount_total``.

    ``rounds`` are those of the order whose lines it covers; an amount of 0 is that of one that takes nothing off yet.
    """

    id: int
    name: str
    amount: float
    rounds: list[int]


# Left out of an order without promotions.
Promotions = Annotated[list[PromotionOut], Field(exclude_if=lambda found: not found)]


class OrderHeader(BaseModel):
    """Number, status and amounts of an order, which its store and its customer see alike."""

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
    charges: list[OrderChargeOut]
    tax_total: float
    tax_included: bool
    taxes: list[TaxOut]
    tip_amount: float
    rounding: float
    total: float
    promotions: Promotions = []
    paid_total: float
    refunded_total: float
    amount_due: float


class OrderSummary(OrderHeader):
    """An order in a list. It also has the fields of its mode and of plugins that participate in it."""

    restaurant_id: int
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
    """The driver of an order."""

    id: int
    name: str
    phone: str | None


class DiscountOut(BaseModel):
    """A discount that was given by hand: a percentage of the price of the order or of a line, or an amount."""

    id: int
    code: str
    reason: str
    percent: float | None
    amount: float | None
    line_id: int | None


class VoidedItem(BaseModel):
    """What was taken off a line of an order in all."""

    id: int
    item_id: int
    name: str
    quantity: int
    round: int


class OrderOut(OrderSummary):
    """An order with its lines and timeline.

    ``items`` are what is left after ``voided_items`` were taken off; ``round`` counts the times at which lines were
    added. ``amendments`` is how often the order was amended.
    """

    driver: Annotated[Person | None, SectionKey()]
    items: list[LineOut]
    timeline: dict[str, datetime]
    amendments: int
    discounts: list[DiscountOut]
    voided_items: list[VoidedItem]


class QuotedLine(BaseModel):
    """A line of an order that is not placed yet, with names and prices as they are now."""

    item_id: int
    name: str
    quantity: int
    unit_price: float
    price_label: str | None
    variation: Choice | None
    extras: list[ExtraChoice]
    note: str | None
    combo: LineCombo | None
    discount: float
    tax: float
    line_total: float


class QuoteOut(BaseModel):
    """What an order would cost, as its record would have it."""

    type: str
    currency: str
    items: list[QuotedLine]
    subtotal: float
    discount_total: float
    coupon_code: str | None
    service_charge: float
    delivery_fee: float
    charges: list[OrderChargeOut]
    tax_total: float
    tax_included: bool
    taxes: list[TaxOut]
    tip_amount: float
    total: float
    promotions: Promotions = []


class TrackedItem(BaseModel):
    """A line of a tracked order."""

    name: str
    quantity: int


class Tracking(BaseModel):
    """The public status of an order. It also has the keys of plugins' sections."""

    model_config = ConfigDict(extra="allow")

    id: int
    status: str
    delivery_status: str | None
    is_paid: bool
    total: float
    amount_due: float
    charges: list[OrderChargeOut]
    timeline: dict[str, datetime]
    items: list[TrackedItem]
