"""Stores: found, listed, created, configured."""

import re
import unicodedata
from datetime import UTC, datetime
from typing import Any
from zoneinfo import available_timezones

import orjson

from comanda import clock, money, runtime
from comanda.accounts.kinds import Caller
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed
from comanda.http.paging import PageRequest
from comanda.stores.models import Store
from comanda.stores.records import COLUMNS, store_record, vertical_of
from comanda.stores.schemas import SettingsChange

DETAIL = f"""
    SELECT {COLUMNS}, day_start_minutes, tax_rate_bp, is_tax_included, mode_tax_rates, service_charge_bp,
           service_charge_minor, service_charge_modes, is_service_charge_taxed, cash_rounding_minor
    FROM core_store WHERE id = $1 AND owner_id = $2
"""
CATEGORY_COUNTS = """
    SELECT c.id, c.name, c.position, count(i.id) AS items_count,
           count(i.id) FILTER (WHERE i.is_sold_out AND (i.sold_out_until IS NULL OR i.sold_out_until > $3)) AS sold_out
    FROM core_menu_category c
    LEFT JOIN core_menu_item i ON i.category_id = c.id AND i.owner_id = c.owner_id
    WHERE c.store_id = $1 AND c.owner_id = $2
    GROUP BY c.id, c.name, c.position ORDER BY c.position, c.id
"""


async def page_of_stores(caller: Caller, page: PageRequest) -> dict[str, Any]:
    """List the caller's stores, newest first."""
    total = await sql.fetch_value("SELECT count(*) FROM core_store WHERE owner_id = $1", caller.owner_id)
    rows = await sql.fetch(
        f"SELECT {COLUMNS} FROM core_store WHERE owner_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3",
        caller.owner_id,
        page.size(),
        page.offset(),
    )
    return page.envelope([store_record(row) for row in rows], total)


async def detail(caller: Caller, store_id: int) -> dict[str, Any]:
    """Describe one store with its categories. Raises ``NotFound`` for another owner's."""
    row = await sql.fetch_one(DETAIL, store_id, caller.owner_id)
    if row is None:
        raise NotFound
    categories = await sql.fetch(CATEGORY_COUNTS, store_id, caller.owner_id, clock.now())
    return {
        **store_record(row),
        "currency": row["currency"],
        "timezone": row["timezone"],
        "country": row["country"],
        "phone": row["phone"],
        "address": row["address"],
        "is_open": row["is_published"],
        "categories": [
            {key: category[key] for key in ("id", "name", "position", "items_count")} for category in categories
        ],
        "items_count": sum(category["items_count"] for category in categories),
        "sold_out_count": sum(category["sold_out"] for category in categories),
        "settings_summary": _settings(row),
    }


async def must_own(caller: Caller, store_id: int) -> sql.Row:
    """Return the caller's store. Raises ``NotFound`` when it is not theirs, or their token is of another store."""
    if caller.store_id is not None and caller.store_id != store_id:
        raise NotFound
    row = await sql.fetch_one(
        "SELECT id, store_type, currency, menu_version FROM core_store WHERE id = $1 AND owner_id = $2",
        store_id,
        caller.owner_id,
    )
    if row is None:
        raise NotFound
    return row


async def settings(caller: Caller, store_id: int) -> dict[str, Any]:
    """Tell a store's settings."""
    row = await sql.fetch_one(DETAIL, store_id, caller.owner_id)
    if row is None:
        raise NotFound
    return _settings(row)


async def change_settings(caller: Caller, store_id: int, change: SettingsChange) -> dict[str, Any]:
    """Change a store's settings. Raises ``ValidationFailed`` for a mode the store does not have."""
    async with sql.transaction():
        store = await Store.select_for_update().get_or_none(id=store_id, owner_id=caller.owner_id)
        if store is None:
            raise NotFound
        _check_modes(store, change)
        changed = _apply(store, change)
        if changed:
            # Prices and taxes are part of the menu that processes keep.
            store.menu_version += 1
            await store.save(update_fields=[*changed, "menu_version"])
    return await settings(caller, store_id)


async def create_store(
    owner_id: int, title: str, store_type: str, *, currency: str = "EUR", timezone: str = "UTC", slug: str | None = None
) -> int:
    """Create a store and return its id. Raises ``ValidationFailed`` for a field that is wrong or a slug in use."""
    if vertical_of(store_type) is None:
        known = ", ".join(sorted(runtime.registry().verticals)) or "none, as no vertical is installed"
        raise ValidationFailed(store_type=[f"There is no store type {store_type}. Known are: {known}."])
    try:
        money.exponent(currency)
    except ValueError as error:
        raise ValidationFailed(currency=[str(error)]) from error
    if timezone not in available_timezones():
        raise ValidationFailed(timezone=["This must be an IANA time zone such as Europe/Lisbon."])
    wanted = slug or slugify(title)
    store_id = await sql.fetch_value(
        """WITH made AS (
             INSERT INTO core_store (owner_id, title, slug, store_type, currency, timezone, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (slug) DO NOTHING RETURNING id)
           SELECT id FROM made""",
        owner_id,
        title,
        wanted,
        store_type,
        currency,
        timezone,
        datetime.now(UTC),
    )
    if store_id is None:
        raise ValidationFailed(slug=[f"The address {wanted} is taken by another store."])
    return int(store_id)


async def terms_changed(owner_id: int, store_id: int) -> None:
    """Let every process read the store's terms and menu anew before its next order, once the open transaction commits.

    For what orders depend on beside the menu. It locks the store's row, so it comes last in its transaction.
    """
    await sql.execute(
        "UPDATE core_store SET menu_version = menu_version + 1 WHERE id = $1 AND owner_id = $2", store_id, owner_id
    )


def slugify(title: str) -> str:
    """Make the part of a web address from a title."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:100] or "store"


def _settings(row: sql.Row) -> dict[str, Any]:
    currency = row["currency"]
    hours, minutes = divmod(row["day_start_minutes"], 60)
    return {
        **{
            key: row[key]
            for key in ("title", "currency", "timezone", "country", "phone", "address", "is_published", "is_listed")
        },
        "day_start": f"{hours:02}:{minutes:02}",
        "tax_rate": row["tax_rate_bp"] / 100,
        "is_tax_included": row["is_tax_included"],
        "mode_tax_rates": {mode: rate / 100 for mode, rate in orjson.loads(row["mode_tax_rates"]).items()},
        "service_charge_rate": row["service_charge_bp"] / 100,
        "service_charge_amount": money.to_number(row["service_charge_minor"], currency),
        "service_charge_modes": row["service_charge_modes"],
        "is_service_charge_taxed": row["is_service_charge_taxed"],
        "cash_rounding": money.to_number(row["cash_rounding_minor"], currency),
    }


def _check_modes(store: Store, change: SettingsChange) -> None:
    vertical = vertical_of(store.store_type)
    known = vertical.fulfillment_modes if vertical else ()
    named = {"mode_tax_rates": change.mode_tax_rates or {}, "service_charge_modes": change.service_charge_modes or []}
    errors = {
        field: [f"{mode} is not a fulfillment mode of this store." for mode in modes if mode not in known]
        for field, modes in named.items()
    }
    if any(errors.values()):
        raise ValidationFailed({field: sentences for field, sentences in errors.items() if sentences})


def _apply(store: Store, change: SettingsChange) -> list[str]:
    """Set what the change names and return the columns it touched."""
    given = change.model_dump(exclude_unset=True, exclude_none=True)
    columns: dict[str, Any] = {}
    for name, value in given.items():
        match name:
            case "tax_rate" | "service_charge_rate":
                columns[name.replace("_rate", "_rate_bp") if name == "tax_rate" else "service_charge_bp"] = _basis(
                    value
                )
            case "mode_tax_rates":
                columns[name] = {mode: _basis(rate) for mode, rate in value.items()}
            case "service_charge_amount":
                columns["service_charge_minor"] = _minor(name, value, store.currency)
            case "cash_rounding":
                columns["cash_rounding_minor"] = _minor(name, value, store.currency)
            case "day_start":
                columns["day_start_minutes"] = int(value[:2]) * 60 + int(value[3:])
            case _:
                columns[name] = value
    store.update_from_dict(columns)
    return list(columns)


def _basis(percent: float) -> int:
    return round(percent * 100)


def _minor(field: str, amount: float, currency: str) -> int:
    try:
        return money.to_minor(amount, currency)
    except ValueError as error:
        raise ValidationFailed({field: [str(error)]}) from error
