"""The operator's settings for entitlements, prefixed ``COMANDA_ENTITLEMENTS_``."""

from typing import Annotated, Any

from comanda.contracts import PluginSettings
from comanda.platform import runtime
from pydantic import BeforeValidator, Field


def _parse_plan(value: Any) -> Any:
    """Return the features of a plan with their quotas, also from a list of features without any."""
    if isinstance(value, list) and all(isinstance(name, str) for name in value):
        return dict.fromkeys(value)
    if not isinstance(value, dict):
        raise ValueError("must be a JSON object of features and quotas, or a list of features")
    return {name: None if quota is True or quota == "unlimited" else quota for name, quota in value.items()}


Quota = Annotated[int, Field(ge=0, strict=True)]
DefaultPlan = Annotated[dict[str, Quota | None], BeforeValidator(_parse_plan)]


class EntitlementSettings(PluginSettings):
    """What owners without a plan may use."""

    default_plan: DefaultPlan | None = Field(
        default=None,
        description="Plan of owners without one: a JSON object of features and quotas, or a list. Unset: everything.",
    )


def get_settings() -> EntitlementSettings:
    return runtime.settings_of(EntitlementSettings)
