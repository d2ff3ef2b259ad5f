"""Folios: charges of room-service orders."""

import asyncio

from comanda.devkit.testing import line

from ..conftest import day


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
