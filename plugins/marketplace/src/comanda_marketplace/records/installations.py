"""Records of installations, their terms, usage and charges."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from comanda.basics import Money
from pydantic import Field

from comanda_marketplace.models import Billing, BillingStatus
from comanda_marketplace.records.apps import PriceNumber


@dataclass(frozen=True, slots=True)
class Terms:
    """What an app charges: ``price`` per period of a ``recurring`` app, per unit of a ``usage`` app."""

    billing: Billing
    price: PriceNumber
    currency: str
    period_days: int


@dataclass(frozen=True, slots=True)
class InstalledApp:
    """An installed app. ``terms`` are what you agreed to; ``new_terms`` are set if the app charges others differently.

    ``store_ids`` is null if it may use all of your stores. ``app_id`` is null for a program that is not in the
    marketplace.
    """

    id: int
    app_id: int | None
    name: str
    client_id: str
    scopes: Sequence[str]
    store_ids: Sequence[int] | None
    is_active: bool
    terms: Terms | None
    new_terms: Terms | None
    billing_status: BillingStatus
    monthly_cap: Money | None
    usage_this_month: Money | None
    current_period_start: datetime | None
    current_period_end: datetime | None
    next_charge_at: datetime | None
    installed_at: datetime
    uninstalled_at: datetime | None


@dataclass(frozen=True, slots=True)
class AppTotals:
    """What an app's developer may know of its installations: how many there are, and what they earned."""

    active_installations: int
    uninstalled: int
    past_due: int
    usage_charged: Money
    recurring_charged: Money


@dataclass(frozen=True, slots=True)
class Usage:
    """Charged usage. ``balance`` is the wallet's after the charge."""

    id: int
    quantity: PriceNumber
    unit_price: PriceNumber
    amount: Money
    balance: Money
    ref: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class UsageReceipt(Usage):
    """Charged usage; ``duplicate`` is true and the status 200 if its ``ref`` was charged before."""

    is_duplicate: Annotated[bool, Field(serialization_alias="duplicate")]


@dataclass(frozen=True, slots=True)
class PeriodCharge:
    """A paid period of a recurring app."""

    id: int
    period_start: datetime
    period_end: datetime
    amount: Money
    created_at: datetime
