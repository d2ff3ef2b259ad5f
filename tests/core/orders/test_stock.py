"""Counted stock: taken by orders, returned by cancellations."""

import pytest
from comanda.devkit.testing.stores import line
from comanda.platform.db import sql


async def stock(store, item):
    return (await store.get(f"/menu/items/{item['id']}"))["stock"]


async def variant_of(store, item, **fields):
    reply = await store.send("POST", f"/menu/items/{item['id']}/variants", {"name": "Red", "price": 8, **fields})
    assert reply.status == 201, reply
    return reply["id"]


async def stock_of_variant(store, item, variant_id):
    return (await store.get(f"/menu/items/{item['id']}/variants/{variant_id}"))["stock"]


async def menu_version(store):
    return await sql.fetch_value("SELECT menu_version FROM core_store WHERE id = $1", store.id)


async def movements(store):
    rows = await sql.fetch(
        "SELECT item_id, variant_id, delta, reason FROM core_stock_change WHERE store_id = $1 ORDER BY id", store.id
    )
    return [tuple(row) for row in rows]


async def test_an_order_reduces_stock_and_records_it(bazaar):
    lamp = await bazaar.item("Lamp", stock=5)

    await bazaar.order(line(lamp, 3))

    assert await stock(bazaar, lamp) == 2
    assert await movements(bazaar) == [(lamp["id"], None, -3, "order")]


async def test_stock_check_sums_lines_of_one_item(bazaar):
    lamp = await bazaar.item("Lamp", stock=5)
    shade = await bazaar.item("Shade", stock=5)

    refused = await bazaar.place(line(lamp, 3), line(shade, 5), line(lamp, 3))

    sentence = ["There is not enough of Lamp left."]
    assert refused.errors == {"items.0.item_id": sentence, "items.2.item_id": sentence}
    assert (await stock(bazaar, lamp), await stock(bazaar, shade)) == (5, 5)
    assert await movements(bazaar) == []
    assert (await bazaar.get("/orders"))["total"] == 0
    assert (await bazaar.place(line(lamp, 3), line(lamp, 2))).status == 201
    assert await stock(bazaar, lamp) == 0


async def test_cancelling_returns_stock_and_reopening_takes_it(bazaar):
    lamp = await bazaar.item("Lamp", stock=5)
    order = await bazaar.order(line(lamp, 2), line(lamp, 1))

    seen = []
    for status in ("cancelled", "preparing", "completed", "cancelled", "cancelled", "new"):
        assert (await bazaar.set_status(order["id"], status)).status == 200
        seen.append(await stock(bazaar, lamp))

    assert seen == [5, 2, 2, 5, 5, 2]
    assert [(delta, reason) for _, _, delta, reason in await movements(bazaar)] == [
        (-3, "order"),
        (3, "cancelled"),
        (-3, "reopened"),
        (3, "cancelled"),
        (-3, "reopened"),
    ]


async def test_cancelling_makes_a_sold_out_item_available(bazaar):
    lamp = await bazaar.item("Lamp", stock=1)
    order = await bazaar.order(line(lamp))
    gone = await bazaar.public_items()
    await bazaar.set_status(order["id"], "cancelled")

    assert gone == []
    assert await bazaar.public_items() == ["Lamp"]
    await bazaar.set_status(order["id"], "new")
    assert await bazaar.public_items() == []


async def test_the_menu_is_a_new_one_only_when_an_item_sells_out_or_is_back(bazaar):
    lamp = await bazaar.item("Lamp", stock=3)
    versions = [await menu_version(bazaar)]
    for quantity in (1, 1, 1):
        order = await bazaar.order(line(lamp, quantity))
        versions.append(await menu_version(bazaar))
    await bazaar.set_status(order["id"], "cancelled")
    versions.append(await menu_version(bazaar))

    first = versions[0]
    assert versions == [first, first, first, first + 1, first + 2]


async def test_order_without_stock_cannot_be_reopened(bazaar, published):
    lamp = await bazaar.item("Lamp", stock=2)
    shade = await bazaar.item("Shade", stock=9)
    order = await bazaar.order(line(lamp, 2), line(shade, 1))
    cancelled = await bazaar.set_status(order["id"], "cancelled")
    await bazaar.order(line(lamp, 1))
    before = await published()

    refused = await bazaar.set_status(order["id"], "preparing")

    assert refused.errors == {"status": ["This order cannot be reopened, because its items have been sold since."]}
    assert (await bazaar.get(f"/orders/{order['id']}")).document == cancelled.document
    assert (await stock(bazaar, lamp), await stock(bazaar, shade)) == (1, 9)
    assert (await bazaar.get("/orders?status=cancelled"))["total"] == 1
    assert await published() == before


async def test_variant_with_own_stock_uses_it(bazaar):
    lamp = await bazaar.item("Lamp", stock=9)
    red = await variant_of(bazaar, lamp, stock=3)

    order = await bazaar.order(line(lamp, 2, variation=red))
    refused = await bazaar.place(line(lamp, 2, variation=red))

    assert refused.errors == {"items.0.item_id": ["There is not enough of Lamp left."]}
    assert (await stock(bazaar, lamp), await stock_of_variant(bazaar, lamp, red)) == (9, 1)
    await bazaar.set_status(order["id"], "cancelled")
    assert (await stock(bazaar, lamp), await stock_of_variant(bazaar, lamp, red)) == (9, 3)
    assert await movements(bazaar) == [(lamp["id"], red, -2, "order"), (lamp["id"], red, 2, "cancelled")]


async def test_variant_without_own_stock_uses_the_items(bazaar):
    lamp = await bazaar.item("Lamp", stock=3)
    red = await variant_of(bazaar, lamp)

    order = await bazaar.order(line(lamp, 1), line(lamp, 2, variation=red))
    refused = await bazaar.place(line(lamp, variation=red))

    assert refused.errors == {"items.0.item_id": ["Lamp is sold out."]}
    assert await stock(bazaar, lamp) == 0
    await bazaar.set_status(order["id"], "cancelled")
    assert await stock(bazaar, lamp) == 3
    await bazaar.set_status(order["id"], "new")
    assert await stock(bazaar, lamp) == 0


async def test_backorders_apply_to_the_variants_of_an_item(bazaar):
    lamp, shade = await bazaar.item("Lamp", allow_backorder=True), await bazaar.item("Shade")
    red, plain = await variant_of(bazaar, lamp, stock=1), await variant_of(bazaar, shade, stock=1)

    await bazaar.order(line(lamp, 4, variation=red))
    refused = await bazaar.place(line(shade, 4, variation=plain))

    assert refused.errors == {"items.0.item_id": ["There is not enough of Shade left."]}
    assert await stock_of_variant(bazaar, lamp, red) == -3
    assert await stock_of_variant(bazaar, shade, plain) == 1


async def test_cancelling_a_deleted_item_succeeds(bazaar):
    lamp, shade = await bazaar.item("Lamp", stock=3), await bazaar.item("Shade", stock=3)
    red = await variant_of(bazaar, lamp, stock=3)
    order = await bazaar.order(line(lamp, variation=red), line(shade))
    await bazaar.send("DELETE", f"/menu/items/{lamp['id']}/variants/{red}")
    await bazaar.send("DELETE", f"/menu/items/{shade['id']}")

    cancelled = await bazaar.set_status(order["id"], "cancelled")
    reopened = await bazaar.set_status(order["id"], "new")

    assert cancelled.status == 200
    assert reopened.errors.keys() == {"status"}
    assert await stock(bazaar, lamp) == 3


async def test_uncounted_stock_is_unchanged(bazaar):
    lamp = await bazaar.item("Lamp", stock=3)
    order = await bazaar.order(line(lamp))
    await bazaar.send("PUT", f"/menu/items/{lamp['id']}", {"stock": None})

    for status in ("cancelled", "new"):
        assert (await bazaar.set_status(order["id"], status)).status == 200
    assert await stock(bazaar, lamp) is None


async def test_stock_counted_after_the_order_is_not_returned(bazaar):
    lamp = await bazaar.item("Lamp")
    order = await bazaar.order(line(lamp, 2))
    await bazaar.send("PUT", f"/menu/items/{lamp['id']}", {"stock": 7})

    await bazaar.set_status(order["id"], "cancelled")

    assert await stock(bazaar, lamp) == 7


async def test_a_repeated_key_takes_stock_once(bazaar):
    lamp = await bazaar.item("Lamp", stock=5)

    for _ in range(3):
        assert (await bazaar.place(line(lamp, 2), key="key-1")).status == 201

    assert await stock(bazaar, lamp) == 3


@pytest.mark.parametrize("given", [-1, 1.5, True, "many", 2**31])
async def test_invalid_stock_is_refused(bazaar, given):
    lamp = await bazaar.item("Lamp", stock=5)

    refused = await bazaar.send("PUT", f"/menu/items/{lamp['id']}", {"stock": given})

    assert refused.errors.keys() == {"stock"}
    assert await stock(bazaar, lamp) == 5


async def test_guests_read_the_stock_there_is(bazaar):
    lamp = await bazaar.item("Lamp", stock=5)
    await bazaar.public_menu()
    await bazaar.order(line(lamp, 2))

    assert (await bazaar.public_menu())[0]["items"][0]["stock"] == 3
