"""Shipments as the API shows them."""


async def test_order_shows_newest_intact_shipment(shop):
    order = await shop.create_order()
    path = f"/orders/{order['id']}/shipment"
    assert (await shop.send("GET", path)).status == 404
    first, second = await shop.create_shipment(order, {0: 1}), await shop.create_shipment(order, {0: 1})

    assert ((await shop.get(path))["id"], (await shop.get(path))["shipments_count"]) == (second["id"], 2)
    await shop.update_shipment(second, status="failed")
    assert (await shop.get(path))["id"] == first["id"]
    await shop.update_shipment(first, status="failed")
    assert ((await shop.get(path))["id"], (await shop.get(path))["shipments_count"]) == (second["id"], 2)


async def test_shipments_are_filtered_by_status_and_order(shop):
    order, other = await shop.create_order(), await shop.create_order()
    first = await shop.create_shipment(order, {0: 1})
    second = await shop.create_shipment(order, {0: 1}, status="in_transit")
    third = await shop.create_shipment(other)

    async def listed(query=""):
        return [each["id"] for each in await shop.list_shipments(query)]

    assert await listed() == [third["id"], second["id"], first["id"]]
    assert await listed("?status=pending") == [third["id"], first["id"]]
    assert await listed(f"?order_id={order['id']}&status=in_transit") == [second["id"]]
    page = await shop.get("/shipments?per_page=2&page=2")
    assert ([each["id"] for each in page["data"]], page["total"], page["last_page"]) == ([first["id"]], 3, 2)
    assert list((await shop.send("GET", "/shipments?status=gone&order_id=x")).errors) == ["status", "order_id"]
