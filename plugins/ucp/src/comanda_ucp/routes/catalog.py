"""Routes of the catalog: search, look up, show."""

from comanda.contracts import PUBLIC, Answer, Call, Routes, Unvalidated

from comanda_ucp.routes.protocol import STORE, UCP, admit_agent
from comanda_ucp.schemas import ItemBody, LookupBody, SearchBody
from comanda_ucp.services import catalog

routes = Routes("Shopping agents", callers=PUBLIC, prefix="", is_documented=False, protocol=UCP)


@routes.post(f"{STORE}/catalog/search", status=200, is_read_only=True)
async def search_items(call: Call, slug: str) -> Answer:
    """Find products by words, category and price."""
    store = await admit_agent(call, slug)
    return Answer(await catalog.search_items(store, Unvalidated(SearchBody, call.body).validated()))


@routes.post(f"{STORE}/catalog/lookup", status=200, is_read_only=True)
async def look_up_items(call: Call, slug: str) -> Answer:
    """Return products by ids."""
    store = await admit_agent(call, slug)
    return Answer(await catalog.look_up_items(store, Unvalidated(LookupBody, call.body).validated()))


@routes.post(f"{STORE}/catalog/product", status=200, is_read_only=True)
async def get_item(call: Call, slug: str) -> Answer:
    """Return a product with its variants."""
    store = await admit_agent(call, slug)
    return Answer(await catalog.get_item(store, Unvalidated(ItemBody, call.body).validated()))
