"""Bodies and answers about stores."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, Field, PlainSerializer, model_validator

from comanda.basics.rates import to_percent
from comanda.contracts.requests.fields import Amount, Body, CurrencyCode, ExactBody, Name, Percent, ShortText, example
from comanda.contracts.requests.wire import MoneyNumber, PercentNumber, flatten
from comanda.stores.business_days import format_time_of_day
from comanda.stores.hours_schemas import HoursBody, HoursOut
from comanda.stores.records import CategoryCount, StoreOverview, VerticalSummary
from comanda.stores.zones import is_time_zone


def _to_percents(rates: Mapping[str, int]) -> dict[str, float]:
    return {mode: to_percent(ppm) for mode, ppm in rates.items()}


# Settings of a store, with the names of their records.
DayStartText = Annotated[
    int, PlainSerializer(format_time_of_day, return_type=str), Field(validation_alias="day_start_minutes")
]
TaxRate = Annotated[PercentNumber, Field(validation_alias="tax_rate_ppm")]
ModeTaxRates = Annotated[
    dict[str, int],
    PlainSerializer(_to_percents, return_type=dict[str, float]),
    Field(validation_alias="mode_tax_rates_ppm"),
]
ServiceChargeRate = Annotated[PercentNumber, Field(validation_alias="service_charge_ppm")]
ServiceChargeAmount = Annotated[MoneyNumber, Field(validation_alias="service_charge")]


class SettingsOut(BaseModel):
    """A store's settings. Rates are percentages, amounts are in the store's currency.

    Without ``hours`` the store is always open. ``logo_url`` and ``cover_url`` are its pictures.
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
    day_start: DayStartText
    tax_rate: TaxRate
    is_tax_included: bool
    mode_tax_rates: ModeTaxRates
    service_charge_rate: ServiceChargeRate
    service_charge_amount: ServiceChargeAmount
    service_charge_modes: list[str]
    is_service_charge_taxed: bool
    cash_rounding: MoneyNumber
    logo_url: str | None
    cover_url: str | None


class StoreDetail(BaseModel):
    """A single store with its menu categories.

    ``closes_at`` is set while the store is open, ``next_open_at`` while it is closed, up to 60 days ahead.
    """

    id: int
    title: str
    slug: str
    url: str
    template: str
    created_at: datetime
    store_type: str
    vertical: VerticalSummary
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
    settings_summary: Annotated[SettingsOut, Field(validation_alias="settings")]

    @model_validator(mode="before")
    @classmethod
    def _flatten(cls, overview: StoreOverview) -> Mapping[str, object]:
        return flatten(overview, "summary", "settings", "opening")


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


class StoreBody(Body):
    """A store to create. Its ``slug``, the name in its address, is made from the title if it is left out.

    Type and currency cannot be changed later.
    """

    model_config = example({"title": "Tasca da Rua", "store_type": "shop", "timezone": "Europe/Lisbon"})

    title: Name
    store_type: Annotated[str, Field(max_length=50)]
    currency: CurrencyCode = "EUR"
    timezone: Annotated[str, AfterValidator(_check_time_zone)] = "UTC"
    country: Annotated[str, Field(pattern="^[A-Z]{2}$")] | None = None
    slug: Annotated[str, Field(pattern="^[a-z0-9]+(-[a-z0-9]+)*$", max_length=100)] | None = None
