"""The menu of a store, sent to Deliverect when somebody asks for it."""

from typing import Final

from comanda.basics import Conflict, Sentence, Unavailable
from comanda.contracts import Caller
from comanda.menu import snapshot
from comanda.platform.db import sql
from comanda.stores import require_store

from comanda_deliverect.client import DeliverectInvalid, DeliverectUnavailable, open_client
from comanda_deliverect.services import connections
from comanda_deliverect.services.menu_json import build_menu_json

SELECT_TARGET: Final = """
    SELECT c.id, c.account_id, c.location_id, s.menu_version, s.stock_version FROM deliverect_connection c
    JOIN core_store_v1 s ON s.id = c.store_id AND s.owner_id = c.owner_id WHERE c.owner_id = $1 AND c.store_id = $2
"""
SELECT_CATEGORIES: Final = """
    SELECT id, name FROM core_menu_category_v1 WHERE owner_id = $1 AND store_id = $2 AND is_active
    ORDER BY position, id
"""


async def send_menu(caller: Caller, store_id: int) -> None:
    """Replace the products at Deliverect with the menu. Products that are not on the menu are deleted there.

    Raises ``NotFound``, ``Unavailable``, and ``Conflict`` if the store is not connected or Deliverect refuses the menu.
    """
    await require_store(caller, store_id)
    target = await sql.fetch_one(SELECT_TARGET, caller.owner_id, store_id)
    connection = None if target is None else await connections.find_connection(caller.owner_id, target["id"])
    if target is None or connection is None:
        raise Conflict(Sentence("The store is not connected to Deliverect."), extras={"reason": "not_connected"})
    menu = await snapshot.get_snapshot(
        store_id, target["menu_version"], target["stock_version"], with_participants=False
    )
    rows = await sql.fetch(SELECT_CATEGORIES, caller.owner_id, store_id)
    content = build_menu_json(menu, {row["id"]: row["name"] for row in rows})
    try:
        async with open_client(connection.credentials) as deliverect:
            await deliverect.replace_menu(
                {"accountId": target["account_id"], "locationId": target["location_id"], **content}
            )
    except DeliverectInvalid as error:
        raise Conflict(str(error), extras={"reason": "menu_refused"}) from error
    except DeliverectUnavailable as error:
        raise Unavailable(str(error)) from error
