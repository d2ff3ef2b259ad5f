"""Offers on the wire."""

from datetime import datetime
from typing import Annotated, Literal

from comanda.contracts.fields import Body, Text, example
from pydantic import BaseModel, Field

from comanda_drivers.schemas.deliveries import DriverDelivery


class OfferRejection(Body):
    """Why a driver does not want it, if they say so."""

    model_config = example({"reason": "Too far away"})

    reason: Annotated[Text, Field(max_length=500)] | None = None


class DeliveryOffer(BaseModel):
    """A delivery that is offered to the driver alone, until ``expires_at``.

    ``distance_m`` is from where the driver was last seen to where it is fetched.
    """

    id: int
    order_id: int
    created_at: datetime
    expires_at: datetime
    distance_m: int | None
    delivery: DriverDelivery


class OfferRejected(BaseModel):
    """That the offer is somebody else's now."""

    id: int
    status: Literal["rejected"]
