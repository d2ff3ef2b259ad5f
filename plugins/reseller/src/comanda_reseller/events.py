"""The events of subscriptions, published to the customer's workspace and to the reseller's."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from comanda.contracts import Event

from comanda_reseller.models import SubscriptionStatus


def _sample(status: str, previous: str) -> Mapping[str, object]:
    return {
        "subscription_id": 12,
        "customer_id": 84,
        "plan_code": "pro",
        "status": status,
        "previous_status": previous,
        "current_period_start": "2026-11-01T00:00:00+00:00",
        "current_period_end": "2026-12-01T00:00:00+00:00",
        "at": "2026-11-28T00:00:00+00:00",
    }


class SubscriptionEvent(Event):
    """A change of a subscription. ``at`` is when it was due, ``customer_id`` the account of the customer."""

    scope = "billing:read"

    subscription_id: int
    customer_id: int
    plan_code: str
    status: SubscriptionStatus
    previous_status: SubscriptionStatus | None
    current_period_start: datetime
    current_period_end: datetime
    at: datetime


class SubscriptionTrialEnding(SubscriptionEvent):
    """A trial ends in three days, or it just began and is shorter. Not sent for a subscription that is set to end."""

    name = "subscription.trial_ending"
    sample = _sample("trialing", "trialing")


class SubscriptionRenewed(SubscriptionEvent):
    """A period began or was paid: after a trial, on renewal, or when an overdue payment arrived.

    Not sent for the first period of a subscription without a trial.
    """

    name = "subscription.renewed"
    sample = _sample("active", "active")


class SubscriptionPastDue(SubscriptionEvent):
    """A payment failed, or an invoice became overdue. Not sent for the retries that follow."""

    name = "subscription.past_due"
    sample = _sample("past_due", "active")


class SubscriptionPaused(SubscriptionEvent):
    """A subscription was paused; the rest of its period is kept."""

    name = "subscription.paused"
    sample = _sample("paused", "active")


class SubscriptionResumed(SubscriptionEvent):
    """A paused subscription runs again, or a cancellation was taken back."""

    name = "subscription.resumed"
    sample = _sample("active", "paused")


class SubscriptionPlanChanged(SubscriptionEvent):
    """A change of plan took effect: at once for a dearer plan, at the end of the period for a cheaper one."""

    name = "subscription.plan_changed"
    sample = _sample("active", "active")


class SubscriptionExpiring(SubscriptionEvent):
    """A cancelled subscription ends in three days, or sooner if it was cancelled later than that."""

    name = "subscription.expiring"
    sample = _sample("cancelled", "cancelled")


class SubscriptionExpired(SubscriptionEvent):
    """A subscription ended: its cancellation took effect, or it was not paid in time."""

    name = "subscription.expired"
    sample = _sample("expired", "cancelled")


SUBSCRIPTION_EVENTS: Final[Sequence[type[SubscriptionEvent]]] = (
    SubscriptionTrialEnding,
    SubscriptionRenewed,
    SubscriptionPastDue,
    SubscriptionPaused,
    SubscriptionResumed,
    SubscriptionPlanChanged,
    SubscriptionExpiring,
    SubscriptionExpired,
)
