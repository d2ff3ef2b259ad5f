"""A map of a store, its drivers and the addresses that they go to, as SVG without tiles of others.

Places are set in percent and labels in pixels, so that texts keep their size on every screen; the style sheet gives the
drawing the proportion of ``ASPECT``. Labels are placed so that they do not overlap on a phone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import cos, radians
from typing import Final

from comanda.web import format_number
from comanda.web import gettext as _
from markupsafe import Markup

from comanda_drivers.services.terms.distances import EARTH_RADIUS_M

ASPECT: Final = 16 / 10
# In pixels: the map on a phone, a letter of a label, and the height of one.
PHONE_WIDTH: Final = 340
PHONE_HEIGHT: Final = PHONE_WIDTH / ASPECT
LETTER_WIDTH: Final = 6.6
LABEL_HEIGHT: Final = 20
DOT_RADIUS: Final = 6
# How far from their place labels are tried, in pixels from edge to edge.
LABEL_GAPS: Final = (4, 22, 44, 66, 88, 110)
DIRECTIONS: Final = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))
MIN_WIDTH_M: Final = 600
# What is farther from the centre is not drawn: it would shrink all others to one dot.
MAX_DISTANCE_M: Final = 100_000
PADDING: Final = 1.4
DEFAULT_RADIUS_M: Final = 1_000
SCALE_SHARE: Final = 0.25
METERS_PER_DEGREE: Final = radians(1) * EARTH_RADIUS_M


class PlaceKind(StrEnum):
    """What is at a place of the map."""

    STORE = "store"
    DRIVER = "driver"
    DESTINATION = "destination"


@dataclass(frozen=True, slots=True)
class Place:
    """A dot on the map with a short label, and a title for those who point at it.

    ``is_old`` fades it; from ``origin``, if any, a line leads to it.
    """

    kind: PlaceKind
    lat: float
    lng: float
    label: str
    title: str
    is_old: bool = False
    origin: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class DriverMap:
    """A drawn map, and the places that are too far away to be on it."""

    svg: Markup
    left_out: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class _Box:
    """A rectangle in pixels of a phone's map, by its centre."""

    x: float
    y: float
    width: float
    height: float

    def overlaps(self, other: "_Box") -> bool:
        return (
            abs(self.x - other.x) * 2 < self.width + other.width
            and abs(self.y - other.y) * 2 < self.height + other.height
        )

    @property
    def is_inside(self) -> bool:
        return (
            self.width / 2 <= self.x <= PHONE_WIDTH - self.width / 2
            and self.height / 2 <= self.y <= PHONE_HEIGHT - self.height / 2
        )


@dataclass(frozen=True, slots=True)
class _View:
    """The part of the earth that the map shows: its middle, and its width in metres."""

    lat: float
    lng: float
    width_m: float

    def to_percent(self, lat: float, lng: float) -> tuple[float, float]:
        east, north = _to_meters(self.lat, self.lng, lat, lng)
        return 50 + 100 * east / self.width_m, 50 - 100 * north * ASPECT / self.width_m


def draw_map(places: Sequence[Place], radii_m: Sequence[int] = ()) -> DriverMap | None:
    """Draw the places, and circles around the store of which each has one radius. Return None without a place.

    The map shows all places and the smallest circle around them; of larger circles, what falls into it.
    """
    centre = next((place for place in places if place.kind is PlaceKind.STORE), next(iter(places), None))
    if centre is None:
        return None
    shown = [place for place in places if _get_reach_m(centre, place) <= MAX_DISTANCE_M]
    radii = sorted(radii_m) if centre.kind is PlaceKind.STORE else []
    view = _find_view(centre, shown, radii)
    parts = [*_draw_circles(view, centre, radii), *_draw_lines(view, shown), *_draw_places(view, shown)]
    parts.append(_draw_scale(view))
    svg = Markup('<svg class="driver-map" role="img" aria-label="{}">{}</svg>').format(
        _("Map of the store, the drivers and where they go"), Markup("").join(parts)
    )
    return DriverMap(svg, tuple(place for place in places if place not in shown))


def format_distance_m(meters: float) -> str:
    """Return a distance: 350 m, 1.2 km."""
    if meters < 1000:
        return _("%(number)s m", number=format_number(round(meters)))
    return _("%(number)s km", number=format_number(round(meters / 1000, 1 if meters < 10_000 else 0)))


def _to_meters(lat: float, lng: float, other_lat: float, other_lng: float) -> tuple[float, float]:
    """Return how far east and north another point is; exact enough for a town."""
    turn = (other_lng - lng + 540) % 360 - 180
    return turn * METERS_PER_DEGREE * max(cos(radians(lat)), 0.01), (other_lat - lat) * METERS_PER_DEGREE


def _get_reach_m(centre: Place, place: Place) -> float:
    """Return the half of the square around the centre that reaches to a place."""
    return max(map(abs, _to_meters(centre.lat, centre.lng, place.lat, place.lng)))


def _find_view(centre: Place, places: Sequence[Place], radii: Sequence[int]) -> _View:
    points = [_to_meters(centre.lat, centre.lng, place.lat, place.lng) for place in places]
    farthest_squared = max(east**2 + north**2 for east, north in points)
    if len(points) == 1:
        radius = radii[-1] if radii else DEFAULT_RADIUS_M
    else:
        radius = next((radius for radius in radii if radius**2 >= farthest_squared), 0)
    if radius:
        points += [(-radius, -radius), (radius, radius)]
    easts, norths = [east for east, _north in points], [north for _east, north in points]
    width = max(max(easts) - min(easts), (max(norths) - min(norths)) * ASPECT)
    # A circle needs less room around it than labels do.
    width = max(width * (1.08 if radius else PADDING), MIN_WIDTH_M)
    east, north = (max(easts) + min(easts)) / 2, (max(norths) + min(norths)) / 2
    scale = max(cos(radians(centre.lat)), 0.01)
    return _View(centre.lat + north / METERS_PER_DEGREE, centre.lng + east / METERS_PER_DEGREE / scale, width)


def _draw_circles(view: _View, centre: Place, radii: Sequence[int]) -> Iterator[Markup]:
    x, y = view.to_percent(centre.lat, centre.lng)
    for radius in reversed(radii):
        rx = 100 * radius / view.width_m
        yield Markup(
            '<ellipse class="area" cx="{:.2f}%" cy="{:.2f}%" rx="{:.2f}%" ry="{:.2f}%"><title>{}</title></ellipse>'
        ).format(x, y, rx, rx * ASPECT, _("Delivery area up to %(distance)s", distance=format_distance_m(radius)))
    for radius in radii:
        top = y - 100 * radius * ASPECT / view.width_m
        if top > 4:
            yield Markup('<text class="area-label" x="{:.2f}%" y="{:.2f}%" dy="14">{}</text>').format(
                x, top, format_distance_m(radius)
            )


def _draw_lines(view: _View, places: Sequence[Place]) -> Iterator[Markup]:
    for place in places:
        if place.origin is not None:
            yield Markup('<line class="way" x1="{:.2f}%" y1="{:.2f}%" x2="{:.2f}%" y2="{:.2f}%"/>').format(
                *view.to_percent(*place.origin), *view.to_percent(place.lat, place.lng)
            )


def _draw_places(view: _View, places: Sequence[Place]) -> Iterator[Markup]:
    points = [view.to_percent(place.lat, place.lng) for place in places]
    taken = [_Box(x * PHONE_WIDTH / 100, y * PHONE_HEIGHT / 100, DOT_RADIUS * 2, DOT_RADIUS * 2) for x, y in points]
    labels = []
    for place, dot in zip(places, list(taken), strict=True):
        label = _find_room(dot, place.label, taken)
        labels.append(label)
        taken += [label] if label is not None else []
    for place, (x, y), label in zip(places, points, labels, strict=True):
        dot = _Box(x * PHONE_WIDTH / 100, y * PHONE_HEIGHT / 100, 0, 0)
        shape = (
            Markup('<rect x="-9" y="-9" width="18" height="18" rx="4"/>')
            if place.kind is PlaceKind.STORE
            else Markup('<circle r="{}"/>').format(DOT_RADIUS)
        )
        yield Markup('<svg class="place {}{}" x="{:.2f}%" y="{:.2f}%"><title>{}</title>{}{}</svg>').format(
            place.kind.value, " old" if place.is_old else "", x, y, place.title, _draw_label(place, dot, label), shape
        )


def _draw_label(place: Place, dot: _Box, label: _Box | None) -> Markup:
    """Draw a label where there is room, with a line to its dot."""
    if label is None:
        return Markup()
    x, y = label.x - dot.x, label.y - dot.y
    return Markup(
        '<line x2="{:.1f}" y2="{:.1f}"/><rect class="label" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{}" rx="10"/>'
        '<text x="{:.1f}" y="{:.1f}" dy="4">{}</text>'
    ).format(x, y, x - label.width / 2, y - label.height / 2, label.width, LABEL_HEIGHT, x, y, place.label)


def _find_room(dot: _Box, text: str, taken: Sequence[_Box]) -> _Box | None:
    """Return a place for a label near its dot that is free on a phone; None if there is none."""
    width = len(text) * LETTER_WIDTH + 14
    for gap in LABEL_GAPS:
        for right, down in DIRECTIONS:
            x = dot.x + right * (DOT_RADIUS + gap + width / 2)
            y = dot.y + down * (DOT_RADIUS + gap + LABEL_HEIGHT / 2)
            box = _Box(x, y, width, LABEL_HEIGHT)
            if box.is_inside and not any(box.overlaps(other) for other in taken):
                return box
    return None


def _draw_scale(view: _View) -> Markup:
    """Draw a bar of a round length."""
    longest = view.width_m * SCALE_SHARE
    power = 10 ** (len(str(int(longest))) - 1)
    meters = next(factor * power for factor in (5, 2, 1) if factor * power <= longest)
    return Markup(
        '<svg class="scale" x="12" y="100%"><line y1="-12" x2="{:.2f}%" y2="-12"/><text y="-19">{}</text></svg>'
    ).format(100 * meters / view.width_m, format_distance_m(meters))
