"""Room service: ordered to a room with guests in it, put on their bill, taken off when it is called off."""

import asyncio

import pytest
from comanda.db import sql
from comanda.testing.stores import line

from .conftest import day


@pytest.fixture
async def soup(hotel):
    return await hotel.item("Soup", 5)


@pytest.fixture
async def stay(hotel):
    double = await hotel.room_type(rooms=2)
    return await hotel.must_set(await hotel.stay(double, 0, 2), "checked_in")


async def orders_of(owner):
    return await sql.fetch_value("SELECT count(*) FROM core_order WHERE owner_id = $1", owner.id)


async def test_an_order_to_a_room_is_on_the_bill_of_who_is_in_it(hotel, soup, stay, clock):
    order = await hotel.order(line(soup, 3), type="room_service", room_number="101")

    assert (order["stay_id"], order["room_number"], order["total"]) == (stay["id"], "101", 15.0)
    assert (await hotel.get(f"/orders/{order['id']}"))["stay_id"] == stay["id"]
    shown = await hotel.look(stay)
    (charge,) = shown["folio"]
    assert charge == {
        "id": charge["id"], "kind": "room_service", "order_id": order["id"], "order_number": order["number"],
        "amount": 15.0, "created_at": clock().isoformat(), "voided_at": None,
    }  # fmt: skip
    assert (shown["total"], shown["charges_total"], shown["folio_total"]) == (160.0, 15.0, 175.0)


async def test_what_is_called_off_counts_no_more_until_it_is_wanted_again(hotel, soup, stay):
    order = await hotel.order(line(soup), type="room_service", room_number=101)

    await hotel.set_status(order["id"], "cancelled")
    gone = await hotel.look(stay)
    await hotel.set_status(order["id"], "preparing")
    back = await hotel.look(stay)

    assert (gone["charges_total"], gone["folio"][0]["voided_at"] is None) == (0.0, False)
    assert (back["charges_total"], back["folio"][0]["voided_at"]) == (5.0, None)


async def test_an_order_of_guests_who_have_left_is_not_opened_again(hotel, soup, stay):
    order = await hotel.order(line(soup), type="room_service", room_number="101")
    await hotel.set_status(order["id"], "cancelled")
    await hotel.must_set(stay, "checked_out")

    refused = await hotel.set_status(order["id"], "new")

    assert refused.errors == {"status": ["The guests of this order have left, so it cannot be reopened."]}
    assert (await hotel.get(f"/orders/{order['id']}"))["status"] == "cancelled"
    assert (await hotel.look(stay))["charges_total"] == 0.0


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "Room number is required for room service orders."),
        ({"room_number": ""}, "Room number is required for room service orders."),
        ({"room_number": "102"}, "No guest is checked in to room 102."),
        ({"room_number": "999"}, "No guest is checked in to room 999."),
    ],
)
async def test_an_order_without_guests_to_pay_it_is_refused(hotel, soup, stay, owner, fields, sentence):
    reply = await hotel.place(line(soup), type="room_service", **fields)

    assert reply.errors == {"room_number": [sentence]}
    assert await orders_of(owner) == 0


async def test_guests_who_have_not_come_or_have_left_order_nothing(hotel, soup, stay):
    double = {"id": stay["room_type_id"]}
    await hotel.stay(double, room_id=(await hotel.get("/rooms"))["data"][1]["id"])
    assert (await hotel.place(line(soup), type="room_service", room_number="102")).status == 422

    await hotel.must_set(stay, "checked_out")
    assert (await hotel.place(line(soup), type="room_service", room_number="101")).status == 422


async def test_a_room_of_another_hotel_is_none(client, owner, hotel, soup, stay):
    branch = type(hotel)(client, owner, await owner.store("hotel", timezone="Europe/Lisbon"))
    tea = await branch.item("Tea", 3)

    assert (await branch.place(line(tea), type="room_service", room_number="101")).status == 422
    assert (await hotel.look(stay))["folio"] == []


async def test_moving_to_another_room_keeps_the_folio_and_orders_follow(hotel, soup, stay):
    await hotel.order(line(soup), type="room_service", room_number="101")
    await hotel.give(stay, (await hotel.get("/rooms"))["data"][1])

    assert (await hotel.place(line(soup), type="room_service", room_number="101")).status == 422
    await hotel.order(line(soup), type="room_service", room_number="102")

    assert (await hotel.look(stay))["charges_total"] == 10.0


async def test_orders_over_the_counter_need_no_room(hotel, soup):
    order = await hotel.order(line(soup), type="in_store")

    assert "stay_id" not in order


async def test_a_repeated_order_is_charged_once(hotel, soup, stay):
    for _ in range(2):
        assert (await hotel.place(line(soup), type="room_service", room_number="101", key="k")).status == 201

    assert (await hotel.look(stay))["charges_total"] == 5.0


async def test_no_order_slips_in_after_the_guests_have_left(hotel, soup, stay):
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
