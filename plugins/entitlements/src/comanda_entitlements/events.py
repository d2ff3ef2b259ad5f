"""The event of entitlements."""

from datetime import datetime
from enum import StrEnum

from comanda.contracts import Event


class Action(StrEnum):
    """Whether a feature was granted or revoked."""

    GRANTED = "granted"
    REVOKED = "revoked"


class EntitlementChanged(Event):
    """An owner gained or lost a feature: a change of the plan, an add-on, an app, or an administrator's decision.

    Sent when the effective state changes, so not while another source still grants the feature, and not for a new
    quota. ``source_type`` and ``source_id`` name the source whose change made the difference; ``user_id`` is the owner.
    """

    name = "entitlement.changed"
    scope = "entitlements:read"
    sample = {
        "action": "granted",
        "feature_key": "crm_suite",
        "source_type": "plan",
        "source_id": "pro",
        "user_id": 7,
        "occurred_at": "2030-01-07T09:00:00+00:00",
    }

    action: Action
    feature_key: str
    source_type: str
    source_id: str
    user_id: int
    occurred_at: datetime
