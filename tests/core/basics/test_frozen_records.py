"""Fast construction of frozen dataclasses."""

from dataclasses import FrozenInstanceError, dataclass, field, replace

import pytest
from comanda.basics.frozen_records import build_constructor, build_keyword_constructor


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


@dataclass(frozen=True, slots=True)
class Route:
    name: str
    is_open: bool = False
    points: list[Point] = field(default_factory=list)


def test_keyword_constructor_takes_the_arguments_of_the_class():
    create = build_keyword_constructor(Route)
    route = create("north", points=[Point(1)])

    assert route == Route("north", points=[Point(1)])
    assert type(route) is Route
    with pytest.raises(FrozenInstanceError):
        route.name = "south"
    assert create("south").points is not create("south").points
    assert (create("south").is_open, create("south").points) == (False, [])


@pytest.mark.parametrize("values", [{}, {"name": "north", "length": 3}])
def test_keyword_constructor_refuses_other_arguments(values):
    with pytest.raises(TypeError):
        build_keyword_constructor(Route)(**values)
