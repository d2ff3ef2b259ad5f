"""Changes of delivery terms, and the address fields of an order."""

from typing import Annotated

from comanda.contracts import Amount, Body, Count, ExactBody, Number, Percent, ShortText, Text, example
from comanda.web import N_
from pydantic import BaseModel, Field, model_validator

from comanda_drivers.models import DispatchMode, OfferAt, Pod, UnplacedAddress

Lat = Annotated[Number, Field(ge=-90, le=90)]
Lng = Annotated[Number, Field(ge=-180, le=180)]
PostcodePrefix = Annotated[ShortText, Field(min_length=1, max_length=20)]
MAX_PREFIXES = 200


class BandBody(Body):
    """The fee up to a straight-line distance from the store, in kilometres."""

    up_to_km: Annotated[Number, Field(ge=0.001, le=1000)]
    fee: Amount


class PostcodeBandBody(Body):
    """The fee of addresses whose postcode begins with one of ``prefixes``; spaces, hyphens and case do not count."""

    prefixes: Annotated[list[PostcodePrefix], Field(min_length=1, max_length=MAX_PREFIXES)]
    fee: Amount


class TermsChange(ExactBody):
    """Changes to a store's delivery terms; omitted fields stay unchanged.

    Null removes the position, a limit or the tax. ``bands`` go from near to far; an empty list removes them.
    Of ``postcode_bands``, the longest prefix counts, before any distance. ``unplaced_addresses`` is what happens where
    there are bands of either kind, and the order has neither a position nor a postcode.
    """

    model_config = example({"fee": 2.5, "free_over": 30, "min_order": 10, "dispatch_mode": "pool"})

    lat: Lat | None = None
    lng: Lng | None = None
    fee: Amount | None = None
    bands: Annotated[list[BandBody], Field(max_length=20)] | None = None
    postcode_bands: Annotated[list[PostcodeBandBody], Field(max_length=20)] | None = None
    unplaced_addresses: UnplacedAddress | None = None
    free_over: Amount | None = None
    min_order: Amount | None = None
    tax_rate: Percent | None = None
    max_active_deliveries: Annotated[Count, Field(ge=1, le=100)] | None = None
    require_shift: bool | None = None
    dispatch_mode: DispatchMode | None = None
    offer_at: OfferAt | None = None
    pod: Pod | None = None
    driver_pay: Amount | None = None


class AddressFields(BaseModel):
    """The coordinates of the delivery address in degrees, its postcode, and instructions for the driver."""

    address_lat: Lat | None = Field(default=None, title=N_("Latitude of the address"))
    address_lng: Lng | None = Field(default=None, title=N_("Longitude of the address"))
    address_postcode: Annotated[ShortText, Field(max_length=20)] | None = Field(
        default=None, title=N_("Postcode of the address")
    )
    address_instructions: Annotated[Text, Field(max_length=500)] | None = Field(
        default=None, title=N_("Instructions for the driver")
    )

    @model_validator(mode="after")
    def _check_coordinates(self) -> "AddressFields":
        if (self.address_lat is None) != (self.address_lng is None):
            raise ValueError("needs address_lat and address_lng together")
        return self
