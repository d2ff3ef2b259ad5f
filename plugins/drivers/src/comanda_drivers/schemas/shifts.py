"""Schemas of shifts and locations."""

from typing import Annotated

from comanda.contracts import Body, CurrencyCode, Id, Moment, Name, Number, example
from comanda.stores import LocalDate
from pydantic import BaseModel, Field

from comanda_drivers.records.drivers import Duty


class LocationBody(Body):
    """The location of the driver in degrees; ``recorded_at`` defaults to now.

    ``accuracy`` is in metres, ``heading`` in degrees from north, ``speed`` in metres per second.
    """

    lat: Annotated[Number, Field(ge=-90, le=90)]
    lng: Annotated[Number, Field(ge=-180, le=180)]
    accuracy: Annotated[Number, Field(ge=0)] | None = None
    heading: Annotated[Number, Field(ge=0, le=360)] | None = None
    speed: Annotated[Number, Field(ge=0)] | None = None
    recorded_at: Moment | None = None


class Located(BaseModel):
    """Confirmation that the location was received, even if it was ignored."""

    ok: bool


class DutyBody(Body):
    """The shift status to set; toggled if omitted. ``force`` ends a shift with active deliveries."""

    status: Duty | None = None
    force: bool = False


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
