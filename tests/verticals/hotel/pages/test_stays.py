"""Stays in the dashboard: lists, check-in, check-out, moves and other acts of the front desk."""

import re

import pytest
from comanda.devkit.testing import line, sign_in

from ..conftest import day, get_room_status


@pytest.fixture
def path(hotel):
    return f"/stores/{hotel.id}/stays"


async def test_guests_are_checked_in_charged_and_checked_out(hotel, dashboard, path, soup, next_day):
    double = await hotel.room_type(rooms=2)
    stay = await hotel.stay(double, 0, 2)
    one = f"{path}/{stay['id']}"

    before = await dashboard.get(one)
    await dashboard.post(f"{one}/status", {"status": "checked_in", "room_id": str(double["rooms"][1]["id"])})
    arrived = await hotel.look(stay)
    await hotel.order(line(soup, 2), type="room_service", room_number="102")
    in_house = await dashboard.get(one)
    next_day(2)
    await dashboard.post(f"{one}/status", {"status": "checked_out", "charge_unused_nights": "false"})
    after = await dashboard.get(one)

    assert ("Check in</button>" in before, "Check out</button>" in before) == (True, False)
    assert (arrived["status"], arrived["room_number"]) == ("checked_in", "102")
    assert "Check out</button>" in in_house
    assert "Room service, order" in in_house
    assert "€170.00" in in_house
    left = await hotel.look(stay)
    assert (left["status"], left["total"], left["departed_on"]) == ("checked_out", 160.0, day(2))
    assert await get_room_status(hotel, double["rooms"][1]) == "dirty"
    assert "Check out</button>" not in after


async def test_a_room_that_is_not_clean_is_refused_unless_chosen_so(hotel, dashboard, path):
    double = await hotel.room_type(rooms=1)
    await hotel.clean(double["rooms"][0], "dirty")
    stay = await hotel.stay(double, 0, 1)
    one = f"{path}/{stay['id']}"
    fields = {"status": "checked_in", "room_id": str(double["rooms"][0]["id"])}

    await dashboard.post(f"{one}/status", {**fields, "allow_dirty": "false"})
    refused = await hotel.look(stay)
    await dashboard.post(f"{one}/status", {**fields, "allow_dirty": ["false", "true"]})

    assert (refused["status"], refused["room_id"]) == ("confirmed", None)
    assert (await hotel.look(stay))["status"] == "checked_in"


async def test_guests_who_leave_early_pay_unused_nights_if_the_desk_says_so(hotel, dashboard, path, next_day):
    double = await hotel.room_type(rooms=2)
    free, charged = [await hotel.must_set(await hotel.stay(double, 0, 4), "checked_in") for _ in range(2)]
    next_day()

    assert "Charge the nights that are not used" in await dashboard.get(f"{path}/{free['id']}")
    await dashboard.post(f"{path}/{free['id']}/status", {"status": "checked_out", "charge_unused_nights": "false"})
    fields = {"status": "checked_out", "charge_unused_nights": ["false", "true"]}
    await dashboard.post(f"{path}/{charged['id']}/status", fields)

    assert [(await hotel.look(stay))["total"] for stay in (free, charged)] == [80.0, 320.0]


async def test_a_stay_gets_a_room_moves_and_loses_it(hotel, dashboard, path):
    double, suite = await hotel.room_type(rooms=2), await hotel.room_type("Suite", rooms=1, first=301)
    one, two = double["rooms"]
    await hotel.stay(double, 1, 1, room_id=one["id"], guest_name="Bo Lind")
    stay = await hotel.stay(double, 0, 2)
    shown = f"{path}/{stay['id']}"

    page = await dashboard.get(shown)
    await dashboard.post(f"{shown}/room", {"room_id": str(one["id"])})
    refused = await hotel.look(stay)
    await dashboard.post(f"{shown}/room", {"room_id": str(two["id"])})
    assigned = await hotel.look(stay)
    await dashboard.post(f"{shown}/room", {"room_id": str(suite["rooms"][0]["id"])})
    moved = await hotel.look(stay)
    await dashboard.post(f"{shown}/room")

    assert ("102 · Double" in page, "301 · Suite" in page, "101 · Double" in page) == (True, True, False)
    assert refused["room_number"] is None
    assert assigned["room_number"] == "102"
    assert (moved["room_number"], moved["room_type"], moved["total"]) == ("301", "Suite", 160.0)
    assert (await hotel.look(stay))["room_number"] is None


async def test_a_stay_is_extended_and_shortened(hotel, dashboard, path):
    double = await hotel.room_type(rooms=1)
    stay = await hotel.must_set(await hotel.stay(double, 0, 2), "checked_in")
    await hotel.stay(double, 5, 1, room_id=double["rooms"][0]["id"])
    one = f"{path}/{stay['id']}"

    for check_out, nights in ((day(4), 4), (day(6), 4), ("", 4), (day(1), 1)):
        assert await dashboard.post(f"{one}/departure", {"check_out": check_out}) == one
        assert (await hotel.look(stay))["nights"] == nights


async def test_a_hold_is_confirmed_cancelled_and_confirmed_again(hotel, dashboard, path):
    double = await hotel.room_type(rooms=1)
    stay = await hotel.stay(double, 2, 1, status="optional")
    one = f"{path}/{stay['id']}"

    assert "Held until" in await dashboard.get(one)
    for status in ("confirmed", "cancelled", "confirmed"):
        await dashboard.post(f"{one}/status", {"status": status})
        assert (await hotel.look(stay))["status"] == status
    # Nobody is late before the day of arrival.
    assert "No-show" not in await dashboard.get(one)
    await dashboard.post(f"{one}/status", {"status": "no_show"})
    assert (await hotel.look(stay))["status"] == "confirmed"
    await dashboard.post(f"{one}/status", {})
    await dashboard.get(f"{path}/999999", status=404)


async def test_guests_who_do_not_come_are_no_shows(hotel, dashboard, path):
    double = await hotel.room_type(rooms=1)
    stay = await hotel.stay(double, 0, 3)
    one = f"{path}/{stay['id']}"

    assert "No-show" in await dashboard.get(one)
    await dashboard.post(f"{one}/status", {"status": "no_show"})

    assert (await hotel.look(stay))["status"] == "no_show"
    assert await hotel.free(double, 0, 3) == 1


async def test_lists_show_arrivals_departures_guests_in_house_and_all(hotel, dashboard, path):
    double = await hotel.room_type(rooms=9)
    await hotel.must_set(await hotel.stay(double, 0, 1, guest_name="Ada Costa"), "checked_in")
    await hotel.stay(double, 1, 2, guest_name="Bo Lind", phone="+351 91")
    await hotel.must_set(await hotel.stay(double, 0, 2, guest_name="Cy Ott"), "cancelled")

    async def listed(query):
        page = await dashboard.get(f"{path}/list?{query}")
        return [name for name in ("Ada Costa", "Bo Lind", "Cy Ott") if name in page]

    assert await listed("") == ["Ada Costa"]
    assert await listed(f"show=arrivals&on={day(1)}") == ["Bo Lind"]
    assert await listed(f"show=departures&on={day(1)}") == ["Ada Costa"]
    assert await listed("show=in_house") == ["Ada Costa"]
    assert await listed("show=all") == ["Ada Costa", "Bo Lind", "Cy Ott"]
    assert await listed("show=all&search=351") == ["Bo Lind"]
    assert await listed("show=all&status=cancelled") == ["Cy Ott"]
    assert await listed("show=all&status=x") == ["Ada Costa", "Bo Lind", "Cy Ott"]
    assert "No stays found" in await dashboard.get(f"{path}/list?show=all&search=zzz")
    assert "No departures on this day" in await dashboard.get(f"{path}/list?show=departures")


async def test_readers_see_a_stay_and_change_nothing(app, owner, hotel, path):
    double = await hotel.room_type(rooms=1)
    stay = await hotel.stay(double, 0, 1)
    reader = await sign_in(app, owner.id, scopes={"orders:read"})

    page = await reader.get(f"{path}/{stay['id']}")
    await reader.post(f"{path}/{stay['id']}/status", {"status": "cancelled"}, status=403)

    assert "Ada Costa" in page
    for act in ("Check in</button>", "Cancel stay", "Edit"):
        assert act not in page
    assert "New stay" not in await reader.get(path)
    assert (await hotel.look(stay))["status"] == "confirmed"


async def test_late_charge_is_entered_from_the_page_of_the_stay(hotel, dashboard, path, soup, stay):
    await hotel.must_set(stay, "checked_out")
    page = await dashboard.get(f"{path}/{stay['id']}")
    link = f"/stores/{hotel.id}/orders/new?type=room_service&amp;stay_id={stay['id']}"
    assert f'href="/dashboard{link}"' in page
    form = await dashboard.get(link.replace("&amp;", "&"))
    assert f'name="stay_id" value="{stay["id"]}"' in re.sub(r' (id|type|min|inputmode|step)="[^"]*"', "", form)
    fields = {
        "type": "room_service",
        "stay_id": str(stay["id"]),
        "items.0.item_id": str(soup["id"]),
        "items.0.quantity": "1",
    }

    await dashboard.post(f"/stores/{hotel.id}/orders/new", {**fields, "_place": "1"})

    [charge] = (await hotel.look(stay))["folio"]
    assert (charge["kind"], charge["amount_due"]) == ("late_charge", 5)
    assert "Late charge, order" in await dashboard.get(f"{path}/{stay['id']}")


@pytest.mark.parametrize(("amount", "asked_for"), [("60.50", "€60.50"), ("", "€160.00")])
async def test_desk_asks_for_a_payment_and_for_the_fee_of_a_no_show(hotel, bank, dashboard, path, amount, asked_for):
    await hotel.send("PUT", "/settings/hotel", {"no_show_percent": 50})
    double = await hotel.room_type(rooms=2)
    payer, no_show = [await hotel.stay(double, 0, 2) for _ in range(2)]

    await dashboard.post(f"{path}/{payer['id']}/deposit", {"amount": amount})
    await dashboard.post(f"{path}/{no_show['id']}/status", {"status": "no_show"})

    asked, owed = [await dashboard.get(f"{path}/{each['id']}") for each in (payer, no_show)]
    assert ("Ask the guest to pay" in asked, f"{asked_for}</" in asked, "Deposit not paid" in asked) == (
        False,
        True,
        True,
    )
    assert ("No-show fee</h2>" in owed, "€80.00" in owed, "Not paid" in owed) == (True, True, True)


async def test_desk_takes_payments_of_nights(hotel, dashboard, path):
    stay = await hotel.stay(await hotel.room_type(rooms=1), 0, 2)
    one = f"{path}/{stay['id']}"

    before = await dashboard.get(one)
    await dashboard.post(f"{one}/payments", {"method": "cash", "amount": "60"})
    part = await dashboard.get(one)
    await dashboard.post(f"{one}/payments", {"method": "card_external", "amount": ""})
    after = await dashboard.get(one)

    assert 'placeholder="€160.00"' in before
    assert ('placeholder="€100.00"' in part, "Deposit paid" in part) == (True, True)
    assert (await hotel.look(stay))["amount_due"] == 0
    assert "Payment at the desk" not in after
    deposit = (await hotel.look(stay))["deposit"]
    shown = await dashboard.get(f"/stores/{hotel.id}/prepayments/{deposit['id']}")
    assert all(text in shown for text in ("Cash", "€60.00", "Card, on a terminal of the store", "€100.00"))
