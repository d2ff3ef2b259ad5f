"""Fields of age-restricted items and of the orders for them."""

from typing import Annotated

from comanda.contracts import Count
from comanda.web import N_
from pydantic import BaseModel, Field


class AgeFields(BaseModel):
    """The minimum age in years at which an item may be bought."""

    age_min: Annotated[Count, Field(ge=1, le=120)] | None = None


class AgeConfirmation(BaseModel):
    """Whether the customer confirms to be old enough for every item; only true and false are accepted."""

    age_confirmed: Annotated[bool, Field(strict=True)] | None = Field(
        default=None, title=N_("I meet the minimum age for this order")
    )
