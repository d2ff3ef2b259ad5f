"""Requests about installations and usage, and session tokens."""

import re
from decimal import Decimal
from typing import Annotated

from comanda.contracts import Amount, Body, ExactBody, ExactNumber, example
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, WithJsonSchema

# As programs print numbers, 1e-05 included.
NUMBER = re.compile(r"-?([0-9]{1,20}(\.[0-9]{0,20})?|\.[0-9]{1,20})(e[+-]?[0-9]{1,2})?", re.ASCII | re.IGNORECASE)
MAX_QUANTITY = Decimal(10) ** 12


def _parse_text(value: object) -> object:
    # Fields of forms are texts, and Decimal alone would read words and the digits of other scripts too.
    if not isinstance(value, str):
        return value
    if not NUMBER.fullmatch(value.strip()):
        raise ValueError("must be a number")
    return Decimal(value.strip())


def _clean_ref(text: str) -> str | None:
    if not text.isprintable():
        raise ValueError("must contain printable characters only")
    return text or None


class InstallationChange(Body):
    """Changes of an installation. ``monthly_cap`` is the most that reported usage may cost in a month; null is none."""

    model_config = example({"monthly_cap": 25})

    monthly_cap: Amount | None


class UsageBody(ExactBody):
    """Usage to charge. A report whose ``ref`` was charged before is answered with the first record."""

    model_config = example({"quantity": 3, "ref": "order-4711"})

    quantity: Annotated[
        ExactNumber,
        BeforeValidator(_parse_text),
        Field(gt=0, le=MAX_QUANTITY, decimal_places=6),
        WithJsonSchema({"type": "number", "exclusiveMinimum": 0}),
    ]
    ref: Annotated[str, Field(max_length=120), AfterValidator(_clean_ref)] | None = None


class SessionTokenOut(BaseModel):
    """A token that proves to an app's server whose page it is embedded in; valid for ``expires_in`` seconds."""

    token: str
    expires_in: int
