"""The deliveries that events are queued for."""

import orjson
from comanda.platform.db import sql
from comanda_webhooks import event_handlers


async def test_delivery_lost_in_crash_keeps_its_id(inbox, create_endpoint, emit_events, get_deliveries):
    endpoint = await create_endpoint(inbox.url)
    events = await emit_events(count=2)
    before = [(row["event_id"], row["message_id"], row["body"]) for row in await get_deliveries(endpoint)]
    await sql.execute("DELETE FROM webhooks_delivery WHERE endpoint_id = $1", endpoint["id"])

    await event_handlers.deliver_events(events)

    assert [(row["event_id"], row["message_id"], row["body"]) for row in await get_deliveries(endpoint)] == before
    assert len({message_id for _, message_id, _ in before}) == 2


async def test_repeated_event_is_queued_once(inbox, create_endpoint, emit_events, get_deliveries, sender):
    endpoint = await create_endpoint(inbox.url)
    events = await emit_events(count=3)

    await event_handlers.deliver_events(events)
    await event_handlers.deliver_events(events[1:])

    assert [row["event_id"] for row in await get_deliveries(endpoint)] == [event.id for event in events]
    assert await sender.process_all_due() == 3


async def test_events_go_to_matching_endpoints_of_their_owner(
    create_endpoint, emit_events, get_deliveries, other_owner
):
    everything = await create_endpoint("https://hooks.example.com/all", ["*"])
    orders = await create_endpoint("https://hooks.example.com/orders", ["order.*"])
    created = await create_endpoint("https://hooks.example.com/created", ["order.created"])
    menus = await create_endpoint("https://hooks.example.com/menus", ["menu.updated"])
    foreign = await create_endpoint("https://hooks.example.com/foreign", ["*"], auth=other_owner.auth)

    await emit_events("order.created")
    await emit_events("order.status_changed")
    await emit_events("menu.updated", restaurant_id=1)

    async def heard(endpoint):
        return [row["event"] for row in await get_deliveries(endpoint)]

    assert await heard(everything) == ["order.created", "order.status_changed", "menu.updated"]
    assert await heard(orders) == ["order.created", "order.status_changed"]
    assert await heard(created) == ["order.created"]
    assert await heard(menus) == ["menu.updated"]
    assert await heard(foreign) == []


async def test_each_endpoint_gets_its_own_message_id(create_endpoint, emit_events, get_deliveries):
    endpoints = [await create_endpoint(f"https://hooks.example.com/{number}") for number in range(2)]
    await emit_events()

    [[one], [other]] = [await get_deliveries(endpoint) for endpoint in endpoints]

    assert one["message_id"] != other["message_id"]
    for row in (one, other):
        assert orjson.loads(row["body"])["id"] == row["message_id"]
