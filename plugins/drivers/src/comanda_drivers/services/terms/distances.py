"""Straight-line distances between points on the earth."""

from math import asin, cos, radians, sin, sqrt
from typing import Final

EARTH_RADIUS_M: Final = 6_371_000


def calculate_distance_m(lat: float, lng: float, other_lat: float, other_lng: float) -> int:
    """Return the distance between two points in metres. Source: haversine formula on a sphere."""
    phi, other_phi = radians(lat), radians(other_lat)
    height = sin((other_phi - phi) / 2) ** 2
    width = cos(phi) * cos(other_phi) * sin(radians(other_lng - lng) / 2) ** 2
    return round(2 * EARTH_RADIUS_M * asin(min(1.0, sqrt(height + width))))


def build_distance_sql(lat: str, lng: str, other_lat: str, other_lng: str) -> str:
    """Return ``calculate_distance_m`` as a PostgreSQL expression; null if any of the four is null."""
    height = f"power(sind(({other_lat} - {lat}) / 2), 2)"
    width = f"cosd({lat}) * cosd({other_lat}) * power(sind(({other_lng} - {lng}) / 2), 2)"
    # Unlike Python's min, least() would return 1 if the other argument is null.
    root = f"sqrt({height} + {width})"
    return f"round({2 * EARTH_RADIUS_M} * asin({root} - greatest({root} - 1, 0)))::int"
