"""The menu of a store, sent to Deliverect when somebody asks for it."""

from typing import Final

from comanda.basics import Conflict, Sentence, Unavailable
from comanda.contracts import Caller
from comanda.menu import MenuSnapshot, snapshot
from comanda.platform.db import sql
from comanda.stores import require_store

from comanda_deliverect.client import DeliverectInvalid, DeliverectUnavailable, open_client
from comanda_deliverect.records import KnownConnection
from comanda_deliverect.services import connections
from comanda_deliverect.services.menu_json import build_menu_json

SELECT_ID: Final = "SELECT id FROM deliverect_connection WHERE owner_id = $1 AND store_id = $2"
SELECT_VERSIONS: Final = "SELECT menu_version, stock_version FROM core_store_v1 WHERE owner_id = $1 AND id = $2"
SELECT_CATEGORIES: Final = """
    SELECT id, name FROM core_menu_category_v1 WHERE owner_id = $1 AND store_id = $2 AND is_active
    ORDER BY position, id
"""


async def send_menu(caller: Caller, store_id: int) -> None:
    """Replace the products at Deliverect with the menu. Products that are not on the menu are deleted there.

    Raises ``NotFound``, ``Unavailable``, and ``Conflict`` if the store is not connected or Deliverect refuses the menu.
    """
    await require_store(caller, store_id)
    id = await sql.fetch_value(SELECT_ID, caller.owner_id, store_id)
    connection = None if id is None else await connections.find_connection(caller.owner_id, id)
    menu = None if connection is None else await find_menu(connection)
    if connection is None or menu is None:
        raise Conflict(Sentence("The store is not connected to Deliverect."), extras={"reason": "not_connected"})
    rows = await sql.fetch(SELECT_CATEGORIES, caller.owner_id, store_id)
    content = build_menu_json(menu, {row["id"]: row["name"] for row in rows})
    try:
        async with open_client(connection.credentials) as deliverect:
            await deliverect.replace_menu(
                {"accountId": connection.account_id, "locationId": connection.location_id, **content}
            )
    except DeliverectInvalid as error:
        raise Conflict(str(error), extras={"reason": "menu_refused"}) from error
    except DeliverectUnavailable as error:
        raise Unavailable(str(error)) from error
    # It may have products now that it was told of in vain, and may sell again what it has replaced.
    await connections.send_again(connection)


async def find_menu(connection: KnownConnection) -> MenuSnapshot | None:
    """Return the menu of a connection's store, or None if that is deleted in this moment."""
    versions = await sql.fetch_one(SELECT_VERSIONS, connection.owner_id, connection.store_id)
    if versions is None:
        return None
    return await snapshot.get_snapshot(connection.store_id, *versions.values(), with_participants=False)
