"""Bump and recall, over HTTP."""


async def test_invalid_body_is_refused(kitchen, cook):
    order = await kitchen.place_order(kitchen.soup)

    reply = await cook.send("PUT", f"/items/{order.lines[0]}/bump", {"expected_status": "burnt"})

    assert list(reply.errors) == ["expected_status"]
    assert await kitchen.list_kds_statuses(order) == ["queued"]


async def test_staff_without_the_permission_get_403(kitchen):
    waiter = await kitchen.add_cook(scopes=["orders"])
    order = await kitchen.place_order(kitchen.soup)

    for method, path in (
        ("GET", ""),
        ("PUT", f"/items/{order.lines[0]}/bump"),
        ("GET", "/stream"),
        ("GET", "/stations"),
    ):
        reply = await waiter.send(method, path)
        assert (reply.status, reply["code"]) == (403, "forbidden")
    assert await kitchen.list_kds_statuses(order) == ["queued"]
