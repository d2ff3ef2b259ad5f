"""Consents on the wire: what a customer agreed to, and when they last said so."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, StrictBool, model_validator

CONSENT_NAMES = ("marketing_email", "marketing_sms", "marketing_push", "terms")
# Whoever sends back what they read sends these too.
TIMESTAMP_NAMES = frozenset(f"{name}_at" for name in CONSENT_NAMES)


class ConsentsChange(BaseModel):
    """What to agree to or take back; what is left out stays. The server notes when, whatever ``…_at`` is sent."""

    model_config = ConfigDict(extra="forbid")

    marketing_email: StrictBool | None = None
    marketing_sms: StrictBool | None = None
    marketing_push: StrictBool | None = None
    terms: StrictBool | None = None

    @model_validator(mode="before")
    @classmethod
    def _without_moments(cls, given: Any) -> Any:
        if isinstance(given, Mapping):
            return {name: value for name, value in given.items() if name not in TIMESTAMP_NAMES}
        return given


class Consents(BaseModel):
    """What the customer agreed to; ``…_at`` is when they did or took it back, null where they never agreed."""

    marketing_email: bool
    marketing_email_at: datetime | None
    marketing_sms: bool
    marketing_sms_at: datetime | None
    marketing_push: bool
    marketing_push_at: datetime | None
    terms: bool
    terms_at: datetime | None


def changed(
    known: Mapping[str, Mapping[str, Any]], change: ConsentsChange | None, moment: datetime
) -> dict[str, dict[str, Any]]:
    """Return the stored consents with a change; one that is only said again keeps its moment."""
    merged = {name: dict(consent) for name, consent in known.items()}
    said = change.model_dump(exclude_none=True) if change is not None else {}
    for name, is_granted in said.items():
        if merged.get(name, {}).get("granted", False) is not is_granted:
            merged[name] = {"granted": is_granted, "at": moment.isoformat()}
    return merged


def record(stored: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Make the consents as the API shows them."""
    shown: dict[str, Any] = {}
    for name in CONSENT_NAMES:
        consent = stored.get(name, {})
        shown[name] = consent.get("granted", False)
        shown[f"{name}_at"] = consent.get("at")
    return shown
