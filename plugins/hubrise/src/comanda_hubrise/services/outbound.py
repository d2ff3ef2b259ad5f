"""What HubRise knows of a store's menu: changes are gathered for a moment, and sent if they make a difference there."""

from collections.abc import Collection
from datetime import timedelta
from hashlib import sha256
from typing import Final

import orjson
from comanda.basics import clock
from comanda.menu import MenuSnapshot, snapshot
from comanda.platform.db import sql

from comanda_hubrise.client import HubRise
from comanda_hubrise.records import KnownConnection
from comanda_hubrise.services.documents.catalog_json import build_catalog, build_inventory

# Several changes of a menu make one request.
GATHER: Final = timedelta(seconds=10)
WAKE: Final = """
    UPDATE hubrise_connection c SET wakes = c.wakes + 1, next_attempt_at = least(c.next_attempt_at, $3)
    FROM unnest($1::bigint[], $2::bigint[]) AS given (owner_id, store_id)
    WHERE c.owner_id = given.owner_id AND c.store_id = given.store_id AND (c.sends_menu OR c.sends_sold_out)
"""
SELECT_VERSIONS: Final = """
    SELECT menu_version, stock_version FROM core_store_v1 WHERE owner_id = $1 AND id = $2
"""
SELECT_CATEGORIES: Final = """
    SELECT id, name FROM core_menu_category_v1 WHERE owner_id = $1 AND store_id = $2 AND is_active
    ORDER BY position, id
"""
SAVE_CATALOG_HASH: Final = "UPDATE hubrise_connection SET catalog_hash = $3 WHERE owner_id = $1 AND id = $2"
SAVE_INVENTORY_HASH: Final = "UPDATE hubrise_connection SET inventory_hash = $3 WHERE owner_id = $1 AND id = $2"


async def wake_connections(stores: Collection[tuple[int, int]]) -> None:
    """Queue a comparison of the menus of stores, given as owners and ids, with what HubRise has.

    It waits for a moment, in which more may change.
    """
    owner_ids, store_ids = [owner_id for owner_id, _ in stores], [store_id for _, store_id in stores]
    await sql.execute(WAKE, owner_ids, store_ids, clock.now() + GATHER)


async def send_menu(hubrise: HubRise, connection: KnownConnection) -> None:
    """Send the menu and what is sold out, as far as the owner wants it and it is not what HubRise has."""
    if connection.catalog_id is None or not (connection.sends_menu or connection.sends_sold_out):
        return
    versions = await sql.fetch_one(SELECT_VERSIONS, connection.owner_id, connection.store_id)
    if versions is None:
        return
    menu = await snapshot.get_snapshot(connection.store_id, *versions.values(), with_participants=False)
    target = (connection.owner_id, connection.id)
    if connection.sends_menu:
        rows = await sql.fetch(SELECT_CATEGORIES, connection.owner_id, connection.store_id)
        catalog = build_catalog(menu, {row["id"]: row["name"] for row in rows})
        if (digest := _hash(catalog)) != connection.catalog_hash:
            await hubrise.replace_catalog(connection.catalog_id, catalog)
            await sql.execute(SAVE_CATALOG_HASH, *target, digest)
    if connection.sends_sold_out:
        await _send_inventory(hubrise, connection, menu)


async def _send_inventory(hubrise: HubRise, connection: KnownConnection, menu: MenuSnapshot) -> None:
    entries = build_inventory(menu, only_skus=not connection.sends_menu)
    if connection.catalog_id is not None and (digest := _hash(entries)) != connection.inventory_hash:
        await hubrise.replace_inventory(connection.catalog_id, entries)
        await sql.execute(SAVE_INVENTORY_HASH, connection.owner_id, connection.id, digest)


def _hash(content: object) -> bytes:
    return sha256(orjson.dumps(content)).digest()
