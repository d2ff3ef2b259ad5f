"""Busy and paused stores, and sold-out items."""

import asyncio
from datetime import datetime, timedelta

from comanda.devkit.testing import line

HOURS = {
    day: [{"open": "08:00", "close": "22:00"}]
    for day in ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
}


async def test_paused_store_rejects_guest_orders_until_it_resumes(waiter, place_guest_order, clock):
    until = clock() + timedelta(minutes=20)
    assert (await place_guest_order()).status == 201

    paused = await waiter.send(
        "POST", "/integration/busy", {"status": "paused", "until": until.isoformat(), "reason": "Oven"}
    )

    assert (paused["status"], paused["reason"], paused["source"]) == ("paused", "Oven", f"staff:{waiter.id}")
    refused = await place_guest_order()
    assert (list(refused.errors), refused["reason"]) == (["type"], "store_paused")
    assert datetime.fromisoformat(refused["next_open_at"]) == until
    assert (await place_guest_order(scheduled_for=(until + timedelta(hours=1)).isoformat())).status == 201
    clock.advance(minutes=20)
    assert (await place_guest_order()).status == 201
    assert (await waiter.send("GET", "/integration/status"))["status"] == "online"


async def test_pause_ends_when_store_closes(store, waiter, clock, place_guest_order):
    await store.send("PUT", "/settings", {"hours": HOURS})
    clock.set(datetime.fromisoformat("2026-12-02T12:00:00+00:00"))
    await waiter.log_in()
    wanted = {"status": "paused", "until": "2026-12-03T12:00:00+00:00"}

    paused = await waiter.send("POST", "/integration/busy", wanted)

    assert datetime.fromisoformat(paused["until"]) == datetime.fromisoformat("2026-12-02T22:00:00+00:00")
    clock.set(datetime.fromisoformat("2026-12-03T08:30:00+00:00"))
    assert (await place_guest_order()).status == 201
    # Said before the doors open, it holds for the day.
    clock.set(datetime.fromisoformat("2026-12-04T06:00:00+00:00"))
    early = await waiter.send("POST", "/integration/busy", {"status": "paused"})
    assert datetime.fromisoformat(early["until"]) == datetime.fromisoformat("2026-12-04T22:00:00+00:00")


async def test_busy_store_accepts_orders_and_shows_delay(store, waiter, place_guest_order):
    busy = await waiter.send("POST", "/integration/busy", {"status": "busy", "delay_minutes": 25})

    assert (busy["status"], busy["delay_minutes"], busy["until"]) == ("busy", 25, None)
    assert (await place_guest_order()).status == 201
    created = await store.send("POST", "/storefront-tokens", {"name": "test", "scopes": ["menu:read", "order:write"]})
    response = await store.client.get("/api/v1/storefront/restaurant", headers={"X-Storefront-Token": created["token"]})
    assert (await response.get_json())["busy"] == {"status": "busy", "delay_minutes": 25, "until": None}
    online = await waiter.send("POST", "/integration/busy", {"status": "online", "delay_minutes": 5})
    assert (online["status"], online["delay_minutes"], online["source"]) == ("online", 0, "default")


async def test_snoozed_items_become_available_after_their_end(store, waiter, soup, clock, published):
    bread = await store.item("Bread", price=1)
    before = len(await published())

    snoozed = await waiter.send(
        "POST", "/integration/snooze", {"item_ids": [soup["id"], bread["id"], soup["id"]], "minutes": 30}
    )

    assert [each["name"] for each in snoozed["snoozed_items"]] == ["Bread", "Soup"]
    assert datetime.fromisoformat(snoozed["snoozed_items"][0]["until"]) == clock() + timedelta(minutes=30)
    assert await store.public_items() == []
    events = (await published())[before:]
    assert [(name, data["id"], data["change"], data["entity"]) for name, data in events] == [
        ("menu.updated", soup["id"], "updated", "item"),
        ("menu.updated", bread["id"], "updated", "item"),
    ]
    back = await waiter.send("POST", "/integration/snooze", {"item_ids": [bread["id"]], "snoozed": False})
    assert [each["name"] for each in back["snoozed_items"]] == ["Soup"]
    clock.advance(minutes=31)
    assert (await waiter.send("GET", "/integration/status"))["snoozed_items"] == []
    assert await store.public_items() == ["Soup", "Bread"]


async def test_snoozed_extras_become_available_after_their_end(store, waiter, published, clock):
    groups = [{"name": "More", "extras": [{"name": "Garlic", "price": 1}, {"name": "Egg", "price": 2}]}]
    item = await store.item("Bowl", extra_groups=groups)
    garlic, egg = item["extra_groups"][0]["extras"]
    before = len(await published())

    snoozed = await waiter.send("POST", "/integration/snooze", {"extra_ids": [garlic["id"], egg["id"]]})

    assert [each["name"] for each in snoozed["snoozed_extras"]] == ["Egg", "Garlic"]
    assert [data["id"] for _, data in (await published())[before:]] == [item["id"]]
    assert (await store.place(line(item, extras=[garlic["id"]]))).status == 422
    await waiter.send("POST", "/integration/snooze", {"extra_ids": [garlic["id"]], "snoozed": False})
    assert (await store.place(line(item, extras=[garlic["id"]]))).status == 201
    await waiter.send("POST", "/integration/snooze", {"extra_ids": [garlic["id"]], "minutes": 10})
    assert (await store.place(line(item, extras=[garlic["id"]]))).status == 422
    [shown] = [group["extras"] for group in (await store.public_menu())[0]["items"][0]["extra_groups"]]
    assert [extra["is_sold_out"] for extra in shown] == [True, True]
    clock.advance(minutes=10)
    assert (await store.place(line(item, extras=[garlic["id"]]))).status == 201
    for menu in (await store.public_menu(), (await store.get("/menu")).document):
        extras = menu[0]["items"][0]["extra_groups"][0]["extras"]
        assert [extra["is_sold_out"] for extra in extras] == [False, True]
    assert [each["name"] for each in (await waiter.send("GET", "/integration/status"))["snoozed_extras"]] == ["Egg"]


async def test_guest_agent_sees_busy_and_paused_store(mcp, store, waiter, soup, clock):
    scopes = ["agent", "menu:read", "order:write"]
    created = await store.send("POST", "/storefront-tokens", {"name": "agent", "scopes": scopes})
    guest = mcp("/mcp/storefront", {"X-Storefront-Token": created["token"]})
    cart = await guest.call("create_cart", {"type": "takeaway", "items": [line(soup)]})
    await waiter.send("POST", "/integration/busy", {"status": "busy", "delay_minutes": 25})

    busy = await guest.call("check_availability", {"type": "takeaway"})

    assert (busy["is_available"], busy["busy"]["delay_minutes"]) == (True, 25)
    assert [(each["type"], each["code"]) for each in busy["messages"]] == [("info", "store_busy")]
    until = clock() + timedelta(minutes=20)
    await waiter.send("POST", "/integration/busy", {"status": "paused", "until": until.isoformat()})
    paused = await guest.call("check_availability", {"type": "takeaway"})
    assert (paused["is_available"], [each["code"] for each in paused["messages"]]) == (False, ["store_paused"])
    later = await guest.call("check_availability", {"at": until.isoformat()})
    assert (later["is_available"], later["busy"]["status"]) == (True, "online")
    refused = await guest.refused("place_order", {"cart_id": cart["cart_id"]})
    assert (refused["code"], refused["messages"][0]["path"]) == ("store_paused", "type")
    assert refused["messages"][0]["text"].endswith(f"It goes on at {until.isoformat()}.")
    clock.advance(minutes=20)
    assert (await guest.call("place_order", {"cart_id": cart["cart_id"]}))["order"]["total"] == 5


async def test_paused_store_rejects_customer_orders(store, waiter, soup):
    body = {"name": "Ada", "email": "ada@example.com", "password": "correct horse"}
    created = await store.client.post(f"/api/v1/restaurants/{store.id}/customer/register", json=body)
    auth = {"Authorization": f"Bearer {(await created.get_json())['token']}"}
    order = {"type": "takeaway", "items": [line(soup)]}
    await waiter.send("POST", "/integration/busy", {"status": "paused"})

    refused = await store.client.post("/api/v1/customer/orders", json=order, headers=auth)

    assert (refused.status_code, (await refused.get_json())["reason"]) == (422, "store_paused")
    await waiter.send("POST", "/integration/busy", {"status": "online"})
    assert (await store.client.post("/api/v1/customer/orders", json=order, headers=auth)).status_code == 201


async def test_concurrent_snoozes_do_not_deadlock(store, waiter):
    ids = [(await store.item(f"Dish {number}", stock=100))["id"] for number in range(4)]

    replies = await asyncio.gather(
        *(
            waiter.send("POST", "/integration/snooze", {"item_ids": order, "snoozed": number % 2 == 0})
            for number, order in enumerate([ids, ids[::-1]] * 4)
        ),
        *(store.place(*({"item_id": id} for id in order)) for order in [ids, ids[::-1]] * 3),
    )

    assert {reply.status for reply in replies[:8]} == {200}
    assert {reply.status for reply in replies[8:]} <= {201, 422}
