"""Station routes: which station makes an item or a category."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_kds.records import StationRoute
from comanda_kds.schemas import RouteBody
from comanda_kds.services import station_routes

routes = Routes("Kitchen")

READ = "restaurants:read"
WRITE = "restaurants:write"


@routes.get("/restaurants/{id}/station-routes", scope=READ)
async def list_routes(caller: Caller, id: int, page: PageRequest) -> RecordPage[StationRoute]:
    """List the routes of items and categories, 100 per page."""
    return await station_routes.list_routes(caller, id, page)


@routes.put("/restaurants/{id}/station-routes/items/{itemId}", scope=WRITE)
async def update_item_route(caller: Caller, id: int, item_id: int, body: RouteBody) -> StationRoute:
    """Route an item to a station, or with null out of the kitchen; it takes precedence over its category's route."""
    return await station_routes.set_route(caller, id, "item", item_id, body.station_id)


@routes.delete("/restaurants/{id}/station-routes/items/{itemId}", scope=WRITE)
async def delete_item_route(caller: Caller, id: int, item_id: int) -> None:
    """Delete an item's route; its category's route applies again."""
    await station_routes.delete_route(caller, id, "item", item_id)


@routes.put("/restaurants/{id}/station-routes/categories/{categoryId}", scope=WRITE)
async def update_category_route(caller: Caller, id: int, category_id: int, body: RouteBody) -> StationRoute:
    """Route all items of a category to a station, or with null out of the kitchen."""
    return await station_routes.set_route(caller, id, "category", category_id, body.station_id)


@routes.delete("/restaurants/{id}/station-routes/categories/{categoryId}", scope=WRITE)
async def delete_category_route(caller: Caller, id: int, category_id: int) -> None:
    """Delete a category's route; the default station makes its items again."""
    await station_routes.delete_route(caller, id, "category", category_id)
