"""Installations, usage and charges on the wire."""

import re
from datetime import datetime
from decimal import Decimal
from typing import Annotated

from comanda.contracts.fields import Amount, Body, ExactBody, ExactNumber, example
from comanda.contracts.wire import MoneyNumber
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, WithJsonSchema

from comanda_marketplace.models import Billing, BillingStatus
from comanda_marketplace.schemas.apps import PriceNumber

# As programs print numbers, 1e-05 included.
NUMBER = re.compile(r"-?([0-9]{1,20}(\.[0-9]{0,20})?|\.[0-9]{1,20})(e[+-]?[0-9]{1,2})?", re.ASCII | re.IGNORECASE)
MAX_QUANTITY = Decimal(10) ** 12


def _parse_text(value: object) -> object:
    # Fields of forms are texts, and Decimal alone would read words and the digits of other scripts too.
    if not isinstance(value, str):
        return value
    if not NUMBER.fullmatch(value.strip()):
        raise ValueError("must be a number")
    return Decimal(value.strip())


def _clean_ref(text: str) -> str | None:
    if not text.isprintable():
        raise ValueError("must contain printable characters only")
    return text or None


class AppTermsOut(BaseModel):
    """What an app charges: ``price`` per period of a ``recurring`` app, per unit of a ``usage`` app."""

    billing: Billing
    price: PriceNumber
    currency: str
    period_days: int


class InstallationOut(BaseModel):
    """An installed app. ``terms`` are what you agreed to; ``new_terms`` are set if the app charges others differently.

    ``store_ids`` is null if it may use all of your stores. ``app_id`` is null for a program that is not in the
    marketplace.
    """

    id: int
    app_id: int | None
    name: str
    client_id: str
    scopes: list[str]
    store_ids: list[int] | None
    is_active: bool
    terms: AppTermsOut | None
    new_terms: AppTermsOut | None
    billing_status: BillingStatus
    monthly_cap: MoneyNumber | None
    usage_this_month: MoneyNumber | None
    current_period_start: datetime | None
    current_period_end: datetime | None
    next_charge_at: datetime | None
    installed_at: datetime
    uninstalled_at: datetime | None


class InstallationChange(Body):
    """Changes of an installation. ``monthly_cap`` is the most that reported usage may cost in a month; null is none."""

    model_config = example({"monthly_cap": 25})

    monthly_cap: Amount | None


class UsageBody(ExactBody):
    """Usage to charge. A report whose ``ref`` was charged before is answered with the first record."""

    model_config = example({"quantity": 3, "ref": "order-4711"})

    quantity: Annotated[
        ExactNumber,
        BeforeValidator(_parse_text),
        Field(gt=0, le=MAX_QUANTITY, decimal_places=6),
        WithJsonSchema({"type": "number", "exclusiveMinimum": 0}),
    ]
    ref: Annotated[str, Field(max_length=120), AfterValidator(_clean_ref)] | None = None


class AppUsageOut(BaseModel):
    """Charged usage. ``balance`` is the wallet's after the charge."""

    id: int
    quantity: PriceNumber
    unit_price: PriceNumber
    amount: MoneyNumber
    balance: MoneyNumber
    ref: str | None
    created_at: datetime


class UsageAnswer(AppUsageOut):
    """Charged usage; ``duplicate`` is true and the status 200 if its ``ref`` was charged before."""

    duplicate: bool = Field(validation_alias="is_duplicate")


class PeriodChargeOut(BaseModel):
    """A paid period of a recurring app."""

    id: int
    period_start: datetime
    period_end: datetime
    amount: MoneyNumber
    created_at: datetime


class SessionTokenOut(BaseModel):
    """A token that proves to an app's server whose page it is embedded in; valid for ``expires_in`` seconds."""

    token: str
    expires_in: int
