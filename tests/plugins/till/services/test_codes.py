"""The codes that a scanner reads."""


async def test_codes_are_those_of_active_variations_of_the_store(store, open_store, log_in):
    async def add(shop, *variants):
        item = (await shop.item("Marker", 3))["id"]
        return item, [await shop.send("POST", f"/menu/items/{item}/variants", each) for each in variants]

    marker, (blue, _red, _green) = await add(
        store,
        {"name": "Blue", "price": 3, "sku": "MAR-B", "barcode": "4006381333931"},
        {"name": "Red", "price": 3, "sku": "MAR-R", "is_active": False},
        {"name": "Green", "price": 3},
    )
    await add(await open_store("retail"), {"name": "One", "price": 3, "sku": "OTHER"})

    reply = await store.send_to("/api/v1/staff/codes", "GET", None, **await log_in("orders"))

    found = {"item_id": marker, "variation_id": blue["id"], "sku": "MAR-B", "barcode": "4006381333931"}
    assert reply.document == [found]
