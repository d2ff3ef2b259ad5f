"""Records of plans."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from comanda.money import Money

from comanda_reseller.models import Interval


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan of a reseller. ``limits`` without a key, or with None, is unlimited."""

    id: int
    code: str
    name: str
    price: Money
    interval: Interval
    trial_days: int
    limits: Mapping[str, int | None]
    features: Sequence[str]
    is_active: bool
    created_at: datetime
    updated_at: datetime

    @property
    def currency(self) -> str:
        """The currency of the price."""
        return self.price.currency
