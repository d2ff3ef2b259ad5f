"""Records of entitlements, as services return them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from pydantic import Field

from comanda_entitlements.models import SourceType


@dataclass(frozen=True, slots=True)
class GrantSource:
    """A source that grants the feature, with its own quota; ``expires_at`` is null unless it ends by itself."""

    source_type: SourceType
    source_id: str
    quota: int | None
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class EffectiveFeature:
    """A feature of the owner. A ``quota`` of null is unlimited; ``used`` is null if the feature is not counted.

    Without a plan everything is granted, without any source.
    """

    feature_key: str
    label: str
    is_granted: Annotated[bool, Field(serialization_alias="granted")]
    quota: int | None
    quota_unit: str | None
    used: int | None
    sources: Sequence[GrantSource]
