"""Requests about subscriptions."""

from typing import Annotated

from comanda.contracts import Body, Count, Id, ShortText, example
from pydantic import BaseModel, Field

from comanda_reseller.models import SubscriptionStatus

PlanCode = Annotated[ShortText, Field(max_length=50)]


class SubscriptionBody(Body):
    """A subscription to start for a customer; ``trial_days`` replaces those of the plan."""

    model_config = example({"customer_id": 84, "plan_code": "pro"})

    customer_id: Id
    plan_code: PlanCode
    trial_days: Annotated[Count, Field(le=730)] | None = None


class CancelBody(Body):
    """How to cancel: at the end of the period, or ``now``."""

    model_config = example({"now": False})

    now: bool = False


class PlanChoice(Body):
    """The plan to change to."""

    model_config = example({"plan_code": "pro"})

    plan_code: PlanCode


class SubscriptionQuery(BaseModel):
    """Filters for subscriptions."""

    status: SubscriptionStatus | None = None
    customer_id: Id | None = None
    plan_code: ShortText | None = None
