"""Subscriptions on the wire."""

from datetime import datetime
from typing import Annotated

from comanda.contracts.fields import Body, Count, Id, ShortText, example
from comanda.contracts.wire import MoneyNumber
from pydantic import BaseModel, Field

from comanda_reseller.models import Interval, SubscriptionStatus
from comanda_reseller.schemas.plans import PlanLimits

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


class SubscriptionOut(BaseModel):
    """A subscription."""

    id: int
    customer_id: int
    customer_name: str
    plan_code: str
    plan_name: str
    pending_plan_code: str | None
    status: SubscriptionStatus
    price: MoneyNumber
    currency: str
    interval: Interval
    current_period_start: datetime
    current_period_end: datetime
    trial_ends_at: datetime | None
    cancel_at_period_end: bool
    cancelled_at: datetime | None
    paused_at: datetime | None
    past_due_at: datetime | None
    open_invoice_id: int | None
    activated_at: datetime | None
    ended_at: datetime | None
    created_at: datetime


class SubscriptionChangeOut(BaseModel):
    """A change of a subscription, at the time at which it was due."""

    action: str
    status: SubscriptionStatus
    previous_status: SubscriptionStatus | None
    plan_code: str
    invoice_id: int | None
    at: datetime


class SubscriptionDetails(SubscriptionOut):
    """A subscription with its changes, oldest first."""

    history: list[SubscriptionChangeOut]


class OwnSubscriptionOut(SubscriptionOut):
    """The caller's subscription, with what its plan includes."""

    limits: PlanLimits
    features: list[str]


class UsageOut(BaseModel):
    """How much of a feature is in use; a ``limit`` of null is unlimited."""

    feature: str
    label: str
    is_granted: bool
    limit: int | None
    used: int | None
