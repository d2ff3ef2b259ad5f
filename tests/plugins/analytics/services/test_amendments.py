"""Reports of orders that are amended, before and after their events are handled."""

from comanda.devkit.testing import line
from comanda.platform.db import sql

from ..conftest import ITEMS


async def list_top_items(shop):
    return sorted((each["name"], each["quantity"]) for each in (await shop.report())["top_items"])


async def amend(shop, order_id, path, body):
    reply = await shop.send("POST", f"/orders/{order_id}/{path}", body)
    assert reply.status in {200, 201}, reply
    return reply.document


async def test_amended_order_counts_as_it_is(shop, dispatch):
    await shop.backfill_orders()
    order_id = await shop.place_order(line(shop.soup, 2), line(shop.cake))
    await dispatch()
    soup_id = (await shop.get(f"/orders/{order_id}"))["items"][0]["id"]

    await amend(shop, order_id, "lines", {"items": [line(shop.cake, 3)]})
    await amend(shop, order_id, f"lines/{soup_id}/void", {"reason": "Cold"})
    pending = (await list_top_items(shop), (await shop.report())["revenue"]["gross"])
    await dispatch()

    assert pending == ([("Cake", 4)], 16)
    assert (await list_top_items(shop), (await shop.report())["revenue"]["gross"]) == pending
    counted = [tuple(row) for row in await sql.fetch(ITEMS, shop.id)]
    assert counted == [(shop.cake["id"], 4)]


async def test_merged_and_split_orders_count_once(shop, dispatch):
    await shop.backfill_orders()
    one, other = await shop.place_order(line(shop.soup, 2)), await shop.place_order(line(shop.cake))
    await dispatch()

    merged = await amend(shop, one, "merge", {"order_id": other})
    await dispatch()
    await amend(shop, one, "split", {"lines": [{"line_id": merged["items"][0]["id"], "quantity": 1}]})
    await dispatch()

    assert await list_top_items(shop) == [("Cake", 1), ("Soup", 2)]
    assert [tuple(row) for row in await sql.fetch(ITEMS, shop.id)] == [(shop.soup["id"], 2), (shop.cake["id"], 1)]


async def test_cancelled_after_an_amendment_counts_nothing(shop, dispatch):
    await shop.backfill_orders()
    order_id = await shop.place_order(line(shop.soup))
    await dispatch()
    await amend(shop, order_id, "lines", {"items": [line(shop.cake)]})

    await shop.set_status(order_id, "cancelled")
    await dispatch()

    assert [tuple(row) for row in await sql.fetch(ITEMS, shop.id)] == []
