"""Shapes of drawings."""

import pytest
from drawings import shapes


def test_places_stay_in_their_ellipse_and_are_the_same_each_time():
    places = shapes.list_places(40, 400, 300, 100, 50, seed=3)

    assert (
        places == shapes.list_places(40, 400, 300, 100, 50, seed=3) != shapes.list_places(40, 400, 300, 100, 50, seed=4)
    )
    assert all(((x - 400) / 100) ** 2 + ((y - 300) / 50) ** 2 <= 1 for x, y, _, _ in places)


@pytest.mark.parametrize(
    ("colour", "change", "expected"),
    [("#808080", -1, "#000000"), ("#808080", 1, "#ffffff"), ("#c8442f", 0, "#c8442f"), ("#804020", -0.5, "#402010")],
)
def test_shades_lead_to_black_and_white(colour, change, expected):
    assert shapes.to_shade(colour, change) == expected


def test_a_blob_is_closed_and_has_a_curve_for_each_corner():
    path = shapes.to_blob(0, 0, 10, 20, corners=7)

    assert path.startswith("M")
    assert path.endswith("Z")
    assert path.count("C") == 7


def test_noodles_are_arcs():
    assert len(shapes.list_noodles(12, 400, 300, 160)) == 12
    assert all("A" in path for path in shapes.list_noodles(12, 400, 300, 160))
