"""The forms of new stays and of changes to them."""

import pytest
from comanda.devkit.testing import sign_in

from ..conftest import day

GUEST = {"guest_name": "Ada Costa", "phone": "+351 91", "email": "", "note": "Late", "source": "phone"}


@pytest.fixture
def path(hotel):
    return f"/stores/{hotel.id}/stays"


def search(arrives=0, nights=2, adults="2"):
    return {"check_in": day(arrives), "check_out": day(arrives + nights), "adults": adults, "children": "0"}


async def test_a_stay_is_found_by_its_price_and_booked(hotel, dashboard, path):
    double = await hotel.room_type(rooms=1)
    small = await hotel.room_type("Single", rooms=1, first=201, max_adults=1)
    nights = search(3)

    offers = await dashboard.get(f"{path}/new?check_in={day(3)}&check_out={day(5)}&adults=2&children=0")
    to = await dashboard.post(f"{path}/new", {**nights, **GUEST, "room_type_id": double["id"], "status": "confirmed"})

    assert "€160.00" in offers
    assert "1 room is free" in offers
    assert "Too small for these guests" in offers
    assert f'value="{small["id"]}" required disabled' in offers
    [stay] = (await hotel.get("/stays"))["data"]
    assert to == f"{path}/{stay['id']}"
    assert (stay["guest_name"], stay["check_in"], stay["check_out"], stay["adults"], stay["source"], stay["email"]) == (
        "Ada Costa", day(3), day(5), 2, "phone", None,
    )  # fmt: skip


async def test_a_stay_is_held_until_a_time(hotel, dashboard, path):
    double = await hotel.room_type(rooms=1)
    fields = {**search(5), **GUEST, "room_type_id": double["id"], "status": "optional"}

    await dashboard.post(f"{path}/new", {**fields, "expires_at": f"{day(2)}T18:00"})

    [stay] = (await hotel.get("/stays"))["data"]
    assert (stay["status"], stay["expires_at"][:16]) == ("optional", f"{day(2)}T18:00")


async def test_what_is_wrong_with_a_stay_is_said(hotel, dashboard, path):
    double = await hotel.room_type(rooms=1)
    fields = {**search(), **GUEST, "room_type_id": double["id"], "status": "confirmed"}

    nameless = await dashboard.post(f"{path}/new", {**fields, "guest_name": ""}, status=422)
    backwards = await dashboard.post(f"{path}/new", {**fields, "check_out": day(0)}, status=422)
    past = await dashboard.get(f"{path}/new?check_in={day(-2)}", status=422)
    await dashboard.post(f"{path}/new", fields)
    sold_out = await dashboard.post(f"{path}/new", fields, status=422)

    assert 'aria-invalid="true"' in nameless
    assert 'value="+351 91"' in nameless
    assert "Must be after check_in." in backwards
    assert "Must not be in the past." in past
    assert "Sold out on one of these nights" in sold_out
    assert (await hotel.get("/stays"))["total"] == 1


async def test_a_desk_without_prices_books_by_type(app, owner, hotel, path):
    double = await hotel.room_type(rooms=1)
    desk = await sign_in(app, owner.id, scopes={"orders:write"})

    page = await desk.get(f"{path}/new")
    await desk.post(f"{path}/new", {**search(), **GUEST, "room_type_id": double["id"], "status": "confirmed"})

    assert "Double" in page
    assert "€" not in page
    [stay] = (await hotel.get("/stays"))["data"]
    assert stay["room_type"] == "Double"
    assert "Double" in await desk.get(f"{path}/{stay['id']}/edit")


async def test_a_hotel_without_rooms_books_nothing(hotel, dashboard, path):
    assert "No room types to book" in await dashboard.get(f"{path}/new")


async def test_dates_guests_and_type_of_a_stay_change(hotel, dashboard, path):
    double, suite = await hotel.room_type(rooms=1), await hotel.room_type("Suite", rooms=1, first=301, base_price=200)
    stay = await hotel.stay(double, 2, 1, phone="+351 91")
    edit = f"{path}/{stay['id']}/edit"
    fields = {
        **search(4, 3, "1"), "room_type_id": str(suite["id"]), "guest_name": "Ada Lima", "phone": "", "email": "",
        "note": "Cot",
    }  # fmt: skip

    form = await dashboard.get(edit)
    wrong = await dashboard.post(edit, {**fields, "adults": "9"}, status=422)
    await dashboard.post(edit, fields)

    assert 'value="+351 91"' in form
    assert 'value="9"' in wrong
    changed = await hotel.look(stay)
    assert (changed["room_type"], changed["check_in"], changed["nights"], changed["total"]) == (
        "Suite", day(4), 3, 600.0,
    )  # fmt: skip
    assert (changed["guest_name"], changed["phone"], changed["note"]) == ("Ada Lima", None, "Cot")


async def test_only_the_guest_of_a_stay_that_is_over_changes(hotel, dashboard, path):
    double = await hotel.room_type(rooms=1)
    stay = await hotel.must_set(await hotel.stay(double, 0, 1), "cancelled")
    edit = f"{path}/{stay['id']}/edit"

    form = await dashboard.get(edit)
    await dashboard.post(edit, {"guest_name": "Ada Lima", "phone": "", "email": "", "note": ""})

    assert 'name="check_in"' not in form
    assert (await hotel.look(stay))["guest_name"] == "Ada Lima"
