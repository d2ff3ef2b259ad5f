"""Fast construction of frozen dataclasses."""

from dataclasses import FrozenInstanceError, dataclass, field, replace

import pytest
from comanda.basics.frozen_records import build_constructor, build_keyword_constructor, extend_record


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


def test_extended_record_has_the_attributes_of_another_and_more():
    class Row:
        name, is_open, length = "north", True, 3

    assert extend_record(Route, Row(), points=[Point(1)]) == Route("north", is_open=True, points=[Point(1)])
    assert extend_record(Route, Row(), name="south").name == "south"


def test_extended_record_needs_every_field_without_a_default():
    with pytest.raises(TypeError, match="name"):
        extend_record(Route, Point(1))
