"""Distances between points on the earth, as the crow flies."""

from math import asin, cos, radians, sin, sqrt
from typing import Final

EARTH_RADIUS_M: Final = 6_371_000


def calculate_distance_m(lat: float, lng: float, other_lat: float, other_lng: float) -> int:
    """Measure the way from one point to another, in metres. Source: the haversine formula, on a sphere."""
    phi, other_phi = radians(lat), radians(other_lat)
    height = sin((other_phi - phi) / 2) ** 2
    width = cos(phi) * cos(other_phi) * sin(radians(other_lng - lng) / 2) ** 2
    return round(2 * EARTH_RADIUS_M * asin(min(1.0, sqrt(height + width))))


def build_distance_sql(lat: str, lng: str, other_lat: str, other_lng: str) -> str:
    """Write ``distance_m`` as an expression of PostgreSQL; null where any of the four is."""
    height = f"power(sind(({other_lat} - {lat}) / 2), 2)"
    width = f"cosd({lat}) * cosd({other_lat}) * power(sind(({other_lng} - {lng}) / 2), 2)"
    # Unlike Python's min, least() would take the 1 where the other is null.
    return (
        f"round({2 * EARTH_RADIUS_M} * asin(sqrt({height} + {width}) - greatest(sqrt({height} + {width}) - 1, 0)))::int"
    )
