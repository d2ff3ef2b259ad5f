"""What a guest reads of an order's garments."""

import re

from comanda.devkit.testing import line


async def read(laundry, order, language="en"):
    page = await laundry.client.get(f"/t/{order['track_token']}", headers={"Accept-Language": language})
    assert page.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", await page.get_data(as_text=True)))


async def test_guest_reads_the_day_and_the_garments(laundry):
    order = await laundry.drop_off(line(laundry.shirt, 2))
    before = await read(laundry, order)
    shirts = (await laundry.tag(order))["tagged"]
    await laundry.send("PUT", f"/laundry/garments/{shirts[0]['id']}", {"state": "ready"})

    after = await read(laundry, order)

    assert "Ready on 7 Jan 2030" in before
    assert "Shirt Ready: #1" in after
    assert "Shirt Taken in: #2" in after


async def test_order_of_a_shop_has_no_facts_but_a_time(laundry, owner):
    shop = type(laundry)(laundry.client, owner, await owner.store("retail"))
    for store in (laundry, shop):
        assert (await store.send("PUT", "/settings/storefront", {"preparation_minutes": 20})).status == 200
    order = await shop.order(line(await shop.item("Soap", 3)), type="in_store")

    assert "Ready on" not in await read(laundry, order)
    assert "Ready about" in await read(laundry, order)
    assert "Ready about" not in await read(laundry, await laundry.drop_off(line(laundry.shirt, 2)))
