"""The discount of a coupon when its order is amended."""

from comanda.devkit.testing import line
from comanda.platform.db import sql


async def amend(shop, order, path, body):
    reply = await shop.send("POST", f"/orders/{order['id']}/{path}", body)
    assert reply.status == 201, reply
    return reply.document


async def get_discount_minor(shop, order):
    statement = "SELECT discount_minor FROM coupons_use WHERE order_id = $1 AND owner_id = $2"
    return await sql.fetch_value(statement, order["id"], shop.owner.id)


async def test_discount_follows_the_lines(shop):
    coupon = await shop.coupon(value=10)
    order = await shop.place_order(line(shop.soup))

    amended = await amend(shop, order, "lines", {"items": [line(shop.soup, 2)]})

    assert (amended["discount_total"], amended["total"], amended["coupon_code"]) == (3, 27, "TEN")
    assert (await get_discount_minor(shop, order), await shop.used(coupon)) == (300, 1)


async def test_coupon_that_has_ended_still_counts(shop, clock):
    await shop.coupon(value=10, ends_at="2030-01-07T10:00:00Z")
    order = await shop.place_order(line(shop.soup))
    clock.advance(hours=3)

    amended = await amend(shop, order, "lines", {"items": [line(shop.cake)]})

    assert (amended["discount_total"], amended["total"]) == (1.4, 12.6)


async def test_void_below_the_minimum_ends_the_discount(shop):
    await shop.coupon(value=10, min_subtotal=12)
    order = await shop.place_order(line(shop.soup), line(shop.cake))

    voided = await amend(shop, order, f"lines/{order['items'][1]['id']}/void", {"reason": "Dropped"})

    assert (order["discount_total"], voided["discount_total"], voided["total"]) == (1.4, 0, 10)
    assert (voided["coupon_code"], await get_discount_minor(shop, order)) == ("TEN", 0)


async def test_deleted_item_keeps_its_line_and_loses_its_category_coupon(shop):
    await shop.coupon(value=10, item_ids=[shop.soup["id"]])
    order = await shop.place_order(line(shop.soup), line(shop.cake))
    await shop.send("DELETE", f"/menu/items/{shop.soup['id']}")

    amended = await amend(shop, order, "lines", {"items": [line(shop.cake)]})

    assert (amended["discount_total"], amended["total"]) == (1, 17)
