"""Shapes that look drawn by hand, for pictures in SVG: the same each time for one seed."""

import hashlib
import math
from typing import Final

from markupsafe import Markup

Point = tuple[float, float, float, float]

CANDIDATES: Final = 12
HEX: Final = 16


class _Numbers:
    """Numbers without a pattern, the same for one seed in every release of Python."""

    def __init__(self, seed: int) -> None:
        self._seed, self._count = seed, 0

    def draw(self, low: float, high: float) -> float:
        """Return the next number of a range."""
        self._count += 1
        digest = hashlib.blake2b(f"{self._seed}:{self._count}".encode(), digest_size=4).digest()
        return low + (high - low) * int.from_bytes(digest) / 2**32


def to_place(x: float, y: float, angle: float = 0, scale: float = 1) -> Markup:
    """Return the attribute that puts a shape drawn around the origin at a place."""
    place = Markup('transform="translate({:.1f} {:.1f}) rotate({:.1f}) scale({:.3f})"')
    return place.format(x, y, angle, scale)


def to_shade(colour: str, change: float) -> str:
    """Return a colour such as ``#d98e6a`` made darker (-1 is black) or lighter (1 is white)."""
    target = 255 if change > 0 else 0
    parts = (int(colour[start : start + 2], HEX) for start in (1, 3, 5))
    return "#" + "".join(f"{round(part + (target - part) * abs(change)):02x}" for part in parts)


def list_places(count: int, x: float, y: float, width: float, height: float, seed: int = 1) -> list[Point]:
    """Return places within an ellipse, evenly spread, each with an angle and a scale near 1."""
    numbers = _Numbers(seed)
    places: list[Point] = []
    for _ in range(count):
        drawn = [_draw_place(numbers, x, y, width, height) for _ in range(CANDIDATES)]
        places.append(max(drawn, key=lambda place: min((_measure(place, other) for other in places), default=0)))
    return places


def to_blob(
    x: float, y: float, width: float, height: float, seed: int = 1, wobble: float = 0.08, corners: int = 9
) -> str:
    """Return the path of a soft, irregular shape of about this half width and half height."""
    numbers = _Numbers(seed)
    points = []
    for corner in range(corners):
        turn = 2 * math.pi * corner / corners
        reach = 1 + numbers.draw(-wobble, wobble)
        points.append((x + math.cos(turn) * width * reach, y + math.sin(turn) * height * reach))
    return _to_smooth_path(points)


def list_noodles(count: int, x: float, y: float, radius: float, seed: int = 1) -> list[str]:
    """Return the paths of noodles that lie in a bowl, the outer ones first."""
    numbers = _Numbers(seed)
    paths = []
    for number in range(count):
        reach = radius * (1 - 0.8 * number / count)
        turn = numbers.draw(0, 2 * math.pi)
        bend = reach * numbers.draw(0.45, 0.8)
        shift = reach - bend
        middle = (x + math.cos(turn) * shift, y + math.sin(turn) * shift)
        start, length = numbers.draw(0, 2 * math.pi), numbers.draw(1.6, 4.4)
        ends = [(middle[0] + math.cos(at) * bend, middle[1] + math.sin(at) * bend) for at in (start, start + length)]
        paths.append(
            f"M{ends[0][0]:.1f} {ends[0][1]:.1f}A{bend:.1f} {bend:.1f} 0 {int(length > math.pi)} 1 "
            f"{ends[1][0]:.1f} {ends[1][1]:.1f}"
        )
    return paths


def _draw_place(numbers: _Numbers, x: float, y: float, width: float, height: float) -> Point:
    turn, reach = numbers.draw(0, 2 * math.pi), math.sqrt(numbers.draw(0, 1))
    place = (x + math.cos(turn) * reach * width, y + math.sin(turn) * reach * height)
    return (*place, numbers.draw(0, 360), numbers.draw(0.85, 1.15))


def _measure(one: Point, other: Point) -> float:
    return math.hypot(one[0] - other[0], one[1] - other[1])


def _to_smooth_path(points: list[tuple[float, float]]) -> str:
    """Return a closed curve through the points."""
    count = len(points)
    path = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for position in range(count):
        before, start, end, after = (points[(position + step) % count] for step in (-1, 0, 1, 2))
        first = (start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6)
        second = (end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6)
        path += f"C{first[0]:.1f} {first[1]:.1f} {second[0]:.1f} {second[1]:.1f} {end[0]:.1f} {end[1]:.1f}"
    return path + "Z"
