"""The map of drivers: what it shows, and where labels are."""

import re

import pytest
from comanda_drivers.pages import driver_map
from comanda_drivers.pages.driver_map import Place, PlaceKind, draw_map

STORE = Place(PlaceKind.STORE, 38.7139, -9.1335, "Casa", "Casa")


def create_driver(lat, lng, name="Rui", **fields):
    return Place(PlaceKind.DRIVER, lat, lng, name, name, **fields)


def list_points(drawing):
    found = re.findall(r'class="place [a-z ]+" x="([\d.-]+)%" y="([\d.-]+)%"', drawing.svg)
    return [(float(x), float(y)) for x, y in found]


def test_without_a_place_there_is_no_map():
    assert draw_map([], [1000]) is None


def test_north_is_up_and_east_is_to_the_right():
    places = [STORE, create_driver(38.7239, -9.1335), create_driver(38.7139, -9.1235)]

    store, north, east = list_points(draw_map(places))

    assert (north[0], east[1]) == (store[0], store[1])
    assert north[1] < store[1]
    assert east[0] > store[0]
    assert all(0 < each < 100 for point in (store, north, east) for each in point)


def test_distances_are_the_same_in_both_directions():
    # A degree of longitude is shorter than one of latitude, by the cosine of the latitude.
    places = [STORE, create_driver(38.7239, -9.1335), create_driver(38.7139, -9.1335 + 0.01 / 0.7803)]

    store, north, east = list_points(draw_map(places))

    assert (store[1] - north[1]) / driver_map.ASPECT == pytest.approx(east[0] - store[0], rel=1e-3)


def test_smallest_area_around_all_is_shown_whole():
    drawing = draw_map([STORE, create_driver(38.7239, -9.1335)], [500, 2000, 9000])

    radii = [float(each) for each in re.findall(r'rx="([\d.]+)%"', drawing.svg)]
    assert len(radii) == 3
    assert radii[0] > 50 > radii[1] * driver_map.ASPECT > radii[2] * driver_map.ASPECT
    assert radii[1] * driver_map.ASPECT == pytest.approx(100 / 2 / 1.08, rel=0.01)


def test_places_far_away_are_left_out():
    far = create_driver(48.85, 2.35, "Eva")

    drawing = draw_map([STORE, create_driver(38.72, -9.13), far])

    assert drawing.left_out == (far,)
    assert len(list_points(drawing)) == 2
    assert "Eva" not in drawing.svg


def test_labels_of_drivers_at_one_place_do_not_overlap():
    drawing = draw_map([STORE, *(create_driver(38.7139, -9.1335, f"Driver {number}") for number in range(8))])

    boxes = re.findall(r'class="label" x="([\d.-]+)" y="([\d.-]+)" width="([\d.]+)"', drawing.svg)
    corners = [tuple(map(float, box)) for box in boxes]
    assert len(corners) == 9
    for number, (x, y, width) in enumerate(corners):
        for other_x, other_y, other_width in corners[:number]:
            is_beside = x + width <= other_x + 0.2 or other_x + other_width <= x + 0.2
            assert is_beside or abs(y - other_y) >= driver_map.LABEL_HEIGHT - 0.2


def test_names_are_text_and_no_markup():
    drawing = draw_map([STORE, create_driver(38.72, -9.13, "<b>&")])

    assert "<b>" not in drawing.svg
    assert "&lt;b&gt;&amp;" in drawing.svg


@pytest.mark.parametrize(("east", "length"), [(0.001, "100 m"), (0.02, "500 m"), (0.1, "2 km"), (0.9, "20 km")])
def test_scale_has_a_round_length(east, length):
    assert f">{length}</text>" in draw_map([STORE, create_driver(38.7139, -9.1335 + east)]).svg


def test_distance_is_written_with_its_unit():
    assert [driver_map.format_distance_m(meters) for meters in (0, 349.6, 1249, 23_400)] == [
        "0 m", "350 m", "1.2 km", "23 km"
    ]  # fmt: skip
