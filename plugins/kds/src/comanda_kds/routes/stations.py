"""Stations of a store's kitchen."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_kds.records import Station
from comanda_kds.schemas import StationBody, StationChange
from comanda_kds.services import stations

routes = Routes("Kitchen")

READ = "restaurants:read"
WRITE = "restaurants:write"


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
