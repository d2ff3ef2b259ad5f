"""Room types and their rates in the dashboard."""

import pytest

from ..conftest import day

FIELDS = {
    "name": "Double", "description": "", "base_price": "92,50", "base_adults": "", "extra_adult_price": "",
    "max_adults": "2", "max_children": "1", "min_stay": "", "overbooking_allowance": "", "position": "",
    "is_active": ["false", "true"],
}  # fmt: skip


@pytest.fixture
def path(hotel):
    return f"/stores/{hotel.id}/rooms/types"


async def test_a_room_type_is_created_changed_and_deleted(hotel, dashboard, path):
    assert "No room types yet" in await dashboard.get(path)

    one = await dashboard.post(f"{path}/new", FIELDS)
    wrong = await dashboard.post(f"{path}/new", {**FIELDS, "base_price": "much"}, status=422)
    [made] = (await hotel.get("/room-types"))["data"]
    await dashboard.post(one, {**FIELDS, "name": "Twin", "base_price": "100", "is_active": "false"})
    few = await dashboard.post(one, {**FIELDS, "base_adults": "9"}, status=422)
    [changed] = (await hotel.get("/room-types"))["data"]

    assert one == f"{path}/{made['id']}"
    assert (made["base_price"], made["base_adults"], made["min_stay"], made["is_active"]) == (92.5, 2, 1, True)
    assert 'value="much"' in wrong
    assert "The price cannot include 9 adults" in few
    assert (changed["name"], changed["base_price"], changed["is_active"]) == ("Twin", 100.0, False)
    assert "Not for sale" in await dashboard.get(path)
    assert await dashboard.post(f"{one}/delete") == path
    assert (await hotel.get("/room-types"))["total"] == 0


async def test_a_room_type_with_rooms_is_not_deleted(hotel, dashboard, path):
    double = await hotel.room_type(rooms=1)

    await dashboard.post(f"{path}/{double['id']}/delete")

    assert (await hotel.get("/room-types"))["total"] == 1


async def test_weekdays_get_and_lose_their_price(hotel, dashboard, path):
    double = await hotel.room_type(rooms=1)
    one = f"{path}/{double['id']}"
    empty = {f"weekdays.{name}": "" for name in ("monday", "tuesday", "wednesday", "thursday", "saturday", "sunday")}

    async def load():
        return (await hotel.get(f"/room-types/{double['id']}/rates"))["weekdays"]

    await dashboard.post(f"{one}/rates", {**empty, "weekdays.friday": "110,50"})
    priced = await load()
    wrong = await dashboard.post(f"{one}/rates", {**empty, "weekdays.friday": "-1"}, status=422)
    shown = await dashboard.get(one)
    await dashboard.post(f"{one}/rates", {**empty, "weekdays.friday": ""})

    assert (priced["friday"], priced["monday"]) == (110.5, None)
    assert 'aria-invalid="true"' in wrong
    assert 'value="110.5"' in shown
    assert set((await load()).values()) == {None}


async def test_nights_get_and_lose_their_price(hotel, dashboard, path):
    double = await hotel.room_type(rooms=1)
    one = f"{path}/{double['id']}"
    period = {"nights.0.from": day(10), "nights.0.to": day(12)}

    await dashboard.post(f"{one}/rates", {**period, "nights.0.price": "180"})
    nights = (await hotel.get(f"/room-types/{double['id']}/rates"))["nights"]
    shown = await dashboard.get(one)
    wrong = await dashboard.post(
        f"{one}/rates", {"nights.0.from": day(3), "nights.0.to": day(1), "nights.0.price": "1"}, status=422
    )
    await dashboard.post(f"{one}/rates", {**period, "nights.0.price": ""})

    assert nights == [{"from": day(10), "to": day(12), "price": 180.0}]
    assert "€180.00" in shown
    assert "notice problem" in wrong or 'aria-invalid="true"' in wrong
    assert (await hotel.get(f"/room-types/{double['id']}/rates"))["nights"] == []
