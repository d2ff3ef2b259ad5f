"""Records of plans and subscriptions."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from comanda.basics import Money
from pydantic import Field

from comanda_reseller.models import Interval, SubscriptionStatus
from comanda_reseller.schemas.plans import PlanLimits


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan of a reseller."""

    id: int
    code: str
    name: str
    price: Money
    currency: str
    interval: Interval
    trial_days: int
    limits: PlanLimits
    features: Sequence[str]
    is_active: Annotated[bool, Field(serialization_alias="active")]
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class SubscriptionChange:
    """A change of a subscription, at the time at which it was due."""

    action: str
    status: SubscriptionStatus
    previous_status: SubscriptionStatus | None
    plan_code: str
    invoice_id: int | None
    at: datetime


@dataclass(frozen=True, slots=True)
class Subscription:
    """A customer's subscription. ``price`` is what the current period costs."""

    id: int
    customer_id: int
    customer_name: str
    plan_code: str
    plan_name: str
    pending_plan_code: str | None
    status: SubscriptionStatus
    price: Money
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


@dataclass(frozen=True, slots=True)
class SubscriptionHistory(Subscription):
    """A subscription with its changes, oldest first."""

    history: Sequence[SubscriptionChange]


@dataclass(frozen=True, slots=True)
class OwnSubscription(Subscription):
    """The subscription of a customer, with what its plan includes."""

    limits: PlanLimits
    features: Sequence[str]


@dataclass(frozen=True, slots=True)
class FeatureUsage:
    """How much of a feature a customer uses; a ``limit`` of None is unlimited, ``used`` None is not counted."""

    feature: str
    label: str
    is_granted: bool
    limit: int | None
    used: int | None
