"""Schemas of earnings."""

from datetime import date, datetime
from typing import Annotated

from comanda.contracts.fields import Body, CurrencyCode, Id, Name, Number, example
from comanda.contracts.wire import MoneyNumber, StoreId
from comanda.stores.hours_schemas import LocalDate
from pydantic import BaseModel, Field


class EarningsQuery(BaseModel):
    """A period in the store's time zone, both days inclusive, and filters by store and currency."""

    from_: Annotated[LocalDate | None, Field(alias="from")] = None
    to: LocalDate | None = None
    restaurant_id: Id | None = None
    currency: CurrencyCode | None = None


class EarnedDelivery(BaseModel):
    """The earning from a delivery, as of its completion."""

    order_id: int
    delivered_at: datetime
    base: MoneyNumber
    tip: MoneyNumber
    total: MoneyNumber


class EarnedAdjustment(BaseModel):
    """An adjustment by the owner, and its reason."""

    amount: MoneyNumber
    reason: str
    at: datetime


class Earnings(BaseModel):
    """A driver's earnings in a period, newest first, with totals in one currency."""

    from_: date = Field(validation_alias="first_day", serialization_alias="from")
    to: date = Field(validation_alias="last_day")
    currency: str
    deliveries: int
    base: MoneyNumber
    tips: MoneyNumber
    adjustments: MoneyNumber
    total: MoneyNumber
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
    restaurant_id: StoreId
    currency: str
    amount: MoneyNumber
    reason: str
    created_at: datetime
