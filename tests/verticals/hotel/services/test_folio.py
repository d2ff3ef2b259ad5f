"""Folios: charges of room-service orders."""

import asyncio

import pytest
from comanda.devkit.testing import line

from ..conftest import day, list_requests


async def test_room_service_order_is_charged_to_the_folio(hotel, soup, stay, clock):
    order = await hotel.order(line(soup, 3), type="room_service", room_number="101")

    assert (order["stay_id"], order["room_number"], order["total"]) == (stay["id"], "101", 15.0)
    assert (await hotel.get(f"/orders/{order['id']}"))["stay_id"] == stay["id"]
    shown = await hotel.look(stay)
    (charge,) = shown["folio"]
    assert charge == {
        "id": charge["id"], "kind": "room_service", "order_id": order["id"], "order_number": order["number"],
        "payment_status": "unpaid", "amount": 15.0, "amount_due": 15.0,
        "created_at": clock().isoformat(), "voided_at": None,
    }  # fmt: skip
    assert (shown["total"], shown["charges_total"], shown["folio_total"]) == (160.0, 15.0, 175.0)
    assert shown["amount_due"] == 175.0


async def test_paid_orders_are_not_due_at_departure(hotel, soup, stay):
    paid = await hotel.order(line(soup, 3), type="room_service", room_number="101")
    await hotel.order(line(soup, 2), type="room_service", room_number="101")
    cancelled = await hotel.order(line(soup), type="room_service", room_number="101")
    assert (await hotel.send("POST", f"/orders/{paid['id']}/payments", {"method": "cash"})).status == 201
    await hotel.set_status(cancelled["id"], "cancelled")

    shown = await hotel.look(stay)

    assert [(each["payment_status"], each["amount_due"]) for each in shown["folio"]] == [
        ("paid", 0.0), ("unpaid", 10.0), ("unpaid", 0.0),
    ]  # fmt: skip
    assert (shown["folio_total"], shown["amount_due"]) == (185.0, 170.0)


async def test_cancelled_order_is_voided_until_reopened(hotel, soup, stay):
    order = await hotel.order(line(soup), type="room_service", room_number=101)

    await hotel.set_status(order["id"], "cancelled")
    gone = await hotel.look(stay)
    await hotel.set_status(order["id"], "preparing")
    back = await hotel.look(stay)

    assert (gone["charges_total"], gone["folio"][0]["voided_at"] is None) == (0.0, False)
    assert (back["charges_total"], back["folio"][0]["voided_at"]) == (5.0, None)


async def test_order_of_departed_guests_is_not_reopened(hotel, soup, stay):
    order = await hotel.order(line(soup), type="room_service", room_number="101")
    await hotel.set_status(order["id"], "cancelled")
    await hotel.must_set(stay, "checked_out")

    refused = await hotel.set_status(order["id"], "new")

    assert refused.errors == {"status": ["The guests of this order have left, so it cannot be reopened."]}
    assert (await hotel.get(f"/orders/{order['id']}"))["status"] == "cancelled"
    assert (await hotel.look(stay))["charges_total"] == 0.0


async def test_folio_follows_the_stay_to_another_room(hotel, soup, stay):
    await hotel.order(line(soup), type="room_service", room_number="101")
    await hotel.give(stay, (await hotel.get("/rooms"))["data"][1])

    assert (await hotel.place(line(soup), type="room_service", room_number="101")).status == 422
    await hotel.order(line(soup), type="room_service", room_number="102")

    assert (await hotel.look(stay))["charges_total"] == 10.0


async def test_repeated_order_is_charged_once(hotel, soup, stay):
    for _ in range(2):
        assert (await hotel.place(line(soup), type="room_service", room_number="101", key="k")).status == 201

    assert (await hotel.look(stay))["charges_total"] == 5.0


async def test_no_order_is_charged_after_check_out(hotel, soup, stay):
    replies = await asyncio.gather(
        *(hotel.place(line(soup), type="room_service", room_number="101") for _ in range(10)),
        hotel.set(stay, "checked_out"),
        *(hotel.place(line(soup), type="room_service", room_number="101") for _ in range(10)),
    )

    placed = [reply for reply in replies if reply.status == 201]
    left = await hotel.look(stay)
    assert left["departed_on"] == day(0)
    assert left["charges_total"] == 5.0 * len(placed)
    assert {reply.status for reply in replies} <= {200, 201, 422}
    assert all(reply["created_at"] <= left["updated_at"] for reply in placed)


async def test_amended_order_is_charged_as_it_is(hotel, soup, stay):
    order = await hotel.order(line(soup), type="room_service", room_number="101")

    await hotel.send("POST", f"/orders/{order['id']}/lines", {"items": [line(soup, 2)]})

    assert (await hotel.look(stay))["charges_total"] == 15.0


async def test_order_of_a_room_is_not_split(hotel, soup, stay):
    order = await hotel.order(line(soup, 2), type="room_service", room_number="101")
    lines = [{"line_id": order["items"][0]["id"], "quantity": 1}]

    refused = await hotel.send("POST", f"/orders/{order['id']}/split", {"lines": lines})

    assert (refused.status, refused["reason"]) == (409, "amendment_unsupported")


@pytest.fixture
async def departed(hotel):
    """A stay whose guests have left, with an address, while others have their room."""
    double = await hotel.room_type(rooms=1)
    stay = await hotel.must_set(await hotel.stay(double, 0, 1, email="ada@example.com"), "checked_in")
    left = await hotel.must_set(stay, "checked_out")
    room = left["room_id"]
    await hotel.must_set(await hotel.stay(double, 0, 1), "checked_in", room_id=room, allow_dirty=True)
    return left


async def test_late_charge_is_of_the_guests_who_have_left(hotel, guest, bank, soup, departed, sent_messages):
    order = await hotel.order(line(soup), type="room_service", stay_id=departed["id"])

    stay = await hotel.look(departed)
    (charge,) = stay["folio"]
    assert (charge["kind"], charge["order_id"], charge["amount_due"]) == ("late_charge", order["id"], 5.0)
    assert (order["stay_id"], stay["amount_due"]) == (departed["id"], 85.0)
    [mail] = list_requests(await sent_messages())
    assert (mail.to, "€5.00" in mail.text) == ("ada@example.com", True)
    path = mail.text.partition("http://comanda.test")[2].split()[0]
    status, page = await guest.read(path)
    assert status == 200
    payment = page.partition('href="/pay/')[2].partition('"')[0]
    paid = await hotel.client.post(f"/pay/{payment}/start", form={})
    await bank.pay(paid.headers["Location"])
    await hotel.client.get(f"/pay/{payment}/return")
    assert (await hotel.look(departed))["amount_due"] == 80.0
    assert "/pay/" not in (await guest.read(path))[1]


async def test_late_charge_can_be_corrected_and_cancelled(hotel, soup, departed):
    order = await hotel.order(line(soup), type="room_service", stay_id=departed["id"])

    assert (await hotel.send("POST", f"/orders/{order['id']}/lines", {"items": [line(soup)]})).status == 201
    assert (await hotel.look(departed))["charges_total"] == 10.0
    await hotel.set_status(order["id"], "cancelled")
    assert (await hotel.look(departed))["charges_total"] == 0.0
    await hotel.set_status(order["id"], "new")
    assert (await hotel.look(departed))["charges_total"] == 10.0


async def test_only_stays_with_guests_take_late_charges(hotel, soup, departed, other_owner):
    elsewhere = type(hotel)(hotel.client, other_owner, await other_owner.store("hotel"))
    foreign = await elsewhere.stay(await elsewhere.room_type(rooms=1), 0)
    await elsewhere.must_set(await elsewhere.must_set(foreign, "checked_in"), "checked_out")
    coming = await hotel.stay(await hotel.room_type("Suite", rooms=1, first=201), 5)

    for stay in (foreign, coming):
        refused = await hotel.place(line(soup), type="room_service", stay_id=stay["id"])
        assert refused.errors == {"stay_id": [f"There is no stay {stay['id']} with guests."]}
    assert (await elsewhere.look(foreign))["folio"] == []


async def test_guests_charge_no_stay(hotel, guest, soup, departed):
    body = {
        "type": "room_service", "stay_id": departed["id"], "room_number": "101", "customer_name": "Ada Costa",
        "items": [line(soup)],
    }  # fmt: skip

    status, document = await guest.send(f"/s/{guest.slug}/orders", body)

    assert (status, list(document["errors"])) == (422, ["stay_id"])
    assert (await hotel.look(departed))["folio"] == []
