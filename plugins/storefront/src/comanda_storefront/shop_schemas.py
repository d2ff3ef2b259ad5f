"""What storefront tokens read and write, and how owners ask for a QR code."""

from datetime import datetime
from typing import Annotated, Any, Literal

from comanda.contracts.fields import Body, Text
from comanda.contracts.order_bodies import TableNumber
from comanda.menu.schemas import PublicCategory
from comanda.stores.hours_schemas import HoursOut
from comanda.stores.intake_status import BusyOut
from pydantic import BaseModel, Field


class StorefrontMenu(BaseModel):
    """The whole menu of the token's store: items with variations, extras and pictures. Prices are in ``currency``."""

    restaurant_id: int
    currency: str
    categories: list[PublicCategory]


class ModeOut(BaseModel):
    """A kind of order that guests may place, and what such an order must have besides its items."""

    code: str
    label: str
    required_fields: list[str]


class Policies(BaseModel):
    """What is added to prices. Rates are percentages."""

    is_tax_included: bool
    tax_rate: float
    mode_tax_rates: dict[str, float]
    service_charge_rate: float
    service_charge_amount: float
    service_charge_modes: list[str]


class OrderLimits(BaseModel):
    """How large an order may be: its lines, and how many of one."""

    lines: int
    quantity: int


class StorefrontStore(BaseModel):
    """A store as its guests know it; nothing of its owner. ``hours`` null is always open."""

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
    """An order that was placed. At ``continue_url`` a person follows it without a login."""

    id: int
    number: int
    status: str
    total: float
    currency: str
    track_token: str
    continue_url: str


class QrQuery(Body):
    """Which code: of a ``table``, or of the store itself; as ``svg`` or ``png``."""

    table: Annotated[TableNumber | None, Field(description="Left out, the code leads to the store's page.")] = None
    format: Annotated[Literal["svg", "png"], Field(description="Drawn to scale, or as pixels.")] = "svg"


class QrSheetQuery(Body):
    """Which cards: one for each of ``tables``, or one of the store itself."""

    tables: Annotated[
        Text | None, Field(description="Names and ranges of tables, such as `1-12, Terrace`; at most 200.")
    ] = None
