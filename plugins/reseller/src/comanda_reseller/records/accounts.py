"""Records of reseller accounts, their customers and their figures."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from comanda.basics import Money
from comanda.contracts import PercentNumber
from pydantic import Field

from comanda_reseller.models import CollectionMethod, SubscriptionStatus


class CustomerStatus(StrEnum):
    """Whether a customer's account works."""

    ACTIVE = "active"
    SUSPENDED = "suspended"


@dataclass(frozen=True, slots=True)
class Customer:
    """A customer of a reseller; ``id`` is that of its account, ``balance`` that of its wallet."""

    id: int
    name: str
    email: str
    status: CustomerStatus
    stores_count: int
    plan: str | None
    subscription_status: SubscriptionStatus | None
    balance: Money
    currency: str
    collection_method: CollectionMethod
    language: str
    legal_name: str | None
    address: str | None
    tax_number: str | None
    created_at: datetime
    invited_at: datetime | None
    accepted_at: datetime | None
    suspended_at: datetime | None
    suspend_reason: str | None


@dataclass(frozen=True, slots=True)
class Tier:
    """A reseller's tier and what is missing to the next one, which is null in the highest."""

    key: str
    name: str
    discount_percent: float
    min_customers: int
    customers: int
    next_tier: str | None
    customers_to_next: int | None


@dataclass(frozen=True, slots=True)
class BillingSettings:
    """What the invoices of a reseller say about the seller, their tax, and when and how they are to be paid."""

    currency: str
    legal_name: str | None
    address: str | None
    tax_number: str | None
    tax_ppm: Annotated[PercentNumber, Field(serialization_alias="tax_rate")]
    invoice_prefix: str
    due_days: int
    payment_note: str | None


@dataclass(frozen=True, slots=True)
class ResellerBrand:
    """What customers of a reseller see instead of the installation's name, and whom they ask for help."""

    brand_name: Annotated[str | None, Field(serialization_alias="name")]
    brand_email: Annotated[str | None, Field(serialization_alias="email")]


@dataclass(frozen=True, slots=True)
class ResellerStats:
    """The figures of a reseller, in its currency.

    ``mrr`` and ``arr`` are the recurring revenue per month and year, without tax. ``churn_30d`` counts the
    subscriptions that were paid for and ended in the last 30 days, ``new_30d`` those first paid for in them;
    ``churn_rate_ppm`` is the share of those who paid 30 days ago that have left since.
    """

    customers: int
    active: int
    suspended: int
    trialing: int
    past_due: int
    mrr: Money
    arr: Money
    currency: str
    churn_30d: int
    churn_rate_ppm: Annotated[PercentNumber, Field(serialization_alias="churn_rate_30d")]
    new_30d: int
