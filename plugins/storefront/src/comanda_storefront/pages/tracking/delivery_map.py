"""The places on the map of an order on its way: the store, the driver and the address. A script draws them."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from comanda.basics import clock
from comanda.orders import Order
from comanda.web import format_number
from comanda.web import gettext as _

from comanda_storefront.services import arrival_estimates

# An older location is not shown.
MAX_LOCATION_AGE: Final = timedelta(minutes=60)
# Decimals of degrees: about ten metres.
PRECISION: Final = 4


def to_map(order: Order, route: Any) -> dict[str, Any] | None:
    """Return the map of an order whose driver is on the way, or None without a location of the driver."""
    driver = order.sections.get("driver")
    if order.delivery_status not in arrival_estimates.IN_TRANSIT_STATUSES or not order.status.is_open:
        return None
    if not isinstance(driver, Mapping) or not isinstance(route, Mapping) or driver.get("lat") is None:
        return None
    located_at = arrival_estimates.parse_moment(driver.get("location_updated_at"))
    if located_at is None or clock.now() - located_at > MAX_LOCATION_AGE:
        return None
    points = {"store": route.get("store"), "home": route.get("dropoff"), "driver": driver}
    known = {name: point for name, point in points.items() if point is not None}
    places = [_to_place(name, point, _get_titles()[name]) for name, point in known.items()]
    return {"label": _describe(driver, route.get("dropoff")), "places": places, "way": ["store", "driver", "home"]}


def _get_titles() -> dict[str, str]:
    return {"store": _("Store"), "home": _("Your address"), "driver": _("Driver")}


def _to_place(kind: str, point: Mapping[str, Any], title: str) -> dict[str, Any]:
    lat, lng = round(float(point["lat"]), PRECISION), round(float(point["lng"]), PRECISION)
    return {"id": kind, "kind": kind, "lat": lat, "lng": lng, "title": title}


def _describe(driver: Mapping[str, Any], dropoff: Any) -> str:
    if not isinstance(dropoff, Mapping):
        return _("Map of the driver and the store")
    meters = arrival_estimates.calculate_distance_m((driver["lat"], driver["lng"]), (dropoff["lat"], dropoff["lng"]))
    return _("Map: the driver is about %(distance)s from your address", distance=_format_distance_m(meters))


def _format_distance_m(meters: float) -> str:
    if meters < 950:
        return _("%(number)s m", number=format_number(round(meters / 50) * 50))
    return _("%(number)s km", number=format_number(round(meters / 1000, 1)))
