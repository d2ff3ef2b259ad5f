"""Schemas of offers."""

from typing import Annotated, Literal

from comanda.contracts import Body, Text, example
from pydantic import BaseModel, Field


class OfferRejection(Body):
    """An optional reason for rejecting an offer."""

    model_config = example({"reason": "Too far away"})

    reason: Annotated[Text, Field(max_length=500)] | None = None


class OfferRejected(BaseModel):
    """A rejected offer."""

    id: int
    status: Literal["rejected"]
