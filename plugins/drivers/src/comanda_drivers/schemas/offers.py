"""Schemas of offers."""

from datetime import datetime
from typing import Annotated, Literal

from comanda.contracts.fields import Body, Text, example
from pydantic import BaseModel, Field

from comanda_drivers.schemas.deliveries import DriverDelivery


class OfferRejection(Body):
    """An optional reason for rejecting an offer."""

    model_config = example({"reason": "Too far away"})

    reason: Annotated[Text, Field(max_length=500)] | None = None


class DeliveryOffer(BaseModel):
    """A delivery that is offered to this driver only, until ``expires_at``.

    ``distance_m`` is from the driver's last location to the pickup.
    """

    id: int
    order_id: int
    created_at: datetime
    expires_at: datetime
    distance_m: int | None
    delivery: DriverDelivery


class OfferRejected(BaseModel):
    """A rejected offer."""

    id: int
    status: Literal["rejected"]
