"""Bookings of pieces by orders."""

import asyncio

from comanda.devkit.testing import line
from comanda_rental.models import Booking
from comanda_rental.reconciliation import update_bookings


async def test_pieces_stand_in_lines_at_once_and_later(shop):
    order = await shop.hire(line(shop.drill), line(shop.mixer))

    assert [(each["pieces"], each["returned_on"]) for each in order["items"]] == [([1], None), ([1], None)]
    assert (await shop.get(f"/orders/{order['id']}"))["items"] == order["items"]
    second = await shop.hire()
    assert second["items"][0]["pieces"] == [2]
    assert await shop.bookings() == {order["id"]: [1], second["id"]: [2]}


async def test_last_piece_is_booked_once(shop):
    replies = await asyncio.gather(*(shop.hire() for _ in range(6)))

    assert sorted(reply.status for reply in replies) == [201] * 2 + [422] * 4
    [refused, *_] = [reply for reply in replies if reply.status == 422]
    assert refused.errors == {"items.0.quantity": ["Drill: 0 free on all these days."]}
    assert (refused["reason"], refused["free"]) == ("not_enough_pieces", 0)
    assert sorted((await shop.bookings()).values()) == [[1], [2]]


async def test_two_lines_of_a_tool_share_its_pieces(shop):
    reply = await shop.hire(line(shop.drill), line(shop.drill, 2))

    assert (reply.status, list(reply.errors)) == (422, ["items.1.quantity"])
    assert await shop.bookings() == {}


async def test_days_after_the_last_one_are_free(shop):
    assert (await shop.hire(line(shop.mixer), first="2030-01-11", last="2030-01-13")).status == 201

    assert (await shop.hire(line(shop.mixer), first="2030-01-13", last="2030-01-14")).status == 422
    assert (await shop.hire(line(shop.mixer), first="2030-01-14", last="2030-01-14")).status == 201


async def test_cancelled_order_gives_back_its_pieces(shop):
    order = await shop.hire(line(shop.mixer))
    assert (await shop.set_status(order["id"], "cancelled")).status == 200

    other = await shop.hire(line(shop.mixer))
    assert other.status == 201
    refused = await shop.set_status(order["id"], "new")
    assert (refused.status, refused["reason"]) == (422, "not_enough_pieces")

    assert (await shop.set_status(other["id"], "cancelled")).status == 200
    assert (await shop.set_status(order["id"], "new")).status == 200
    assert await shop.bookings() == {order["id"]: [1]}


async def test_bookings_follow_orders_that_changed_meanwhile(shop, clock):
    order = await shop.hire()
    since = clock()
    await shop.set_status(order["id"], "cancelled")
    # As if the plugin had not been there.
    await Booking.filter(owner_id=shop.owner.id, order_id=order["id"]).update(is_cancelled=False)

    await update_bookings(since)
    await update_bookings(since)

    assert await shop.bookings() == {}


async def test_item_with_bookings_can_be_deleted(shop):
    order = await shop.hire(line(shop.mixer))

    assert (await shop.send("DELETE", f"/menu/items/{shop.mixer['id']}")).status in {200, 204}
    assert await shop.bookings() == {order["id"]: [1]}


async def test_amended_order_books_and_gives_back_pieces(shop):
    order = await shop.hire(line(shop.drill))
    path = f"/orders/{order['id']}"

    added = await shop.send("POST", f"{path}/lines", {"items": [line(shop.drill)]})
    full = await shop.send("POST", f"{path}/lines", {"items": [line(shop.drill)]})
    gone = await shop.send("POST", f"{path}/lines/{order['items'][0]['id']}/void", {"reason": "Not needed"})

    assert ([each["pieces"] for each in added["items"]], added["total"]) == ([[1], [2]], 2 * order["total"])
    assert len({(each["unit_price"], each["price_label"], each["line_total"]) for each in added["items"]}) == 1
    assert (full.status, full["reason"]) == (422, "not_enough_pieces")
    assert [each["pieces"] for each in gone["items"]] == [[2]]
    assert (await shop.hire()).status == 201
