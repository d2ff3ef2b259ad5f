"""A customer's consents, each with the time it was last given or withdrawn."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from comanda_customers.schemas.consents import CONSENT_NAMES, ConsentsChange


def update_consents(
    stored: Mapping[str, Mapping[str, Any]], change: ConsentsChange | None, moment: datetime
) -> dict[str, dict[str, Any]]:
    """Return the stored consents with a change applied; a consent given again keeps its time."""
    merged = {name: dict(consent) for name, consent in stored.items()}
    given = change.model_dump(exclude_none=True) if change is not None else {}
    for name, is_granted in given.items():
        if merged.get(name, {}).get("granted", False) is not is_granted:
            merged[name] = {"granted": is_granted, "at": moment.isoformat()}
    return merged


def to_record(stored: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the consents as the API shows them."""
    record: dict[str, Any] = {}
    for name in CONSENT_NAMES:
        consent = stored.get(name, {})
        record[name] = consent.get("granted", False)
        record[f"{name}_at"] = consent.get("at")
    return record
