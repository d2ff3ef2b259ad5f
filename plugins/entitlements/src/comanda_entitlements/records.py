"""Records of entitlements, as services return them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from comanda_entitlements.models import SourceType


@dataclass(frozen=True, slots=True)
class GrantSource:
    """A source that grants a feature, with the quota that it grants; None is unlimited."""

    source_type: SourceType
    source_id: str
    quota: int | None
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class EffectiveFeature:
    """A feature as one owner has it, with the sources that grant it.

    ``used`` is null for a feature that is not counted.
    """

    feature_key: str
    label: str
    is_granted: bool
    quota: int | None
    quota_unit: str | None
    used: int | None
    sources: Sequence[GrantSource]
