"""Orders placed by staff."""

import asyncio

from comanda.devkit.testing import line

HOURS = {
    day: [{"open": "08:00", "close": "22:00"}]
    for day in ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
}


async def test_concurrent_repeats_place_one_order(waiter, soup):
    body = {"type": "takeaway", "items": [line(soup)], "client_uuid": "till-7"}

    replies = await asyncio.gather(*(waiter.send("POST", "/orders", body) for _ in range(5)))

    assert {reply.status for reply in replies} == {201}
    assert len({reply["id"] for reply in replies}) == 1


async def test_staff_order_while_store_is_closed_or_paused(store, waiter, soup, place_guest_order):
    closed = {day: [] for day in HOURS}
    await store.send("PUT", "/settings", {"hours": closed})
    assert (await place_guest_order()).errors
    assert (await waiter.send("POST", "/orders", {"type": "takeaway", "items": [line(soup)]})).status == 201
    await waiter.send("POST", "/integration/busy", {"status": "paused"})
    assert (await waiter.send("POST", "/orders", {"type": "takeaway", "items": [line(soup)]})).status == 201
    assert (await store.place(line(soup))).status == 201
