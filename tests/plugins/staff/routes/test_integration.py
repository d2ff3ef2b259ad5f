"""Store status and sold-out routes."""

INVALID_STATUSES = [
    ({}, "status"),
    ({"status": "asleep"}, "status"),
    ({"status": "busy"}, "delay_minutes"),
    ({"status": "busy", "delay_minutes": 481}, "delay_minutes"),
    ({"status": "paused", "until": "2020-01-01T00:00:00Z"}, "until"),
    ({"status": "paused", "until": "tomorrow"}, "until"),
]


async def test_busy_rejects_invalid_body(waiter, subtests):
    for body, field in INVALID_STATUSES:
        with subtests.test(body=body, field=field):
            assert list((await waiter.send("POST", "/integration/busy", body)).errors) == [field]
            assert (await waiter.send("GET", "/integration/status"))["status"] == "online"


INVALID_SNOOZES = [
    ({"item_ids": []}, "item_ids"),
    ({"item_ids": [987654321]}, "item_ids.0"),
    ({"extra_ids": [987654321]}, "extra_ids.0"),
    ({"minutes": 5, "until": "2040-01-01T00:00:00Z"}, "minutes"),
    ({"until": "2020-01-01T00:00:00Z"}, "until"),
    ({"minutes": 0}, "minutes"),
]


async def test_invalid_snooze_changes_nothing(store, waiter, soup, subtests):
    for fields, field in INVALID_SNOOZES:
        with subtests.test(fields=fields, field=field):
            reply = await waiter.send("POST", "/integration/snooze", {"item_ids": [soup["id"]], **fields})

            assert list(reply.errors) == [field]
            assert await store.public_items() == ["Soup"]


async def test_snooze_rejects_items_of_other_store(waiter, soup, open_store):
    elsewhere = await open_store("restaurant")
    theirs = await elsewhere.item("Theirs")

    reply = await waiter.send("POST", "/integration/snooze", {"item_ids": [soup["id"], theirs["id"]]})

    assert list(reply.errors) == ["item_ids.1"]
    assert await elsewhere.public_items() == ["Theirs"]
    assert await waiter.store.public_items() == ["Soup"]


async def test_status_shows_order_channels(store, waiter, place_guest_order):
    before = (await waiter.send("GET", "/integration/status"))["channels"]
    await place_guest_order()
    [channel] = (await waiter.send("GET", "/integration/status"))["channels"]

    assert before == [{"name": "storefront", "connected": False, "last_sync_at": None}]
    assert (channel["connected"], channel["last_sync_at"] is not None) == (True, True)
