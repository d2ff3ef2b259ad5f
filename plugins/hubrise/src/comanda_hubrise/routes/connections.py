"""The connection of a store to HubRise, and the orders that came from there, for owners."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_hubrise.records import HubRiseConnection, HubRiseOrder
from comanda_hubrise.schemas import HubRiseConnectionBody, HubRiseOrderQuery
from comanda_hubrise.services import connections, order_links

routes = Routes("HubRise")

CONNECTION = "/restaurants/{id}/hubrise"


@routes.get(CONNECTION, scope="restaurants:read")
async def get_hubrise_connection(caller: Caller, id: int) -> HubRiseConnection:
    """Get a store's connection to HubRise, if there is one."""
    return await connections.get_connection(caller, id)


@routes.put(CONNECTION, scope="restaurants:write")
async def update_hubrise_connection(caller: Caller, id: int, body: HubRiseConnectionBody) -> HubRiseConnection:
    """Connect a store to a location at HubRise, or change the connection. 503 if HubRise does not answer."""
    return await connections.update_connection(caller, id, body)


@routes.delete(CONNECTION, scope="restaurants:write")
async def delete_hubrise_connection(caller: Caller, id: int) -> None:
    """Disconnect a store from HubRise. Its orders stay, and HubRise hears of them no longer."""
    await connections.delete_connection(caller, id)


@routes.get(f"{CONNECTION}/orders", scope="orders:read")
async def list_hubrise_orders(
    caller: Caller, id: int, query: HubRiseOrderQuery, page: PageRequest
) -> RecordPage[HubRiseOrder]:
    """List the orders that HubRise has reported, newest first, with why they were rejected."""
    return await order_links.list_orders(caller, id, query, page)
