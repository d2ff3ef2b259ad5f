"""Deliveries on the wire: as owners see them, and as drivers do."""

from datetime import datetime
from typing import Annotated

from comanda.contracts.fields import Amount, Body, Id, Text, example
from comanda.contracts.order_status import DeliveryStatus
from comanda.orders.schemas import OrderSummary, Person
from pydantic import AliasChoices, BaseModel, Field

from comanda_drivers.fees import Pod

Note = Annotated[Text, Field(max_length=1000)]


class AssignBody(Body):
    """The driver to give an order to."""

    model_config = example({"driver_id": 1})

    driver_id: Id
    note: Note | None = None


class DeliveryStatusBody(Body):
    """The delivery status to set, as ``delivery_status`` or as ``status``.

    ``cash_collected`` with ``delivered`` is what the order's driver took; without it no cash is booked.
    """

    model_config = example({"delivery_status": "out_for_delivery", "note": "Left at 19:40"})

    delivery_status: DeliveryStatus = Field(validation_alias=AliasChoices("delivery_status", "status"))
    note: Note | None = None
    cash_collected: Amount | None = None


class ProgressBody(Body):
    """How far a driver is with a delivery; ``note`` is kept in the order's history.

    ``cash_collected`` with ``delivered`` is the cash that was taken and kept, change not counted; without it, all of
    the ``amount_to_collect``.
    """

    model_config = example({"delivery_status": "delivered", "note": "Handed to the neighbour"})

    delivery_status: DeliveryStatus
    note: Note | None = None
    cash_collected: Amount | None = None


class StoreDeliveryQuery(BaseModel):
    """Which deliveries to list: those of one delivery status, and those that one driver has."""

    delivery_status: DeliveryStatus | None = None
    driver_id: Id | None = None


class DriverDeliveryQuery(BaseModel):
    """With ``active`` of 1 or true, only what is still to bring."""

    active: bool = False


class DeliveryOfStore(OrderSummary):
    """A delivery in an owner's list: the order, whoever has it, and when it reached which stage."""

    driver: Person | None
    timeline: dict[str, datetime]


class Pickup(BaseModel):
    """Where an order is fetched."""

    name: str
    address: str | None
    phone: str | None
    lat: float | None
    lng: float | None


class Dropoff(BaseModel):
    """Where it goes."""

    address: str | None
    lat: float | None
    lng: float | None
    instructions: str | None


class Recipient(BaseModel):
    """Whom it is for: the first name, and a number while the delivery is under way."""

    name: str | None
    phone: str | None


class CarriedExtra(BaseModel):
    """An extra of one of a line's pieces, and how many of it."""

    name: str
    quantity: int


class CarriedItem(BaseModel):
    """A line, as it is packed."""

    name: str
    quantity: int
    variation: str | None
    extras: list[CarriedExtra]
    note: str | None


class ErrandProof(BaseModel):
    """What its driver has so far to prove that it arrived, and whether that is what the store wants."""

    code_verified: bool
    photos: int
    is_enough: bool


class DriverDelivery(BaseModel):
    """A delivery as its driver sees it. ``id`` is the order's.

    ``amount_to_collect`` is what is due at the door, in coins. ``customer`` is told while the delivery is under way,
    and null before and after. ``pod`` is what the store wants before it may be ``delivered``.
    """

    id: int
    order_id: int
    number: int
    restaurant_id: int
    type: str
    status: str
    delivery_status: str
    currency: str
    total: float
    tip_amount: float
    amount_to_collect: float
    is_paid: bool
    pickup: Pickup
    dropoff: Dropoff
    customer: Recipient | None
    items: list[CarriedItem]
    note: str | None
    scheduled_for: datetime | None
    pod: Pod
    proof: ErrandProof
    timeline: dict[str, datetime]
    created_at: datetime
    updated_at: datetime


class AvailableDelivery(DriverDelivery):
    """A delivery that nobody has. ``distance_m`` is from where the driver was last seen to where it is fetched."""

    distance_m: int | None


class DriverCashHeld(BaseModel):
    """The cash of a store that the driver has to hand in, and since when they have held any."""

    restaurant_id: int
    restaurant_name: str
    currency: str
    amount: float
    since: datetime
