"""Stores: found, listed, created, configured."""

import re
import unicodedata
from datetime import UTC, datetime
from typing import Any

from comanda import clock, money, runtime
from comanda.contracts.callers import Caller
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed
from comanda.stores.hours_schemas import ROUND_THE_CLOCK, HoursChange, stored
from comanda.stores.models import Store
from comanda.stores.records import COLUMNS, find_vertical, opening_record, store_record
from comanda.stores.schemas import SettingsChange
from comanda.stores.settings import SETTINGS_COLUMNS, apply_change, settings_record
from comanda.stores.zones import is_time_zone

CATEGORY_COUNTS = """
    SELECT c.id, c.name, c.position, count(i.id) AS items_count,
           count(i.id) FILTER (WHERE i.is_sold_out AND (i.sold_out_until IS NULL OR i.sold_out_until > $3)) AS sold_out
    FROM core_menu_category c
    LEFT JOIN core_menu_item i ON i.category_id = c.id AND i.owner_id = c.owner_id
    WHERE c.store_id = $1 AND c.owner_id = $2
    GROUP BY c.id, c.name, c.position ORDER BY c.position, c.id
"""


async def list_stores(caller: Caller, page: PageRequest) -> dict[str, Any]:
    """List the caller's stores, newest first."""
    theirs = "FROM core_store WHERE owner_id = $1 AND ($2::bigint IS NULL OR id = $2)"
    total = await sql.fetch_value(f"SELECT count(*) {theirs}", caller.owner_id, caller.store_id)
    rows = await sql.fetch(
        f"SELECT {COLUMNS} {theirs} ORDER BY id DESC LIMIT $3 OFFSET $4",
        caller.owner_id,
        caller.store_id,
        page.size(),
        page.offset(),
    )
    return page.envelope([store_record(row) for row in rows], total)


async def get_store(caller: Caller, store_id: int) -> dict[str, Any]:
    """Describe one store with its categories. Raises ``NotFound`` like ``require_store``."""
    row = await _find(caller, store_id, SETTINGS_COLUMNS)
    moment = clock.now()
    categories = await sql.fetch(CATEGORY_COUNTS, store_id, caller.owner_id, moment)
    summary = settings_record(row)
    return {
        **store_record(row),
        **{name: summary[name] for name in ("currency", "timezone", "country", "phone", "address", "hours")},
        **opening_record(row, moment),
        "categories": [
            {key: category[key] for key in ("id", "name", "position", "items_count")} for category in categories
        ],
        "items_count": sum(category["items_count"] for category in categories),
        "sold_out_count": sum(category["sold_out"] for category in categories),
        "settings_summary": summary,
    }


async def require_store(caller: Caller, store_id: int) -> sql.Row:
    """Return the caller's store. Raises ``NotFound`` when it is not theirs, or their token is of another store."""
    return await _find(caller, store_id, "id, store_type, currency, menu_version")


async def get_settings(caller: Caller, store_id: int) -> dict[str, Any]:
    """Tell a store's settings. Raises ``NotFound`` like ``require_store``."""
    return settings_record(await _find(caller, store_id, SETTINGS_COLUMNS))


async def change_settings(caller: Caller, store_id: int, change: SettingsChange) -> dict[str, Any]:
    """Change a store's settings and tell all of them.

    Raises ``NotFound`` like ``require_store``, and ``ValidationFailed`` for a mode that the store does not have or an amount
    that its currency cannot express.
    """
    async with sql.transaction():
        store = await _locked(caller, store_id)
        await _save(store, apply_change(store, change))
    return await get_settings(caller, store_id)


async def change_hours(caller: Caller, store_id: int, change: HoursChange) -> dict[str, Any]:
    """Change the hours of the days that are given, and tell all settings. Raises ``NotFound`` like ``require_store``.

    A store that has been open always stays open round the clock on the other days.
    """
    given = stored(change)
    async with sql.transaction():
        # Two agents may change a day each at once, and both days count.
        store = await _locked(caller, store_id)
        if given:
            store.hours = {**(store.hours or ROUND_THE_CLOCK), **given}
            await _save(store, ["hours"])
    return await get_settings(caller, store_id)


async def create_store(
    owner_id: int, title: str, store_type: str, *, currency: str = "EUR", timezone: str = "UTC", slug: str | None = None
) -> int:
    """Create a store and return its id. Raises ``ValidationFailed`` for a field that is wrong or a slug in use."""
    if find_vertical(store_type) is None:
        known = ", ".join(sorted(runtime.registry().verticals)) or "none, as no vertical is installed"
        raise ValidationFailed(store_type=[f"There is no store type {store_type}. Known are: {known}."])
    try:
        money.get_exponent(currency)
    except ValueError as error:
        raise ValidationFailed(currency=[str(error)]) from error
    if not is_time_zone(timezone):
        raise ValidationFailed(timezone=["Must be an IANA time zone such as Europe/Lisbon."])
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


async def _find(caller: Caller, store_id: int, columns: str) -> sql.Row:
    row = None
    if caller.reaches(store_id):
        statement = f"SELECT {columns} FROM core_store WHERE id = $1 AND owner_id = $2"
        row = await sql.fetch_one(statement, store_id, caller.owner_id)
    if row is None:
        raise NotFound
    return row


async def _locked(caller: Caller, store_id: int) -> Store:
    store = None
    if caller.reaches(store_id):
        store = await Store.select_for_update().get_or_none(id=store_id, owner_id=caller.owner_id)
    if store is None:
        raise NotFound
    return store


async def _save(store: Store, changed: list[str]) -> None:
    if changed:
        # Prices, taxes and hours are part of the menu that processes keep.
        store.menu_version += 1
        await store.save(update_fields=[*changed, "menu_version"])
