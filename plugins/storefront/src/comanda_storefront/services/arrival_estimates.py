"""When an order is expected to be ready or to arrive, from what is known of it and of the store's recent orders.

Nothing is promised that is not known: without a driver's location, a planned time, enough recent orders or the store's
preparation time there is no estimate. Estimates are ranges, rounded to five minutes.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import asin, cos, radians, sin, sqrt
from typing import Any, Final

import orjson
from cachetools import TTLCache
from comanda.basics import KeyedLocks, NotFound, clock
from comanda.contracts import DeliveryStatus, Status, StoreTerms
from comanda.menu import public_view
from comanda.orders import Order
from comanda.platform.db import sql

from comanda_storefront import store_settings

# The newest orders of the store, of which those of the same type count.
SELECT_RECENT_TIMELINES: Final = """
    SELECT recent.timeline FROM (
        SELECT id, type, status, scheduled_for, timeline FROM core_order_v1
        WHERE store_id = $1 AND owner_id = $2 AND created_at > $4 ORDER BY id DESC LIMIT 300) AS recent
    WHERE recent.type = $3 AND recent.status <> 'cancelled' AND recent.scheduled_for IS NULL
"""
RECENT: Final = timedelta(days=14)
MIN_SAMPLES: Final = 5
# Orders that somebody forgot to complete say nothing of how long others take.
MAX_DURATION: Final = timedelta(hours=4)
STEP_SECONDS: Final = 300
PLANNED_TOLERANCE: Final = timedelta(minutes=10)

# A few orders more change no range of five minutes.
HISTORY_SECONDS: Final = 60
MAX_HISTORIES: Final = 1000

EARTH_RADIUS_M: Final = 6_371_000
# Streets are longer than straight lines; speeds are those of a town, in metres per second.
SHORTEST_DETOUR: Final = 1.2
LONGEST_DETOUR: Final = 1.6
FASTEST_MPS: Final = 8.0
SLOWEST_MPS: Final = 4.0
SECONDS_AT_DOOR: Final = 120
SECONDS_PER_STOP: Final = 360
MAX_LOCATION_AGE: Final = timedelta(minutes=5)

IN_TRANSIT_STATUSES: Final = frozenset({DeliveryStatus.PICKED_UP, DeliveryStatus.OUT_FOR_DELIVERY})
ENDED_DELIVERY_STATUSES: Final = frozenset({DeliveryStatus.DELIVERED, DeliveryStatus.FAILED})
# The entry of the timeline at which each status began.
STAGES: Final = {Status.NEW: "created_at", Status.PREPARING: "preparing_at", Status.READY: "ready_at"}
TRANSIT_STAGES: Final = ("out_for_delivery_at", "picked_up_at")
ARRIVED: Final = ("delivered_at", "completed_at")
READY: Final = ("ready_at",)


_durations: TTLCache[Hashable, list[timedelta]] = TTLCache(MAX_HISTORIES, HISTORY_SECONDS)
_loading: Final = KeyedLocks()


@dataclass(frozen=True, slots=True)
class ArrivalEstimate:
    """The time at which an order is expected: between two moments, at a planned one if they are equal, or late."""

    earliest: datetime
    latest: datetime
    is_planned: bool = False
    is_late: bool = False


@dataclass(frozen=True, slots=True)
class Trip:
    """What is known of a driver's trip: the distance to the door, if it is known, and stops for other orders."""

    distance_m: float | None
    other_stops: int


async def estimate_arrival(order: Order, trip: Trip | None) -> ArrivalEstimate | None:
    """Return when an order is expected to be ready, or to arrive if it is delivered; None if that is not known."""
    now = clock.now()
    is_ready = order.status is Status.READY and order.delivery_status is None
    if is_ready or order.status not in STAGES or order.delivery_status in ENDED_DELIVERY_STATUSES:
        return None
    if order.delivery_status in IN_TRANSIT_STATUSES:
        if trip is not None and trip.distance_m is not None:
            return _round(now, *_estimate_trip(now, trip.distance_m, trip.other_stops))
        return await _estimate_from_history(order, TRANSIT_STAGES, ARRIVED, now)
    if order.scheduled_for is not None:
        is_late = order.scheduled_for + PLANNED_TOLERANCE < now
        return ArrivalEstimate(order.scheduled_for, order.scheduled_for, is_planned=True, is_late=is_late)
    starts = (STAGES[order.status], "created_at")
    if order.delivery_status is not None:
        return await _estimate_from_history(order, starts, ARRIVED, now)
    return await _estimate_from_history(order, starts, READY, now) or await _estimate_from_settings(order, now)


def get_trip(driver: Any, route: Any) -> Trip | None:
    """Return a driver's trip from the sections of the tracking page; None without a route."""
    if not isinstance(route, Mapping):
        return None
    return Trip(_get_distance_m(driver, route.get("dropoff")), int(route.get("other_stops") or 0))


def _get_distance_m(driver: Any, dropoff: Any) -> float | None:
    if not isinstance(driver, Mapping) or not isinstance(dropoff, Mapping) or driver.get("lat") is None:
        return None
    located_at = parse_moment(driver.get("location_updated_at"))
    if located_at is None or clock.now() - located_at > MAX_LOCATION_AGE:
        return None
    return calculate_distance_m((driver["lat"], driver["lng"]), (dropoff["lat"], dropoff["lng"]))


def parse_moment(value: Any) -> datetime | None:
    """Return a moment of a section, which may be a text."""
    return value if isinstance(value, datetime) or not value else datetime.fromisoformat(str(value))


def calculate_distance_m(start: tuple[float, float], end: tuple[float, float]) -> float:
    """Return the straight distance between two points in degrees. Source: haversine formula on a sphere."""
    phi, other_phi = radians(start[0]), radians(end[0])
    height = sin((other_phi - phi) / 2) ** 2
    width = cos(phi) * cos(other_phi) * sin(radians(end[1] - start[1]) / 2) ** 2
    return 2 * EARTH_RADIUS_M * asin(min(1.0, sqrt(height + width)))


def _estimate_trip(now: datetime, distance_m: float, other_stops: int) -> tuple[datetime, datetime]:
    shortest = distance_m * SHORTEST_DETOUR / FASTEST_MPS
    longest = distance_m * LONGEST_DETOUR / SLOWEST_MPS + SECONDS_AT_DOOR + other_stops * SECONDS_PER_STOP
    return now + timedelta(seconds=shortest), now + timedelta(seconds=longest)


async def _estimate_from_history(
    order: Order, starts: Sequence[str], ends: Sequence[str], now: datetime
) -> ArrivalEstimate | None:
    """Return an estimate from how long the middle half of recent orders took from one stage to another."""
    start = next((stage for stage in starts if stage in order.timeline), None)
    if start is None:
        return None
    durations = await _get_durations(order, start, tuple(ends), now)
    if len(durations) < MIN_SAMPLES:
        return None
    delay = await _get_delay(order) if order.status in {Status.NEW, Status.PREPARING} else timedelta()
    quarter = len(durations) // 4
    began = order.timeline[start] + delay
    return _round(now, began + durations[quarter], began + durations[-1 - quarter])


async def _get_durations(order: Order, start: str, ends: tuple[str, ...], now: datetime) -> list[timedelta]:
    """Return how long recent orders took, shortest first."""
    key = (order.owner_id, order.store_id, order.type, start, ends)
    async with _loading[key]:
        durations = _durations.get(key)
        if durations is None:
            rows = await sql.fetch(SELECT_RECENT_TIMELINES, order.store_id, order.owner_id, order.type, now - RECENT)
            durations = sorted(_list_durations([orjson.loads(row["timeline"]) for row in rows], start, ends))
            _durations[key] = durations
    return durations


async def _estimate_from_settings(order: Order, now: datetime) -> ArrivalEstimate | None:
    """Return an estimate from the preparation time of the store's settings; None if the store does not say one."""
    terms = await _get_terms(order)
    minutes = store_settings.get_settings(terms).preparation_minutes if terms is not None else 0
    if not minutes:
        return None
    ready_at = order.created_at + timedelta(minutes=minutes) + await _get_delay(order)
    return _round(now, ready_at, ready_at + timedelta(seconds=STEP_SECONDS))


def _list_durations(timelines: Sequence[Mapping[str, str]], start: str, ends: Sequence[str]) -> list[timedelta]:
    durations = []
    for timeline in timelines:
        end = next((stage for stage in ends if stage in timeline), None)
        if end is not None and start in timeline:
            durations.append(datetime.fromisoformat(timeline[end]) - datetime.fromisoformat(timeline[start]))
    return [duration for duration in durations if timedelta() < duration <= MAX_DURATION]


async def _get_delay(order: Order) -> timedelta:
    """Return by how much longer orders take while the store is busy."""
    terms = await _get_terms(order)
    return timedelta(minutes=terms.pace.at(clock.now()).delay_minutes) if terms is not None else timedelta()


async def _get_terms(order: Order) -> StoreTerms | None:
    """Return the terms of an order's store; None if its menu is not public."""
    try:
        return (await public_view.get_public_menu(order.store_id)).terms
    except NotFound:
        return None


def _round(now: datetime, earliest: datetime, latest: datetime) -> ArrivalEstimate:
    """Return a range of whole steps that is not in the past; a range that has passed is late."""
    if latest < now:
        return ArrivalEstimate(earliest, latest, is_late=True)
    first = int(max(earliest, now).timestamp()) // STEP_SECONDS * STEP_SECONDS
    if first < now.timestamp():
        first += STEP_SECONDS
    last = -(-int(latest.timestamp()) // STEP_SECONDS) * STEP_SECONDS
    last = max(last, first + STEP_SECONDS)
    return ArrivalEstimate(datetime.fromtimestamp(first, now.tzinfo), datetime.fromtimestamp(last, now.tzinfo))
