"""Drivers at work: where they are, what they bring, what waits for a driver, and the cash that each holds."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from comanda.basics import clock
from comanda.contracts import parse_id
from comanda.web import gettext as _
from comanda.web.dashboard import Visit
from quart import Response

from comanda_drivers.pages.dashboard import dashboard
from comanda_drivers.pages.driver_map import DriverMap, Place, PlaceKind, draw_map, format_distance_m
from comanda_drivers.pages.order_panel import STATUSES, TONES
from comanda_drivers.services.terms.distances import calculate_distance_m

DRIVERS: Final = "/drivers"
DELIVERIES: Final = "/restaurants/{id}/deliveries"
TERMS: Final = "/restaurants/{id}/delivery-terms"
DRIVER_CASH: Final = "/restaurants/{id}/driver-cash"
ORDER: Final = "/restaurants/{id}/orders/{orderId}"
MAX_SHOWN: Final = 100
# A phone that is on the road sends its location every few seconds.
FRESH: Final = timedelta(minutes=10)
AT_STORE_M: Final = 60

Json = Mapping[str, Any]


@dashboard.get("/stores/<int:store_id>/drivers", scope="drivers:read")
async def show_dispatch(visit: Visit, store_id: int) -> Response:
    """Show the drivers who work now, on a map and as a table, and the deliveries that wait for one."""
    return await visit.render(
        "drivers/dashboard/dispatch.html", tabs=list_tabs(store_id, "now"), **await _load_dispatch(visit)
    )


@dashboard.get("/stores/<int:store_id>/drivers/live", scope="drivers:read")
async def show_live_dispatch(visit: Visit, store_id: int) -> Response:
    """Return the part of the page that is kept current."""
    return await visit.answer_fragment("drivers/dashboard/_dispatch.html", **await _load_dispatch(visit))


@dashboard.post("/stores/<int:store_id>/drivers/assign", scope="orders:write")
async def assign_delivery(visit: Visit, store_id: int) -> Response:
    """Assign a delivery to a driver."""
    texts = await visit.read_texts()
    return await visit.act(
        "POST", f"{ORDER}/assign", body={"driver_id": parse_id(texts.get("driver_id"))},
        to=f"/stores/{store_id}/drivers", notice=_("Driver assigned."), id=store_id,
        orderId=parse_id(texts.get("order_id")) or 0,
    )  # fmt: skip


@dashboard.post("/stores/<int:store_id>/drivers/release", scope="orders:write")
async def release_delivery(visit: Visit, store_id: int) -> Response:
    """Take a delivery from its driver; it waits for another."""
    order_id = parse_id((await visit.read_texts()).get("order_id")) or 0
    return await visit.act(
        "PUT", f"{ORDER}/delivery-status", body={"delivery_status": "pending"}, to=f"/stores/{store_id}/drivers",
        notice=_("The delivery waits for a driver again."), id=store_id, orderId=order_id,
    )  # fmt: skip


def list_tabs(store_id: int, current: str) -> list[tuple[str, str, bool]]:
    """Return the tabs of the two pages of drivers."""
    path = f"/dashboard/stores/{store_id}/drivers"
    return [(_("Now"), path, current == "now"), (_("All drivers"), f"{path}/all", current == "all")]


async def load_cash(visit: Visit) -> dict[int, Json]:
    """Return the cash of the store that drivers hold, by the driver; nothing if it is not booked."""
    if not visit.may("orders:read") or not visit.api.has("GET", DRIVER_CASH):
        return {}
    found = await visit.api.get(DRIVER_CASH, id=visit.store.id, query={"per_page": MAX_SHOWN})
    return {cash["driver_id"]: cash for cash in found["data"]}


async def list_active_deliveries(visit: Visit, **query: Any) -> list[dict[str, Any]]:
    """Return the deliveries in progress, oldest first; none for people who may not see orders."""
    if not visit.may("orders:read"):
        return []
    found = await visit.api.get(DELIVERIES, id=visit.store.id, query={"active": 1, "per_page": MAX_SHOWN, **query})
    return list(reversed(found["data"]))


def get_delivery_texts() -> dict[str, Any]:
    """Return the labels of delivery statuses, for templates."""
    return {"statuses": {status.value: _(label) for status, label in STATUSES.items()}, "tones": TONES}


async def _load_dispatch(visit: Visit) -> dict[str, Any]:
    store_id = visit.store.id
    query = {"restaurant_id": store_id, "is_working": 1, "per_page": MAX_SHOWN}
    working = await visit.api.get(DRIVERS, query=query)
    deliveries = await list_active_deliveries(visit)
    terms = await visit.api.get(TERMS, id=store_id) if visit.may("restaurants:read") else {}
    drivers = sorted(working["data"], key=lambda driver: (not driver["is_on_shift"], driver["name"]))
    own = {driver["id"]: [each for each in deliveries if _get_driver_id(each) == driver["id"]] for driver in drivers}
    return {
        "drivers": drivers,
        "own_deliveries": own,
        "waiting": [each for each in deliveries if each["driver"] is None],
        "cash": await load_cash(visit),
        "map": _draw_map(visit, terms, drivers, own),
        "has_position": terms.get("lat") is not None,
        "get_distance": lambda driver: _get_distance(terms, driver),
        "is_fresh": _is_fresh,
        **get_delivery_texts(),
    }


def _get_driver_id(delivery: Json) -> int | None:
    return None if delivery["driver"] is None else int(delivery["driver"]["id"])


def _draw_map(
    visit: Visit, terms: Json, drivers: Iterable[Json], own: Mapping[int, Sequence[Json]]
) -> DriverMap | None:
    places = []
    if terms.get("lat") is not None:
        places.append(Place(PlaceKind.STORE, terms["lat"], terms["lng"], visit.store.title, visit.store.title))
    destinations = []
    for driver in drivers:
        location = driver["location"]
        if location is not None:
            places.append(_to_place(driver))
        destinations += [
            Place(
                PlaceKind.DESTINATION, delivery["address_lat"], delivery["address_lng"], f"#{delivery['number']}",
                _("Order %(number)s, brought by %(driver)s", number=f"#{delivery['number']}", driver=driver["name"]),
                origin=(location["lat"], location["lng"]) if location is not None else None,
            )
            for delivery in own[driver["id"]] if delivery.get("address_lat") is not None
        ]  # fmt: skip
    return draw_map([*places, *destinations], [round(band["up_to_km"] * 1000) for band in terms.get("bands", ())])


def _to_place(driver: Json) -> Place:
    location, name = driver["location"], driver["name"]
    age = _format_age(clock.now() - location["recorded_at"])
    return Place(
        PlaceKind.DRIVER, location["lat"], location["lng"], f"{name.split()[0]} · {age}", f"{name}, {age}",
        is_old=not _is_fresh(location),
    )  # fmt: skip


def _is_fresh(location: Json) -> bool:
    return bool(clock.now() - location["recorded_at"] <= FRESH)


def _format_age(age: timedelta) -> str:
    minutes = max(0, int(age.total_seconds() // 60))
    if minutes == 0:
        return _("now")
    return _("%(count)s min", count=minutes) if minutes < 120 else _("%(count)s h", count=minutes // 60)


def _get_distance(terms: Json, driver: Json) -> str | None:
    """Return how far a driver is from the store, in a straight line."""
    location = driver["location"]
    if location is None or terms.get("lat") is None:
        return None
    meters = calculate_distance_m(terms["lat"], terms["lng"], location["lat"], location["lng"])
    if meters <= AT_STORE_M:
        return _("At the store")
    return _("%(distance)s from the store", distance=format_distance_m(meters))
