"""Kitchen fields of a new order."""

import pytest
from comanda.devkit.testing import line


async def test_new_order_has_the_stations_of_its_lines(kitchen):
    grill, bar = await kitchen.add_station("Grill"), await kitchen.add_station("Bar")
    soup, bread = await kitchen.item("Broth", 5), await kitchen.item("Toast", 2)
    wine, water = await kitchen.item("Port", 6), await kitchen.item("Water", 1)
    await kitchen.set_route(wine, bar)
    await kitchen.set_route(water, None)
    path = f"/station-routes/categories/{bread['category_id']}"
    assert (await kitchen.send("PUT", path, {"station_id": bar})).status == 200

    order = await kitchen.order(line(soup), line(bread), line(wine), line(water))

    told = [(each["kds_status"], each["station_id"]) for each in order["items"]]
    assert told == [("queued", grill), ("queued", bar), ("queued", bar), (None, None)]
    assert (await kitchen.get(f"/orders/{order['id']}"))["items"] == order["items"]


async def test_changed_routing_applies_to_the_next_order(kitchen):
    soup = await kitchen.item("Broth", 5)
    await kitchen.order(line(soup))
    grill = await kitchen.add_station("Grill")

    assert (await kitchen.order(line(soup)))["items"][0]["station_id"] == grill


@pytest.mark.parametrize("act", ["nothing", "prepare", "bump", "course", "delete"])
async def test_amended_order_has_the_fields_that_are_read_later(kitchen, cook, act):
    grill, bar = await kitchen.add_station("Grill"), await kitchen.add_station("Bar")
    soup, water = await kitchen.item("Broth", 5), await kitchen.item("Water", 1)
    await kitchen.set_route(soup, bar)
    await kitchen.set_route(water, None)
    cake = {**line(soup), "course": 2} if act == "course" else line(soup)
    order = await kitchen.order(line(kitchen.bread), line(water), cake)
    if act == "prepare":
        await kitchen.set_status(order["id"], "preparing")
    elif act == "bump":
        await cook.bump(order["items"][0]["id"])
    elif act == "delete":
        assert (await kitchen.send("DELETE", f"/menu/items/{water['id']}")).status == 204

    round_ = await kitchen.send("POST", f"/orders/{order['id']}/lines", {"items": [line(soup)]})
    note = await kitchen.send("PUT", f"/orders/{order['id']}/lines/{order['items'][0]['id']}", {"note": "Hot"})

    read = await kitchen.get(f"/orders/{order['id']}")
    assert (round_.status, note.document["items"]) == (201, read["items"])
    # A route goes with its item.
    assert [each["station_id"] for each in read["items"]] == [grill, grill if act == "delete" else None, bar, bar]
    assert [each["kds_status"] for each in round_.document["items"]] == [each["kds_status"] for each in read["items"]]
