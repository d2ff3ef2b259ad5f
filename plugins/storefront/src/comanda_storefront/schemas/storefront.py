"""Response models of the storefront API."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Annotated

from comanda.contracts import flatten
from comanda.menu import PublicCategory
from comanda.orders import OrderLimits
from comanda.stores import (
    BusyOut,
    HoursOut,
    ModeTaxRates,
    ServiceChargeAmount,
    ServiceChargeRate,
    TaxRate,
    VerticalSummary,
)
from pydantic import BaseModel, BeforeValidator, model_validator

from comanda_storefront.records import PublicStore


class StorefrontMenu(BaseModel):
    """The full menu of the token's store: items with variations, extras and images. Prices are in ``currency``."""

    restaurant_id: int
    currency: str
    categories: list[PublicCategory]


def _list_field_names(required: Iterable[tuple[str, str]]) -> list[str]:
    return [name for name, _ in required]


class ModeOut(BaseModel):
    """An order type that guests may use, and the fields it requires besides items."""

    code: str
    label: str
    required_fields: Annotated[list[str], BeforeValidator(_list_field_names)]


class Policies(BaseModel):
    """Taxes and service charges. Rates are percentages."""

    is_tax_included: bool
    tax_rate: TaxRate
    mode_tax_rates: ModeTaxRates
    service_charge_rate: ServiceChargeRate
    service_charge_amount: ServiceChargeAmount
    service_charge_modes: list[str]


class StorefrontStore(BaseModel):
    """The public data of a store. ``hours`` is null if it is always open."""

    id: int
    title: str
    slug: str
    url: str
    store_type: str
    vertical: VerticalSummary
    currency: str
    timezone: str
    country: str | None
    address: str | None
    phone: str | None
    hours: HoursOut | None
    is_open: bool
    next_open_at: datetime | None
    closes_at: datetime | None
    busy: BusyOut
    modes: list[ModeOut]
    policies: Policies
    order_limits: OrderLimits

    @model_validator(mode="before")
    @classmethod
    def _flatten(cls, public: PublicStore) -> Mapping[str, object]:
        store = flatten(public.store, "summary", "settings", "opening")
        return store | flatten(public) | {"policies": public.store.settings}
