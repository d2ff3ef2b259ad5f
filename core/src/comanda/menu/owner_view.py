"""The owner's menu as JSON bytes, cached per process until it changes."""

from dataclasses import dataclass
from datetime import datetime

from cachetools import LRUCache

from comanda.basics import clock
from comanda.basics.errors import NotFound, require_found
from comanda.contracts.requests.callers import Caller
from comanda.menu.capabilities.orderability import list_menu_orderability
from comanda.menu.reading.item_json import to_owner_menu_json
from comanda.menu.reading.queries import MenuData, load_menu
from comanda.platform.db import sql
from comanda.stores.records import find_vertical

# Of menus that agents and dashboards read repeatedly; others are built on request.
MAX_BYTES = 16 * 2**20

SELECT_VERSIONS = "SELECT menu_version, stock_version FROM core_store WHERE id = $1 AND owner_id = $2"


@dataclass(frozen=True, slots=True)
class OwnerMenu:
    """One version of a menu as JSON: an array of categories, including inactive and sold-out items."""

    menu_version: int
    stock_version: int
    valid_until: datetime | None
    json: bytes


_menus: LRUCache[int, OwnerMenu] = LRUCache(MAX_BYTES, lambda menu: len(menu.json))


async def get_owner_menu(caller: Caller, store_id: int) -> bytes:
    """Return the store's categories, each with its items, as JSON. Raises ``NotFound`` for another owner's store."""
    store = await sql.fetch_one(SELECT_VERSIONS, store_id, caller.owner_id) if caller.reaches(store_id) else None
    if store is None:
        raise NotFound
    found = _menus.get(store_id)
    if found is None or not _is_current(found, store):
        data = require_found(await load_menu(store_id))
        found = _build_menu(data)
        if len(found.json) <= MAX_BYTES:
            _menus[store_id] = found
    return found.json


def _is_current(menu: OwnerMenu, store: sql.Row) -> bool:
    is_current = (menu.menu_version, menu.stock_version) == (store["menu_version"], store["stock_version"])
    return is_current and (menu.valid_until is None or clock.now() < menu.valid_until)


def _build_menu(data: MenuData) -> OwnerMenu:
    store, limited = data.store, list_menu_orderability(data)
    turns = [*data.return_times, *(each.changes_at for each in limited.values() if each.changes_at)]
    return OwnerMenu(
        menu_version=store["menu_version"],
        stock_version=store["stock_version"],
        valid_until=min(turns, default=None),
        json=to_owner_menu_json(data, find_vertical(store["store_type"]), limited),
    )
