"""What a pharmacy says of its items, and what an order for some of them has to say."""

from typing import Annotated

from comanda.contracts.fields import Count
from pydantic import BaseModel, Field


class AgeFields(BaseModel):
    """The age in years from which an item may be bought."""

    age_min: Annotated[Count, Field(ge=1, le=120)] | None = None


class AgeConfirmation(BaseModel):
    """Whether the customer says to be old enough for every item; nothing but true and false is read as an answer."""

    age_confirmed: Annotated[bool, Field(strict=True)] | None = Field(
        default=None, title="I am old enough for everything in this order"
    )
