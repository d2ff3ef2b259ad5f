"""Schemas of deliveries, for owners and for drivers."""

from datetime import datetime
from typing import Annotated

from comanda.contracts.fields import Amount, Body, Id, Text, example
from comanda.contracts.order_status import DeliveryStatus
from comanda.contracts.wire import MoneyNumber, StoreId
from comanda.orders.schemas import OrderSummary, Person
from pydantic import AliasChoices, BaseModel, Field

from comanda_drivers.models import Pod

Note = Annotated[Text, Field(max_length=1000)]


class AssignBody(Body):
    """The driver to assign an order to."""

    model_config = example({"driver_id": 1})

    driver_id: Id
    note: Note | None = None


class DeliveryStatusBody(Body):
    """The delivery status to set, as ``delivery_status`` or as ``status``.

    ``cash_collected`` with ``delivered`` is the cash that the driver collected; if omitted, no cash is booked.
    """

    model_config = example({"delivery_status": "out_for_delivery", "note": "Left at 19:40"})

    delivery_status: DeliveryStatus = Field(validation_alias=AliasChoices("delivery_status", "status"))
    note: Note | None = None
    cash_collected: Amount | None = None


class ProgressBody(Body):
    """The new status of a delivery; ``note`` is stored in the order's history.

    ``cash_collected`` with ``delivered`` is the cash collected, less change; if omitted, it is the
    ``amount_to_collect``. ``id_checked`` is required for ``delivered`` where ``requires_id_check`` is true.
    """

    model_config = example({"delivery_status": "delivered", "note": "Handed to the neighbour"})

    delivery_status: DeliveryStatus
    note: Note | None = None
    cash_collected: Amount | None = None
    id_checked: bool = False


class StoreDeliveryQuery(BaseModel):
    """Filters for deliveries: by status and by driver; with ``active`` true or 1, only those yet to be delivered."""

    delivery_status: DeliveryStatus | None = None
    active: bool = False
    driver_id: Id | None = None


class DriverDeliveryQuery(BaseModel):
    """With ``active`` true or 1, only active deliveries."""

    active: bool = False


class DeliveryOfStore(OrderSummary):
    """A delivery in an owner's list: the order, its driver, and its timeline."""

    driver: Person | None
    timeline: dict[str, datetime]


class Pickup(BaseModel):
    """Where an order is picked up."""

    name: str
    address: str | None
    phone: str | None
    lat: float | None
    lng: float | None


class Dropoff(BaseModel):
    """Where an order is delivered."""

    address: str | None
    lat: float | None
    lng: float | None
    instructions: str | None


class Recipient(BaseModel):
    """The recipient's first name and phone number."""

    name: str | None
    phone: str | None


class CarriedExtra(BaseModel):
    """An extra of an item, and its quantity for each piece."""

    name: str
    quantity: int


class CarriedItem(BaseModel):
    """An item of the order."""

    name: str
    quantity: int
    variation: str | None
    extras: list[CarriedExtra]
    note: str | None


class ErrandProof(BaseModel):
    """The proof of delivery so far, and whether it satisfies the store."""

    code_verified: bool
    photos: int
    is_enough: bool


class DriverDelivery(BaseModel):
    """A delivery, for its driver. ``id`` is the id of the order.

    ``amount_to_collect`` is the cash due at the door, rounded as the store rounds cash. ``customer`` is null before and
    after the delivery is in progress. ``pod`` is the proof that the store requires for ``delivered``;
    ``requires_id_check`` is true if something in the order is sold from a certain age.
    """

    id: Annotated[int, Field(validation_alias="order_id")]
    order_id: int
    number: int
    restaurant_id: StoreId
    type: str
    status: str
    delivery_status: str
    currency: str
    total: MoneyNumber
    tip_amount: MoneyNumber
    amount_to_collect: MoneyNumber
    is_paid: bool
    pickup: Pickup
    dropoff: Dropoff
    customer: Recipient | None
    items: list[CarriedItem]
    note: str | None
    scheduled_for: datetime | None
    pod: Pod
    requires_id_check: bool
    proof: ErrandProof
    timeline: dict[str, datetime]
    created_at: datetime
    updated_at: datetime


class AvailableDelivery(DriverDelivery):
    """An unassigned delivery. ``distance_m`` is from the driver's last location to the pickup."""

    distance_m: int | None


class DriverCashHeld(BaseModel):
    """The cash of a store that the driver has to hand in, and since when they hold it."""

    restaurant_id: StoreId
    restaurant_name: Annotated[str, Field(validation_alias="store_name")]
    currency: str
    amount: MoneyNumber
    since: datetime
