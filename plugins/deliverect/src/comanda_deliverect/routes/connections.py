"""The connection of a store to Deliverect, and the orders that came from there, for owners."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_deliverect.records import DeliverectConnection, DeliverectOrder
from comanda_deliverect.schemas import DeliverectConnectionBody, DeliverectOrderQuery
from comanda_deliverect.services import connections, menus, order_links

routes = Routes("Deliverect")

CONNECTION = "/restaurants/{id}/deliverect"


@routes.get(CONNECTION, scope="restaurants:read")
async def get_deliverect_connection(caller: Caller, id: int) -> DeliverectConnection:
    """Get a store's connection to Deliverect, if there is one."""
    return await connections.get_connection(caller, id)


@routes.put(CONNECTION, scope="restaurants:write")
async def update_deliverect_connection(caller: Caller, id: int, body: DeliverectConnectionBody) -> DeliverectConnection:
    """Connect a store to a location at Deliverect, or change the connection. 503 if Deliverect does not answer."""
    return await connections.update_connection(caller, id, body)


@routes.delete(CONNECTION, scope="restaurants:write")
async def delete_deliverect_connection(caller: Caller, id: int) -> None:
    """Disconnect a store from Deliverect. Its orders stay, and Deliverect hears of them no longer."""
    await connections.delete_connection(caller, id)


@routes.post(f"{CONNECTION}/menu", scope="restaurants:write", status=204)
async def send_deliverect_menu(caller: Caller, id: int) -> None:
    """Replace the products at Deliverect with the menu. 409 if it is refused, 503 if Deliverect does not answer."""
    await menus.send_menu(caller, id)


@routes.get(f"{CONNECTION}/orders", scope="orders:read")
async def list_deliverect_orders(
    caller: Caller, id: int, query: DeliverectOrderQuery, page: PageRequest
) -> RecordPage[DeliverectOrder]:
    """List the orders that Deliverect has sent, newest first, with why they were rejected."""
    return await order_links.list_orders(caller, id, query, page)
