"""What the API and its clients read of entitlements."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Annotated

from comanda.contracts.fields import Body, Count
from pydantic import AliasChoices, BaseModel, Field

from comanda_entitlements.models import SourceType


class GrantSourceOut(BaseModel):
    """A source that grants the feature, with its own quota; ``expires_at`` is null unless it ends by itself."""

    source_type: SourceType
    source_id: str
    quota: int | None
    expires_at: datetime | None


class EntitlementOut(BaseModel):
    """A feature of the owner. A ``quota`` of null is unlimited; ``used`` is null if the feature is not counted.

    Without a plan everything is granted, without any source.
    """

    feature_key: str
    label: str
    granted: bool = Field(validation_alias=AliasChoices("is_granted", "granted"))
    quota: int | None
    quota_unit: str | None
    used: int | None
    sources: Sequence[GrantSourceOut]


class GrantBody(Body):
    """A feature that an administrator grants, up to a ``quota`` and until a day; null is unlimited, and for good."""

    feature: Annotated[str, Field(min_length=1, max_length=100)]
    quota: Count | None = None
    until: date | None = None
