"""Types of fields that clients send, and the base of request bodies."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any, Final, TypeVar

from pydantic import AfterValidator, AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from comanda.basics import money, rates

M = TypeVar("M", bound=BaseModel)

# The largest integer that every JSON client can hold.
MAX_SAFE = 2**53


class Body(BaseModel):
    """Base of request bodies: unknown keys are ignored, so that older servers take newer clients."""

    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)


class ExactBody(Body):
    """Base of bodies with ``ExactNumber`` or ``Percent`` fields, which are read from the text of the JSON number."""


def _no_boolean(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("must be a number, not true or false")
    return value


def _exact(value: Any) -> Any:
    """Return a float as its shortest decimal; numbers of an ExactBody are decimals already."""
    value = _no_boolean(value)
    return Decimal(repr(value)) if isinstance(value, float) else value


def _four_decimals(percent: Decimal) -> Decimal:
    rates.to_ppm(percent)
    return percent


# Embeddings, overrides and isolates of direction, with the characters that end them.
DIRECTION_CONTROLS: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def _clean(text: str) -> str:
    """Normalise to NFC and drop control characters other than line breaks and tabs, and those of direction.

    An override of direction reverses what stands after it on a page or a ticket. Marks of direction stay: they reverse
    nothing, and names in Arabic and Hebrew need them.
    """
    if text.isascii() and text.isprintable():
        return text.strip()
    composed = unicodedata.normalize("NFC", text)
    if len(composed) > len(text):
        # A few letters grow when they are normalised, past the length that has been checked: they stay as they came.
        composed = text
    kept = (
        mark
        for mark in composed
        if mark in "\n\t" or (unicodedata.category(mark) != "Cc" and mark not in DIRECTION_CONTROLS)
    )
    return "".join(kept).strip()


def _utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("must be a time between the years 1 and 9999 in UTC") from error


def _not_blank(text: str) -> str:
    if not text:
        raise ValueError("must not be blank")
    return text


def _email(text: str) -> str:
    name, _, host = text.partition("@")
    if text and (not name or not host or "@" in host or " " in text):
        raise ValueError("must be an e-mail address")
    return text


def _known_currency(code: str) -> str:
    money.get_exponent(code)
    return code


Id = Annotated[int, BeforeValidator(_no_boolean), Field(ge=1, le=MAX_SAFE)]
Whole = Annotated[int, BeforeValidator(_no_boolean), Field(ge=-MAX_SAFE, le=MAX_SAFE)]
Count = Annotated[int, BeforeValidator(_no_boolean), Field(ge=0, le=2**31 - 1)]
Number = Annotated[float, BeforeValidator(_no_boolean), Field(ge=-MAX_SAFE, le=MAX_SAFE)]
# A number that is never a float: in bodies that derive from ExactBody it is exactly what the client wrote.
ExactNumber = Annotated[
    Decimal,
    Field(ge=-MAX_SAFE, le=MAX_SAFE),
    BeforeValidator(_exact),
    WithJsonSchema({"type": "number", "minimum": -MAX_SAFE, "maximum": MAX_SAFE}),
]
# A rate in percent; services turn it into parts per million with comanda.basics.rates.
Percent = Annotated[
    Decimal,
    Field(ge=0, le=100),
    BeforeValidator(_exact),
    AfterValidator(_four_decimals),
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": 100}),
]
# An amount in the currency's own unit, such as 12.5 euro; services turn it into minor units.
Amount = Annotated[float, BeforeValidator(_no_boolean), Field(ge=0, le=10**10)]
Text = Annotated[str, Field(max_length=2000), AfterValidator(_clean)]
NOT_BLANK: Final = AfterValidator(_not_blank)
Name = Annotated[str, Field(max_length=255), AfterValidator(_clean), NOT_BLANK]
ShortText = Annotated[str, Field(max_length=255), AfterValidator(_clean)]
# An e-mail address, or an empty text.
Email = Annotated[ShortText, AfterValidator(_email)]
# The code of a currency that amounts can be written in.
CurrencyCode = Annotated[str, Field(pattern="^[A-Z]{3}$"), AfterValidator(_known_currency)]
# A moment with its offset, in UTC as every answer tells it.
Moment = Annotated[AwareDatetime, AfterValidator(_utc)]


def example(body: Mapping[str, Any]) -> ConfigDict:
    """Return the configuration of a model whose example is ``body``; it adds to that of the model's base."""
    return ConfigDict(json_schema_extra={"examples": [dict(body)]})
