"""Records of plans."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from comanda.basics import Money
from pydantic import Field

from comanda_reseller.models import Interval
from comanda_reseller.schemas.plans import PlanLimits


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan of a reseller."""

    id: int
    code: str
    name: str
    price: Money
    currency: str
    interval: Interval
    trial_days: int
    limits: PlanLimits
    features: Sequence[str]
    is_active: Annotated[bool, Field(serialization_alias="active")]
    created_at: datetime
    updated_at: datetime
