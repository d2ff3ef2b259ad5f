"""Which station of the kitchen makes an item or a category, if the kitchen display is installed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from comanda.contracts import parse_id
from comanda.web import gettext as _
from comanda.web.dashboard import Visit
from quart import Response

STATIONS_PATH: Final = "/restaurants/{id}/stations"
ROUTES_PATH: Final = "/restaurants/{id}/station-routes"
# The values of the choice that are no station: none makes it, or what the category or the default says.
NO_STATION: Final = "none"
INHERITED: Final = ""
ROUTE_PATHS: Final = {
    "item": (f"{ROUTES_PATH}/items/{{itemId}}", "itemId"),
    "category": (f"{ROUTES_PATH}/categories/{{categoryId}}", "categoryId"),
}


@dataclass(frozen=True, slots=True)
class StationChoice:
    """The stations of a store, and which one is chosen: an id, ``none`` or nothing."""

    stations: Sequence[tuple[str, str]]
    chosen: str


async def load_stations(visit: Visit, kind: str, subject_id: int) -> StationChoice | None:
    """Return the stations and the one that makes an ``item`` or a ``category``; None without a kitchen."""
    path, _parameter = ROUTE_PATHS[kind]
    if "kds" not in visit.store.capabilities or not visit.api.has("PUT", path):
        return None
    stations = [(str(each["id"]), each["name"]) for each in await _list_all(visit, STATIONS_PATH)]
    if not stations:
        return None
    key = f"{kind}_id"
    found = next((each for each in await _list_all(visit, ROUTES_PATH) if each[key] == subject_id), None)
    chosen = INHERITED if found is None else str(found["station_id"] or NO_STATION)
    return StationChoice([*stations, (NO_STATION, _("Not made in the kitchen"))], chosen)


async def save_station(visit: Visit, kind: str, subject_id: int, to: str) -> Response:
    """Save the choice that was sent."""
    path, parameter = ROUTE_PATHS[kind]
    text = (await visit.read_texts()).get("station_id", INHERITED)
    parameters = {"id": visit.store.id, parameter: subject_id}
    notice = _("Station saved.")
    if text == INHERITED:
        known = await _list_all(visit, ROUTES_PATH)
        if not any(each[f"{kind}_id"] == subject_id for each in known):
            return visit.redirect(to, notice=notice)
        return await visit.act("DELETE", path, to=to, notice=notice, **parameters)
    body = {"station_id": parse_id(text)}
    return await visit.act("PUT", path, body=body, to=to, notice=notice, **parameters)


async def _list_all(visit: Visit, path: str) -> list[Any]:
    found: list[Any] = []
    number = last = 1
    while number <= last:
        page = await visit.api.get(path, id=visit.store.id, query={"page": number, "per_page": 100})
        found += page["data"]
        number, last = number + 1, page["last_page"]
    return found
