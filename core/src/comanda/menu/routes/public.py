"""Route of the public menu."""

from comanda.contracts.calls import Answer, Call
from comanda.contracts.routes import PUBLIC, Routes
from comanda.menu import public_view
from comanda.menu.schemas import PublicCategory
from comanda.platform.http.answers import cacheable_answer

routes = Routes("Public", callers=PUBLIC)


@routes.get("/menu/{restaurantId}", cors=True, answers=list[PublicCategory])
async def get_public_menu(call: Call, restaurant_id: int) -> Answer:
    """Return a store's public menu by category, without sold-out items."""
    snapshot = await public_view.get_public_menu(restaurant_id, with_participants=False)
    return cacheable_answer(call, snapshot.public, snapshot.etag)
