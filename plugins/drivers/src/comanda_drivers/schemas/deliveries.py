"""Schemas of deliveries, for owners and for drivers."""

from datetime import datetime
from typing import Annotated, Literal

from comanda.contracts import Amount, Body, DeliveryStatus, Id, Text, example
from comanda.orders import OrderSummary, Person
from pydantic import AliasChoices, BaseModel, Field

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


class OfferRejection(Body):
    """An optional reason for rejecting an offer."""

    model_config = example({"reason": "Too far away"})

    reason: Annotated[Text, Field(max_length=500)] | None = None


class OfferRejected(BaseModel):
    """A rejected offer."""

    id: int
    status: Literal["rejected"]
