"""Fast construction of frozen dataclasses."""

from dataclasses import FrozenInstanceError, dataclass, replace

import pytest
from comanda.frozen_records import build_constructor


@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int = 0

    @property
    def total(self):
        return self.x + self.y


def test_constructed_record_equals_one_of_the_class():
    point = build_constructor(Point)([1, 2])

    assert point == Point(1, 2)
    assert type(point) is Point
    assert (point.total, replace(point, y=5)) == (3, Point(1, 5))


def test_constructed_record_is_frozen():
    point = build_constructor(Point)([1, 2])

    with pytest.raises(FrozenInstanceError):
        point.x = 3
    assert point.x == 1


def test_every_field_needs_a_value():
    with pytest.raises(TypeError):
        build_constructor(Point)([1])
