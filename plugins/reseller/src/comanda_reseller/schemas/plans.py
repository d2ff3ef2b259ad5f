"""Requests about plans."""

from typing import Annotated

from comanda.contracts import Amount, Body, Count, Name, example
from pydantic import BaseModel, Field

from comanda_reseller.models import Interval

Code = Annotated[str, Field(pattern="^[a-z0-9][a-z0-9_-]{0,49}$")]
TrialDays = Annotated[Count, Field(le=730)]
Features = Annotated[list[Annotated[str, Field(max_length=100)]], Field(max_length=100)]
Currency = Annotated[str, Field(pattern="^[A-Z]{3}$")]


class PlanLimits(Body):
    """The limits of a plan; null is unlimited.

    ``payment_fee`` is what the operator keeps of online payments, in hundredths of a percent; null is nothing.
    """

    stores: Count | None = None
    items: Count | None = None
    staff: Count | None = None
    orders_per_month: Count | None = None
    payment_fee: Annotated[Count, Field(le=10_000)] | None = None


class PlanBody(Body):
    """A plan to create. The currency is that of the reseller account."""

    model_config = example(
        {
            "code": "pro",
            "name": "Pro",
            "price": 49,
            "interval": "month",
            "trial_days": 14,
            "limits": {"stores": 3, "orders_per_month": 2000},
            "features": ["webhooks"],
        }
    )

    code: Code
    name: Name
    price: Amount
    currency: Currency | None = None
    interval: Interval = Interval.MONTH
    trial_days: TrialDays = 0
    limits: PlanLimits = PlanLimits()
    features: Features = []
    active: bool = True


class PlanChange(Body):
    """Changes of a plan; omitted fields stay as they are. Code, currency and interval never change."""

    model_config = example({"price": 59, "limits": {"stores": 5}})

    name: Name | None = None
    price: Amount | None = None
    trial_days: TrialDays | None = None
    limits: PlanLimits | None = None
    features: Features | None = None
    active: bool | None = None


class PlanQuery(BaseModel):
    """Filters for plans."""

    active: bool | None = None
