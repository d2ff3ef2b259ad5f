"""A kitchen, as its owner sets it up: settings, stations, and what is made where."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes

from comanda_kds import routing, rules, stations
from comanda_kds.schemas import (
    KitchenChange,
    KitchenOut,
    RouteBody,
    RouteOut,
    StationBody,
    StationChange,
    StationOut,
)

routes = Routes("Kitchen")

READ = "restaurants:read"
WRITE = "restaurants:write"


@routes.get("/restaurants/{id}/kitchen-settings", scope=READ, answers=KitchenOut)
async def show_settings(caller: Caller, id: int) -> dict[str, Any]:
    """Show when a ticket is soon late and late, and how long before its time an order for later comes."""
    return await rules.settings(caller, id)


@routes.put("/restaurants/{id}/kitchen-settings", scope=WRITE, answers=KitchenOut)
async def change_settings(caller: Caller, id: int, body: KitchenChange) -> dict[str, Any]:
    """Change a kitchen's settings; fields left out stay, null is what the installation says."""
    return await rules.change_settings(caller, id, body)


@routes.get("/restaurants/{id}/stations", scope=READ, answers=Page[StationOut])
async def list_stations(caller: Caller, id: int, page: PageRequest) -> dict[str, Any]:
    """List a kitchen's stations by position, 50 per page."""
    return await stations.page_of_stations(caller, id, page)


@routes.post("/restaurants/{id}/stations", scope=WRITE, answers=StationOut)
async def add_station(caller: Caller, id: int, body: StationBody) -> dict[str, Any]:
    """Add a station. The first is the default, where everything is made that is routed nowhere else."""
    return await stations.add_station(caller, id, body)


@routes.get("/restaurants/{id}/stations/{stationId}", scope=READ, answers=StationOut)
async def show_station(caller: Caller, id: int, station_id: int) -> dict[str, Any]:
    """Show a station."""
    return await stations.station(caller, id, station_id)


@routes.patch("/restaurants/{id}/stations/{stationId}", scope=WRITE, answers=StationOut)
async def change_station(caller: Caller, id: int, station_id: int, body: StationChange) -> dict[str, Any]:
    """Change a station; fields left out stay. Another that becomes the default takes that from the one that was."""
    return await stations.change_station(caller, id, station_id, body)


@routes.delete("/restaurants/{id}/stations/{stationId}", scope=WRITE)
async def delete_station(caller: Caller, id: int, station_id: int) -> None:
    """Delete a station with its routes; what was made there goes where it would without them."""
    await stations.delete_station(caller, id, station_id)


@routes.get("/restaurants/{id}/station-routes", scope=READ, answers=Page[RouteOut])
async def list_routes(caller: Caller, id: int, page: PageRequest) -> dict[str, Any]:
    """List which items and categories are made where, 100 per page."""
    return await routing.page_of_routes(caller, id, page)


@routes.put("/restaurants/{id}/station-routes/items/{itemId}", scope=WRITE, answers=RouteOut)
async def route_item(caller: Caller, id: int, item_id: int, body: RouteBody) -> dict[str, Any]:
    """Have an item made at a station, or with null not in the kitchen, whatever its category says."""
    return await routing.set_route(caller, id, "item", item_id, body.station_id)


@routes.delete("/restaurants/{id}/station-routes/items/{itemId}", scope=WRITE)
async def unroute_item(caller: Caller, id: int, item_id: int) -> None:
    """Have an item made where its category is."""
    await routing.delete_route(caller, id, "item", item_id)


@routes.put("/restaurants/{id}/station-routes/categories/{categoryId}", scope=WRITE, answers=RouteOut)
async def route_category(caller: Caller, id: int, category_id: int, body: RouteBody) -> dict[str, Any]:
    """Have everything in a category made at a station, or with null not in the kitchen."""
    return await routing.set_route(caller, id, "category", category_id, body.station_id)


@routes.delete("/restaurants/{id}/station-routes/categories/{categoryId}", scope=WRITE)
async def unroute_category(caller: Caller, id: int, category_id: int) -> None:
    """Have what is in a category made at the default station."""
    await routing.delete_route(caller, id, "category", category_id)
