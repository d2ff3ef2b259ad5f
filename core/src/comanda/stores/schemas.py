"""Request and response bodies of stores."""

from datetime import datetime
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, Field

from comanda.contracts.fields import Amount, ExactBody, Name, Percent, ShortText, example
from comanda.stores.hours_schemas import HoursBody, HoursOut
from comanda.stores.zones import is_time_zone


class VerticalOut(BaseModel):
    """The store type and its capabilities."""

    label: str
    group: str | None
    capabilities: dict[str, bool]
    fulfillment_modes: list[str]


class StoreOut(BaseModel):
    """A store in a list."""

    id: int
    title: str
    slug: str
    url: str
    template: str
    created_at: datetime
    store_type: str
    vertical: VerticalOut


class CategoryCount(BaseModel):
    """A category of a store and its number of items."""

    id: int
    name: str
    position: int
    items_count: int


class SettingsOut(BaseModel):
    """A store's settings. Rates are percentages, amounts are in the store's currency.

    Without ``hours`` the store is always open.
    """

    title: str
    currency: str
    timezone: str
    country: str | None
    phone: str | None
    address: str | None
    is_published: bool
    is_listed: bool
    hours: HoursOut | None
    day_start: str
    tax_rate: float
    is_tax_included: bool
    mode_tax_rates: dict[str, float]
    service_charge_rate: float
    service_charge_amount: float
    service_charge_modes: list[str]
    is_service_charge_taxed: bool
    cash_rounding: float


class StoreDetail(StoreOut):
    """A single store with its menu categories.

    ``closes_at`` is set while the store is open, ``next_open_at`` while it is closed, up to 60 days ahead.
    """

    currency: str
    timezone: str
    country: str | None
    phone: str | None
    address: str | None
    is_open: bool
    next_open_at: datetime | None
    closes_at: datetime | None
    hours: HoursOut | None
    categories: list[CategoryCount]
    items_count: int
    sold_out_count: int
    settings_summary: SettingsOut


def _check_time_zone(name: str) -> str:
    if not is_time_zone(name):
        raise ValueError("must be an IANA time zone such as Europe/Lisbon")
    return ZoneInfo(name).key


DayStart = Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]


class SettingsChange(ExactBody):
    """Settings to change; fields left out or null stay as they are, except that null removes ``hours``."""

    model_config = example({"phone": "+351210000000", "tax_rate": 13, "is_tax_included": True})

    title: Name | None = None
    timezone: Annotated[str, AfterValidator(_check_time_zone)] | None = None
    country: Annotated[str, Field(pattern="^[A-Z]{2}$")] | None = None
    phone: Annotated[ShortText, Field(max_length=30)] | None = None
    address: ShortText | None = None
    is_published: bool | None = None
    is_listed: bool | None = None
    hours: HoursBody | None = None
    day_start: DayStart | None = None
    tax_rate: Percent | None = None
    is_tax_included: bool | None = None
    mode_tax_rates: dict[str, Percent] | None = None
    service_charge_rate: Percent | None = None
    service_charge_amount: Amount | None = None
    service_charge_modes: list[str] | None = None
    is_service_charge_taxed: bool | None = None
    cash_rounding: Amount | None = None
