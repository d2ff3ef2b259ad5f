"""Bodies of requests about loyalty, and the field of orders."""

from decimal import Decimal
from typing import Annotated

from comanda.contracts import (
    Amount,
    Arguments,
    Body,
    Count,
    ExactBody,
    ExactNumber,
    Id,
    ShortText,
    Text,
    Whole,
    example,
    is_null,
)
from comanda.web import N_
from pydantic import AfterValidator, BaseModel, Field

from comanda_loyalty.models import EarnBy, RewardType

MAX_POINTS = 1_000_000


def _not_blank(text: str) -> str:
    if not text:
        raise ValueError("must not be empty")
    return text


RewardName = Annotated[ShortText, Field(max_length=80), AfterValidator(_not_blank)]
Price = Annotated[Count, Field(ge=1, le=MAX_POINTS)]
Value = Annotated[ExactNumber, Field(gt=Decimal(0))]


class ProgrammeBody(Body):
    """How customers collect points; fields that are omitted have their defaults."""

    model_config = example({"is_on": True, "earn_by": "amount", "points": 1, "expires_after_months": 12})

    is_on: bool = False
    earn_by: EarnBy = EarnBy.AMOUNT
    points: Annotated[Count, Field(ge=1, le=1000)] = 1
    min_order: Amount | None = None
    expires_after_months: Annotated[Count, Field(ge=1, le=120)] | None = None


class RewardBody(ExactBody):
    """A reward: ``value`` is a percentage or an amount, by its type; a reward of the type ``item`` has an ``item_id``.

    Customers see it while it ``is_active``.
    """

    model_config = example({"name": "5 off", "type": "fixed", "value": 5, "points": 100})

    name: RewardName
    type: RewardType
    value: Value | None = None
    item_id: Id | None = None
    points: Price
    is_active: bool = True


class PointsBody(Body):
    """Points to add to a customer's balance, negative to deduct, and the reason."""

    model_config = example({"points": 50, "reason": "The soup was cold"})

    points: Annotated[Whole, Field(ge=-MAX_POINTS, le=MAX_POINTS)]
    reason: Annotated[Text, Field(max_length=500), AfterValidator(_not_blank)]


class OrderCustomerBody(Body):
    """The customer of an order, by the phone number that the store knows of them."""

    model_config = example({"phone": "+351912345678"})

    phone: Annotated[ShortText, Field(max_length=50), AfterValidator(_not_blank)]


class MyPoints(Arguments):
    """No arguments: the token identifies the customer."""


class RewardFields(BaseModel):
    """The reward that the calling customer takes for their points, by its id."""

    loyalty_reward: Id | None = Field(
        default=None, title=N_("Reward"), exclude_if=is_null, json_schema_extra={"x-hidden": True}
    )
