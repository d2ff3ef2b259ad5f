"""Saved addresses on the wire."""

from typing import Annotated, Any

from comanda.contracts.fields import Body, Name, Number, ShortText, Text, example
from pydantic import BaseModel, BeforeValidator, Field, model_validator

Place = Annotated[ShortText, Field(max_length=100)]


def _capitals(value: Any) -> Any:
    return value.strip().upper() if isinstance(value, str) else value


class AddressChange(Body):
    """What to change of an address; what is left out stays. ``address`` is the whole of it in one text.

    ``is_default`` true makes it the default instead of another; there is always one, so false changes nothing.
    """

    model_config = example({"instructions": "Leave it at the door"})

    label: Place | None = None
    address: Annotated[Name, Field(max_length=255)] | None = None
    line1: Name | None = None
    line2: ShortText | None = None
    city: Place | None = None
    region: Place | None = None
    postcode: Annotated[ShortText, Field(max_length=20)] | None = None
    country: Annotated[str, BeforeValidator(_capitals), Field(pattern="^[A-Z]{2}$")] | None = None
    lat: Annotated[Number, Field(ge=-90, le=90)] | None = None
    lng: Annotated[Number, Field(ge=-180, le=180)] | None = None
    instructions: Annotated[Text, Field(max_length=500)] | None = None
    is_default: bool = False

    @model_validator(mode="after")
    def _has_a_whole_place(self) -> "AddressChange":
        if (self.lat is None) != (self.lng is None) or len({"lat", "lng"} & self.model_fields_set) == 1:
            raise ValueError("needs lat and lng together")
        return self


class AddressBody(AddressChange):
    """An address to save: ``line1`` and what follows it, or ``address`` in one text."""

    model_config = example(
        {
            "label": "Home",
            "line1": "12 Harbour Street",
            "city": "Lisbon",
            "postcode": "1200-109",
            "country": "PT",
            "lat": 38.7223,
            "lng": -9.1393,
            "instructions": "Ring twice",
        }
    )

    @model_validator(mode="after")
    def _has_a_line(self) -> "AddressBody":
        if self.line1 is None and self.address is None:
            raise ValueError("needs line1, or the whole address as address")
        return self


class AddressOut(BaseModel):
    """A saved address; ``address`` is the whole of it in one text, as orders have it."""

    id: int
    label: str | None
    address: str
    line1: str
    line2: str | None
    city: str | None
    region: str | None
    postcode: str | None
    country: str | None
    lat: float | None
    lng: float | None
    instructions: str | None
    is_default: bool
