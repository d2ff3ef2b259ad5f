"""Flower shops: their settings and delivery days."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from comanda.basics import Conflict, NotFound, clock
from comanda.contracts import Caller, StoreTerms
from comanda.menu import MenuSnapshot, public_view, snapshot
from comanda.platform.db import sql
from comanda.stores import bump_menu_version, require_store

from comanda_florist import settings
from comanda_florist.records import DeliveryDay, DeliveryDays, ShopRules
from comanda_florist.schemas.shops import DaysQuery, ShopSettingsChange
from comanda_florist.services.delivery_calendar import DAY, DeliveryCalendar

STORE_TYPE: Final = "florist"
COLUMNS: Final = "deliveries_per_day, days_ahead, remembers_gifts, remind_days_before"
SELECT_SHOP = f"SELECT {COLUMNS} FROM florist_shop WHERE store_id = $1 AND owner_id = $2"
SELECT_IS_LISTED = "SELECT is_listed FROM core_store_v1 WHERE id = $1"
SELECT_TAKEN = """
    SELECT day, taken FROM florist_day
    WHERE store_id = $1 AND owner_id = $2 AND day BETWEEN $3 AND $4
"""


async def get_shop(caller: Caller, store_id: int) -> sql.Row:
    """Return the caller's shop. Raises ``NotFound`` for another owner's, ``Conflict`` for another store type."""
    store = await require_store(caller, store_id)
    _check_type(store["store_type"])
    return store


async def get_menu(caller: Caller, store_id: int) -> MenuSnapshot:
    """Return the menu of the caller's shop. Raises as ``get_shop``."""
    store = await get_shop(caller, store_id)
    return await snapshot.get_snapshot(store_id, store["menu_version"])


async def get_public_menu(store_id: int, *, listed_only: bool = False) -> MenuSnapshot:
    """Return the public menu of a shop, with ``listed_only`` only if the shop is listed.

    Raises ``NotFound``; ``Conflict`` for another store type.
    """
    if listed_only and not await sql.fetch_value(SELECT_IS_LISTED, store_id):
        raise NotFound
    menu = await public_view.get_public_menu(store_id)
    _check_type(menu.terms.vertical.store_type if menu.terms.vertical else "")
    return menu


def _check_type(store_type: str) -> None:
    if store_type != STORE_TYPE:
        raise Conflict("This store sells no flowers.", extras={"reason": "not_a_florist"})


async def get_rules(owner_id: int, store_id: int) -> ShopRules:
    """Return the settings that apply to a shop: its owner's, else the installation's."""
    row = await sql.fetch_one(SELECT_SHOP, store_id, owner_id)
    return _get_default_rules() if row is None else ShopRules(**row)


def _get_default_rules() -> ShopRules:
    found = settings.get_settings()
    return ShopRules(found.deliveries_per_day, found.days_ahead, False, found.remind_days_before)


def get_calendar(terms: StoreTerms, rules: ShopRules) -> DeliveryCalendar:
    """Return the delivery calendar of a shop."""
    return DeliveryCalendar(terms.zone, terms.hours, rules.days_ahead)


async def get_shop_settings(caller: Caller, store_id: int) -> ShopRules:
    """Return a shop's settings. Raises ``NotFound``, ``Conflict``."""
    await get_shop(caller, store_id)
    return await get_rules(caller.owner_id, store_id)


async def update_shop_settings(caller: Caller, store_id: int, change: ShopSettingsChange) -> ShopRules:
    """Update a shop's settings; existing orders keep their days. Raises ``NotFound``, ``Conflict``."""
    await get_shop(caller, store_id)
    # Null removes the limit of deliveries; for other fields it means no change.
    given = change.model_dump(exclude_unset=True)
    columns = {name: value for name, value in given.items() if value is not None or name == "deliveries_per_day"}
    if columns:
        async with sql.transaction():
            await _save_rules(caller.owner_id, store_id, replace(_get_default_rules(), **columns), list(columns))
            # Processes cache a shop's rules together with its menu.
            await bump_menu_version(caller.owner_id, store_id)
    return await get_shop_settings(caller, store_id)


async def _save_rules(owner_id: int, store_id: int, rules: ShopRules, changed: Sequence[str]) -> None:
    await sql.execute(
        f"""INSERT INTO florist_shop (owner_id, store_id, {COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (store_id, owner_id) DO UPDATE
            SET {", ".join(f"{name} = EXCLUDED.{name}" for name in changed)}""",
        owner_id,
        store_id,
        *(getattr(rules, name) for name in COLUMNS.split(", ")),
    )


async def list_days(caller: Caller, store_id: int, query: DaysQuery) -> DeliveryDays:
    """List days with their capacity. Raises ``NotFound``, ``Conflict``."""
    return await _list_days((await get_menu(caller, store_id)).terms, query)


async def list_public_days(store_id: int, query: DaysQuery) -> DeliveryDays:
    """List days of a public shop. Raises ``NotFound``, ``Conflict``."""
    return await _list_days((await get_public_menu(store_id)).terms, query)


async def _list_days(terms: StoreTerms, query: DaysQuery) -> DeliveryDays:
    rules, now = await get_rules(terms.owner_id, terms.id), clock.now()
    calendar = get_calendar(terms, rules)
    listed = _get_range(query.first or calendar.get_today(now), query.count)
    taken = await _load_taken(terms, listed)
    capacity = rules.deliveries_per_day
    return DeliveryDays(
        terms.zone.key,
        [
            DeliveryDay(
                day,
                is_free=calendar.find_fault(day, now) is None and (capacity is None or taken.get(day, 0) < capacity),
                capacity=capacity,
                taken=taken.get(day, 0),
            )
            for day in listed
        ],
    )


def _get_range(first: date, count: int) -> list[date]:
    # The calendar ends with the year 9999.
    return [first + number * DAY for number in range(min(count, (date.max - first).days + 1))]


async def _load_taken(terms: StoreTerms, listed: Sequence[date]) -> dict[date, int]:
    rows = await sql.fetch(SELECT_TAKEN, terms.id, terms.owner_id, listed[0], listed[-1])
    return {row["day"]: row["taken"] for row in rows}
