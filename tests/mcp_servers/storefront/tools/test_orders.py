"""Tracking of orders."""


async def test_order_is_tracked_by_token_in_its_store(agents, guest, owner, store, new_store):
    item = await store.item("Soup")
    order = await store.order({"item_id": item["id"], "quantity": 2})

    found = await guest.call("track_order", {"track_token": order["track_token"]})

    assert (found["id"], found["status"], found["items"]) == (order["id"], "new", [{"name": "Soup", "quantity": 2}])
    elsewhere = await agents.storefront(owner, (await new_store()).id)
    assert (await elsewhere.refused("track_order", {"track_token": order["track_token"]}))["code"] == "not_found"
