"""Records of stores."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

import orjson

from comanda.basics.money import Money
from comanda.contracts import opening_hours
from comanda.contracts.stores.verticals import Vertical
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.photos.urls import MENU_WIDTHS, to_url

STORE_COLUMNS = """id, owner_id, title, slug, store_type, template, currency, timezone, country, phone, address,
    is_published, is_listed, created_at"""
SETTINGS_COLUMNS = f"""{STORE_COLUMNS}, hours, day_start_minutes, tax_rate_ppm, is_tax_included, mode_tax_rates,
    service_charge_ppm, service_charge_minor, service_charge_modes, is_service_charge_taxed, cash_rounding_minor,
    logo_hash, cover_hash"""

MAX_SLUG_LENGTH: Final = 100

Row = sql.Row | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class VerticalSummary:
    """A store type with its capabilities, each present or not, and its fulfillment modes."""

    label: str
    group: str | None
    capabilities: Mapping[str, bool]
    fulfillment_modes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StoreType(VerticalSummary):
    """A store type of this installation, which a new store may have."""

    store_type: str


@dataclass(frozen=True, slots=True)
class Opening:
    """Whether a store is open, and when it opens or closes next, up to 60 days ahead."""

    is_open: bool
    next_open_at: datetime | None
    closes_at: datetime | None


@dataclass(frozen=True, slots=True)
class StoreSummary:
    """A store in a list. ``url`` is that of its page."""

    id: int
    title: str
    slug: str
    url: str
    template: str
    created_at: datetime
    store_type: str
    vertical: VerticalSummary


@dataclass(frozen=True, slots=True)
class GeneralSettings:
    """The settings that every store has.

    ``hours`` are those of its column, in the order of the days; without them it is always open. Rates are in parts per
    million. ``logo_url`` and ``cover_url`` are the addresses of its pictures.
    """

    store_id: int
    title: str
    currency: str
    timezone: str
    country: str | None
    phone: str | None
    address: str | None
    is_published: bool
    is_listed: bool
    hours: Mapping[str, object] | None
    day_start_minutes: int
    tax_rate_ppm: int
    is_tax_included: bool
    mode_tax_rates_ppm: Mapping[str, int]
    service_charge_ppm: int
    service_charge: Money
    service_charge_modes: tuple[str, ...]
    is_service_charge_taxed: bool
    cash_rounding: Money
    logo_url: str | None
    cover_url: str | None


@dataclass(frozen=True, slots=True)
class CategoryCount:
    """A category of a store and its number of items."""

    id: int
    name: str
    position: int
    items_count: int


@dataclass(frozen=True, slots=True)
class StoreOverview:
    """A store with its settings, its menu categories, and whether it is open."""

    summary: StoreSummary
    settings: GeneralSettings
    opening: Opening
    categories: tuple[CategoryCount, ...]
    items_count: int
    sold_out_count: int


@dataclass(frozen=True, slots=True)
class PluginSettingsForm:
    """The settings that one plugin adds to a store.

    ``form`` is a JSON schema, in which each field has a ``title`` and may have a ``description``, a ``unit`` and
    choices (``enum``). They are changed by a PUT of ``values`` to ``path``.
    """

    plugin: str
    title: str
    path: str
    form: Mapping[str, object]
    values: Mapping[str, object]


def may_be_slug(text: str) -> bool:
    """Return whether a part of an address may be a slug; it may contain what PostgreSQL cannot store."""
    return len(text) <= MAX_SLUG_LENGTH and text.isprintable()


def find_vertical(store_type: str) -> Vertical | None:
    """Return the vertical of a store type, or None if its plugin is no longer installed."""
    return runtime.registry().verticals.get(store_type)


def get_vertical_summary(store_type: str) -> VerticalSummary:
    """Return the summary of a store type; without its plugin it keeps its name and has no capabilities."""
    vertical = find_vertical(store_type)
    if vertical is None:
        return VerticalSummary(store_type, None, {}, ())
    return VerticalSummary(
        vertical.label,
        vertical.group.value,
        {code: code in vertical.capabilities for code in runtime.registry().capabilities()},
        vertical.fulfillment_modes,
    )


def to_store_summary(row: Row) -> StoreSummary:
    """Return a row with ``STORE_COLUMNS`` as a store."""
    return sql.to_record(
        StoreSummary,
        row,
        url=runtime.registry().store_url(runtime.settings().site_url, row["slug"]),
        vertical=get_vertical_summary(row["store_type"]),
    )


def to_store_settings(row: Row) -> GeneralSettings:
    """Return a row with ``SETTINGS_COLUMNS`` as settings."""
    return sql.to_record(
        GeneralSettings,
        row,
        store_id=row["id"],
        hours=parse_stored_hours(row["hours"]),
        mode_tax_rates_ppm=orjson.loads(row["mode_tax_rates"]),
        service_charge=Money(row["service_charge_minor"], row["currency"]),
        service_charge_modes=tuple(row["service_charge_modes"]),
        cash_rounding=Money(row["cash_rounding_minor"], row["currency"]),
        logo_url=to_picture_url(row["id"], row["logo_hash"]),
        cover_url=to_picture_url(row["id"], row["cover_hash"]),
    )


def to_picture_url(store_id: int, photo_hash: str | None, width: int = MENU_WIDTHS[-1]) -> str | None:
    """Return the address of a picture of a store, in one of ``MENU_WIDTHS``."""
    return None if photo_hash is None else to_url(store_id, photo_hash, width)


def get_opening(row: Row, moment: datetime) -> Opening:
    """Return the opening of a store at a moment.

    The row has ``hours``, ``timezone`` and ``is_published``; a store that is not published is not open.
    """
    if not row["is_published"]:
        return Opening(is_open=False, next_open_at=None, closes_at=None)
    return find_opening(opening_hours.parse_hours(row["hours"]), ZoneInfo(row["timezone"]), moment)


def find_opening(hours: opening_hours.Hours | None, zone: ZoneInfo, moment: datetime) -> Opening:
    """Return the opening at a moment for opening hours; without any, a store is always open."""
    if hours is None:
        return Opening(is_open=True, next_open_at=None, closes_at=None)
    is_open = hours.is_open(zone, moment)
    return Opening(
        is_open=is_open,
        next_open_at=None if is_open else hours.next_open_at(zone, moment),
        closes_at=hours.closes_at(zone, moment) if is_open else None,
    )


def parse_stored_hours(stored: str | None) -> Mapping[str, object] | None:
    """Return a store's hours from its column, with the days in order."""
    if stored is None:
        return None
    document = orjson.loads(stored)
    return {name: document[name] for name in (*opening_hours.DAYS, "exceptions")}
