"""Flower shops: what their owners decided, and the days on which they deliver."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, Final

from comanda import clock
from comanda.contracts.callers import Caller
from comanda.contracts.order_participants import StoreTerms
from comanda.db import sql
from comanda.errors import Conflict, NotFound
from comanda.menu import public_view, snapshot
from comanda.menu.snapshot import MenuSnapshot
from comanda.stores.models import Store
from comanda.stores.services import bump_menu_version, require_store

from comanda_florist import settings
from comanda_florist.calendar import DAY, Calendar
from comanda_florist.schemas import DaysQuery, ShopSettingsChange
from comanda_florist.trade import FLORIST

COLUMNS: Final = "deliveries_per_day, days_ahead, remembers_gifts, remind_days_before"
READ = f"SELECT {COLUMNS} FROM florist_shop WHERE store_id = $1 AND owner_id = $2"
TAKEN = """
    SELECT day, taken FROM florist_day
    WHERE store_id = $1 AND owner_id = $2 AND day BETWEEN $3 AND $4
"""


@dataclass(frozen=True, slots=True)
class Rules:
    """What holds for one shop; ``deliveries_per_day`` None is any number."""

    deliveries_per_day: int | None
    days_ahead: int
    remembers_gifts: bool
    remind_days_before: int


async def must_be_florist(caller: Caller, store_id: int) -> sql.Row:
    """Return the caller's store. Raises ``NotFound`` where it is not theirs, ``Conflict`` where it sells no flowers."""
    store = await require_store(caller, store_id)
    _check_type(store["store_type"])
    return store


async def menu_of(caller: Caller, store_id: int) -> MenuSnapshot:
    """Return the menu of the caller's shop. Raises as ``must_be_florist``."""
    store = await must_be_florist(caller, store_id)
    return await snapshot.get_snapshot(store_id, store["menu_version"])


async def public_menu(store_id: int, *, listed_only: bool = False) -> MenuSnapshot:
    """Return the menu of a shop that anyone may see, with ``listed_only`` of one that directories show.

    Raises ``NotFound``; ``Conflict`` where it sells no flowers.
    """
    if listed_only and not await Store.exists(id=store_id, is_listed=True):
        raise NotFound
    menu = await public_view.get_public_menu(store_id)
    _check_type(menu.terms.vertical.store_type if menu.terms.vertical else "")
    return menu


def _check_type(store_type: str) -> None:
    if store_type != FLORIST.store_type:
        raise Conflict("This store sells no flowers.", extras={"reason": "not_a_florist"})


async def rules_of(owner_id: int, store_id: int) -> Rules:
    """Return what holds for a shop: its owner's word, else the installation's."""
    row = await sql.fetch_one(READ, store_id, owner_id)
    return _defaults() if row is None else Rules(**row)


def _defaults() -> Rules:
    found = settings.current()
    return Rules(found.deliveries_per_day, found.days_ahead, False, found.remind_days_before)


def calendar_of(terms: StoreTerms, rules: Rules) -> Calendar:
    """Return the days on which a shop delivers."""
    return Calendar(terms.zone, terms.hours, rules.days_ahead)


async def shop_settings(caller: Caller, store_id: int) -> dict[str, Any]:
    """Tell how a shop delivers and reminds. Raises ``NotFound``, ``Conflict``."""
    await must_be_florist(caller, store_id)
    return asdict(await rules_of(caller.owner_id, store_id))


async def change_settings(caller: Caller, store_id: int, change: ShopSettingsChange) -> dict[str, Any]:
    """Change how a shop delivers and reminds; orders keep their days. Raises ``NotFound``, ``Conflict``."""
    await must_be_florist(caller, store_id)
    # Null takes the bound off a day's deliveries; elsewhere it says nothing.
    given = change.model_dump(exclude_unset=True)
    columns = {name: value for name, value in given.items() if value is not None or name == "deliveries_per_day"}
    if columns:
        async with sql.transaction():
            await _save(caller.owner_id, store_id, columns)
            # Processes keep a shop's rules together with the menu that they price orders from.
            await bump_menu_version(caller.owner_id, store_id)
    return await shop_settings(caller, store_id)


async def _save(owner_id: int, store_id: int, columns: dict[str, Any]) -> None:
    values = {**asdict(_defaults()), **columns}
    await sql.execute(
        f"""INSERT INTO florist_shop (owner_id, store_id, {COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (store_id, owner_id) DO UPDATE
            SET {", ".join(f"{name} = EXCLUDED.{name}" for name in columns)}""",
        owner_id,
        store_id,
        *(values[name] for name in COLUMNS.split(", ")),
    )


async def days(caller: Caller, store_id: int, query: DaysQuery) -> dict[str, Any]:
    """List days and how full they are. Raises ``NotFound``, ``Conflict``."""
    return await _days((await menu_of(caller, store_id)).terms, query)


async def public_days(store_id: int, query: DaysQuery) -> dict[str, Any]:
    """List days as customers see them. Raises ``NotFound``, ``Conflict``."""
    found = await _days((await public_menu(store_id)).terms, query)
    return {**found, "days": [{"day": each["day"], "is_free": each["is_free"]} for each in found["days"]]}


async def _days(terms: StoreTerms, query: DaysQuery) -> dict[str, Any]:
    rules, now = await rules_of(terms.owner_id, terms.id), clock.now()
    calendar = calendar_of(terms, rules)
    listed = _listed(query.first or calendar.today(now), query.count)
    taken = await _taken(terms, listed)
    capacity = rules.deliveries_per_day
    return {
        "timezone": terms.zone.key,
        "days": [
            {
                "day": day,
                "is_free": calendar.fault(day, now) is None and (capacity is None or taken.get(day, 0) < capacity),
                "capacity": capacity,
                "taken": taken.get(day, 0),
            }
            for day in listed
        ],
    }


def _listed(first: date, count: int) -> list[date]:
    # The calendar ends with the year 9999.
    return [first + number * DAY for number in range(min(count, (date.max - first).days + 1))]


async def _taken(terms: StoreTerms, listed: Sequence[date]) -> dict[date, int]:
    rows = await sql.fetch(TAKEN, terms.id, terms.owner_id, listed[0], listed[-1])
    return {row["day"]: row["taken"] for row in rows}
