"""Records of what drivers earn, and of the cash that they hold."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated

from comanda.basics import Money
from comanda.contracts import StoreId
from pydantic import Field


@dataclass(frozen=True, slots=True)
class Adjustment:
    """An amount that an owner added to a driver's earnings, or deducted if it is negative."""

    id: int
    driver_id: int
    store_id: StoreId
    currency: str
    amount: Money
    reason: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class DeliveryEarning:
    """The earning from a delivery, as of its completion."""

    order_id: int
    delivered_at: datetime
    base: Money
    tip: Money
    total: Money


@dataclass(frozen=True, slots=True)
class EarningsAdjustment:
    """An adjustment by the owner, and its reason."""

    amount: Money
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class EarningsSummary:
    """A driver's earnings in a period, both days inclusive, newest first, with totals in one currency."""

    first_day: Annotated[date, Field(serialization_alias="from")]
    last_day: Annotated[date, Field(serialization_alias="to")]
    currency: str
    deliveries: int
    base: Money
    tips: Money
    adjustments: Money
    total: Money
    items: Sequence[DeliveryEarning]
    adjusted: Sequence[EarningsAdjustment]


@dataclass(frozen=True, slots=True)
class HeldCash:
    """The cash of a store that the driver has to hand in, and since when they hold it."""

    store_id: StoreId
    store_name: Annotated[str, Field(serialization_alias="restaurant_name")]
    currency: str
    amount: Money
    since: datetime
