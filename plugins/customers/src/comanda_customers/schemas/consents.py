"""Request and response bodies of a customer's consents."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, StrictBool, model_validator

CONSENT_NAMES = ("marketing_email", "marketing_sms", "marketing_push", "terms")
# Read-only, accepted and ignored so that a response can be sent back unchanged.
TIMESTAMP_NAMES = frozenset(f"{name}_at" for name in CONSENT_NAMES)


class ConsentsChange(BaseModel):
    """Consents to give or withdraw; those left out are unchanged. The server sets the time and ignores ``…_at``."""

    model_config = ConfigDict(extra="forbid")

    marketing_email: StrictBool | None = None
    marketing_sms: StrictBool | None = None
    marketing_push: StrictBool | None = None
    terms: StrictBool | None = None

    @model_validator(mode="before")
    @classmethod
    def _remove_timestamps(cls, given: Any) -> Any:
        if isinstance(given, Mapping):
            return {name: value for name, value in given.items() if name not in TIMESTAMP_NAMES}
        return given


class Consents(BaseModel):
    """A customer's consents; ``…_at`` is when it was last given or withdrawn, null if it never was."""

    marketing_email: bool
    marketing_email_at: datetime | None
    marketing_sms: bool
    marketing_sms_at: datetime | None
    marketing_push: bool
    marketing_push_at: datetime | None
    terms: bool
    terms_at: datetime | None
