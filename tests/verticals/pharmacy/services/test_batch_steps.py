"""Batches of orders: earliest date first, nothing that has expired, and given back with what is taken off."""

import asyncio
from datetime import date

from comanda.devkit.testing import line
from comanda.platform.db import sql

SHORT = "There is not enough of Tablets in batches that have not expired."


async def list_uses(order):
    """Return the numbers of the batches that an order has, with their packs."""
    rows = await sql.fetch(
        """SELECT b.number, sum(u.quantity)::int AS quantity FROM pharmacy_batch_use u
           JOIN pharmacy_batch b ON b.id = u.batch_id WHERE u.order_id = $1 AND NOT u.is_returned
           GROUP BY b.number ORDER BY b.number""",
        order["id"],
    )
    return {row["number"]: row["quantity"] for row in rows}


async def test_batch_that_expires_first_is_sold_first(pharmacy, tablets):
    await pharmacy.receive(tablets, "LATE", "2032-01-01", 5)
    await pharmacy.receive(tablets, "SOON", "2031-01-01", 2)

    order = await pharmacy.order(line(tablets), line(tablets, 3), type="in_store")

    assert await list_uses(order) == {"SOON": 2, "LATE": 2}
    assert await pharmacy.list_left(tablets) == {"SOON": 0, "LATE": 3}
    assert await pharmacy.get_stock(tablets) == 3
    shown = (await pharmacy.get(f"/orders/{order['id']}/batches")).document
    assert [(each["line_id"], each["number"], each["quantity"]) for each in shown] == [
        (order["items"][0]["id"], "SOON", 1), (order["items"][1]["id"], "SOON", 1),
        (order["items"][1]["id"], "LATE", 2),
    ]  # fmt: skip


async def test_expired_batch_is_not_sold(pharmacy, tablets, clock, published):
    today = clock().date()
    await pharmacy.receive(tablets, "OLD", date(today.year - 1, 1, 1).isoformat(), 5)
    await pharmacy.receive(tablets, "TODAY", today.isoformat(), 1)
    before = await published()

    refused = await pharmacy.place(line(tablets, 2), type="in_store")

    assert (refused.errors, refused["reason"]) == ({"items.0.item_id": [SHORT]}, "no_batch")
    assert (await pharmacy.get("/orders"))["total"] == 0
    assert await pharmacy.get_stock(tablets) == 6
    assert await published() == before
    assert await list_uses(await pharmacy.order(line(tablets), type="in_store")) == {"TODAY": 1}


async def test_packs_without_a_batch_are_not_sold(pharmacy, tablets):
    await pharmacy.send("PUT", f"/menu/items/{tablets['id']}", {"stock": 5})

    refused = await pharmacy.place(line(tablets), type="in_store")

    assert refused["reason"] == "no_batch"


async def test_other_items_have_no_batches(pharmacy):
    plaster = await pharmacy.item("Plaster", stock=3)

    order = await pharmacy.order(line(plaster, 3), type="in_store")

    assert await list_uses(order) == {}
    assert (await pharmacy.get(f"/orders/{order['id']}/batches")).document == []


async def test_eight_at_once_for_the_last_pack(pharmacy, tablets):
    await pharmacy.receive(tablets, "A", "2031-01-01", 1)

    replies = await asyncio.gather(*(pharmacy.place(line(tablets), type="in_store") for _ in range(8)))

    assert sorted(reply.status for reply in replies) == [201, *[422] * 7]
    assert await pharmacy.list_left(tablets) == {"A": 0}
    assert await pharmacy.get_stock(tablets) == 0


async def test_eight_at_once_over_two_items_and_cancellations(pharmacy, tablets):
    syrup = await pharmacy.item("Syrup", stock=0, is_sold_by_batch=True)
    for item in (tablets, syrup):
        await pharmacy.receive(item, "A", "2031-01-01", 3)
        await pharmacy.receive(item, "B", "2032-01-01", 3)
    first = await pharmacy.order(line(syrup), line(tablets), type="in_store")

    replies = await asyncio.gather(
        pharmacy.set_status(first["id"], "cancelled"),
        *(pharmacy.place(line(tablets), line(syrup), type="in_store") for _ in range(4)),
        *(pharmacy.place(line(syrup), line(tablets), type="in_store") for _ in range(4)),
    )

    sold = sum(reply.status == 201 for reply in replies)
    assert sold in {5, 6}
    for item in (tablets, syrup):
        assert sum((await pharmacy.list_left(item)).values()) == await pharmacy.get_stock(item) == 6 - sold


async def test_cancelling_gives_back_and_reopening_takes_again(pharmacy, tablets):
    await pharmacy.receive(tablets, "A", "2031-01-01", 3)
    order = await pharmacy.order(line(tablets, 2), type="in_store")

    await pharmacy.set_status(order["id"], "cancelled")
    assert (await pharmacy.list_left(tablets), await list_uses(order)) == ({"A": 3}, {})
    await pharmacy.receive(tablets, "B", "2030-12-01", 1)
    assert (await pharmacy.set_status(order["id"], "new")).status == 200

    assert await list_uses(order) == {"A": 1, "B": 1}
    assert (await pharmacy.list_left(tablets), await pharmacy.get_stock(tablets)) == ({"A": 2, "B": 0}, 2)


async def test_order_is_not_reopened_once_its_batch_has_expired(pharmacy, tablets, clock):
    await pharmacy.receive(tablets, "A", clock().date().isoformat(), 1)
    order = await pharmacy.order(line(tablets), type="in_store")
    await pharmacy.set_status(order["id"], "cancelled")
    clock.advance(days=2)

    refused = await pharmacy.set_status(order["id"], "new")

    assert refused["reason"] == "no_batch"
    assert await pharmacy.list_left(tablets) == {"A": 1}


async def test_void_gives_back_unless_the_pack_is_lost(pharmacy, tablets):
    await pharmacy.receive(tablets, "A", "2031-01-01", 2)
    await pharmacy.receive(tablets, "B", "2032-01-01", 4)
    order = await pharmacy.order(line(tablets, 5), type="in_store")
    path = f"/orders/{order['id']}/lines/{order['items'][0]['id']}/void"

    back = await pharmacy.send("POST", path, {"quantity": 2, "reason": "Too many"})
    lost = await pharmacy.send("POST", path, {"quantity": 1, "reason": "Broken", "restock": False})

    assert (back.status, lost.status) == (201, 201)
    assert await list_uses(order) == {"A": 2}
    assert await pharmacy.list_left(tablets) == {"A": 0, "B": 3}
    assert await pharmacy.get_stock(tablets) == 3
    await pharmacy.set_status(order["id"], "cancelled")
    assert (await pharmacy.list_left(tablets), await pharmacy.get_stock(tablets)) == ({"A": 2, "B": 3}, 5)


async def test_added_lines_take_from_batches(pharmacy, tablets):
    await pharmacy.receive(tablets, "A", "2031-01-01", 2)
    order = await pharmacy.order(line(await pharmacy.item("Plaster")), type="in_store")
    path = f"/orders/{order['id']}/lines"

    added = await pharmacy.send("POST", path, {"items": [line(tablets, 2)]})
    await pharmacy.send("PUT", f"/menu/items/{tablets['id']}", {"stock": 1})
    refused = await pharmacy.send("POST", path, {"items": [line(tablets)]})

    assert (added.status, refused["reason"]) == (201, "no_batch")
    assert await list_uses(order) == {"A": 2}


async def test_merged_order_takes_over_the_batches(pharmacy, tablets):
    await pharmacy.receive(tablets, "A", "2031-01-01", 5)
    one = await pharmacy.order(line(tablets), type="in_store")
    other = await pharmacy.order(line(tablets, 2), type="in_store")

    merged = await pharmacy.send("POST", f"/orders/{one['id']}/merge", {"order_id": other["id"]})

    assert merged.status == 200, merged
    assert (await list_uses(one), await list_uses(other)) == ({"A": 3}, {})
    assert (await pharmacy.list_left(tablets), await pharmacy.get_stock(tablets)) == ({"A": 2}, 2)


async def test_variation_with_a_stock_has_batches_of_its_own(pharmacy):
    item = await pharmacy.item("Drops", is_sold_by_batch=True)
    small, large = [
        (await pharmacy.send("POST", f"/menu/items/{item['id']}/variants", {"name": name, "price": 5, "stock": 0}))
        for name in ("Small", "Large")
    ]
    await pharmacy.receive(item, "S", "2031-01-01", 1, variation=small["id"])
    await pharmacy.receive(item, "L", "2030-01-01", 4, variation=large["id"])

    order = await pharmacy.order(line(item, variation=small["id"]), type="in_store")
    refused = await pharmacy.place(line(item, variation=small["id"]), type="in_store")

    assert await list_uses(order) == {"S": 1}
    assert refused.status == 422
    assert await pharmacy.list_left(item) == {"S": 0, "L": 4}
