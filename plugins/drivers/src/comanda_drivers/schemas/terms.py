"""Terms of delivery on the wire, and what an order says of its address."""

from typing import Annotated

from comanda.contracts.fields import Amount, Body, Count, ExactBody, Number, Percent, Text, example
from pydantic import BaseModel, Field, model_validator

from comanda_drivers.fees import DispatchMode, OfferAt, Pod

Lat = Annotated[Number, Field(ge=-90, le=90)]
Lng = Annotated[Number, Field(ge=-180, le=180)]


class BandBody(Body):
    """Up to which distance from the store a fee applies, in kilometres as the crow flies."""

    up_to_km: Annotated[Number, Field(ge=0.001, le=1000)]
    fee: Amount


class TermsChange(ExactBody):
    """What to change of a store's terms of delivery; fields left out stay.

    Null takes the position, a limit or the tax away. ``bands`` go from near to far, and an empty list takes them away.
    """

    model_config = example({"fee": 2.5, "free_over": 30, "min_order": 10, "dispatch_mode": "pool"})

    lat: Lat | None = None
    lng: Lng | None = None
    fee: Amount | None = None
    bands: Annotated[list[BandBody], Field(max_length=20)] | None = None
    free_over: Amount | None = None
    min_order: Amount | None = None
    tax_rate: Percent | None = None
    max_active_deliveries: Annotated[Count, Field(ge=1, le=100)] | None = None
    require_shift: bool | None = None
    dispatch_mode: DispatchMode | None = None
    offer_at: OfferAt | None = None
    pod: Pod | None = None
    driver_pay: Amount | None = None


class BandOut(BaseModel):
    """Up to which distance from the store a fee applies, in kilometres as the crow flies."""

    up_to_km: float
    fee: float


class TermsOut(BaseModel):
    """A store's terms of delivery, in its currency.

    ``fee`` is that of every delivery where there are no ``bands``, and of one whose address has no position. A
    ``tax_rate`` of null does not tax it. ``driver_pay`` is the driver's for each delivery, beside the tip.
    """

    lat: float | None
    lng: float | None
    currency: str
    fee: float
    bands: list[BandOut]
    free_over: float | None
    min_order: float | None
    tax_rate: float | None
    max_active_deliveries: int
    require_shift: bool
    dispatch_mode: DispatchMode
    offer_at: OfferAt
    pod: Pod
    driver_pay: float


class AddressFields(BaseModel):
    """Where a delivery's address is, in degrees, and how to find the door."""

    address_lat: Lat | None = None
    address_lng: Lng | None = None
    address_instructions: Annotated[Text, Field(max_length=500)] | None = None

    @model_validator(mode="after")
    def _is_a_whole_point(self) -> "AddressFields":
        if (self.address_lat is None) != (self.address_lng is None):
            raise ValueError("needs address_lat and address_lng together")
        return self
