"""Schemas of earnings."""

from datetime import date, datetime
from typing import Annotated

from comanda.contracts.fields import Body, Id, Name, Number, example
from comanda.stores.hours_schemas import LocalDate
from pydantic import BaseModel, Field


class EarningsQuery(BaseModel):
    """A period in the store's time zone, both days inclusive, and filters by store and currency."""

    from_: Annotated[LocalDate | None, Field(alias="from")] = None
    to: LocalDate | None = None
    restaurant_id: Id | None = None
    currency: Annotated[str, Field(pattern="^[A-Z]{3}$")] | None = None


class EarnedDelivery(BaseModel):
    """The earning from a delivery, as of its completion."""

    order_id: int
    delivered_at: datetime
    base: float
    tip: float
    total: float


class EarnedAdjustment(BaseModel):
    """An adjustment by the owner, and its reason."""

    amount: float
    reason: str
    at: datetime


class Earnings(BaseModel):
    """A driver's earnings in a period, newest first, with totals in one currency."""

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
    """An amount to add to a driver's earnings, or to deduct if it is negative, and the reason.

    It is in the currency of the given store, else of the driver's store, else in the only currency of the owner.
    """

    model_config = example({"amount": 5.0, "reason": "Bonus for the rainy evening"})

    amount: Annotated[Number, Field(ge=-(10**6), le=10**6)]
    reason: Annotated[Name, Field(max_length=500)]
    restaurant_id: Id | None = None


class EarningAdjustment(BaseModel):
    """An adjustment of a driver's earnings."""

    id: int
    driver_id: int
    restaurant_id: int
    currency: str
    amount: float
    reason: str
    created_at: datetime
