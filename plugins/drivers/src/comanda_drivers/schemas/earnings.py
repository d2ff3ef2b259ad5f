"""What drivers earn, on the wire."""

from datetime import date, datetime
from typing import Annotated

from comanda.contracts.fields import Body, Id, Name, Number, example
from comanda.stores.hours_schemas import LocalDate
from pydantic import BaseModel, Field


class EarningsQuery(BaseModel):
    """From which day to which, both counted, in the store's zone; and of which store, in which currency."""

    from_: Annotated[LocalDate | None, Field(alias="from")] = None
    to: LocalDate | None = None
    restaurant_id: Id | None = None
    currency: Annotated[str, Field(pattern="^[A-Z]{3}$")] | None = None


class EarnedDelivery(BaseModel):
    """What one delivery earned, as it was when it arrived."""

    order_id: int
    delivered_at: datetime
    base: float
    tip: float
    total: float


class EarnedAdjustment(BaseModel):
    """What the owner added, or took, and why."""

    amount: float
    reason: str
    at: datetime


class Earnings(BaseModel):
    """What a driver earned in some days, newest first, and its sums in one currency."""

    from_: date = Field(alias="from")
    to: date
    currency: str
    deliveries: int
    base: float
    tips: float
    adjustments: float
    total: float
    items: list[EarnedDelivery]
    adjusted: list[EarnedAdjustment]


class EarningAdjustmentBody(Body):
    """An amount to add to what a driver earned, or to take from it if it is negative, and why.

    It is in the currency of the store: the one that is named, else the driver's, else the owner's only one.
    """

    model_config = example({"amount": 5.0, "reason": "Bonus for the rainy evening"})

    amount: Annotated[Number, Field(ge=-(10**6), le=10**6)]
    reason: Annotated[Name, Field(max_length=500)]
    restaurant_id: Id | None = None


class EarningAdjustment(BaseModel):
    """An adjustment of what a driver earned."""

    id: int
    driver_id: int
    restaurant_id: int
    currency: str
    amount: float
    reason: str
    created_at: datetime
