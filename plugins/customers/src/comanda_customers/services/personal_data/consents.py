"""A customer's consents, each with the time it was last given or withdrawn."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from comanda_customers.models import StoredConsent
from comanda_customers.records.customers import Consents
from comanda_customers.schemas.consents import CONSENT_NAMES, ConsentsChange


def update_consents(
    stored: Mapping[str, StoredConsent], change: ConsentsChange | None, moment: datetime
) -> dict[str, StoredConsent]:
    """Return the stored consents with a change applied; a consent given again keeps its time."""
    merged = dict(stored)
    given = change.model_dump(exclude_none=True) if change is not None else {}
    for name, is_granted in given.items():
        if (name in merged and merged[name]["granted"]) is not is_granted:
            merged[name] = StoredConsent(granted=is_granted, at=moment.isoformat())
    return merged


def to_consents(stored: Mapping[str, StoredConsent]) -> Consents:
    """Return stored consents; one that was never given is False."""
    fields: dict[str, Any] = {}
    for name in CONSENT_NAMES:
        consent = stored.get(name)
        fields[name] = consent is not None and consent["granted"]
        fields[f"{name}_at"] = None if consent is None else datetime.fromisoformat(consent["at"])
    return Consents(**fields)
