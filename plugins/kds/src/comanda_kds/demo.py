"""Kitchen stations of the demo's restaurants."""

from typing import Final

from comanda.accounts.kinds import Caller
from comanda.demo import Showcase, furnish_once
from comanda.http.paging import PageRequest
from comanda.stores import services as stores
from comanda.stores.records import vertical_of

from comanda_kds.schemas import StationBody
from comanda_kds.services import station_routes, stations
from comanda_kds.services.order_lines import CAPABILITY

COLD_CATEGORIES: Final = ("Starters", "Sweets and drinks")


async def create_demo_stations(showcase: Showcase) -> None:
    """Create stations in the demo's stores that have a kitchen and no stations yet."""
    for store in showcase.stores:
        vertical = vertical_of(str(store["store_type"]))
        if vertical and CAPABILITY in vertical.capabilities:
            await _set_up_kitchen(showcase.caller(), int(str(store["id"])))


async def _set_up_kitchen(caller: Caller, store_id: int) -> None:
    there = await stations.list_stations(caller, store_id, PageRequest(1, 1))
    await furnish_once(f"stations:{store_id}", lambda: _create_stations(caller, store_id), is_there=there["total"] > 0)


async def _create_stations(caller: Caller, store_id: int) -> None:
    await stations.create_station(caller, store_id, StationBody(name="Hot kitchen", position=1))
    cold = await stations.create_station(caller, store_id, StationBody(name="Cold and sweet", position=2))
    for category in (await stores.detail(caller, store_id))["categories"]:
        if category["name"] in COLD_CATEGORIES:
            await station_routes.set_route(caller, store_id, "category", category["id"], cold["id"])
