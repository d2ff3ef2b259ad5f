"""Response models of the storefront API."""

from datetime import datetime
from typing import Any

from comanda.menu.schemas import PublicCategory
from comanda.stores.hours_schemas import HoursOut
from comanda.stores.intake_status import BusyOut
from pydantic import BaseModel


class StorefrontMenu(BaseModel):
    """The full menu of the token's store: items with variations, extras and images. Prices are in ``currency``."""

    restaurant_id: int
    currency: str
    categories: list[PublicCategory]


class ModeOut(BaseModel):
    """An order type that guests may use, and the fields it requires besides items."""

    code: str
    label: str
    required_fields: list[str]


class Policies(BaseModel):
    """Taxes and service charges. Rates are percentages."""

    is_tax_included: bool
    tax_rate: float
    mode_tax_rates: dict[str, float]
    service_charge_rate: float
    service_charge_amount: float
    service_charge_modes: list[str]


class OrderLimits(BaseModel):
    """The maximum number of lines of an order, and the maximum quantity of a line."""

    lines: int
    quantity: int


class StorefrontStore(BaseModel):
    """The public data of a store. ``hours`` is null if it is always open."""

    id: int
    title: str
    slug: str
    url: str
    store_type: str
    vertical: dict[str, Any]
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


class PlacedOrder(BaseModel):
    """A placed order. ``continue_url`` is its tracking page, which needs no login."""

    id: int
    number: int
    status: str
    total: float
    currency: str
    track_token: str
    continue_url: str
