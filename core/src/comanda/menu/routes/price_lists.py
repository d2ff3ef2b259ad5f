"""Routes of price lists."""

from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.paging import PageRequest, RecordPage
from comanda.contracts.requests.routes import Routes
from comanda.menu.price_lists import services
from comanda.menu.price_lists.schemas import PriceListBody, PriceListChange, StorePriceList

routes = Routes("Menu")

LISTS_PATH = "/restaurants/{id}/menu/price-lists"
LIST_PATH = LISTS_PATH + "/{priceListId}"


@routes.get(LISTS_PATH, scope="menu:read")
async def list_price_lists(caller: Caller, id: int, page: PageRequest) -> RecordPage[StorePriceList]:
    """List the price lists of a store, in the order in which they count."""
    return await services.list_price_lists(caller, id, page)


@routes.post(LISTS_PATH, scope="menu:write")
async def create_price_list(caller: Caller, id: int, body: PriceListBody) -> StorePriceList:
    """Create a price list: other prices for some order types, channels or times."""
    return await services.create_price_list(caller, id, body)


@routes.get(LIST_PATH, scope="menu:read")
async def get_price_list(caller: Caller, id: int, price_list_id: int) -> StorePriceList:
    """Return a price list."""
    return await services.get_price_list(caller, id, price_list_id)


@routes.patch(LIST_PATH, scope="menu:write")
async def update_price_list(caller: Caller, id: int, price_list_id: int, body: PriceListChange) -> StorePriceList:
    """Update a price list; fields left out stay as they are, and orders keep their prices."""
    return await services.update_price_list(caller, id, price_list_id, body)


@routes.delete(LIST_PATH, scope="menu:write")
async def delete_price_list(caller: Caller, id: int, price_list_id: int) -> None:
    """Delete a price list; orders keep their prices."""
    await services.delete_price_list(caller, id, price_list_id)
