"""Records of installations, their terms, usage and charges."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from comanda.money import Money

from comanda_marketplace.models import Billing, BillingStatus


@dataclass(frozen=True, slots=True)
class Terms:
    """What an app charges an owner who agreed to it; ``price`` is per period or per unit."""

    billing: Billing
    price: Decimal
    currency: str
    period_days: int


@dataclass(frozen=True, slots=True)
class InstalledApp:
    """An owner's installation. ``app_id`` and ``terms`` are None for a client that is no app of the marketplace.

    ``new_terms`` are set if the app charges others differently now; the owner keeps the old terms until accepting.
    """

    id: int
    app_id: int | None
    name: str
    client_id: str
    scopes: Sequence[str]
    store_ids: Sequence[int] | None
    is_active: bool
    installed_at: datetime
    uninstalled_at: datetime | None
    terms: Terms | None = None
    new_terms: Terms | None = None
    billing_status: BillingStatus = BillingStatus.NONE
    monthly_cap: Money | None = None
    usage_this_month: Money | None = None
    current_period_start: datetime | None = None
    current_period_end: datetime | None = None
    next_charge_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class AppTotals:
    """Installations of an app, and what was charged for it."""

    active_installations: int
    uninstalled: int
    past_due: int
    usage_charged: Money
    recurring_charged: Money


@dataclass(frozen=True, slots=True)
class Usage:
    """Reported usage and what was charged for it; ``balance`` is the wallet's afterwards.

    ``is_duplicate`` says that an earlier report with the same ``ref`` was charged.
    """

    id: int
    installation_id: int
    quantity: Decimal
    unit_price: Decimal
    amount: Money
    balance: Money
    ref: str | None
    created_at: datetime
    is_duplicate: bool = False


@dataclass(frozen=True, slots=True)
class PeriodCharge:
    """A paid period of a recurring app."""

    id: int
    installation_id: int
    period_start: datetime
    period_end: datetime
    amount: Money
    created_at: datetime
