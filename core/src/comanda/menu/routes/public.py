"""The menu that anyone may read."""

from comanda.http.answers import cacheable
from comanda.http.call import Answer, Call
from comanda.http.routes import PUBLIC, Routes
from comanda.menu import public
from comanda.menu.schemas import PublicCategory

routes = Routes("Public", callers=PUBLIC)


@routes.get("/menu/{restaurantId}", cors=True, answers=list[PublicCategory])
async def show_public_menu(call: Call, restaurant_id: int) -> Answer:
    """Show what a store sells now, grouped by category, sold-out items left out."""
    snapshot = await public.menu(restaurant_id)
    return cacheable(call, snapshot.public, snapshot.etag)
