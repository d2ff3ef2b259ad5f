"""Kitchen stations of the demo's restaurants."""

from typing import Final

from comanda.contracts import Caller, PageRequest, Showcase
from comanda.operations.demo_data import fill_once
from comanda.stores import find_vertical
from comanda.stores import services as stores

from comanda_kds.schemas import StationBody
from comanda_kds.services import station_routes, stations
from comanda_kds.services.order_lines import CAPABILITY

COLD_CATEGORIES: Final = ("Starters", "Sweets and drinks")


async def create_demo_stations(showcase: Showcase) -> None:
    """Create stations in the demo's stores that have a kitchen and no stations yet."""
    for store in showcase.stores:
        vertical = find_vertical(str(store["store_type"]))
        if vertical and CAPABILITY in vertical.capabilities:
            await _set_up_kitchen(showcase.caller(), int(str(store["id"])))


async def _set_up_kitchen(caller: Caller, store_id: int) -> None:
    there = await stations.list_stations(caller, store_id, PageRequest(1, 1))
    await fill_once(f"stations:{store_id}", lambda: _create_stations(caller, store_id), is_there=there.total > 0)


async def _create_stations(caller: Caller, store_id: int) -> None:
    await stations.create_station(caller, store_id, StationBody(name="Hot kitchen", position=1))
    cold = await stations.create_station(caller, store_id, StationBody(name="Cold and sweet", position=2))
    for category in (await stores.get_store(caller, store_id)).categories:
        if category.name in COLD_CATEGORIES:
            await station_routes.set_route(caller, store_id, "category", category.id, cold.id)
