"""The occupancy grid of a hotel in the dashboard."""

from datetime import date

import pytest
from comanda_hotel.pages.occupancy import list_cells

from ..conftest import day


@pytest.fixture
def path(hotel):
    return f"/stores/{hotel.id}/stays"


def test_cells_of_a_row_add_up_to_its_days():
    nights = [
        {"from": date(2027, 3, 11), "to": date(2027, 3, 13)},
        {"from": date(2027, 3, 13), "to": date(2027, 3, 14)},
    ]

    cells = list_cells(nights, date(2027, 3, 10), date(2027, 3, 16))

    assert [(cell.day.day, cell.length, cell.taken and cell.taken["to"]) for cell in cells] == [
        (10, 1, None), (11, 2, date(2027, 3, 13)), (13, 1, date(2027, 3, 14)), (14, 1, None), (15, 1, None),
    ]  # fmt: skip


async def test_grid_shows_stays_blocks_and_stays_without_a_room(hotel, dashboard, path):
    double = await hotel.room_type(rooms=2)
    one, two = double["rooms"]
    stay = await hotel.stay(double, 1, 3, room_id=one["id"], guest_name="Ada <3")
    await hotel.made(f"/rooms/{two['id']}/blocks", {"from": day(0), "to": day(2), "reason": "Painting"})
    assert "Without a room" not in await dashboard.get(path)
    await hotel.stay(double, 3, 2, guest_name="Bo Lind")

    page = await dashboard.get(path)

    assert f'<td colspan="3"><a class="stay info" href="/dashboard{path}/{stay["id"]}"' in page
    assert "Ada &lt;3" in page
    assert "Painting" in page
    assert "Without a room" in page
    assert "Bo Lind" in page


async def test_grid_goes_to_other_days_and_shows_a_month(hotel, dashboard, path):
    double = await hotel.room_type(rooms=1)
    await hotel.stay(double, 20, 2, room_id=double["rooms"][0]["id"])

    assert "Ada Costa" not in await dashboard.get(path)
    assert "Ada Costa" in await dashboard.get(f"{path}?nights=30")
    page = await dashboard.get(f"{path}?from={day(14)}")
    assert "Ada Costa" in page
    assert f'?from={day(0)}"' in page
    assert f'?from={day(28)}"' in page
    for wrong in ("never", "9999-12-31", "0001-01-01"):
        assert f'value="{day(0)}"' in await dashboard.get(f"{path}?from={wrong}&nights=x")


async def test_new_hotel_is_led_to_its_room_types(hotel, dashboard, path):
    page = await dashboard.get(path)

    assert "No rooms yet" in page
    assert f"/stores/{hotel.id}/rooms/types" in page


async def test_stores_without_rooms_have_no_stays(dashboard, store):
    page = await dashboard.get(f"/stores/{store.id}")

    assert f"/stores/{store.id}/stays" not in page
    assert f"/stores/{store.id}/rooms" not in page
    assert "Arrivals and departures" not in page
    for path in ("stays", "stays/list", "stays/new", "rooms", "rooms/new", "rooms/types", "rooms/types/new"):
        await dashboard.get(f"/stores/{store.id}/{path}", status=404)


async def test_today_names_who_arrives_and_who_leaves(hotel, dashboard, next_day):
    double = await hotel.room_type(rooms=4)
    await hotel.must_set(await hotel.stay(double, 0, 1, guest_name="Leaving Lea"), "checked_in")
    await hotel.must_set(await hotel.stay(double, 0, 3, guest_name="Staying Sam"), "checked_in")
    await hotel.stay(double, 1, 2, guest_name="Arriving Ada")
    await hotel.must_set(await hotel.stay(double, 1, 2, guest_name="Cancelled Cy"), "cancelled")
    next_day()

    page = await dashboard.get(f"/stores/{hotel.id}")

    assert "Arrivals and departures today" in page
    assert page.index("Arriving Ada") < page.index("Leaving Lea")
    assert "Staying Sam" not in page
    assert "Cancelled Cy" not in page
    assert "2 rooms are occupied" in page
