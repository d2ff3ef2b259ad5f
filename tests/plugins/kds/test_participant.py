"""Kitchen fields of a new order."""

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
