"""Changes of a customer's consents."""

from collections.abc import Mapping
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
