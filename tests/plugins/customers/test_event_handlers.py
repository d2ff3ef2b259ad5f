"""Handlers of order events."""

from comanda.devkit.testing import line


async def test_order_event_creates_guest(store, soup, clock, dispatch, list_guests, mark_as_paid):
    await store.send("PUT", "/settings", {"country": "PT"})
    await mark_as_paid((await store.order(line(soup, 2), phone="912 345 678", customer_name="Ada"))["id"])

    await dispatch()

    (guest,) = await list_guests()
    assert guest == {
        "id": guest["id"], "name": "Ada", "phone": "+351912345678", "email": None, "visits": 1, "orders": 1,
        "total_spent": 20.0, "avg_order": 20.0, "first_seen_at": clock().isoformat(),
        "last_seen_at": clock().isoformat(), "tags": [], "segment": "new",
    }  # fmt: skip


async def test_one_phone_is_a_guest_of_each_store(store, order, owner, other_owner, client, dispatch):
    await order(is_handled=False)
    mine = type(store)(client, owner, await owner.store())
    theirs = type(store)(client, other_owner, await other_owner.store())
    for other in (mine, mine, theirs):
        await other.order(line(await other.item()), phone="+351912345678")

    await dispatch()

    seen = [[guest["orders"] for guest in (await one.get("/guests"))["data"]] for one in (store, mine, theirs)]
    assert seen == [[1], [2], [1]]


def test_handler_is_registered_for_order_events(runtime):
    kind = runtime.registry.caller_kinds["customer"]
    handler = next(one for one in runtime.registry.event_handlers if one.name == "customers_guests")

    assert (kind.prefix, kind.header, kind.lifetime.days, kind.is_sliding) == ("cus_", "authorization", 180, True)
    assert [event.name for event in handler.events] == ["order.created", "order.status_changed", "order.paid"]
    assert handler.names == ("refund.completed",)
