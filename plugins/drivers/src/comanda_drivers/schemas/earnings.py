"""Bodies and filters of requests about earnings."""

from typing import Annotated

from comanda.contracts import Body, CurrencyCode, Id, Name, Number, example
from comanda.stores import LocalDate
from pydantic import BaseModel, Field


class EarningsQuery(BaseModel):
    """A period in the store's time zone, both days inclusive, and filters by store and currency."""

    from_: Annotated[LocalDate | None, Field(alias="from")] = None
    to: LocalDate | None = None
    restaurant_id: Id | None = None
    currency: CurrencyCode | None = None


class EarningAdjustmentBody(Body):
    """An amount to add to a driver's earnings, or to deduct if it is negative, and the reason.

    It is in the currency of the given store, else of the driver's store, else in the only currency of the owner.
    """

    model_config = example({"amount": 5.0, "reason": "Bonus for the rainy evening"})

    amount: Annotated[Number, Field(ge=-(10**6), le=10**6)]
    reason: Annotated[Name, Field(max_length=500)]
    restaurant_id: Id | None = None
