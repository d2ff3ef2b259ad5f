"""The kitchen of a store: its settings, its stations, and which items they make."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_kds.records import KitchenTimings, Station, StationRoute
from comanda_kds.schemas import KitchenChange, RouteBody, StationBody, StationChange
from comanda_kds.services import kitchen_settings, station_routes, stations

routes = Routes("Kitchen")

READ = "restaurants:read"
WRITE = "restaurants:write"


@routes.get("/restaurants/{id}/kitchen-settings", scope=READ)
async def get_settings(caller: Caller, id: int) -> KitchenTimings:
    """Return when tickets are soon late and late, and how early scheduled orders appear on the board."""
    return await kitchen_settings.get_kitchen_settings(caller, id)


@routes.put("/restaurants/{id}/kitchen-settings", scope=WRITE)
async def update_settings(caller: Caller, id: int, body: KitchenChange) -> KitchenTimings:
    """Update a kitchen's settings; omitted fields stay unchanged, null restores the installation's default."""
    return await kitchen_settings.update_kitchen_settings(caller, id, body)


@routes.get("/restaurants/{id}/stations", scope=READ)
async def list_stations(caller: Caller, id: int, page: PageRequest) -> RecordPage[Station]:
    """List a kitchen's stations by position, 50 per page."""
    return await stations.list_stations(caller, id, page)


@routes.post("/restaurants/{id}/stations", scope=WRITE)
async def create_station(caller: Caller, id: int, body: StationBody) -> Station:
    """Create a station. The first one is the default, which makes every item that is not routed elsewhere."""
    return await stations.create_station(caller, id, body)


@routes.get("/restaurants/{id}/stations/{stationId}", scope=READ)
async def get_station(caller: Caller, id: int, station_id: int) -> Station:
    """Return a station."""
    return await stations.get_station(caller, id, station_id)


@routes.patch("/restaurants/{id}/stations/{stationId}", scope=WRITE)
async def update_station(caller: Caller, id: int, station_id: int, body: StationChange) -> Station:
    """Update a station; omitted fields stay unchanged. Making one the default replaces the previous default."""
    return await stations.update_station(caller, id, station_id, body)


@routes.delete("/restaurants/{id}/stations/{stationId}", scope=WRITE)
async def delete_station(caller: Caller, id: int, station_id: int) -> None:
    """Delete a station and its routes; its items fall back to their category's station or the default."""
    await stations.delete_station(caller, id, station_id)


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
