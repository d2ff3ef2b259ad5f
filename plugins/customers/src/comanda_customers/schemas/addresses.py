"""Request bodies of saved addresses."""

from typing import Annotated, Any

from comanda.contracts import Body, Name, Number, ShortText, Text, example
from pydantic import BeforeValidator, Field, model_validator

ShortField = Annotated[ShortText, Field(max_length=100)]


def _to_upper(value: Any) -> Any:
    return value.strip().upper() if isinstance(value, str) else value


class AddressChange(Body):
    """Address fields to update; fields left out are unchanged. ``address`` is the whole address in one line.

    ``is_default`` true makes it the default address; false changes nothing, because there is always a default.
    """

    model_config = example({"instructions": "Leave it at the door"})

    label: ShortField | None = None
    address: Annotated[Name, Field(max_length=255)] | None = None
    line1: Name | None = None
    line2: ShortText | None = None
    city: ShortField | None = None
    region: ShortField | None = None
    postcode: Annotated[ShortText, Field(max_length=20)] | None = None
    country: Annotated[str, BeforeValidator(_to_upper), Field(pattern="^[A-Z]{2}$")] | None = None
    lat: Annotated[Number, Field(ge=-90, le=90)] | None = None
    lng: Annotated[Number, Field(ge=-180, le=180)] | None = None
    instructions: Annotated[Text, Field(max_length=500)] | None = None
    is_default: bool = False

    @model_validator(mode="after")
    def _check_coordinates(self) -> "AddressChange":
        if (self.lat is None) != (self.lng is None) or len({"lat", "lng"} & self.model_fields_set) == 1:
            raise ValueError("must have lat and lng together")
        return self


class AddressBody(AddressChange):
    """A new address: ``line1`` and the other fields, or ``address`` in one line."""

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
    def _check_line(self) -> "AddressBody":
        if self.line1 is None and self.address is None:
            raise ValueError("must have line1, or the whole address in address")
        return self
