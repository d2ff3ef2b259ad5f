"""Access tokens of staff."""


async def test_token_is_limited_to_its_store(waiter, store, open_store):
    elsewhere = await open_store("restaurant")
    soup = await elsewhere.item()
    order = await elsewhere.order({"item_id": soup["id"]})

    assert (await waiter.send("GET", f"/orders/{order['id']}")).status == 404
    assert (await waiter.send("PUT", f"/orders/{order['id']}/status", {"status": "ready"})).status == 404
    assert (await store.send("GET", "/orders", **waiter.auth)).status == 401
    assert (await waiter.send("GET", "/me", **store.owner.auth)).status == 401


def test_staff_tokens_slide_for_30_days(runtime):
    kind = runtime.registry.caller_kinds["staff"]

    assert (kind.prefix, kind.header, kind.lifetime.days, kind.is_sliding) == ("stf_", "authorization", 30, True)
