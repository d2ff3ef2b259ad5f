"""What staff do in their store: orders, the menu, busy and sold out."""

import asyncio
from datetime import datetime, timedelta

import pytest
from comanda.devkit.testing.stores import Reply, line

HOURS = {
    day: [{"open": "08:00", "close": "22:00"}]
    for day in ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
}


@pytest.fixture
async def soup(store):
    return await store.item("Soup", price=5)


@pytest.fixture
def guest_orders(store, soup):
    """Place an order as a guest of the storefront would; whatever the answer."""

    async def place(**fields):
        made = await store.send("POST", "/storefront-tokens", {"name": "test", "scopes": ["menu:read", "order:write"]})
        body = {"type": "takeaway", "items": [line(soup)], **fields}
        headers = {"X-Storefront-Token": made["token"]}
        response = await store.client.post("/api/v1/storefront/orders", json=body, headers=headers)
        return Reply(response.status_code, await response.get_json(), {})

    return place


async def test_an_order_is_taken_at_the_table_and_served(store, waiter, soup, published):
    body = {"type": "on-table", "table_number": 4, "items": [line(soup, 2)]}

    placed = await waiter.send("POST", "/orders", body, **{"Idempotency-Key": "a"})

    assert placed.status == 201
    assert (placed["source"], placed["total"], placed["table_number"]) == ("pos", 10, "4")
    again = await waiter.send("POST", "/orders", body, **{"Idempotency-Key": "a"})
    assert (again.status, again["id"]) == (201, placed["id"])
    ready = await waiter.send("PUT", f"/orders/{placed['id']}/status", {"status": "ready"})
    assert ready["status"] == "ready"
    assert (await waiter.send("GET", f"/orders/{placed['id']}"))["items"][0]["name"] == "Soup"
    events = await published()
    assert [name for name, _ in events][-2:] == ["order.created", "order.status_changed"]
    assert events[-1][1]["actor"] == f"staff:{waiter.id}"


async def test_a_repeat_at_the_same_moment_is_one_order(waiter, soup):
    body = {"type": "takeaway", "items": [line(soup)], "client_uuid": "till-7"}

    replies = await asyncio.gather(*(waiter.send("POST", "/orders", body) for _ in range(5)))

    assert {reply.status for reply in replies} == {201}
    assert len({reply["id"] for reply in replies}) == 1


async def test_orders_are_taken_while_the_store_is_closed_or_paused(store, waiter, soup, guest_orders):
    closed = {day: [] for day in HOURS}
    await store.send("PUT", "/settings", {"hours": closed})
    assert (await guest_orders()).errors
    assert (await waiter.send("POST", "/orders", {"type": "takeaway", "items": [line(soup)]})).status == 201
    await waiter.send("POST", "/integration/busy", {"status": "paused"})
    assert (await waiter.send("POST", "/orders", {"type": "takeaway", "items": [line(soup)]})).status == 201
    assert (await store.place(line(soup))).status == 201


async def test_orders_are_listed_by_status_type_time_and_table(store, waiter, soup, clock):
    def ids(reply):
        return [each["id"] for each in reply["data"]]

    first = await store.order(line(soup))
    clock.advance(minutes=10)
    moment = clock()
    second = await store.order(line(soup), type="on-table", table_number="7")
    third = await store.order(line(soup), type="on-table", table_number="8")
    await store.set_status(third["id"], "ready")

    everything = await waiter.send("GET", "/orders")
    assert ids(everything) == [third["id"], second["id"], first["id"]]
    assert (everything["per_page"], everything["total"]) == (30, 3)
    for query, expected in {
        "status=ready": [third], "type=takeaway": [first], "table=7": [second],
        f"since={moment:%Y-%m-%dT%H:%M:%SZ}": [third, second], "type=on-table&status=new": [second],
        "table=none": [], "type=takeaway&page=2": [],
    }.items():  # fmt: skip
        reply = await waiter.send("GET", f"/orders?{query}")
        assert ids(reply) == [each["id"] for each in expected], query
    assert (await waiter.send("GET", "/orders?status=cold")).status == 422
    assert (await waiter.send("GET", "/orders?type=x&status=cold")).status == 422
    assert (await waiter.send("GET", "/orders?since=yesterday")).status == 422


async def test_the_menu_is_edited(store, manager):
    category = await manager.send("POST", "/menu/categories", {"name": "Soups"})
    item = await manager.send("POST", "/menu/items", {"name": "Broth", "price": 4, "category_id": category["id"]})

    assert (category.status, item.status) == (201, 201)
    changed = await manager.send("PUT", f"/menu/items/{item['id']}", {"price": 4.5})
    assert changed["price"] == 4.5
    flipped = await manager.send("PATCH", f"/menu/items/{item['id']}/sold-out")
    assert flipped["is_sold_out"] is True
    assert await store.public_items() == []
    assert (await manager.send("DELETE", f"/menu/items/{item['id']}")).status == 204
    assert (await store.get("/menu")).document[0]["items"] == []


async def test_a_cook_may_look_but_not_touch(employ, soup):
    cook = await employ("kitchen")
    await cook.login()

    for method, path, body in (
        ("GET", "/orders", None),
        ("POST", "/orders", {"type": "takeaway", "items": [line(soup)]}),
        ("PUT", f"/menu/items/{soup['id']}", {"price": 1}),
        ("DELETE", f"/menu/items/{soup['id']}", None),
    ):
        assert (await cook.send(method, path, body)).status == 403
    assert (await cook.send("GET", "/integration/status")).status == 200


async def test_a_paused_store_takes_no_orders_of_guests_until_it_resumes(waiter, guest_orders, clock):
    until = clock() + timedelta(minutes=20)
    assert (await guest_orders()).status == 201

    paused = await waiter.send(
        "POST", "/integration/busy", {"status": "paused", "until": until.isoformat(), "reason": "Oven"}
    )

    assert (paused["status"], paused["reason"], paused["source"]) == ("paused", "Oven", f"staff:{waiter.id}")
    refused = await guest_orders()
    assert (list(refused.errors), refused["reason"]) == (["type"], "store_paused")
    assert datetime.fromisoformat(refused["next_open_at"]) == until
    assert (await guest_orders(scheduled_for=(until + timedelta(hours=1)).isoformat())).status == 201
    clock.advance(minutes=20)
    assert (await guest_orders()).status == 201
    assert (await waiter.send("GET", "/integration/status"))["status"] == "online"


async def test_a_pause_ends_when_the_store_closes(store, waiter, clock, guest_orders):
    await store.send("PUT", "/settings", {"hours": HOURS})
    clock.set(datetime.fromisoformat("2026-12-02T12:00:00+00:00"))
    await waiter.login()
    wanted = {"status": "paused", "until": "2026-12-03T12:00:00+00:00"}

    paused = await waiter.send("POST", "/integration/busy", wanted)

    assert datetime.fromisoformat(paused["until"]) == datetime.fromisoformat("2026-12-02T22:00:00+00:00")
    clock.set(datetime.fromisoformat("2026-12-03T08:30:00+00:00"))
    assert (await guest_orders()).status == 201
    # Said before the doors open, it holds for the day.
    clock.set(datetime.fromisoformat("2026-12-04T06:00:00+00:00"))
    early = await waiter.send("POST", "/integration/busy", {"status": "paused"})
    assert datetime.fromisoformat(early["until"]) == datetime.fromisoformat("2026-12-04T22:00:00+00:00")


async def test_a_busy_store_takes_orders_and_says_that_they_take_longer(store, waiter, guest_orders):
    busy = await waiter.send("POST", "/integration/busy", {"status": "busy", "delay_minutes": 25})

    assert (busy["status"], busy["delay_minutes"], busy["until"]) == ("busy", 25, None)
    assert (await guest_orders()).status == 201
    made = await store.send("POST", "/storefront-tokens", {"name": "test", "scopes": ["menu:read", "order:write"]})
    response = await store.client.get("/api/v1/storefront/restaurant", headers={"X-Storefront-Token": made["token"]})
    assert (await response.get_json())["busy"] == {"status": "busy", "delay_minutes": 25, "until": None}
    online = await waiter.send("POST", "/integration/busy", {"status": "online", "delay_minutes": 5})
    assert (online["status"], online["delay_minutes"], online["source"]) == ("online", 0, "default")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "status"),
        ({"status": "asleep"}, "status"),
        ({"status": "busy"}, "delay_minutes"),
        ({"status": "busy", "delay_minutes": 481}, "delay_minutes"),
        ({"status": "paused", "until": "2020-01-01T00:00:00Z"}, "until"),
        ({"status": "paused", "until": "tomorrow"}, "until"),
    ],
)
async def test_a_pace_that_is_none_is_refused(waiter, body, field):
    assert list((await waiter.send("POST", "/integration/busy", body)).errors) == [field]
    assert (await waiter.send("GET", "/integration/status"))["status"] == "online"


async def test_items_are_snoozed_and_come_back_by_themselves(store, waiter, soup, clock, published):
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


async def test_extras_are_snoozed_and_come_back(store, waiter, published, clock):
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


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"item_ids": []}, "item_ids"),
        ({"item_ids": [987654321]}, "item_ids.0"),
        ({"extra_ids": [987654321]}, "extra_ids.0"),
        ({"minutes": 5, "until": "2040-01-01T00:00:00Z"}, "minutes"),
        ({"until": "2020-01-01T00:00:00Z"}, "until"),
        ({"minutes": 0}, "minutes"),
    ],
)
async def test_a_snooze_that_is_none_changes_nothing(store, waiter, soup, fields, field):
    reply = await waiter.send("POST", "/integration/snooze", {"item_ids": [soup["id"]], **fields})

    assert list(reply.errors) == [field]
    assert await store.public_items() == ["Soup"]


async def test_another_stores_items_cannot_be_snoozed(waiter, soup, open_store):
    elsewhere = await open_store("restaurant")
    theirs = await elsewhere.item("Theirs")

    reply = await waiter.send("POST", "/integration/snooze", {"item_ids": [soup["id"], theirs["id"]]})

    assert list(reply.errors) == ["item_ids.1"]
    assert await elsewhere.public_items() == ["Theirs"]
    assert await waiter.store.public_items() == ["Soup"]


async def test_the_status_tells_of_channels(store, waiter, guest_orders):
    before = (await waiter.send("GET", "/integration/status"))["channels"]
    await guest_orders()
    [channel] = (await waiter.send("GET", "/integration/status"))["channels"]

    assert before == [{"name": "storefront", "connected": False, "last_sync_at": None}]
    assert (channel["connected"], channel["last_sync_at"] is not None) == (True, True)


async def test_an_agent_of_a_guest_learns_that_the_store_is_busy_or_paused(mcp, store, waiter, soup, clock):
    scopes = ["agent", "menu:read", "order:write"]
    made = await store.send("POST", "/storefront-tokens", {"name": "agent", "scopes": scopes})
    guest = mcp("/mcp/storefront", {"X-Storefront-Token": made["token"]})
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


async def test_a_customer_of_the_app_is_not_let_in_while_the_store_is_paused(store, waiter, soup):
    body = {"name": "Ada", "email": "ada@example.com", "password": "correct horse"}
    made = await store.client.post(f"/api/v1/restaurants/{store.id}/customer/register", json=body)
    auth = {"Authorization": f"Bearer {(await made.get_json())['token']}"}
    order = {"type": "takeaway", "items": [line(soup)]}
    await waiter.send("POST", "/integration/busy", {"status": "paused"})

    refused = await store.client.post("/api/v1/customer/orders", json=order, headers=auth)

    assert (refused.status_code, (await refused.get_json())["reason"]) == (422, "store_paused")
    await waiter.send("POST", "/integration/busy", {"status": "online"})
    assert (await store.client.post("/api/v1/customer/orders", json=order, headers=auth)).status_code == 201


async def test_two_who_snooze_the_same_items_do_not_hold_each_other_up(store, waiter):
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
