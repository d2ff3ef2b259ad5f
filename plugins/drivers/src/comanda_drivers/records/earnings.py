"""Records of what drivers earn, and of the cash that they hold."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from comanda.money import Money


@dataclass(frozen=True, slots=True)
class Adjustment:
    """An amount that an owner added to a driver's earnings, or deducted if it is negative."""

    id: int
    driver_id: int
    store_id: int
    amount: Money
    reason: str
    created_at: datetime

    @property
    def currency(self) -> str:
        """The currency of the amount."""
        return self.amount.currency


@dataclass(frozen=True, slots=True)
class DeliveryEarning:
    """The earning from a delivery, as of its completion."""

    order_id: int
    delivered_at: datetime
    base: Money
    tip: Money

    @property
    def total(self) -> Money:
        """The pay and the tip."""
        return self.base + self.tip


@dataclass(frozen=True, slots=True)
class EarningsAdjustment:
    """An adjustment as its driver sees it."""

    amount: Money
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class EarningsSummary:
    """A driver's earnings from ``first_day`` to ``last_day``, both inclusive, in one currency; newest first."""

    first_day: date
    last_day: date
    base: Money
    tips: Money
    adjustments: Money
    items: Sequence[DeliveryEarning]
    adjusted: Sequence[EarningsAdjustment]

    @property
    def currency(self) -> str:
        """The currency of all amounts."""
        return self.base.currency

    @property
    def deliveries(self) -> int:
        """The number of deliveries."""
        return len(self.items)

    @property
    def total(self) -> Money:
        """The sum of pay, tips and adjustments."""
        return self.base + self.tips + self.adjustments


@dataclass(frozen=True, slots=True)
class HeldCash:
    """The cash of a store that a driver has to hand in, and since when they have held any."""

    store_id: int
    store_name: str
    amount: Money
    since: datetime

    @property
    def currency(self) -> str:
        """The currency of the amount."""
        return self.amount.currency
