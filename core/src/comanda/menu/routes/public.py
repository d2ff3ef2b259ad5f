"""Route of the public menu."""

from comanda.contracts.requests.calls import Answer, Call
from comanda.contracts.requests.routes import PUBLIC, Routes
from comanda.menu import public_view
from comanda.menu.price_lists.menus import get_at_prices
from comanda.menu.price_lists.price_list import PriceChannel
from comanda.menu.schemas import PublicCategory, PublicMenuQuery
from comanda.platform.http.answers import cacheable_answer

routes = Routes("Public", callers=PUBLIC)


@routes.get("/menu/{restaurantId}", cors=True, answers=list[PublicCategory])
async def get_public_menu(call: Call, restaurant_id: int, query: PublicMenuQuery) -> Answer:
    """Return a store's public menu by category, without sold-out items, at the prices of an order type."""
    snapshot = await public_view.get_public_menu(restaurant_id, with_participants=False)
    priced = await get_at_prices(snapshot, query.type, PriceChannel.STOREFRONT)
    return cacheable_answer(call, priced.public, priced.etag)
