"""Sold-out items: by flag, until a time, and by stock."""

from datetime import UTC, datetime

import pytest
from comanda.devkit.testing.stores import line


def sold_out(item, **answer):
    return {"id": item["id"], "until": None, **answer}


async def test_empty_body_toggles_the_flag(store, published):
    soup = await store.item("Soup")
    path = f"/menu/items/{soup['id']}/sold-out"

    off = await store.send("PATCH", path)
    hidden = await store.public_items()
    on = await store.send("PATCH", path, {})

    assert (off.status, off.document) == (200, sold_out(soup, is_sold_out=True))
    assert hidden == []
    assert (on.status, on.document) == (200, sold_out(soup, is_sold_out=False))
    assert await store.public_items() == ["Soup"]
    data = {"restaurant_id": store.id, "change": "updated", "entity": "item", "id": soup["id"]}
    assert (await published())[-2:] == [("menu.updated", data)] * 2


@pytest.mark.parametrize("wanted", [True, False])
async def test_setting_the_flag_is_idempotent(store, wanted):
    soup = await store.item("Soup")
    path = f"/menu/items/{soup['id']}/sold-out"

    for _ in range(2):
        reply = await store.send("PATCH", path, {"is_sold_out": wanted})
        assert reply.document == sold_out(soup, is_sold_out=wanted)
    assert (await store.get(f"/menu/items/{soup['id']}"))["is_sold_out"] is wanted


async def test_sold_out_item_cannot_be_ordered(store):
    soup = await store.item("Soup")
    bread = await store.item("Bread")
    await store.send("PATCH", f"/menu/items/{soup['id']}/sold-out")

    refused = await store.place(line(bread), line(soup))

    assert refused.errors == {"items.1.item_id": ["Soup is sold out."]}
    assert (await store.get("/orders"))["total"] == 0
    shown = {item["name"]: item["is_sold_out"] for row in (await store.get("/menu")).document for item in row["items"]}
    assert shown == {"Soup": True, "Bread": False}


async def test_item_is_available_again_after_its_time(store, clock):
    soup = await store.item("Soup")
    clock.set(datetime(2026, 5, 1, 12, tzinfo=UTC))
    path = f"/menu/items/{soup['id']}/sold-out"

    off = await store.send("PATCH", path, {"is_sold_out": True, "until": "2026-05-01T15:00:00+02:00"})
    assert off.document == {"id": soup["id"], "is_sold_out": True, "until": "2026-05-01T13:00:00+00:00"}
    clock.set(datetime(2026, 5, 1, 12, 59, 59, tzinfo=UTC))
    assert await store.public_items() == []
    assert (await store.place(line(soup))).status == 422
    assert (await store.get(f"/menu/items/{soup['id']}"))["sold_out_until"] == "2026-05-01T13:00:00+00:00"

    clock.set(datetime(2026, 5, 1, 13, tzinfo=UTC))
    assert await store.public_items() == ["Soup"]
    assert (await store.place(line(soup))).status == 201
    shown = (await store.get(f"/menu/items/{soup['id']}")).document
    assert (shown["is_sold_out"], shown["sold_out_until"]) == (False, None)
    # The flag that has run out counts as off: flipping turns it on.
    assert (await store.send("PATCH", path))["is_sold_out"] is True


async def test_items_become_available_at_their_own_times(store, clock):
    soup, bread = await store.item("Soup"), await store.item("Bread")
    clock.set(datetime(2026, 5, 1, 12, tzinfo=UTC))
    for item, hour in ((soup, 14), (bread, 13)):
        await store.send("PATCH", f"/menu/items/{item['id']}/sold-out", {"until": f"2026-05-01T{hour}:00:00+00:00"})

    seen = {}
    for hour in (12, 13, 14):
        clock.set(datetime(2026, 5, 1, hour, tzinfo=UTC))
        seen[hour] = await store.public_items()

    assert seen == {12: [], 13: ["Bread"], 14: ["Soup", "Bread"]}


async def test_until_alone_marks_sold_out_and_replaces_earlier_time(store, clock):
    soup = await store.item("Soup")
    clock.set(datetime(2026, 5, 1, 12, tzinfo=UTC))
    path = f"/menu/items/{soup['id']}/sold-out"

    for hour in (13, 15):
        reply = await store.send("PATCH", path, {"until": f"2026-05-01T{hour}:00:00+00:00"})
        assert (reply["is_sold_out"], reply["until"]) == (True, f"2026-05-01T{hour}:00:00+00:00")

    clock.set(datetime(2026, 5, 1, 14, tzinfo=UTC))
    assert await store.public_items() == []


async def test_making_an_item_available_clears_the_time(store, clock):
    soup = await store.item("Soup")
    clock.set(datetime(2026, 5, 1, 12, tzinfo=UTC))
    path = f"/menu/items/{soup['id']}"
    await store.send("PATCH", path + "/sold-out", {"until": "2026-05-01T13:00:00+00:00"})

    back = await store.send("PATCH", path + "/sold-out", {"is_sold_out": False, "until": "2026-05-01T14:00:00+00:00"})
    assert back.document == sold_out(soup, is_sold_out=False)

    # Through the item itself it is for good.
    await store.send("PATCH", path + "/sold-out", {"until": "2026-05-01T13:00:00+00:00"})
    await store.send("PUT", path, {"is_sold_out": True})
    clock.set(datetime(2026, 5, 1, 14, tzinfo=UTC))
    assert await store.public_items() == []


@pytest.mark.parametrize(
    "until",
    ["2026-05-01T12:00:00+00:00", "2026-05-01T13:00:00", "tomorrow", 12, "9999-12-31T23:59:59-14:00", True],
)
async def test_past_or_invalid_until_is_refused(store, clock, until):
    soup = await store.item("Soup")
    clock.set(datetime(2026, 5, 1, 12, tzinfo=UTC))

    refused = await store.send("PATCH", f"/menu/items/{soup['id']}/sold-out", {"is_sold_out": True, "until": until})

    assert refused.errors.keys() == {"until"}
    assert await store.public_items() == ["Soup"]


async def test_item_without_stock_is_hidden_until_restocked(bazaar):
    lamp = await bazaar.item("Lamp", stock=1)
    await bazaar.order(line(lamp))

    assert await bazaar.public_items() == []
    assert (await bazaar.place(line(lamp))).errors == {"items.0.item_id": ["Lamp is sold out."]}
    assert (await bazaar.get(f"/menu/items/{lamp['id']}"))["stock"] == 0

    await bazaar.send("PUT", f"/menu/items/{lamp['id']}", {"stock": 5})
    assert await bazaar.public_items() == ["Lamp"]
    await bazaar.send("PUT", f"/menu/items/{lamp['id']}", {"stock": None})
    assert (await bazaar.place(line(lamp, 900))).status == 201


async def test_item_with_backorders_stays_visible_without_stock(bazaar):
    lamp = await bazaar.item("Lamp", stock=1, allow_backorder=True)

    await bazaar.order(line(lamp, 3))

    assert await bazaar.public_items() == ["Lamp"]
    assert (await bazaar.get(f"/menu/items/{lamp['id']}"))["stock"] == -2
    assert (await bazaar.place(line(lamp))).status == 201


async def test_variation_without_stock_is_sold_out(bazaar):
    lamp = await bazaar.item("Lamp")
    path = f"/menu/items/{lamp['id']}/variants"
    red = (await bazaar.send("POST", path, {"name": "Red", "price": 5, "stock": 1})).document
    await bazaar.send("POST", path, {"name": "Blue", "price": 5, "stock": 1})
    await bazaar.send("POST", path, {"name": "Secret", "price": 5, "is_active": False})
    await bazaar.order(line(lamp, variation=red["id"]))

    guests = (await bazaar.public_menu())[0]["items"][0]["variations"]

    assert [(row["name"], row["is_sold_out"]) for row in guests] == [("Red", True), ("Blue", False)]
    refused = await bazaar.place(line(lamp, variation=red["id"]))
    assert refused.errors == {"items.0.variation": ["Lamp, Red, is sold out."]}
