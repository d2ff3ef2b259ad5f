"""The answer to a new order says of its lines what its record will say."""

from comanda.devkit.testing.stores import line


async def test_a_new_order_tells_where_its_lines_are_made(kitchen):
    grill, bar = await kitchen.station("Grill"), await kitchen.station("Bar")
    soup, bread = await kitchen.item("Broth", 5), await kitchen.item("Toast", 2)
    wine, water = await kitchen.item("Port", 6), await kitchen.item("Water", 1)
    await kitchen.route(wine, bar)
    await kitchen.route(water, None)
    path = f"/station-routes/categories/{bread['category_id']}"
    assert (await kitchen.send("PUT", path, {"station_id": bar})).status == 200

    order = await kitchen.order(line(soup), line(bread), line(wine), line(water))

    told = [(each["kds_status"], each["station_id"]) for each in order["items"]]
    assert told == [("queued", grill), ("queued", bar), ("queued", bar), (None, None)]
    assert (await kitchen.get(f"/orders/{order['id']}"))["items"] == order["items"]


async def test_routing_that_changes_is_known_at_the_next_order(kitchen):
    soup = await kitchen.item("Broth", 5)
    await kitchen.order(line(soup))
    grill = await kitchen.station("Grill")

    assert (await kitchen.order(line(soup)))["items"][0]["station_id"] == grill
